"""What changed between two drafts, as a unified diff."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from texrepair.project import Draft


def diff(before: Draft, after: Draft) -> str:
    """The unified diff of all changed and added files, sorted by path; "" where nothing changed.

    `patch -p1` applies it to files that are UTF-8. A change of encoding alone is told in a line of its own.
    """
    return "".join(line for path in after.changed_from(before) for line in _file(path, before, after))


def _file(path: str, before: Draft, after: Draft) -> Iterator[str]:
    old = _lines(before.text(path)) if path in before else []
    named = f"a/{path}" if path in before else "/dev/null"
    was, became = (draft.encodings.get(path, "utf-8") for draft in (before, after))
    if path in before and was != became:
        yield f"{path}: {was} became {became}\n"
    # Without the tab patch takes a blank for the end of the name.
    tab = "\t" if " " in path else ""
    for line in difflib.unified_diff(old, _lines(after.text(path)), named + tab, f"b/{path}{tab}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """The lines with their line feeds. Only the line feed ends a line for patch."""
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
