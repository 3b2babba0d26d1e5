"""OpenAI's Chat Completions API, and the many servers that are compatible with it, each in its own way."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from texrepair.errors import ModelReplyInvalid, ModelUnavailable
from texrepair.models.base import Call, Finish, Reply, Request, Server, without_thinking
from texrepair.models.dialect import asked, joined
from texrepair.models.received import Event, Received, arguments, count, json_of, mapping, objects_of, raise_error_in
from texrepair.models.wire import Wire
from texrepair.result import Usage

OFFICIAL = "https://api.openai.com/v1"

_REASONING = re.compile(r"(?:^|/)(?:o[1-9]|gpt-[5-9])", re.IGNORECASE)
"""Names of OpenAI's models that take no temperature but their own."""

_FINISH: dict[str, Finish] = {
    "stop": "end",
    "eos": "end",
    "end_turn": "end",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "refusal",
    "tool_calls": "calls",
    "function_call": "calls",
}


@dataclass(frozen=True)
class OpenAIChat:
    """A model behind Chat Completions."""

    model: str
    server: Server
    wire: Wire = field(default_factory=Wire)

    @property
    def name(self) -> str:
        return f"openai:{self.model}"

    def reply(self, request: Request) -> Reply:
        """Raises ModelError."""
        secret = self.server.key.get_secret_value() if self.server.key else None
        headers = {"authorization": f"Bearer {secret}"} if secret else {}
        url = joined(self.server.base_url, "chat/completions", below_paths=False)
        return asked(
            lambda body: self.wire.ask(
                url, headers, body, read=reply_of, ends=ends, deadline=request.deadline, secret=secret
            ),
            body_of(request, self.model, self.server),
        )


def takes_temperature(model: str) -> bool:
    """Whether a model may be told a temperature, by its name."""
    return _REASONING.search(model) is None


def is_official(base_url: str) -> bool:
    """Whether this is OpenAI's own server."""
    return (urlsplit(base_url).hostname or "").endswith("openai.com")


def body_of(request: Request, model: str, server: Server) -> dict[str, Any]:
    """The request as this API wants it."""
    official = is_official(server.base_url)
    messages: list[Any] = [
        {"role": "system", "content": request.system},
        {"role": "user", "content": f"{request.prompt}\n\n{request.coda}" if request.coda else request.prompt},
    ]
    for turn in request.turns:
        # Verbatim: DeepSeek wants its reasoning back, Gemini the signatures of its calls.
        messages.append(turn.reply.sent or {"role": "assistant", "content": turn.reply.text})
        messages += [{"role": "tool", "tool_call_id": a.call.id, "content": a.text} for a in turn.answers]
        if turn.text:
            messages.append({"role": "user", "content": turn.text})
    limit = server.token_field or ("max_completion_tokens" if official else "max_tokens")
    body: dict[str, Any] = {
        "model": model,
        "messages": messages,
        limit: request.max_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if request.temperature is not None and takes_temperature(model):
        body["temperature"] = request.temperature
    if server.disable_thinking:
        if official:
            body["reasoning_effort"] = "none"
        else:
            body["chat_template_kwargs"] = {"enable_thinking": False}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": t.name, "description": t.description, "parameters": dict(t.schema)},
            }
            for t in request.tools
        ]
    return {**body, **(server.extra_body or {})}


def ends(event: Event) -> bool:
    """Whether nothing follows this event."""
    return event.data.strip() == "[DONE]"


def reply_of(received: Received) -> Reply:
    """The reply that an answer holds, streamed or not. Raises ModelError."""
    body = _completion(received) if received.events else json_of(received)
    choices = body.get("choices")
    choice = mapping(choices[0]) if isinstance(choices, list) and choices else {}
    raise_error_in(choice)
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise ModelReplyInvalid("the answer holds no message")
    calls, sent = _calls(message)
    text = without_thinking(text_of(message.get("content")))
    finish = _FINISH.get(str(choice.get("finish_reason") or "").lower(), "unknown")
    note = str(message.get("refusal") or "")
    if note and not text:
        finish = "refusal"
    elif calls and finish in ("end", "unknown"):
        # Several servers say `stop`, or nothing, although there are calls.
        finish = "calls"
    return Reply(text, finish, usage_of(mapping(body.get("usage"))), calls, sent=sent, note=note)


