"""Where the cause of a far-reported error stands: traced from what TeX shows of it back to the source."""

from __future__ import annotations

import re
from dataclasses import replace

from texrepair.better import path_in
from texrepair.latex.places import line_of, line_starts, line_text
from texrepair.project import Draft
from texrepair.result import CompileResult, Diagnostic, Place

_SHOWN = 48
"""Characters of a runaway argument that are looked for: enough to be unique, few enough not to reach a comment."""
_COMMENT = r"(?:%[^\r\n]*(?:\r\n|\n|\r)[ \t]*)?"
_PIECE = re.compile(r"\\(?:[A-Za-z@]+ ?|.)|\^\^.|\s+|.", re.DOTALL)


def traced(result: CompileResult, draft: Draft, main: str) -> CompileResult:
    """The result, with an origin where an error's report tells one: the start of a runaway argument, an environment."""
    found = tuple(
        replace(d, origin=origin) if d.is_error and (origin := _origin(d, draft, main)) is not None else d
        for d in result.diagnostics
    )
    return replace(result, diagnostics=found)


def _origin(error: Diagnostic, draft: Draft, main: str) -> Place | None:
    if error.origin is not None:
        return None
    path = path_in(draft, error.file, main)
    if error.code == "runaway-argument":
        paths = ([path] if path else []) + [p for p in draft if p != path]
        for candidate in paths:
            limit = error.line if candidate == path else None
            line = _line_of_runaway(error, draft.text(candidate), limit)
            if line is not None:
                return Place(candidate, line)
    if error.code == "environment-mismatch" and path is not None:
        begun = str(error.detail.get("begun", ""))
        if begun.isdigit():
            return _begun(error, int(begun), draft, path)
    return None


def _begun(error: Diagnostic, line: int, draft: Draft, path: str) -> Place | None:
    """Where an environment began: LaTeX tells the line, but not the file, which may have been left since."""
    call = f"\\begin{{{error.token}}}"
    there = [p for p in draft if line <= len(line_starts(draft.text(p))) and call in line_text(draft.text(p), line)[1]]
    if path in there or len(there) != 1:
        return Place(path, line) if error.line is None or line <= error.line else None
    return Place(there[0], line)


def _line_of_runaway(error: Diagnostic, text: str, limit: int | None) -> int | None:
    at = next((n for n, line in enumerate(error.context) if line.startswith("Runaway")), None)
    if at is None or at + 1 >= len(error.context):
        return None
    argument = error.context[at + 1]
    pieces = [m[0] for m in _PIECE.finditer(argument[:_SHOWN].removesuffix("\\ETC.").rstrip())]
    if len("".join(pieces).strip("{} ")) < 3:
        return None
    pattern = _COMMENT.join(_as_written(piece) for piece in pieces)
    starts = line_starts(text)
    stop = starts[limit] if limit is not None and 0 <= limit < len(starts) else len(text)
    last = None
    for last in re.compile(pattern).finditer(text, 0, stop):  # noqa: B007
        pass
    return line_of(text, last.start()) if last else None


def _as_written(piece: str) -> str:
    """A regular expression for what TeX shows as `piece`: it adds blanks behind names, and \\par for empty lines."""
    if piece.strip() == "\\par":
        return r"(?:\\par)?\s*"
    if piece.isspace():
        return r"\s+"
    if piece.startswith("\\") and piece.endswith(" "):
        return re.escape(piece[:-1]) + r"\s*"
    if piece.startswith("^^"):
        return r"\s"
    return re.escape(piece)
