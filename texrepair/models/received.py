"""What servers send, read tolerantly: events, errors in all their places, counts. Pure functions."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from texrepair.errors import ContextTooSmall, ModelError, ModelRefused, ModelUnavailable

_RETRIED = frozenset({408, 409, 429})

_PERMANENT = frozenset(
    {
        "invalid_request_error",
        "authentication_error",
        "billing_error",
        "permission_error",
        "not_found_error",
        "request_too_large",
        "invalid_api_key",
        "insufficient_quota",
        "model_not_found",
        "context_length_exceeded",
        "exceed_context_size_error",
        "invalid_prompt",
    }
)
"""Types and codes of errors inside a 200 that asking again will not cure."""

_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|(?:prompt|input) is too long|too many input tokens|reduce the length of",
    re.IGNORECASE,
)
"""How servers say that the question does not fit: OpenAI, vLLM, llama.cpp, Anthropic, Ollama."""

_CURES = {
    401: "check the key in TEXREPAIR_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY",
    402: "the account has no credit left",
    403: "the key may not use this model",
    404: "check the model's name and the base URL",
    413: "the prompt is too large for this server",
}


@dataclass(frozen=True, slots=True)
class Event:
    """One server-sent event."""

    data: str
    name: str = ""


class Events:
    """Takes a stream's bytes apart into events (WHATWG HTML, section 9.2.6).

    Lines end in LF, CRLF or CR only: U+2028 and the like may stand unescaped inside JSON. A last event without its
    blank line counts, since servers forget it.
    """

    def __init__(self) -> None:
        self._pending = b""
        self._data: list[str] = []
        self._name = ""

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that are complete with this chunk."""
        self._pending += chunk
        # A CR at the end may be half of a CRLF.
        usable = self._pending[:-1] if self._pending.endswith(b"\r") else self._pending
        end = max(usable.rfind(b"\n"), usable.rfind(b"\r")) + 1
        lines, self._pending = usable[:end], self._pending[end:]
        found: list[Event] = []
        for line in re.split(rb"\r\n|\n|\r", lines)[:-1]:
            found += self._line(line.decode("utf-8", "replace"))
        return found

    def rest(self) -> list[Event]:
        """The last event, where the stream ended without a blank line."""
        found = self.feed(b"\n\n")
        self._pending = b""
        return found

    def _line(self, line: str) -> list[Event]:
        if not line:
            found = [Event("\n".join(self._data), self._name)] if self._data else []
            self._data, self._name = [], ""
            return found
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._name = value
        return []


