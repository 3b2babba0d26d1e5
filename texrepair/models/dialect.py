"""How servers that should be alike differ: addresses, names of limits, fields that some of them do not take."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from texrepair.errors import ModelRefused
from texrepair.models.base import Reply

SMALLEST = 1024
"""Tokens: with fewer no file can be answered, so a lower limit is not tried."""

LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")

_OPTIONAL = (
    "temperature",
    "reasoning_effort",
    "reasoning",
    "thinking",
    "chat_template_kwargs",
    "stream_options",
    "cache_control",
    "store",
)
"""Fields that change how an answer is made, not what is asked: a server that does not know one can do without."""

_UNKNOWN = re.compile(r"unsupported|not supported|unrecogni[sz]ed|unknown|not permitted|unexpected|instead", re.I)
_TOO_MANY = re.compile(r"max(?:imum)?[ _](?:\w+[ _])?(?:tokens|length)", re.I)


def joined(base_url: str, endpoint: str, *, below_paths: bool) -> str:
    """The address of an endpoint below a base URL, with or without its `/v1`.

    A base URL with a path but no version in it is taken as it is, unless `below_paths`: Anthropic's convention is to
    leave the version out, OpenAI's to write it.
    """
    base = base_url.rstrip("/")
    path = urlsplit(base).path
    if path.endswith("/" + endpoint):
        return base
    versioned = re.search(r"/v\d+\w*(?:/|$)", path)
    if not versioned and (below_paths or not path):
        base += "/v1"
    return f"{base}/{endpoint}"


def asked(ask: Callable[[Mapping[str, Any]], Reply], body: Mapping[str, Any]) -> Reply:
    """The reply to a request, sent again without what the server says it does not take.

    Raises ModelError, of the last try.
    """
    renamed = False
    while True:
        try:
            return ask(body)
        except ModelRefused as refused:
            changed = adapted(body, str(refused), rename=not renamed) if refused.status in (400, 422) else None
            if changed is None:
                raise
            renamed = renamed or bool(changed.keys() - body.keys())
            body = changed


def adapted(body: Mapping[str, Any], message: str, *, rename: bool = True) -> dict[str, Any] | None:
    """The request without what the message complains of, or None where it names nothing that can change.

    A field that is optional is left out, the limit of the answer gets its other name (if `rename`) or is halved.
    """
    for name in _OPTIONAL:
        if re.search(rf"\b{name}\b", message):
            if name in body:
                return {k: v for k, v in body.items() if k != name}
            if name == "cache_control" and (plain := _without_marks(body)) is not None:
                return plain
    limit = next((name for name in LIMITS if name in body), None)
    if limit is None or not (re.search(rf"\b{limit}\b", message) or _TOO_MANY.search(message)):
        return None
    other = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}.get(limit)
    if _UNKNOWN.search(message):
        if other is None or not rename:
            return None
        return {**{k: v for k, v in body.items() if k != limit}, other: body[limit]}
    half = body[limit] // 2
    return {**body, limit: half} if half >= SMALLEST else None


def _without_marks(body: Mapping[str, Any]) -> dict[str, Any] | None:
    """The request without the cache marks inside its messages; None where there are none."""
    found = False
    messages = []
    for message in body.get("messages", ()):
        content = message.get("content")
        if isinstance(content, list):
            found = found or any("cache_control" in block for block in content)
            content = [{k: v for k, v in block.items() if k != "cache_control"} for block in content]
        messages.append({**message, "content": content})
    return {**body, "messages": messages} if found else None
