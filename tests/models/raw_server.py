"""A server on loopback that answers with exactly the bytes it is told, and may then keep silent."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


def chunk(data: bytes) -> bytes:
    """One chunk of a chunked body."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


class Connection:
    """What a script is given: send bytes, wait until the test is over."""

    def __init__(self, wire: socket.socket, over: threading.Event) -> None:
        self._wire = wire
        self._over = over

    def send(self, data: bytes) -> bool:
        """False where the client has gone."""
        try:
            self._wire.sendall(data)
        except OSError:
            return False
        return True

    def silence(self, seconds: float | None = None) -> bool:
        """Waits; True when the test is over."""
        return self._over.wait(seconds)


@contextmanager
def raw_server(script: Callable[[Connection], None]) -> Iterator[str]:
    """The address of a server that runs the script for each request."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)

        def serve() -> None:
            while not over.is_set():
                try:
                    wire, _ = server.accept()
                except TimeoutError:
                    continue
                with wire:
                    wire.settimeout(10)
                    _read_request(wire)
                    script(Connection(wire, over))

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        finally:
            over.set()
            thread.join()


def _read_request(wire: socket.socket) -> None:
    data = b""
    while b"\r\n\r\n" not in data:
        data += wire.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    while len(body) < length:
        body += wire.recv(65536)
