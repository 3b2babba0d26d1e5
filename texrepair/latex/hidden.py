"""Text that is in a file and is not seen in the PDF: swallowed by a macro, white, or of no size."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from texrepair.latex import vocabulary
from texrepair.latex.source import Command, Source

_SWALLOWING = frozenset("phantom hphantom vphantom @gobble @gobbletwo comment hide cprotect@gobble".split())
_WHITE = re.compile(
    r"white|1(?:\.0*)?|1(?:\.0*)?,1(?:\.0*)?,1(?:\.0*)?|0,0,0,0|#?f{6}|255,255,255|.*!0|white!.*", re.IGNORECASE
)
_WHITE_IN = {
    "rgb": "1,1,1",
    "RGB": "255,255,255",
    "gray": "1",
    "cmyk": "0,0,0,0",
    "HTML": "FFFFFF",
}
_SMALL = re.compile(r"\s*0*\.?0*[01]?(?:\.\d*)?\s*(?:pt|bp|mm|cm|sp|em|ex)?\s*|\s*\d+\s*sp\s*")
_NO_SIZE = re.compile(r"\s*0*(?:\.0*\d*)?\s*(?:pt|bp|mm|cm|sp|em|ex|in)?\s*")


@dataclass(frozen=True)
class Hidden:
    """Ranges of a text."""

    hidden: tuple[tuple[int, int], ...]
    """Never printed."""
    faint: tuple[tuple[int, int], ...]
    """Printed so that nobody sees it."""

    def is_hidden(self, pos: int) -> bool:
        return _within(self.hidden, pos)

    def is_faint(self, pos: int) -> bool:
        return _within(self.faint, pos)


def _within(ranges: tuple[tuple[int, int], ...], pos: int) -> bool:
    at = bisect_right(ranges, (pos, 1 << 62)) - 1
    return at >= 0 and pos < ranges[at][1]


def _merged(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return tuple(found)


def find_hidden(source: Source) -> Hidden:
    """What of the file is not seen, as far as its text tells."""
    excluded = _excluded_environments(source)
    hidden = [(e.begin, e.until) for e in source.environments if e.name in vocabulary.HIDDEN_ENVIRONMENTS | excluded]
    swallowing = _SWALLOWING | _swallowing_macros(source)
    hidden += [(g.open, g.until) for g in source.groups if g.opener in swallowing and not source.in_definition(g.open)]
    faint: list[tuple[int, int]] = []
    whites = {"white"} | _own_whites(source)
    for command in source.command_named("color", "textcolor", "fontsize", "scalebox", "resizebox", "resizebox*"):
        arguments = source.arguments(command, 4)
        needed = [source.inner(a).strip() for a in arguments if not a.optional]
        if not needed:
            continue
        if command.name in ("color", "textcolor"):
            model = next((source.inner(a).strip() for a in arguments if a.optional), "")
            if not _is_white(needed[0], model, whites):
                continue
        elif command.name == "fontsize":
            if not _SMALL.fullmatch(needed[0]):
                continue
        elif not _NO_SIZE.fullmatch(needed[0]) or not needed[0]:
            continue
        if command.name in ("color", "fontsize"):
            faint.append((command.end, _scope_end(source, command)))
        elif len(arguments) > 1:
            faint.append((arguments[-1].start, arguments[-1].end))
    return Hidden(_merged(hidden), _merged(faint))


def _is_white(color: str, model: str, whites: set[str]) -> bool:
    if model:
        return _WHITE_IN.get(model, "").casefold() == re.sub(r"\s|(?<=\d)\.0*(?=,|$)", "", color).casefold()
    return color.partition("!")[0] in whites and color.partition("!")[2] in ("", "100")


def _own_whites(source: Source) -> set[str]:
    found = set()
    for command in source.command_named("definecolor", "providecolor"):
        needed = [source.inner(a).strip() for a in source.arguments(command, 4) if not a.optional]
        if len(needed) == 3 and _is_white(needed[2], needed[1], set()):
            found.add(needed[0])
    for command in source.command_named("colorlet"):
        needed = [source.inner(a).strip() for a in source.arguments(command, 3) if not a.optional]
        if len(needed) == 2 and needed[1] == "white":
            found.add(needed[0])
    return found


def _scope_end(source: Source, command: Command) -> int:
    """Where the group or environment around a declaration ends."""
    ends = [g.until for g in source.groups_at(command.start)[-1:]]
    ends += [e.until for e in source.environments_at(command.start)[-1:]]
    ends += [f.until for f in source.fences_at(command.start)[-1:]]
    return min(ends, default=len(source.text))


def _excluded_environments(source: Source) -> set[str]:
    return {source.inner(a).strip() for c in source.command_named("excludecomment") for a in source.arguments(c, 1)}


def _swallowing_macros(source: Source) -> set[str]:
    """Macros of the file that take arguments and use none of them."""
    found = set()
    for start, end in source.bodies:
        if "#" in source.text[start:end]:
            continue
        head = source.text[max(0, start - 80) : start]
        match = re.search(
            r"\\(?:re|provide)?newcommand\*?\s*\{?\\(\w+)\}?\s*\[[1-9]\]\s*$|\\[gex]?def\s*\\(\w+)\s*(?:#\d)+\s*$"
            r"|\\renewcommand\*?\s*\{?\\(\w+)\}?\s*\[[1-9]\]\s*$",
            head,
        )
        if match is not None:
            found.add(next(name for name in match.groups() if name))
    return found
