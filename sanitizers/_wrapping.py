"""Where the document begins and ends in a text that has something around it."""

from __future__ import annotations

import re

from texrepair.latex import lex

FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([\w+.-]*)[^\n\r`]*(?:\r\n|\n|\r|\Z)")
"""A Markdown fence that fills its line."""

THINK_END = re.compile(
    r"^[ \t]*</(?:think|thinking|thought|reasoning|scratchpad)>[ \t]*(?:\r\n|\n|\r|\Z)", re.MULTILINE | re.IGNORECASE
)

_CLASS = re.compile(
    r"^[ \t]*\\document(?:class|style)\b\s*(?:\[[^\[\]]*\])?\s*\{[^{}]*\}[ \t]*(?=[\\%\[\n\r]|\Z)", re.MULTILINE
)
_SKIPPED = re.compile(r"\ufeff?(?:\s+|%[^\n\r]*)*")
_LINE = re.compile(r"[^\n\r]*(?:\r\n|\n|\r|\Z)")


def first_token(text: str) -> int:
    """The offset of the first character that TeX acts on, behind a byte order mark, white space and comments."""
    match = _SKIPPED.match(text)
    return match.end() if match else 0


def begins_with_text(text: str) -> bool:
    """Does the text begin with something that TeX would typeset?

    Before \\begin{document} that is an error in every main file: \\everypar holds \\@nodocument (latex.ltx, ltfiles).
    """
    start = first_token(text)
    return start < len(text) and text[start] not in "\\{}"


def class_line(text: str, start: int = 0) -> int | None:
    """The offset of the line with \\documentclass that is the document's own, not one that a sentence mentions."""
    match = _CLASS.search(text, start)
    return match.start() if match else None


def document_start(text: str, class_at: int) -> int:
    """Where the document begins: its \\documentclass, or what belongs to it and stands before it.

    That is comments, \\RequirePackage and filecontents.
    """
    lines = []
    pos = 0
    while pos < class_at:
        match = _LINE.match(text, pos)
        assert match is not None
        lines.append((pos, match.group().strip()))
        pos = match.end()
    start = class_at
    inside = False
    for offset, line in reversed(lines):
        if line.startswith("\\end{filecontents"):
            inside = True
        if inside:
            if line.startswith("\\begin{filecontents"):
                inside = False
                start = offset
        elif line.startswith(("%", "\\")):
            start = offset
        elif line and line != "\ufeff":
            break
    return start


def tail(text: str, start: int) -> tuple[int, int] | None:
    """What stands behind the document that begins at `start`, its own comments excepted; None where nothing does.

    Blocks that follow in fences of their own may be other files: then the tail stays where it is, where TeX ignores it.
    """
    document = lex(text[start:], part="main").document
    if document is None:
        return None
    end = start + document[1]
    closing = re.compile(r"\\end[ \t]*\{document\}").match(text, end)
    if closing is None:
        fence = _last_line_if_fence(text)
        return None if fence is None else (fence, len(text))
    line = _LINE.match(text, closing.end())
    pos = line.end() if line else len(text)
    while pos < len(text):
        match = _LINE.match(text, pos)
        assert match is not None
        if match.group().strip() and not match.group().lstrip().startswith("%"):
            fences = [m for m in FENCE.finditer(text, pos) if _at_line_start(text, m.start())]
            return None if len(fences) > 1 else (_behind_last_line(text, pos), len(text))
        pos = match.end()
    return None


def _behind_last_line(text: str, pos: int) -> int:
    """Where the blank lines before `pos` begin."""
    end = len(text[:pos].rstrip())
    match = _LINE.match(text, end)
    return match.end() if match else pos


def _last_line_if_fence(text: str) -> int | None:
    body = text.rstrip()
    start = max(body.rfind("\n"), body.rfind("\r")) + 1
    return start if FENCE.fullmatch(body[start:]) and start else None


def _at_line_start(text: str, pos: int) -> bool:
    return pos == 0 or text[pos - 1] in "\r\n"
