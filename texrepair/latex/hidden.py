"""Text that is in a file and is not seen in the PDF: swallowed by a macro, white, or of no size."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from texrepair.latex import vocabulary
from texrepair.latex.source import Command, Source

_SWALLOWING = frozenset("phantom hphantom vphantom @gobble @gobbletwo".split())
_STYLES = ("color", "textcolor", "fontsize", "scalebox", "resizebox", "resizebox*", "transparent", "texttransparent")
_STORED = frozenset({"filecontents", "filecontents*", "VerbatimOut", "SaveVerbatim", "verbatimwrite", "lrbox"})
"""Environments that store their text instead of printing it."""
_DOUBTFUL = frozenset({"note", "sbox", "savebox"})
"""Commands that may or may not print their argument."""
_CONDITION = re.compile(r"@?[iI]f[A-Za-z@]+$")
"""Commands that print one of their arguments: \\ifthenelse, \\iftoggle, \\IfFileExists, \\@ifundefined …"""
_HEAD = r"\s*\{?\s*\\([A-Za-z@]+)\s*\}?\s*"
_NEW = r"(?:\[[1-9]\](?:\[[^\]]*\])?|\{[^{}]*[mro][^{}]*\})\s*\Z"
_TAKES_ARGUMENTS = re.compile(
    rf"\\(?:(?:re)?new|provide|Declare|New|Renew|Provide)(?:[cC]ommandx?|DocumentCommand|RobustCommand)\*?{_HEAD}{_NEW}"
    r"|\\[gex]?def\s*\\([A-Za-z@]+)\s*(?:#\d)+\s*\Z"
)
_REDEFINED = re.compile(
    rf"\\(?:renew|Renew|Declare)(?:command|DocumentCommand|RobustCommand)\*?{_HEAD}{_NEW}"
    r"|\\[gex]?def\s*\\([A-Za-z@]+)\s*(?:#\d)+\s*\Z"
)


@dataclass(frozen=True)
class Hidden:
    """Ranges of a text."""

    hidden: tuple[tuple[int, int], ...]
    """Never printed."""
    faint: tuple[tuple[int, int], ...]
    """Printed so that nobody sees it, or stored and perhaps never printed."""
    conditional: tuple[tuple[int, int], ...]
    """From each place on, on how many conditions the text is printed."""
    open_conditionals: int
    """\\if… without \\fi; what follows them is in none of these."""

    def is_hidden(self, pos: int) -> bool:
        return _within(self.hidden, pos)

    def conditions(self, pos: int) -> int:
        """On how many conditions, one inside the other, the text at `pos` is printed."""
        at = bisect_right(self.conditional, (pos, 1 << 62)) - 1
        return self.conditional[at][1] if at >= 0 else 0

    def is_faint(self, pos: int) -> bool:
        return _within(self.faint, pos)


def find_hidden(source: Source) -> Hidden:
    """What of the file is not seen, as far as its text tells."""
    hidden_names = vocabulary.HIDDEN_ENVIRONMENTS | _excluded_environments(source)
    hidden = [(e.begin, e.until) for e in source.environments if e.name in hidden_names]
    swallowing = _SWALLOWING | swallowing_macros(source)
    hidden += [(g.open, g.until) for g in source.groups if g.opener in swallowing and not source.in_definition(g.open)]
    faint = [(e.begin_end, e.until) for e in source.environments if e.name in _STORED]
    faint += [(g.open, g.until) for g in source.groups if g.opener in _DOUBTFUL]
    conditional, open_conditionals = _conditionals(source)
    conditional += [(g.open, g.until) for g in source.groups if _CONDITION.match(g.opener)]
    whites = {"white"} | _own_whites(source)
    for command in source.command_named(*_STYLES):
        arguments = source.arguments(command, 4)
        braced = [a for a in arguments if not a.optional][: 3 if "resize" in command.name else 2]
        needed = [source.inner(a).strip() for a in braced]
        if not needed:
            continue
        if command.name in ("color", "textcolor"):
            model = next((source.inner(a).strip() for a in arguments if a.optional), "")
            unseen = _is_white(needed[0], model, whites)
        else:
            size = needed[0]
            unseen = _is_nothing(size + "pt" if command.name == "fontsize" and size[-1:].isdigit() else size)
        if unseen and command.name in ("color", "fontsize", "transparent"):
            faint.append((command.end, _scope_end(source, command)))
        elif unseen and len(braced) > 1:
            faint.append((braced[-1].start, braced[-1].end))
    return Hidden(_merged(hidden), _merged(faint), _depths(conditional), open_conditionals)


def is_condition(name: str) -> bool:
    """Does a command of this name print something only on a condition?"""
    return name in vocabulary.CONDITIONALS or _CONDITION.match(name) is not None


def swallowing_macros(source: Source, redefined: bool = False) -> set[str]:
    """Macros of the file that take arguments and use none of them; if so asked, only those that are redefined, since a
    stub for a command that was never defined hides nothing that was seen before."""
    found = set()
    for start, end in source.bodies:
        if "#" in source.text[start:end]:
            continue
        match = (_REDEFINED if redefined else _TAKES_ARGUMENTS).search(source.text, max(0, start - 120), start)
        if match is not None:
            found.add(next(name for name in match.groups() if name))
    commands = source.commands
    for at in range(len(commands) - 2):
        if commands[at].name == "let" and commands[at + 2].name in _SWALLOWING:
            found.add(commands[at + 1].name)
    return found


def _conditionals(source: Source) -> tuple[list[tuple[int, int]], int]:
    """From \\if… to \\fi, apart from \\iftrue, and how many are open at the end; only outside definitions."""
    own = {name for name in source.definitions if name.startswith("if") and len(name) > 2}
    found: list[tuple[int, int]] = []
    open_ones: list[tuple[str, int]] = []
    named = False
    for command in source.commands:
        name = command.name
        if name == "fi":
            if open_ones:
                opened, start = open_ones.pop()
                if opened != "iftrue":
                    found.append((start, command.start))
        elif (name in vocabulary.CONDITIONALS or name in own) and not named and not source.in_definition(command.start):
            open_ones.append((name, command.end))
        named = name in vocabulary.OPENS_DEFINITION
    return found, len(open_ones)


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


def _depths(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """From each place on, how many of the ranges lie around it."""
    steps: dict[int, int] = {}
    for start, end in ranges:
        steps[start] = steps.get(start, 0) + 1
        steps[end] = steps.get(end, 0) - 1
    depth, found = 0, []
    for place in sorted(steps):
        depth += steps[place]
        found.append((place, depth))
    return tuple(found)


def _is_white(color: str, model: str, whites: set[str]) -> bool:
    """White, or so near to it that it cannot be read on white paper."""
    color = color.replace(" ", "")
    if model == "HTML":
        return re.fullmatch(r"(?:[fF][0-9a-fA-F]){3}", color) is not None
    if model in ("rgb", "gray", "RGB", "cmyk"):
        parts = [_number(part) for part in color.split(",")]
        if model == "cmyk":
            return all(0 <= part <= 0.05 for part in parts)
        return all(part >= (242 if model == "RGB" else 0.95) for part in parts)
    name, _, share = color.partition("!")
    percent = _number(share.partition("!")[0]) if share else 100.0
    return (name in whites and percent >= 90) or (0 <= percent <= 5 and share.count("!") == 0)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0


def _is_nothing(size: str) -> bool:
    """A size or a factor too small to see: below 0.15, or below two points."""
    match = re.fullmatch(r"(\d*\.?\d*)\s*(pt|bp|mm|cm|in|sp|em|ex|px)?", size)
    if match is None or not match[1].strip("."):
        return False
    value, unit = _number(match[1]), match[2] or ""
    return 0 <= value < {"": 0.15, "pt": 2, "bp": 2, "px": 2, "sp": 131072, "mm": 0.7, "ex": 0.4}.get(unit, 0.1)


def _own_whites(source: Source) -> set[str]:
    found = set()
    for command in source.command_named("definecolor", "providecolor"):
        needed = [source.inner(a).strip() for a in source.arguments(command, 4) if not a.optional]
        if len(needed) > 2 and _is_white(needed[2], needed[1], set()):
            found.add(needed[0])
    for command in source.command_named("colorlet"):
        needed = [source.inner(a).strip() for a in source.arguments(command, 3) if not a.optional]
        if len(needed) > 1 and needed[1] == "white":
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
