"""Looking for the cause of an error that TeX reports far from it, where its report does not tell.

First by structure: what is open, stray or crossed before the place of the report. Then by bisection with the compiler:
the beginning of the text is omitted, first more of it and then less, paragraph by paragraph and at last line by line,
until it is known with which of them the error goes away. What is omitted becomes blank lines, so that line numbers
stay; the structure around it (environments, items, row ends, braces whose partner stands elsewhere) stays too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from texrepair.better import Key, Order, path_in, stopped_early
from texrepair.latex import Mode, Source
from texrepair.latex.places import stopped_at
from texrepair.project import Draft
from texrepair.result import CompileResult, Diagnostic, Place
from texrepair.rules import Case

SUSPECTS = 4
"""Places that the structure may name."""
MOST_BLOCKS = 4096
"""Paragraphs that are told apart: twelve checks."""

_READING = frozenset("input include subfile subfileinclude import subimport bibliography addbibresource".split())
_ITEMS = frozenset(["item", "bibitem"])
_ROW_ENDS = frozenset(["\\", "tabularnewline"])
_ROWS = re.compile(r"tabular|array|longtable|tblr|align|gather|matrix|cases|split|eqnarray|tabu|supertabular|multline")
_NOT_BLANK = re.compile(r"[^\r\n]")

_COLLECTED = re.compile(r"\\end\s*\{([^{}]*)\}\s*$")
_BLANK = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")

Judged = Callable[[Draft], CompileResult]
"""What a check says of a draft. May raise."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a line of a file."""

    path: str
    start: int
    end: int


def suspects(case: Case, error: Diagnostic) -> tuple[Place, ...]:
    """Where the structure is at fault before the place of an error, the nearest first."""
    order = Order(case.draft, case.main)
    place = order.own(error)
    found: dict[Place, Key] = {}
    for path, source in case.tex_files():
        for offset in faults(source):
            key = order.at(path, offset)
            if order.reads(path) and key <= place:
                found.setdefault(Place(path, source.line(offset)), key)
    return tuple(sorted(found, key=lambda p: found[p], reverse=True)[:SUSPECTS])


def faults(source: Source) -> Iterator[int]:
    """Where something is open that is never closed, or closes what is not open."""
    unclosed = [g.open for g in source.groups if g.close is None]
    unclosed += [e.begin for e in source.environments if e.end is None and e.name != "document"]
    unclosed += [f.start for f in source.fences if f.end is None]
    marks = (source.stray_closers, source.stray_ends, source.stray_shifts, source.open_math)
    for offset in sorted({*unclosed, *(at for found in marks for at in found)}):
        if source.mode(offset) not in (Mode.VERBATIM, Mode.COMMENT, Mode.DEAD) and not source.in_definition(offset):
            yield offset


def collected(before: str) -> str | None:
    """The environment at whose end TeX stood: some (frame, align, tabularx) are read as a whole, and every error in
    them is reported there."""
    found = _COLLECTED.search(before)
    return found[1] if found else None


def near(text: str, at: int, line: int, before: str = "") -> bool:
    """Whether an error that is reported in `line` may come of what was done at `at`: it is the same paragraph, or an
    environment that is read as a whole."""
    low = max((m.end() for m in _BLANK.finditer(text, 0, at)), default=0)
    place = stopped_at(text, line)
    name = collected(before)
    if name is not None:
        low = min(low, max(0, text.rfind(f"\\begin{{{name}}}", 0, place)))
        return low <= at <= place
    blank = _BLANK.search(text, at)
    return low <= place and (blank is None or place <= blank.end())


def bisected(case: Case, error: Diagnostic, result: CompileResult, judged: Judged) -> Place | None:
    """The line without which the error is not reported, and the lines before it do not matter; None where no text is to
    blame, but what stays of the structure. Takes at most about the logarithm of the number of lines in checks."""
    blocks = _paragraphs(case, error)
    if not blocks:
        return None

    def cured(omitted: list[Block]) -> bool:
        return not _still(error, judged(_without(case, omitted)), result, case)

    if not cured(blocks):
        return None
    last = _first(len(blocks), lambda k: cured(blocks[:k]))
    block = blocks[last - 1]
    lines = _lines(case.lexed(block.path), block)
    if len(lines) > 1 and cured(lines):
        block = lines[_first(len(lines), lambda k: cured(lines[:k])) - 1]
    return Place(block.path, case.lexed(block.path).line(block.start))


def _first(count: int, cured: Callable[[int], bool]) -> int:
    """The smallest k up to `count` for which `cured(k)` holds, if it holds from there on and for `count`."""
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) // 2
        if cured(middle):
            high = middle
        else:
            low = middle
    return high


