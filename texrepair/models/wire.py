"""The one place that speaks HTTP: one POST, its answer whole or as a stream of events, retries, and the budget.

An answer is streamed, so that what is waited for is a sign of life and not the end of a long answer. Everything else
about a provider is two pure functions: a request to a body, and what was received to a reply.
"""

from __future__ import annotations

import ipaddress
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from texrepair import __version__
from texrepair.errors import ModelError, ModelReplyInvalid, ModelUnavailable, SettingsError, TexrepairError
from texrepair.models.base import Reply
from texrepair.models.dialect import LIMITS
from texrepair.models.received import Event, Events, Received, refusal

if TYPE_CHECKING:
    import httpx

OVERALL = 600.0
"""Seconds for one call with all its retries, where the caller sets no deadline."""
CONNECT = 5.0
"""Seconds to connect."""
MOST_BYTES = 32 * 1024 * 1024
"""Bytes of one answer."""
MOST_EVENTS, SPARE_EVENTS = 2, 1000
"""Events of a stream for each token of the limit, and further ones. Servers send one for each token, or fewer; one that
overlooks the limit is left alone, since what it sends is paid for."""
LONGEST_WAIT = 60.0
"""Seconds: a server that asks for a longer wait is unavailable."""


@dataclass(frozen=True)
class Wire:
    """How calls are made: time-outs, retries, and the clock they go by."""

    silence: float = 180.0
    """Seconds without a byte after which the server counts as unavailable."""
    retries: int = 2
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    chance: Callable[[], float] = random.random
    """0 to 1, for the spread of waits."""
    transport: httpx.BaseTransport | None = field(default=None, compare=False)

    def ask(
        self,
        url: str,
        headers: Mapping[str, str],
        body: Mapping[str, Any],
        *,
        read: Callable[[Received], Reply],
        ends: Callable[[Event], bool],
        deadline: float | None,
        secret: str | None = None,
    ) -> Reply:
        """The reply that `read` makes of the answer; `ends` tells the last event of a stream.

        What may pass is tried again, within the deadline (on this wire's clock). `secret` never appears in an error.
        Raises ModelUnavailable, ModelRefused, what `read` raises, and SettingsError for an address that is none.
        """
        started = self.clock()
        if deadline is None:
            deadline = started + OVERALL
        limit = next((body[name] for name in LIMITS if name in body), None)
        for attempt in range(self.retries + 1):
            try:
                received = self._post(url, headers, body, ends, deadline, limit)
                if not 200 <= received.status < 300:
                    raise refusal(received, url)
                reply = _read(received, read)
            except ModelError as error:
                _redact(error, secret)
                if not isinstance(error, ModelUnavailable):
                    raise
                wait = self._wait(attempt, error.wait)
                if attempt == self.retries or wait > LONGEST_WAIT or self.clock() + wait >= deadline:
                    raise
                self.sleep(wait)
            else:
                return replace(
                    reply,
                    usage=replace(reply.usage, seconds=self.clock() - started),
                    request_id=received.headers.get("request-id") or received.headers.get("x-request-id"),
                )
        raise AssertionError("the last try returns or raises")

    def _wait(self, attempt: int, asked: float | None) -> float:
        if asked is not None:
            return asked
        return min(0.5 * 2.0**attempt, 8.0) * (1 - 0.25 * self.chance())

    def _post(
        self,
        url: str,
        headers: Mapping[str, str],
        body: Mapping[str, Any],
        ends: Callable[[Event], bool],
        deadline: float,
        limit: int | None,
    ) -> Received:
        import httpx

        left = deadline - self.clock()
        if left <= 0:
            raise ModelUnavailable("the time budget ended before the model could be asked")
        # Lone surrogates stand for bytes that are no UTF-8; servers refuse them.
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        sent = {
            "content-type": "application/json",
            "accept": "text/event-stream, application/json",
            # A compressed stream is handed on in blocks: words would wait for each other.
            "accept-encoding": "identity",
            "user-agent": f"texrepair/{__version__}",
            **headers,
        }
        timeout = httpx.Timeout(min(self.silence, left), connect=min(CONNECT, left))
        host = urlsplit(url).hostname or ""
        with (
            _translated(url, self.silence, lambda: self.clock() >= deadline),
            # A model on this machine is not asked through a proxy.
            httpx.Client(timeout=timeout, transport=self.transport, trust_env=not _is_loopback(host)) as client,
            client.stream("POST", url, content=content, headers=sent) as response,
            _cut_at(deadline - self.clock(), response),
        ):
            return self._collected(response, ends, deadline, limit)

    def _collected(
        self, response: httpx.Response, ends: Callable[[Event], bool], deadline: float, limit: int | None
    ) -> Received:
        import httpx

        events, found, raw, whole = Events(), [], bytearray(), True
        headers = {name.lower(): value for name, value in response.headers.items()}
        try:
            for chunk in response.iter_bytes():
                raw += chunk
                if len(raw) > MOST_BYTES:
                    raise ModelUnavailable(f"the answer is longer than {MOST_BYTES // 2**20} MiB")
                if self.clock() >= deadline:
                    break
                fresh = events.feed(chunk)
                found += fresh
                if limit is not None and len(found) > MOST_EVENTS * limit + SPARE_EVENTS:
                    raise ModelReplyInvalid(f"the answer does not end at the {limit} tokens that it may have")
                if any(map(ends, fresh)):
                    return Received(response.status_code, headers, "", tuple(found))
        except (httpx.RemoteProtocolError, httpx.ReadError):
            whole = False
        if self.clock() >= deadline:
            raise ModelUnavailable("the time budget ended while the model was answering")
        found += events.rest()
        text = "" if found else raw.decode("utf-8", "replace")
        return Received(response.status_code, headers, text, tuple(found), whole)


