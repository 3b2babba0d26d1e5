"""Places in a text: where TeX stood when it complained, and where a place went when the text was edited."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache

_LINE_END = re.compile(r"\r\n|\n|\r")  # web2c ends a line at each of these (texmfmp.c, input_line)


@lru_cache(maxsize=64)
def line_starts(text: str) -> tuple[int, ...]:
    """The offset at which each line begins, as TeX counts lines; the first is 0."""
    return (0, *(end.end() for end in _LINE_END.finditer(text)))


def line_of(text: str, offset: int) -> int:
    """The 1-based line of an offset."""
    return bisect_right(line_starts(text), offset)


def line_text(text: str, line: int) -> tuple[int, str]:
    """Where a 1-based line begins, and the line without its end; the nearest line where there is none such."""
    starts = line_starts(text)
    index = min(max(line, 1), len(starts)) - 1
    end = starts[index + 1] if index + 1 < len(starts) else len(text)
    return starts[index], text[starts[index] : end].rstrip("\r\n")


def stopped_at(text: str, line: int | None, before: str | None = None) -> int:
    """The offset up to which TeX had read the file: the end of `before`, the first half of its context line.

    Without a line it is the end of the text. TeX shows at most half_error_line characters and marks what it left out
    with three dots (tex.web section 317); blanks at the line's end are not shown. Where `before` is not found in the
    line, as when TeX has written unprintable characters as ^^ codes, it is the end of the line.
    """
    if line is None:
        return len(text)
    start, body = line_text(text, line)
    if before is None:
        return start + len(body)
    shown = before.lstrip()
    if not shown:
        return start
    cut = shown.startswith("...")
    if not cut:
        lead = len(body) - len(body.lstrip())
        for skip in (0, lead):
            if body.startswith(shown, skip):
                return start + skip + len(shown)
    shown = shown[3:] if cut else shown
    for probe in (shown, shown.rstrip(), shown[-40:].strip(), shown[-12:].strip()):
        found = body.rfind(probe) if cut else body.find(probe)
        if probe and found >= 0:
            return start + found + len(probe)
    return start + len(body)


@lru_cache(maxsize=64)
def _matching(before: str, after: str) -> tuple[tuple[int, int, int], ...]:
    """Stretches (start in before, start in after, length) that an edit left alone, in order."""
    if before == after:
        return ((0, 0, len(before)),)
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    blocks: list[tuple[int, int, int]] = [(0, 0, sum(map(len, old[:head])))]
    i = j = blocks[0][2]
    middle = difflib.SequenceMatcher(
        None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False
    ).get_opcodes()
    x, y = head, head
    for kind, a1, a2, b1, b2 in middle:
        a, b = "".join(old[x : head + a2]), "".join(new[y : head + b2])
        if kind == "equal":
            blocks.append((i, j, len(a)))
        elif a1 < a2 and b1 < b2:
            blocks.extend((i + p, j + q, size) for p, q, size in _alike(a, b))
        i, j, x, y = i + len(a), j + len(b), head + a2, head + b2
    rest = sum(map(len, old[len(old) - tail :])) if tail else 0
    blocks.append((len(before) - rest, len(after) - rest, rest))
    return tuple(blocks)


def _alike(before: str, after: str) -> list[tuple[int, int, int]]:
    """The same within a few changed lines: by their common ends if they are long, else character by character."""
    if len(before) + len(after) < 4000:
        matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
        return [(block.a, block.b, block.size) for block in matcher.get_matching_blocks()]
    head = 0
    while head < min(len(before), len(after)) and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < min(len(before), len(after)) - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return [(0, 0, head), (len(before) - tail, len(after) - tail, tail)]


def moved(before: str, after: str) -> Callable[[int], int]:
    """A function from offsets in `before` to the offsets in `after` where that place is now.

    A place that was replaced is where its replacement ends: what TeX reads after it comes later.
    """
    blocks = _matching(before, after)

    def place(offset: int) -> int:
        for old, new, size in blocks:
            if offset <= old + size:
                return new + max(0, offset - old)
        return len(after)

    return place
