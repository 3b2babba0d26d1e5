"""A real HTTP server on loopback that plays a language model, in the streams of Anthropic and of Chat Completions."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar


@dataclass(frozen=True)
class Question:
    """What the model was asked."""

    model: str
    text: str
    """The system prompt and all that the user said."""

    @property
    def target(self) -> str | None:
        """The file that is asked for as a whole; None where blocks are asked for."""
        found = re.findall(r"^Answer with `([^`\n]+)`, whole\.", self.text, re.MULTILINE)
        return found[-1] if found else None


@dataclass
class Playing:
    """The server: where it is, and what it was asked, in order."""

    url: str
    asked: list[Question] = field(default_factory=list)


@contextmanager
def playing(answer: Callable[[Question], str]) -> Iterator[Playing]:
    """A server whose model answers with `answer`, from several threads at a time."""

    class Handler(_Handler):
        pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        now = Playing(f"http://127.0.0.1:{server.server_address[1]}/v1")
        Handler.answer, Handler.playing = staticmethod(answer), now
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield now
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    answer: ClassVar[Callable[[Question], str]]
    playing: ClassVar[Playing]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        system, streamed = (body["system"], _anthropic) if self.path.endswith("/messages") else ("", _chat_completions)
        question = Question(body["model"], "\n\n".join([system, *map(_said, body["messages"])]))
        self.playing.asked.append(question)
        events = streamed(type(self).answer(question), len(question.text) // 4)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(events.encode())

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def _said(message: dict[str, Any]) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "\n\n".join(part["text"] for part in content)


def _chat_completions(text: str, asked: int) -> str:
    pieces = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in _pieces(text)]
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    usage = {"choices": [], "usage": {"prompt_tokens": asked, "completion_tokens": len(text) // 4}}
    return "".join(f"data: {json.dumps(event)}\n\n" for event in [*pieces, end, usage]) + "data: [DONE]\n\n"


def _anthropic(text: str, asked: int) -> str:
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {"content": [], "usage": {"input_tokens": asked, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
            for piece in _pieces(text)
        ),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": len(text) // 4}},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def _pieces(text: str) -> list[str]:
    return re.findall(r"(?s).{1,200}", text)
