"""Reads fixtures/wire: what a server sent, and what it has to become."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from texrepair.models import anthropic, openai_chat, openai_responses
from texrepair.models.base import Reply
from texrepair.models.received import Events, Received

ROOT = Path(__file__).resolve().parents[2] / "fixtures" / "wire"

READERS: dict[str, Callable[[Received], Reply]] = {
    "anthropic": anthropic.reply_of,
    "openai_chat": openai_chat.reply_of,
    "openai_responses": openai_responses.reply_of,
}

NAMES = sorted(f"{path.parent.name}/{path.stem}" for path in ROOT.glob("*/*.json"))


def fixture(name: str) -> dict[str, Any]:
    return dict(json.loads((ROOT / f"{name}.json").read_text("utf-8")))


def provider(name: str) -> str:
    return name.partition("/")[0]


def wire_text(case: dict[str, Any]) -> str:
    """The body as it goes over the wire."""
    if "stream" in case:
        return "".join(map(_event, case["stream"]))
    return json.dumps(case["body"]) if "body" in case else str(case["text"])


def _event(item: Any) -> str:
    if isinstance(item, str):
        return f"data: {item}\n\n"
    if "event" in item:
        return f"event: {item['event']}\ndata: {json.dumps(item['data'])}\n\n"
    return f"data: {json.dumps(item)}\n\n"


def received(case: dict[str, Any]) -> Received:
    """What the wire makes of it."""
    text = wire_text(case)
    events = Events()
    found = (*events.feed(text.encode()), *events.rest())
    return Received(
        case.get("status", 200), case.get("headers", {}), "" if found else text, found, case.get("whole", True)
    )


def is_like(reply: Reply, wanted: dict[str, Any]) -> None:
    """Asserts that a reply is what the fixture says."""
    assert reply.text == wanted["text"]
    assert reply.finish == wanted["finish"]
    assert reply.note == wanted.get("note", "")
    for name in ("tokens_in", "cached", "tokens_out"):
        if name in wanted:
            assert getattr(reply.usage, name) == wanted[name], name
    calls = wanted.get("calls", [])
    assert [[call.name, call.arguments] for call in reply.calls] == [[name, given] for _, name, given in calls]
    for call, (wanted_id, _, _) in zip(reply.calls, calls, strict=True):
        assert call.id == wanted_id if wanted_id else call.id.isalnum() and len(call.id) == 9
        assert call.id in json.dumps(reply.sent) or wanted_id is None
    assert wanted.get("sent_has", "") in json.dumps(reply.sent)
