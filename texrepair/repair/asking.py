"""One round's question and what became of the answer: a new draft, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace

from texrepair.errors import ModelError
from texrepair.models.base import Model, Reply, Request, estimated_tokens
from texrepair.project import Draft
from texrepair.repair.blocks import has_blocks, parsed, patched
from texrepair.repair.prompt import Prompt, rendered, writable
from texrepair.repair.reply import MOST, Read, read_file, went_on, whole_lines
from texrepair.repair.spend import Purse
from texrepair.result import Usage

TAIL_LINES = 30
"""Lines that a model is shown of an answer that broke off."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a question brought."""

    purse: Purse
    usage: Usage
    draft: Draft | None = None
    """The draft with the answer in it; None where it cannot be used."""
    problem: str = ""
    """Why it cannot be used, or which of its blocks did not match."""
    cut: bool = False
    """The server read much less than it was sent."""


def ask(model: Model, request: Request, prompt: Prompt, draft: Draft, main: str, purse: Purse) -> Answered:
    """Asks, and once more where the answer broke off. Raises the ModelError of the first call."""
    reply = model.reply(request)
    purse, usage = purse.paid(request, reply)
    made, problem, head = _made(reply.text, reply, prompt, draft, main)
    if head is not None and purse.allows(estimated_tokens(request.text)):
        lines = whole_lines(head)
        again = rendered("continue", lines=len(lines), tail="\n".join(lines[-TAIL_LINES:]))
        room = purse.room(estimated_tokens(request.text))
        most = request.max_tokens if room is None else min(room, request.max_tokens)
        further = replace(request, coda=f"{request.coda}\n\n{again}".strip("\n"), max_tokens=most)
        try:
            rest = model.reply(further)
        except ModelError as error:
            problem = f"{problem}, and going on failed: {error}"
        else:
            purse, more = purse.paid(further, rest)
            usage = usage + more
            made, problem, _ = _made(went_on(head, rest.text), rest, prompt, draft, main)
    cut = _context_note(request, reply) if made is None else ""
    return Answered(purse, usage, made, f"{problem} ({cut})" if cut else problem, bool(cut))


def _made(text: str, reply: Reply, prompt: Prompt, draft: Draft, main: str) -> tuple[Draft | None, str, str | None]:
    """The draft that an answer makes, or the problem, and as far as it came what can be gone on with."""
    if reply.finish == "refusal":
        return None, f"the model declined: {reply.note or text[:300] or 'it gave no reason'}", None
    cut = reply.finish == "length"
    if not text.strip():
        spent = "the model used up its tokens before it answered: raise max_tokens, or set disable_thinking"
        return None, spent if cut else "the answer is empty", None
    if len(text) > MOST:
        return None, f"the answer has {len(text)} characters, which is more than any document", None
    original = draft.text(prompt.target)
    if prompt.form == "diff" or (has_blocks(text) and not has_blocks(original)):
        if cut:
            return None, "the answer stops at the limit of its length", text
        made, problem = _edited(text, draft)
    else:
        read: Read = read_file(text, original, main=prompt.target == main, cut=cut)
        if read.problem:
            return None, read.problem, read.text if read.broken and "\n" in read.text else None
        made, problem = draft.replace(prompt.target, read.text), ""
    if made is not None and (unwritable := _unwritable(made, draft)):
        return None, unwritable, None
    return made, problem, None


def _edited(text: str, draft: Draft) -> tuple[Draft | None, str]:
    """The draft with the answer's blocks applied, and what is wrong with those that were not."""
    paths = writable(draft)
    found = parsed(text, paths, paths[0] if paths == list(draft) and len(paths) == 1 else None)
    if not found.blocks:
        return None, "\n".join(dict.fromkeys(found.problems)) or "the answer holds no SEARCH/REPLACE block"
    result = patched(draft.texts, found.blocks)
    problem = "\n".join(dict.fromkeys((*found.problems, *result.problems)))
    if not result.landed:
        return None, problem
    for path in dict.fromkeys(block.path for block in found.blocks):
        draft = draft.replace(path, result.texts[path])
    return draft, problem


def _unwritable(made: Draft, before: Draft) -> str:
    """Which character the encoding of its file lacks, if one does."""
    for path in made.changed_from(before):
        try:
            made.encoded(path)
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            return f"{path} is stored as {error.encoding}, which has no character U+{ord(character):04X}"
    return ""


def _context_note(request: Request, reply: Reply) -> str:
    """Says so where the server read much less than it was sent: Ollama cuts what its context does not hold."""
    sent, seen = estimated_tokens(request.text), reply.usage.tokens_in
    if seen is None or seen * 2 >= sent:
        return ""
    return f"the server read {seen} of about {sent} tokens: its context is too small for this document"