@dataclass(frozen=True, slots=True)
class Received:
    """What a server sent."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    text: str = ""
    """The body, where it was no stream of events."""
    events: tuple[Event, ...] = ()
    whole: bool = True
    """False where the connection broke before the answer ended."""


def json_of(received: Received) -> dict[str, Any]:
    """The answer as one JSON object.

    Raises ModelUnavailable where it is something else (an empty body, a proxy's page, half of an answer), and the error
    that it holds, if it holds one.
    """
    body = _object(received.text)
    if body is None:
        text = received.text.strip()
        if not text:
            raise ModelUnavailable("the model's server sent an empty answer")
        if not received.whole:
            raise ModelUnavailable("the model's answer broke off")
        raise ModelUnavailable(f"the model's server sent no JSON: {_plain(text)}")
    raise_error_in(body)
    return body


def objects_of(received: Received) -> list[dict[str, Any]]:
    """The JSON objects of a stream; what is no object is skipped. Raises an error that one of them holds."""
    found = []
    for event in received.events:
        body = _object(event.data)
        if body is not None:
            # A named event carries its type in its name where the data does not repeat it.
            if event.name and "type" not in body:
                body["type"] = event.name
            raise_error_in(body)
            found.append(body)
    return found


def raise_error_in(body: Mapping[str, Any]) -> None:
    """Raises the error that stands in an answer with status 200."""
    error = body.get("error")
    if not error and body.get("type") == "error":
        error = body
    if not error:
        return
    details = error if isinstance(error, Mapping) else {}
    message = message_in({"error": error})
    codes = {str(details.get(name)) for name in ("type", "code", "status") if details.get(name) is not None}
    status = next((int(code) for code in codes if re.fullmatch(r"[1-5]\d\d", code)), None)
    if codes & _PERMANENT or (status is not None and not _passes(status)):
        raise _refused(f"the model's server refused: {message}", status or 400, codes)
    raise ModelUnavailable(f"the model's server failed: {message}")


def refusal(received: Received, url: str) -> ModelError:
    """The error that an answer with another status than 2xx means."""
    status = received.status
    body = _object(received.text) or next((o for o in map(_object, (e.data for e in received.events)) if o), None)
    said = message_in(body) if body else _plain(received.text)
    where = urlsplit(url).netloc.rpartition("@")[2]
    message = f"{where} answered {status}" + (f": {said}" if said else "")
    if 300 <= status < 400:
        target = received.headers.get("location", "elsewhere")
        return ModelRefused(f"{where} redirects to {target}: set the base URL to that address", status)
    should = received.headers.get("x-should-retry", "").lower()
    too_long = bool(body) and "exceed_context_size_error" in str(body)  # with status 500 in older llama.cpp
    if should == "true" or (should != "false" and _passes(status) and not too_long):
        return ModelUnavailable(message, wait_asked(received.headers))
    cure = _CURES.get(status)
    return _refused(f"{message} ({cure})" if cure else message, status)


def _refused(message: str, status: int, codes: Collection[str] = ()) -> ModelRefused:
    too_long = status == 413 or _TOO_LONG.search(message) or any(map(_TOO_LONG.search, codes))
    return (ContextTooSmall if too_long else ModelRefused)(message, status)


def _passes(status: int) -> bool:
    return status in _RETRIED or status >= 500


def wait_asked(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to wait, in any of the three forms; None where it asks for none."""
    with suppress(ValueError):
        return max(0.0, float(headers["retry-after-ms"]) / 1000) if "retry-after-ms" in headers else _after(headers)
    return _after(headers)


def _after(headers: Mapping[str, str]) -> float | None:
    value = headers.get("retry-after")
    if value is None:
        return None
    with suppress(ValueError):
        seconds = float(value)
        return max(0.0, seconds) if seconds == seconds else None
    with suppress(ValueError):
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    return None


def message_in(body: Mapping[str, Any]) -> str:
    """The message of an error, wherever this server puts it; at most 500 characters."""
    found: Any = body.get("error") or body.get("message") or body.get("detail") or body.get("errors")
    for _ in range(4):
        if isinstance(found, list):
            found = found[0] if found else None
        if not isinstance(found, Mapping):
            break
        found = found.get("message") or found.get("msg") or found.get("error") or found.get("code") or found.get("type")
    return _short(str(found)) if found else ""


def count(value: object) -> int | None:
    """A number of tokens, or None where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        return None
    return int(value)


def mapping(value: object) -> Mapping[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def arguments(value: object) -> Mapping[str, Any] | None:
    """The arguments of a call: an object, or a string that holds one. "" is what some send for none."""
    if isinstance(value, Mapping):
        return value
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    return _object(value) if isinstance(value, str) else None


def _object(text: str) -> dict[str, Any] | None:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _plain(text: str) -> str:
    """The gist of an HTML page or of other text."""
    if re.match(r"\s*<(?:!doctype|html|head|\?xml)", text, re.IGNORECASE):
        title = re.search(r"<(title|h1)[^>]*>(.*?)</\1", text, re.IGNORECASE | re.DOTALL)
        return "an HTML page" + (f" ({_short(unescape(title[2]))})" if title and title[2].strip() else "")
    return _short(text)


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 500 else words[:497] + "..."