def text_of(content: object) -> str:
    """The text of a content: a string, a list of parts, or nothing."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = ({"type": "text", "text": part} if isinstance(part, str) else mapping(part) for part in content)
    return "".join(str(p.get("text") or "") for p in parts if p.get("type") in ("text", "output_text", None))


def usage_of(usage: Mapping[str, Any]) -> Usage:
    """The counts; `prompt_tokens` includes the cached ones."""
    details = mapping(usage.get("prompt_tokens_details"))
    cached = count(details.get("cached_tokens"))
    if cached is None:
        # DeepSeek's name for it.
        cached = count(usage.get("prompt_cache_hit_tokens"))
    return Usage(count(usage.get("prompt_tokens")), cached, count(usage.get("completion_tokens")))


def _calls(message: Mapping[str, Any]) -> tuple[tuple[Call, ...], dict[str, Any]]:
    """The calls in a message, and the message as it has to be sent back: with an id for every call."""
    listed = message.get("tool_calls")
    given = [dict(mapping(call)) for call in listed] if isinstance(listed, list) else []
    calls = []
    for number, call in enumerate(given):
        function = dict(mapping(call.get("function")))
        name, raw = str(function.get("name") or ""), function.get("arguments")
        written = raw if isinstance(raw, str) else json.dumps({} if raw is None else raw, ensure_ascii=False)
        call["id"] = str(call.get("id") or made_id(number, name, written))
        call["type"] = "function"
        call["function"] = {**function, "arguments": written}
        calls.append(Call(call["id"], name, arguments(raw)))
    sent = {**message, "role": "assistant"}
    if given:
        sent["tool_calls"] = given
    return tuple(calls), sent


def made_id(number: int, name: str, written: str) -> str:
    """An id for a call that came without one: nine letters and digits, as Mistral's templates want them."""
    return hashlib.sha256(f"{number} {name} {written}".encode("utf-8", "replace")).hexdigest()[:9]


_GROWING = ("content", "refusal", "reasoning", "reasoning_content")


def _completion(received: Received) -> dict[str, Any]:
    """The completion that a stream builds. Raises ModelUnavailable where it broke off."""
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    calls: list[dict[str, Any]] = []
    usage: Mapping[str, Any] = {}
    reason = None
    for chunk in objects_of(received):
        usage = mapping(chunk.get("usage")) or usage
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not choices:
            # The last chunk of a stream with usage has none.
            continue
        choice = mapping(choices[0])
        raise_error_in(choice)
        reason = choice.get("finish_reason") or reason
        delta = mapping(choice.get("delta")) or mapping(choice.get("message"))
        for name, value in delta.items():
            if name == "tool_calls":
                for piece in value if isinstance(value, list) else ():
                    _grow(calls, mapping(piece))
            elif name == "content" and isinstance(value, list):
                message["content"] += text_of(value)
            elif name in _GROWING and isinstance(value, str):
                message[name] = str(message.get(name) or "") + value
            elif name != "role" and value is not None:
                message[name] = value
    if reason == "error":
        raise ModelUnavailable("the model's server failed in the middle of the answer")
    if not (reason or any(map(ends, received.events))):
        raise ModelUnavailable("the model's answer broke off")
    if calls:
        message["tool_calls"] = calls
    return {"choices": [{"message": message, "finish_reason": reason}], "usage": usage}


def _grow(calls: list[dict[str, Any]], piece: Mapping[str, Any]) -> None:
    """Adds a piece of a call. Pieces belong together by index; without one, an id or a name begins a new call."""
    function = mapping(piece.get("function"))
    index = piece.get("index")
    if isinstance(index, int):
        found = next((c for c in calls if c.get("index") == index), None)
    else:
        begins = not calls or (piece.get("id") and piece["id"] != calls[-1].get("id"))
        found = None if begins or (function.get("name") and not piece.get("id")) else calls[-1]
    if found is None:
        calls.append({**piece, "function": dict(function)})
        return
    for name, value in piece.items():
        if name != "function" and value is not None:
            found.setdefault(name, value)
    grown = found["function"]
    for name, value in function.items():
        if name == "arguments" and isinstance(value, str) and isinstance(grown.get(name), str):
            grown[name] += value
        elif value is not None and not (name == "name" and grown.get("name")):
            grown[name] = value
