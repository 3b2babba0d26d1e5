"""What a model is to texrepair: one question, one answer. A complete model is a name and one method.

class Echo:
    name = "echo"

    def reply(self, request: Request) -> Reply:
        return Reply(request.text)
"""

from __future__ import annotations

import contextvars
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from pydantic import SecretStr

from texrepair.errors import ModelError, ModelReplyInvalid, ModelUnavailable
from texrepair.result import Usage

Finish = Literal["end", "length", "refusal", "calls", "unknown"]
"""Why an answer ended: complete, the limit of tokens, the model declined, it calls tools, or not said."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model may call."""

    name: str
    description: str
    schema: Mapping[str, Any]
    """JSON schema of the arguments, an object."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool."""

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    """None where what came is no JSON object; the model is told so in the answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call gave."""

    call: Call
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered."""

    text: str
    """The answer alone: no reasoning, no `<think>` text."""
    finish: Finish = "end"
    usage: Usage = field(default_factory=Usage)
    calls: tuple[Call, ...] = ()
    sent: object = None
    """The assistant's turn exactly as the server sent it, to be sent back unchanged in a later turn."""
    request_id: str | None = None
    """The server's own name for the request, for its support."""
    note: str = ""
    """What is odd about the answer, in a sentence."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An answer of the model, and what it was told after that."""

    reply: Reply
    answers: tuple[Answer, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model."""

    system: str
    """The same for every document: it stands first, so that servers can cache it."""
    prompt: str
    coda: str = ""
    """What follows the prompt and differs from call to call, kept apart so that the prompt stays a cacheable prefix."""
    max_tokens: int = 32_000
    temperature: float | None = 0.0
    """Left out where None, and where the model takes none."""
    deadline: float | None = None
    """On the clock of time.monotonic; the call ends then, whatever has come."""
    tools: tuple[Tool, ...] = ()
    turns: tuple[Turn, ...] = ()
    """The conversation after the prompt; empty for a single question."""

    @property
    def text(self) -> str:
        """Everything in one string, for a model that takes no more than that."""
        said = [self.system, self.prompt, self.coda]
        for turn in self.turns:
            said += [turn.reply.text, *(answer.text for answer in turn.answers), turn.text]
        return "\n\n".join(part.strip("\n") for part in said if part)


class Model(Protocol):
    """Something that answers."""

    @property
    def name(self) -> str:
        """Names it in results, as `provider:model`."""

    def reply(self, request: Request) -> Reply:
        """One question, one answer. Raises ModelError."""


@dataclass(frozen=True)
class Server:
    """Where a model is reached over HTTP, and its dialect."""

    base_url: str
    key: SecretStr | None = None
    api_version: str = "2026-10-21"
    token_field: str | None = None
    disable_thinking: bool = False
    extra_body: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Function:
    """A Python function that takes the prompt and gives the answer.

    It runs in a thread of its own, so that the budget holds: at the deadline it is left alone and its answer ignored.
    """

    function: Callable[[str], str]
    clock: Callable[[], float] = time.monotonic

    @property
    def name(self) -> str:
        return f"function:{getattr(self.function, '__name__', type(self.function).__name__)}"

    def reply(self, request: Request) -> Reply:
        """Raises ModelUnavailable where the function raises or is too slow, ModelReplyInvalid where it gives no str."""
        started = self.clock()
        outcome: list[object] = []
        context = contextvars.copy_context()

        def work() -> None:
            try:
                outcome.append(context.run(self.function, request.text))
            # The function is the caller's: whatever it raises means that this model could not answer.
            except Exception as error:  # noqa: BLE001
                outcome.append(error)

        thread = threading.Thread(target=work, name=self.name, daemon=True)
        thread.start()
        thread.join(None if request.deadline is None else max(0.0, request.deadline - started))
        if not outcome:
            raise ModelUnavailable(f"{self.name} gave no answer before the time budget ended")
        (answer,) = outcome
        if isinstance(answer, ModelError):
            raise answer
        if isinstance(answer, Exception):
            raise ModelUnavailable(f"{self.name} raised {type(answer).__name__}: {answer}") from answer
        if not isinstance(answer, str):
            raise ModelReplyInvalid(f"{self.name} returned {type(answer).__name__}, not a string")
        return Reply(without_thinking(answer), usage=Usage(seconds=self.clock() - started))


_THINK = re.compile(r"<(/?)(?:think|thinking|thought|seed:think)>\n?|◁(/?)think▷\n?", re.IGNORECASE)


def without_thinking(text: str) -> str:
    """The text without the reasoning that a server left in front of the answer.

    The opening mark may be missing, as templates of some models put it into the prompt. A balanced pair later in the
    text belongs to the answer. Reasoning that never ends leaves nothing.
    """
    marks = list(_THINK.finditer(text))
    if not marks:
        return text
    first = marks[0]
    closes = bool(first[1] or first[2])
    before = text[: first.start()].strip()
    # Reasoning is prose: what begins like a document or a fence is the answer, and the mark is part of it.
    if (before and not closes) or before.startswith(("\\", "%", "```", "<<<")):
        return text
    depth = 1 if closes else 0
    ends = None
    for mark in marks:
        if mark[1] or mark[2]:
            depth -= 1
            ends = mark.end()
            if depth == 0:
                break
        else:
            depth += 1
    return "" if ends is None else text[ends:].lstrip("\n")


def estimated_tokens(text: str) -> int:
    """About how many tokens a text is: LaTeX has some 3.3 ASCII characters to a token, other scripts about one."""
    ascii_only = sum(map(str.isascii, text)) if not text.isascii() else len(text)
    return round(ascii_only / 3.3 + (len(text) - ascii_only) * 0.9)