def _read(received: Received, read: Callable[[Received], Reply]) -> Reply:
    try:
        return read(received)
    except RecursionError as error:
        raise ModelReplyInvalid("the model's answer is nested too deeply") from error


def _redact(error: ModelError, secret: str | None) -> None:
    """Takes the key out of the message: some servers repeat the key that they were given."""
    if secret:
        error.args = tuple(str(part).replace(secret, "[key]") for part in error.args)


@contextmanager
def _cut_at(seconds: float, response: httpx.Response) -> Iterator[None]:
    """Ends the connection after so many seconds, whatever is being waited for."""
    stream = response.extensions.get("network_stream")

    def cut() -> None:
        # shutdown() wakes a thread that waits in recv(); close() does not.
        wire = stream.get_extra_info("socket") if stream is not None else None
        if isinstance(wire, socket.socket):
            with suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(0.0, seconds), cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def translations() -> dict[type[Exception], tuple[type[TexrepairError], str]]:
    """What each error of the HTTP client means; the most specific class counts."""
    import httpx

    return {
        httpx.ConnectTimeout: (ModelUnavailable, "cannot be reached (no connection in time)"),
        httpx.ReadTimeout: (ModelUnavailable, "gave no sign for {silence:.0f} s"),
        httpx.TimeoutException: (ModelUnavailable, "is too slow"),
        httpx.ConnectError: (ModelUnavailable, "cannot be reached ({error})"),
        httpx.NetworkError: (ModelUnavailable, "broke the connection"),
        httpx.ProxyError: (ModelUnavailable, "cannot be reached through the proxy ({error})"),
        httpx.RemoteProtocolError: (ModelUnavailable, "does not speak HTTP, or broke off"),
        httpx.DecodingError: (ModelUnavailable, "sent an answer that cannot be decoded"),
        httpx.UnsupportedProtocol: (SettingsError, "is no address: it has to begin with http:// or https://"),
        httpx.InvalidURL: (SettingsError, "is no address"),
        # Its text holds the header that is wrong, and that may be the key.
        httpx.LocalProtocolError: (SettingsError, "cannot be sent these headers"),
        httpx.TransportError: (ModelUnavailable, "cannot be reached"),
        httpx.RequestError: (ModelUnavailable, "cannot be reached"),
    }


@contextmanager
def _translated(url: str, silence: float, expired: Callable[[], bool]) -> Iterator[None]:
    import httpx

    table = translations()
    try:
        yield
    except (httpx.RequestError, httpx.InvalidURL) as error:
        if expired():
            raise ModelUnavailable("the time budget ended while the model was answering") from error
        kind, words = next(table[parent] for parent in type(error).__mro__ if parent in table)
        where = f"the model's server at {_shown(url)} "
        raise kind(where + words.format(silence=silence, error=error)) from error


def _shown(url: str) -> str:
    """The address without a user name, password or query that may stand in it."""
    with suppress(ValueError):
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return "that address"


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False
