"""What a model's answer means: the file in it, or the blocks, or why it cannot be used.

An answer that broke off is told apart from one that is whole, and is never taken for a file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from texrepair.latex import Source, lex

SHORTER = 0.5
"""Below this share of the file's characters, an answer is no rewrite of it."""
SMALL = 200
"""Characters: for a smaller file the share says nothing."""
MOST = 2_000_000
"""Characters of an answer that is read: many times what the limit of tokens lets a model say."""
MOST_DOCUMENTS = 20
"""Documents of an answer that are looked at, the last ones: what counts is the last."""

_CLASS = re.compile(r"^[ \t]*\\document(?:class|style)\b", re.MULTILINE)
_ENDS = re.compile(r"\\end\s*\{document\}")
_LAST = re.compile(r"^[ \t]*\\end[ \t]*\{document\}\s*(?:^ {0,3}(?:`{3,}|~{3,})\s*)?\Z", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})[ \t]*([\w+-]*)[ \t]*$")
_CHAT = re.compile(
    r"^(?:sure|certainly|of course|okay|ok|here|below|the (?:corrected|fixed|repaired|whole)|i(?:'ve| )|"
    r"corrected|fixed|output|file|continu\w*)\b.*[:.!]\**$",
    re.IGNORECASE,
)
_ELISION = re.compile(
    r"^\s*(?:%|\[|\(|\.\.\.|…).*?(?:\bunchanged\b|\bomitted\b|\b(?:rest|remainder) of\b|\bremain(?:s|ing)?\b|"
    r"\bas (?:before|above)\b|\bsame as\b|\bcontinues?\b|\.\.\.|…)",
    re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Read:
    """A file that was read from an answer."""

    text: str = ""
    """The file; as far as it came where `broken`."""
    problem: str = ""
    """Why it cannot be used, in words for the model and for a person; "" where it can."""
    broken: bool = False
    """It stops before its end: the model may be asked to go on."""


def read_file(answer: str, original: str, *, main: bool, cut: bool) -> Read:
    """The whole file in an answer that rewrites `original`.

    `cut` says that the server ended the answer at its limit. Fences and chat around the file are left out; what the
    original has behind `\\end{document}`, its line ends and its byte-order mark stay as they are there.
    """
    answer = answer.replace("\r\n", "\n").replace("\r", "\n")
    if not answer.strip():
        return Read(problem="the answer is empty")
    if not main:
        return _read_part(answer, original, cut)
    found = _documents(answer, original, cut)
    if not found:
        return Read(problem="the answer holds no document: there is no \\documentclass in it")
    whole = [text for text, ends in found if ends]
    if not whole:
        return Read(_without_fence(found[0][0]), "the answer stops before \\end{document}", broken=True)
    # Some repeat the broken file before they give the corrected one.
    return _checked(whole[-1] + _tail(original), original)


def _read_part(answer: str, original: str, cut: bool) -> Read:
    text = max(_candidates(answer), key=lambda candidate: _likeness(candidate, original))
    if cut:
        return Read(_without_fence(text), "the answer stops at the limit of its length", broken=True)
    return _checked(text.rstrip("\n") + "\n" if original.endswith("\n") else text.rstrip("\n"), original)


def _checked(text: str, original: str) -> Read:
    size, expected = len(text.strip()), len(original.strip())
    known = {line.strip() for line in original.splitlines()}
    if size < expected:
        for line in text.splitlines():
            if _ELISION.match(line) and line.strip() not in known:
                return Read(problem=f"a placeholder stands for lines of the file: {line.strip()[:100]}")
    if expected > SMALL and size < SHORTER * expected:
        return Read(problem=f"the answer has {size} characters and the file {expected}: most of it is missing")
    return Read(_as_original(text, original))


def went_on(head: str, answer: str) -> str:
    """An answer that broke off, with what came when the model was asked to go on from the last whole line.

    A fence, chat and lines that the model repeats are left out. Where it began anew, the new beginning counts.
    """
    answer = answer.replace("\r\n", "\n").replace("\r", "\n")
    if _CLASS.search(answer) and _CLASS.search(head):
        return answer
    lines = answer.split("\n")
    while lines and (not lines[0].strip() or _FENCE.match(lines[0]) or _CHAT.match(lines[0])):
        lines.pop(0)
    kept = whole_lines(head)
    for size in range(min(len(kept), len(lines), 60), 0, -1):
        if kept[-size:] == lines[:size] and any(line.strip() for line in lines[:size]):
            lines = lines[size:]
            break
    return "\n".join([*kept, *lines])


def whole_lines(head: str) -> list[str]:
    """The lines of a text that broke off, without the last, which may be half of one."""
    return head.split("\n")[:-1]


def _documents(answer: str, original: str, cut: bool) -> list[tuple[str, bool]]:
    """Each document in an answer, and whether it has an end."""
    found = []
    covered = 0
    beginnings = list(_CLASS.finditer(answer))
    for beginning in beginnings[:1] + beginnings[1:][-MOST_DOCUMENTS:]:
        if beginning.start() < covered:
            continue
        source = lex(answer[beginning.start() :], "main")
        # A fragment that is quoted before the document has a class, and no end of its own.
        body = source.document[0] if source.document else len(source.text)
        classes = [c.start for c in source.command_named("documentclass", "documentstyle") if source.live(c.start)]
        at = max((c for c in classes if c < body), default=0)
        length, ends = _length(source, cut)
        start = beginning.start() + at
        covered = beginning.start() + length
        found.append((answer[_start(answer, start, original) : covered], ends))
    return found


def _length(source: Source, cut: bool) -> tuple[int, bool]:
    """Where the document ends, its end included, and whether it does."""
    end = source.document[1] if source.document is not None else len(source.text)
    found = _ENDS.match(source.text, end)
    if cut and any(e.end is None and e.name != "document" for e in source.environments):
        # It may have broken off at an \end{document} inside a verbatim.
        return len(source.text), False
    if found is None and not cut:
        # An environment that swallows everything hides it from the lexer, as it does from TeX; the last thing in the
        # answer is the end all the same.
        last = _LAST.search(source.text)
        found = _ENDS.search(source.text, last.start()) if last else None
    return (found.end(), True) if found else (len(source.text), False)


def _start(answer: str, at: int, original: str) -> int:
    """Where the file begins whose \\documentclass stands at `at`: comments and commands may stand before it."""
    known = {line.strip() for line in original.splitlines()}
    start = at
    while start > 0:
        line_start = answer.rfind("\n", 0, start - 1) + 1
        line = answer[line_start : start - 1].strip()
        if _FENCE.match(line) or not (not line or line.startswith(("%", "\\")) or line in known):
            break
        start = line_start
    return start + len(answer[start:at]) - len(answer[start:at].lstrip("\n"))


def _tail(original: str) -> str:
    """What stands behind the end of the document, from its line end on."""
    source = lex(original, "main")
    if source.document is not None:
        found = _ENDS.match(original, source.document[1])
        tail = original[found.end() :].replace("\r\n", "\n") if found else ""
        if found and not _CLASS.search(tail):
            return tail
    return "\n"


def _candidates(answer: str) -> Iterable[str]:
    """What in an answer may be the file: each fenced block, all from the first fence to the last, all of it."""
    lines = answer.split("\n")
    fences = [(n, found[1], found[2]) for n, line in enumerate(lines) if (found := _FENCE.match(line))]
    opened: tuple[int, str] | None = None
    for number, mark, language in fences:
        if opened is None:
            opened = (number, mark)
        elif not language and mark.startswith(opened[1]):
            yield "\n".join(lines[opened[0] + 1 : number])
            opened = None
    if len(fences) > 1:
        yield "\n".join(lines[fences[0][0] + 1 : fences[-1][0]])
    if fences:
        yield "\n".join(lines[fences[0][0] + 1 :])
    while lines and (not lines[0].strip() or _CHAT.match(lines[0])):
        lines.pop(0)
    yield "\n".join(lines)


def _likeness(text: str, original: str) -> float:
    ours, theirs = (Counter(line.strip() for line in t.splitlines() if line.strip()) for t in (text, original))
    return 2 * (ours & theirs).total() / max(1, ours.total() + theirs.total())


def _without_fence(text: str) -> str:
    lines = text.rstrip("\n").split("\n")
    return "\n".join(lines[:-1]) + "\n" if lines and _FENCE.match(lines[-1]) else text


def _as_original(text: str, original: str) -> str:
    if original.startswith("\ufeff") and not text.startswith("\ufeff"):
        text = "\ufeff" + text
    if "\r\n" in original and not re.search(r"(?<!\r)\n", original):
        text = text.replace("\n", "\r\n")
    return text
