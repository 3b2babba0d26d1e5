"""A model that is a command: the prompt on its standard input, the answer on its standard output."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from texrepair.errors import ModelReplyInvalid, ModelUnavailable
from texrepair.models.base import Reply, Request, without_thinking
from texrepair.result import Usage

MOST_BYTES = 32 * 1024 * 1024
"""Bytes of one answer."""


@dataclass(frozen=True)
class Command:
    """A command of the caller's own. It runs with the caller's environment, outside the sandbox, in its own process
    group, which is killed at the deadline and when it has answered."""

    argv: tuple[str, ...]
    clock: Callable[[], float] = time.monotonic

    @property
    def name(self) -> str:
        # Not its arguments: a key may stand there.
        return f"cmd:{self.argv[0]}"

    def reply(self, request: Request) -> Reply:
        """Raises ModelUnavailable where it does not start, fails or is slow, ModelReplyInvalid without an answer."""
        started = self.clock()
        program = self.argv[0]
        with tempfile.TemporaryFile() as prompt:
            # A file cannot block, however much the command reads and writes at a time.
            prompt.write(request.text.encode("utf-8", "replace"))
            prompt.seek(0)
            try:
                process = subprocess.Popen(
                    self.argv,
                    stdin=prompt,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,
                )
            except OSError as error:
                raise ModelUnavailable(f"{program} cannot be started: {error.strerror}") from error
            try:
                answer, complaint = self._collected(process, request.deadline)
                status = self._waited(process, request.deadline)
            finally:
                _killed(process)
        if status is None:
            raise ModelUnavailable(f"{program} was still at work when the time budget ended")
        if status != 0:
            said = complaint.decode("utf-8", "replace").strip().splitlines()
            raise ModelUnavailable(f"{program} ended with status {status}" + (f": {said[-1][:300]}" if said else ""))
        text = without_thinking(answer.decode("utf-8", "replace"))
        if not text.strip():
            raise ModelReplyInvalid(f"{program} answered nothing")
        return Reply(text, usage=Usage(seconds=self.clock() - started))

    def _left(self, deadline: float | None) -> float | None:
        return None if deadline is None else max(0.0, deadline - self.clock())

    def _collected(self, process: subprocess.Popen[bytes], deadline: float | None) -> tuple[bytes, bytes]:
        """Standard output and standard error, until both end or the deadline comes."""
        assert process.stdout is not None and process.stderr is not None
        outputs = {process.stdout: bytearray(), process.stderr: bytearray()}
        with selectors.DefaultSelector() as selector:
            for stream in outputs:
                selector.register(stream, selectors.EVENT_READ, outputs[stream])
            while selector.get_map():
                ready = selector.select(self._left(deadline))
                if not ready:
                    break
                for key, _ in ready:
                    chunk = os.read(key.fd, 65536)
                    key.data.extend(chunk)
                    if not chunk:
                        selector.unregister(key.fileobj)
                    if len(key.data) > MOST_BYTES:
                        raise ModelReplyInvalid(f"{self.argv[0]} answered more than {MOST_BYTES // 2**20} MiB")
        return bytes(outputs[process.stdout]), bytes(outputs[process.stderr])

    def _waited(self, process: subprocess.Popen[bytes], deadline: float | None) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return process.wait(self._left(deadline))
        return None


def _killed(process: subprocess.Popen[bytes]) -> None:
    """Ends the command and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
