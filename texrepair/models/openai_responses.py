"""OpenAI's Responses API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from texrepair.errors import ModelReplyInvalid, ModelUnavailable
from texrepair.models.base import Call, Finish, Reply, Request, Server, without_thinking
from texrepair.models.dialect import asked, joined
from texrepair.models.openai_chat import made_id, takes_temperature
from texrepair.models.received import Event, Received, arguments, count, json_of, mapping, objects_of, raise_error_in
from texrepair.models.wire import Wire
from texrepair.result import Usage

_LAST = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")

_INCOMPLETE: dict[str, Finish] = {"max_output_tokens": "length", "content_filter": "refusal"}


@dataclass(frozen=True)
class OpenAIResponses:
    """A model behind the Responses API."""

    model: str
    server: Server
    wire: Wire = field(default_factory=Wire)

    @property
    def name(self) -> str:
        return f"openai-responses:{self.model}"

    def reply(self, request: Request) -> Reply:
        """Raises ModelError."""
        secret = self.server.key.get_secret_value() if self.server.key else None
        headers = {"authorization": f"Bearer {secret}"} if secret else {}
        url = joined(self.server.base_url, "responses", below_paths=False)
        return asked(
            lambda body: self.wire.ask(
                url, headers, body, read=reply_of, ends=ends, deadline=request.deadline, secret=secret
            ),
            body_of(request, self.model, self.server),
        )


def body_of(request: Request, model: str, server: Server) -> dict[str, Any]:
    """The request as this API wants it. Nothing is stored: the conversation is sent again in each turn."""
    text = f"{request.prompt}\n\n{request.coda}" if request.coda else request.prompt
    items: list[Any] = [{"role": "user", "content": text}]
    for turn in request.turns:
        if isinstance(turn.reply.sent, list):
            items += turn.reply.sent
        else:
            items.append({"role": "assistant", "content": turn.reply.text})
        items += [{"type": "function_call_output", "call_id": a.call.id, "output": a.text} for a in turn.answers]
        if turn.text:
            items.append({"role": "user", "content": turn.text})
    body: dict[str, Any] = {
        "model": model,
        "instructions": request.system,
        "input": items,
        "max_output_tokens": request.max_tokens,
        "store": False,
        "stream": True,
    }
    if request.temperature is not None and takes_temperature(model):
        body["temperature"] = request.temperature
    if server.disable_thinking:
        body["reasoning"] = {"effort": "none"}
    if request.tools:
        body["tools"] = [
            {"type": "function", "name": t.name, "description": t.description, "parameters": dict(t.schema)}
            for t in request.tools
        ]
    return {**body, **(server.extra_body or {})}


def ends(event: Event) -> bool:
    """Whether nothing follows this event."""
    if event.name:
        return event.name in (*_LAST, "error")
    return event.data.strip() == "[DONE]" or any(f'"{name}"' in event.data[:80] for name in _LAST)


def reply_of(received: Received) -> Reply:
    """The reply that an answer holds, streamed or not. Raises ModelError."""
    response = _response(objects_of(received)) if received.events else json_of(received)
    raise_error_in(response)
    status = response.get("status")
    if status in ("failed", "cancelled", "queued", "in_progress"):
        raise ModelUnavailable(f"the model's server left the answer {str(status).replace('_', ' ')}")
    output = response.get("output")
    if not isinstance(output, list):
        raise ModelReplyInvalid("the answer holds no output")
    items = [mapping(item) for item in output]
    parts = [
        mapping(part)
        for item in items
        if item.get("type") == "message"
        for part in (item["content"] if isinstance(item.get("content"), list) else ())
    ]
    text = "".join(str(p.get("text") or "") for p in parts if p.get("type") in ("output_text", "text"))
    note = "".join(str(p.get("refusal") or "") for p in parts if p.get("type") == "refusal")
    calls = []
    for number, item in enumerate(items):
        if item.get("type") == "function_call":
            name, raw = str(item.get("name") or ""), item.get("arguments")
            given = item.get("call_id") or item.get("id") or made_id(number, name, str(raw))
            calls.append(Call(str(given), name, arguments(raw)))
    reason = str(mapping(response.get("incomplete_details")).get("reason") or "")
    finish: Finish = "end" if status in ("completed", None) else _INCOMPLETE.get(reason, "unknown")
    if note and not text:
        finish = "refusal"
    elif calls and finish == "end":
        finish = "calls"
    return Reply(
        without_thinking(text),
        finish,
        usage_of(mapping(response.get("usage"))),
        tuple(calls),
        sent=output,
        note=note,
    )


def usage_of(usage: Mapping[str, Any]) -> Usage:
    """The counts; `input_tokens` includes the cached ones."""
    cached = count(mapping(usage.get("input_tokens_details")).get("cached_tokens"))
    return Usage(count(usage.get("input_tokens")), cached, count(usage.get("output_tokens")))


def _response(events: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The response that a stream ends with. Raises ModelUnavailable where it broke off."""
    items: dict[int, Any] = {}
    for event in events:
        kind = event.get("type")
        if kind == "response.output_item.done":
            index = event.get("output_index")
            items[index if isinstance(index, int) else len(items)] = event.get("item")
        elif kind in _LAST:
            response = dict(mapping(event.get("response")))
            # Some compatible servers leave the output out of the last event.
            if not response.get("output"):
                response["output"] = [items[at] for at in sorted(items)]
            return response
    raise ModelUnavailable("the model's answer broke off")