def _still(error: Diagnostic, now: CompileResult, before: CompileResult, case: Case) -> bool:
    """Whether the error is still reported, or the run did not get so far."""
    if stopped_early(now) and not stopped_early(before):
        return True

    def same(other: Diagnostic) -> bool:
        if (other.code, other.token) != (error.code, error.token):
            return False
        files = [path_in(case.draft, d.file, case.main) for d in (other, error)]
        return error.line is None or (files[0] == files[1] and other.line == error.line)

    return any(same(other) for other in now.errors)


def _paragraphs(case: Case, error: Diagnostic) -> list[Block]:
    """The paragraphs of the body in reading order, up to the place of the error."""
    order = Order(case.draft, case.main)
    place = order.own(error)
    found: list[tuple[Key, Block]] = []
    for path, source in case.tex_files():
        if not order.reads(path):
            continue
        if path == case.main and source.document is None:
            return []
        low, high = source.document or (0, len(source.text))
        starts = [max(low, at) for at in source.paragraph_starts if at < high]
        for start, end in zip(starts, [*starts[1:], high], strict=True):
            if start >= low and source.text[start:end].strip() and (key := order.at(path, start)) <= place:
                found.append((key, Block(path, start, end)))
    return [block for _, block in sorted(found, key=lambda pair: pair[0])][-MOST_BLOCKS:]


def _lines(source: Source, block: Block) -> list[Block]:
    numbers = range(source.line(block.start), source.line(max(block.start, block.end - 1)) + 1)
    spans = [source.line_span(number) for number in numbers]
    return [
        Block(block.path, max(start, block.start), min(end, block.end))
        for start, end in spans
        if source.text[max(start, block.start) : min(end, block.end)].strip()
    ]


def _without(case: Case, blocks: list[Block]) -> Draft:
    """The draft with these blocks omitted. Blocks that follow each other go as one."""
    draft = case.draft
    for path in dict.fromkeys(block.path for block in blocks):
        source = case.lexed(path)
        own = sorted((b.start, b.end) for b in blocks if b.path == path)
        low, high = own[0][0], own[-1][1]
        kept = _kept(source, low, high)
        text, pieces, at = source.text, [source.text[:low]], low
        for start, end in [*kept, (high, high)]:
            if start >= at:
                pieces += [_NOT_BLANK.sub("", text[at:start]), text[start:end]]
                at = end
        draft = draft.replace(path, "".join(pieces) + text[max(at, high) :])
    return draft


def _kept(source: Source, low: int, high: int) -> list[tuple[int, int]]:
    """What stays of a stretch, in order: structure whose partner stands outside of it, definitions, other files."""
    found: list[tuple[int, int]] = []

    def inside(start: int, end: int | None) -> bool:
        return low <= start and end is not None and end <= high

    for environment in source.environments:
        name, end, end_end = environment.name, environment.end, environment.end_end
        if end is None or end_end is None or inside(environment.begin, end_end) or name == "document":
            continue
        if low <= environment.begin < high:
            arguments = source.arguments_at(environment.begin_end, 4)
            found.append((environment.begin, max([environment.begin_end, *(a.end for a in arguments)])))
        if low <= end < high:
            found.append((end, end_end))
    for group in source.groups:
        if group.close is not None and not inside(group.open, group.close + 1):
            found += [(at, at + 1) for at in (group.open, group.close) if low <= at < high]
    for math in source.math:
        if not inside(math.start, math.end) and math.body_end < math.end and math.start < math.body_start:
            found += [(a, b) for a, b in ((math.start, math.body_start), (math.body_end, math.end)) if low <= a < high]
    defining = set(source.definitions.values())
    for command in source.commands:
        if not low <= command.start < high:
            continue
        if command.name in _READING or command.start in defining:
            arguments = source.arguments(command, 5)
            body = next((b for a, b in source.bodies if command.start < a and b <= high), 0)
            end = max([command.end, body, *(a.end for a in arguments)])
            found.append((command.start, min(end, high)))
        elif command.name in _ITEMS | _ROW_ENDS:
            around = [e for e in source.environments_at(command.start) if e.name != "document"][-1:]
            if not around or inside(around[0].begin, around[0].end_end) or around[0].end is None:
                continue
            if command.name in _ITEMS or _ROWS.search(around[0].name):
                arguments = source.arguments(command, 1) if command.name == "bibitem" else ()
                found.append((command.start, max([command.end, *(a.end for a in arguments)])))
    return sorted((a, min(b, high)) for a, b in found if a < high)
