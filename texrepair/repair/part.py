"""The part of a large file that matters for an error: the preamble, the culprit block, its neighbours, an outline."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from texrepair.latex import Source

LIMIT = 18_000
"""Characters of all pieces together: about what a normal article takes."""

_NEIGHBOURS = 8
"""Paragraphs on each side of a block, while they are short."""

_SECTIONS = ("part", "chapter", "section", "subsection", "subsubsection")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some whole lines of a file."""

    title: str
    first: int
    """1-based."""
    last: int
    text: str


def pieces(source: Source, lines: Sequence[int], limit: int = LIMIT) -> tuple[Piece, ...]:
    """The preamble, and for each line the block around it with its neighbours, in the file's order; at most `limit`
    characters. What comes first in `lines` goes first where not all has room; without lines, the end of the file."""
    wanted: list[tuple[int, int, int, int]] = []
    heading = 0
    if source.document is not None:
        _, heading = _lines(source, 0, source.document[0])
        wanted.append((1, heading, 1, limit * 2 // 5))
    wanted += [(*_around(source, line, limit // 3), line, limit) for line in _known(source, lines)]
    room = limit
    spans: list[tuple[int, int]] = []
    for first, last, keep, share in wanted:
        span = _fitted(source, first, last, keep, min(share, room))
        if span is not None:
            spans.append(span)
            room -= _size(source, *span)
    return tuple(_made(source, first, last, heading, limit) for first, last in _merged(spans))


def outline(source: Source) -> str:
    """The headings of a file, one a line, with their line numbers."""
    found = []
    for command in source.command_named(*_SECTIONS):
        if not source.live(command.start):
            continue
        titles = [a for a in source.arguments(command, 3) if not a.optional]
        title = " ".join(source.inner(titles[0]).split()) if titles else ""
        indent = "  " * _SECTIONS.index(command.name)
        found.append(f"{source.line(command.start):>6} {indent}{title[:100]}")
    return "\n".join(found)


def _known(source: Source, lines: Sequence[int]) -> Iterable[int]:
    known = [min(max(line, 1), source.line_count) for line in lines]
    return dict.fromkeys(known or [source.line_count])


def _around(source: Source, line: int, most: int) -> tuple[int, int]:
    """The paragraph or outermost environment that holds a line, with a few paragraphs before and behind it."""
    at, line_end = source.line_span(line)
    at += len(source.text[at:line_end]) - len(source.text[at:line_end].lstrip())
    start, end = source.paragraph(at)
    for environment in source.environments_at(at):
        if environment.name != "document" and environment.until - environment.begin <= most:
            start, end = min(start, environment.begin), max(end, environment.until)
            break
    first, last = start, end
    for _ in range(_NEIGHBOURS):
        wider = source.paragraph(max(0, len(source.text[:first].rstrip()) - 1))[0]
        if start - wider > most // 2 and first < start:
            break
        first = wider
    for _ in range(_NEIGHBOURS):
        behind = len(source.text) - len(source.text[last:].lstrip())
        wider = source.paragraph(min(behind, len(source.text)))[1]
        if wider - end > most // 2 and last > end:
            break
        last = wider
    return _lines(source, first, last)


def _lines(source: Source, start: int, end: int) -> tuple[int, int]:
    return source.line(start), source.line(max(start, end - 1))


def _size(source: Source, first: int, last: int) -> int:
    return source.line_span(last)[1] - source.line_span(first)[0]


def _fitted(source: Source, first: int, last: int, keep: int, room: int) -> tuple[int, int] | None:
    """As many of the lines around `keep` as have room, that line at least; None where no room is left."""
    while first < last and _size(source, first, last) > room:
        if keep - first > last - keep:
            first += 1
        else:
            last -= 1
    return (first, last) if room > 0 else None


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def _made(source: Source, first: int, last: int, heading: int, limit: int) -> Piece:
    text = source.text[source.line_span(first)[0] : source.line_span(last)[1]]
    return Piece("The preamble" if first <= heading else "Around an error", first, last, text[:limit])
