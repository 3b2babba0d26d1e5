"""Anthropic's Messages API."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from texrepair.errors import ModelReplyInvalid, ModelUnavailable
from texrepair.models.base import Call, Finish, Reply, Request, Server
from texrepair.models.dialect import asked, joined
from texrepair.models.received import Event, Received, arguments, count, json_of, mapping, objects_of
from texrepair.models.wire import Wire
from texrepair.result import Usage

OFFICIAL = "https://api.anthropic.com"
WITH_SAMPLING = "2023-06-01"
"""The API version whose requests may name a temperature; the next one, 2026-10-21, answers that with a 400."""

_FINISH: dict[str, Finish] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
    "tool_use": "calls",
}


@dataclass(frozen=True)
class Anthropic:
    """A model behind the Messages API."""

    model: str
    server: Server
    wire: Wire = field(default_factory=Wire)

    @property
    def name(self) -> str:
        return f"anthropic:{self.model}"

    def reply(self, request: Request) -> Reply:
        """Raises ModelError."""
        headers = {"anthropic-version": self.server.api_version}
        secret = self.server.key.get_secret_value() if self.server.key else None
        if secret:
            headers["x-api-key"] = secret
        url = joined(self.server.base_url, "messages", below_paths=True)
        return asked(
            lambda body: self.wire.ask(
                url, headers, body, read=reply_of, ends=ends, deadline=request.deadline, secret=secret
            ),
            body_of(request, self.model, self.server),
        )


def body_of(request: Request, model: str, server: Server) -> dict[str, Any]:
    """The request as this API wants it."""
    prompt: list[dict[str, Any]] = [{"type": "text", "text": request.prompt}]
    if request.coda:
        prompt.append({"type": "text", "text": request.coda})
    # The cache ends where what differs begins.
    prompt[0]["cache_control"] = {"type": "ephemeral"}
    messages: list[dict[str, Any]] = [{"role": "user", "content": prompt}]
    for turn in request.turns:
        messages.append({"role": "assistant", "content": turn.reply.sent or turn.reply.text})
        content: list[dict[str, Any]] = [
            {"type": "tool_result", "tool_use_id": a.call.id, "content": a.text, "is_error": a.is_error}
            for a in turn.answers
        ]
        if turn.text:
            content.append({"type": "text", "text": turn.text})
        messages.append({"role": "user", "content": content})
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": request.max_tokens,
        "system": request.system,
        "messages": messages,
        "stream": True,
    }
    if request.temperature is not None and server.api_version <= WITH_SAMPLING:
        body["temperature"] = request.temperature
    if server.disable_thinking:
        body["thinking"] = {"type": "disabled"}
    if request.tools:
        body["tools"] = [
            {"name": t.name, "description": t.description, "input_schema": dict(t.schema)} for t in request.tools
        ]
    return {**body, **(server.extra_body or {})}


def ends(event: Event) -> bool:
    """Whether nothing follows this event."""
    return event.name in ("message_stop", "error") or '"message_stop"' in event.data[:80]


def reply_of(received: Received) -> Reply:
    """The reply that an answer holds, streamed or not. Raises ModelError."""
    message = _message(objects_of(received)) if received.events else json_of(received)
    blocks = message.get("content")
    if isinstance(blocks, str):
        blocks = [{"type": "text", "text": blocks}]
    if not isinstance(blocks, list):
        raise ModelReplyInvalid("the answer has no content")
    found = [mapping(block) for block in blocks]
    calls = tuple(
        Call(str(b.get("id") or f"call{n:05}"), str(b.get("name") or ""), arguments(b.get("input")))
        for n, b in enumerate(found)
        if b.get("type") == "tool_use"
    )
    text = "".join(str(b.get("text") or "") for b in found if b.get("type") == "text")
    reason = message.get("stop_reason")
    finish = _FINISH.get(str(reason), "unknown")
    note = ""
    if finish == "refusal":
        details = mapping(message.get("stop_details"))
        note = str(details.get("explanation") or details.get("category") or "")
    return Reply(
        text,
        "calls" if calls and finish in ("unknown", "end") else finish,
        usage_of(mapping(message.get("usage"))),
        calls,
        sent=blocks,
        note=note,
    )


def usage_of(usage: Mapping[str, Any]) -> Usage:
    """The counts; `input_tokens` leaves out what came from the cache or went there."""
    fresh = count(usage.get("input_tokens"))
    cached = count(usage.get("cache_read_input_tokens"))
    written = count(usage.get("cache_creation_input_tokens"))
    total = None if fresh is None else fresh + (cached or 0) + (written or 0)
    return Usage(total, cached, count(usage.get("output_tokens")))


def _message(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The message that a stream builds. Raises ModelUnavailable where it broke off."""
    message: dict[str, Any] = {}
    usage: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    inputs: dict[int, str] = {}
    stopped = False
    for event in events:
        kind, index = event.get("type"), event.get("index")
        at = index if isinstance(index, int) else len(blocks) - 1
        if kind == "message_start":
            message = dict(mapping(event.get("message")))
            usage.update(mapping(message.get("usage")))
        elif kind == "content_block_start":
            blocks[at if isinstance(index, int) else len(blocks)] = dict(mapping(event.get("content_block")))
        elif kind == "content_block_delta":
            delta = mapping(event.get("delta"))
            block = blocks.setdefault(at, {"type": "text", "text": ""})
            if delta.get("type") == "input_json_delta":
                inputs[at] = inputs.get(at, "") + str(delta.get("partial_json") or "")
            else:
                for name in ("text", "thinking", "signature"):
                    if name in delta:
                        block[name] = str(block.get(name) or "") + str(delta[name] or "")
        elif kind == "message_delta":
            message.update(mapping(event.get("delta")))
            # Cumulative, and without what did not change.
            usage.update({k: v for k, v in mapping(event.get("usage")).items() if v is not None})
        stopped = stopped or kind == "message_stop"
    if not (stopped or message.get("stop_reason")):
        raise ModelUnavailable("the model's answer broke off")
    for at, text in inputs.items():
        try:
            blocks[at]["input"] = json.loads(text) if text else {}
        except (ValueError, RecursionError):
            blocks[at]["input"] = text
    return {**message, "content": [blocks[at] for at in sorted(blocks)], "usage": usage}
