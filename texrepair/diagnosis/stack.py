"""Which file TeX was reading: the stack of files, rebuilt from parentheses.

TeX prints `(` and a name when it opens a file and `)` when it closes one (tex.web sections 537 and 362); everything
else may print parentheses too. Where it is not certain what one means, both readings are followed, each with a cost
that grows when later lines speak against it, and the cheapest wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from texrepair.diagnosis.names import FileNames

READINGS = 8
"""Readings that are followed at once."""
_HOPELESS = 12.0
_DEEPEST = 200
"""TeX itself reads at most a few dozen files at once (max_in_open)."""
_SIGHT = 100
"""Characters behind a parenthesis that are looked at."""

_MARK = re.compile(rb"[()]|<[^<>()\s][^<>]*>|\[\d[\d.]*|\]|\{[^{}()]*\}")
_INSTALLED = re.compile(r"/|[A-Za-z]:/")
_LAST = re.compile(rb" *$")
_FREE = re.compile(rb"[ )]*[^\s()\[\]<>{}]")
_SMILEY = re.compile(rb"[:;=8]['-]?$")


@dataclass(frozen=True, slots=True)
class Frame:
    """A file that is being read."""

    below: Frame | None
    name: str
    depth: int
    line: int = 0
    """The highest line that was reported in it."""


@dataclass(slots=True)
class Reading:
    """One way to read the parentheses so far."""

    top: Frame | None = None
    cost: float = 0.0
    files: list[str | None] = field(default_factory=list)
    """The file of each diagnostic since readings parted."""
    over: bool = False
    """The main file was closed."""
    closed: str = ""
    """The file that was closed last."""


class Stack:
    """All readings that are still possible."""

    def __init__(self, names: FileNames, line_counts: Mapping[str, int]) -> None:
        self.names = names
        self.main: str | None = None
        self._counts = line_counts
        self._readings = [Reading()]

    @property
    def split(self) -> bool:
        """Are there several readings?"""
        return len(self._readings) > 1

    def current(self) -> str | None:
        """The file that TeX reads, by the cheapest reading."""
        top = self._readings[0].top
        return top.name if top else self.main

    def flow(self, line: bytes, joins: Iterable[int] = (), after: int | None = None) -> bool:
        """Take in a logical line that is no known message. True where it ends with something that TeX itself printed.

        `after`: the line before it ended so, and the terminal's line stands at this column. TeX begins no line to open
        a file whose name would have fitted there, nor ever to close one: then this is the text of a \\typeout.
        """
        dummies = 0
        structural = True
        position = 0
        joined = frozenset(joins)
        while True:
            mark = _MARK.search(line, position)
            if mark is None:
                break
            start = mark.start()
            gap = line[position:start]
            if gap.strip(b" "):
                structural = False
            position = mark.end()
            character = mark[0][:1]
            if character == b"(":
                found = self.names.at(line, position, joined)
                if found is not None and (structural or gap.endswith(b" ") or start in joined):
                    position = found.end
                    installed = _INSTALLED.match(found.name) is not None
                    doubt = (None if installed else found.doubt) if structural else 3.0 if installed else 1.2
                    cost = 0.0 if structural else 0.4
                    if start == 0 and after is not None and after + found.end < 76 and not installed:
                        cost, doubt = 1.0, 1.5
                    self._open(found.name, cost, doubt)
                    structural = True
                else:
                    dummies += 1
                    structural = False
            elif character == b")":
                if dummies:
                    dummies -= 1
                    # The text may have left its parenthesis open, and this one closes the file.
                    if _LAST.match(line, position) and self._doubt():
                        self._close(2.5, 0.0)
                elif structural:
                    # A \\typeout may begin so, but then text follows.
                    cost = 1.5 if start == 0 and after is not None else 0.0
                    text_follows = _FREE.match(line, position, position + _SIGHT)
                    self._close(cost, 1.0 if cost else 1.5 if text_follows else self._doubt())
                elif line.startswith(b"luaotfload |"):
                    # Written by texio without a line end, so that TeX's parenthesis follows at once.
                    self._close(0.0, None)
                elif _SMILEY.search(line[max(0, start - 3) : start]):
                    self._close(3.0, 0.1)
                elif self._doubt() is None:
                    # Packages are tidy: what they print before they end has no parenthesis without its partner.
                    self._close(0.2, 2.0)
                else:
                    ahead = line[position : position + 80].strip(b" )]")
                    self._close(*((0.7, 0.7) if not ahead or ahead[:1] in b"([" else (2.0, 0.3)))
            # Pages, pictures and map files in angle brackets and braces are TeX's own: they leave structure as it is.
        return structural and not line[position:].strip(b" ")

    def _open(self, name: str, cost: float, doubt: float | None) -> None:
        if self.main is None:
            self.main = name
        fresh = []
        for reading in self._readings:
            if doubt is not None:
                fresh.append(
                    Reading(reading.top, reading.cost + doubt, list(reading.files), reading.over, reading.closed)
                )
            depth = reading.top.depth + 1 if reading.top else 1
            if depth > _DEEPEST:
                fresh.append(reading)
                continue
            late = 4.0 if reading.over else 0.0
            aux = 3.0 * abs(depth - 2) if name == self._aux else 0.0
            opened = Frame(reading.top, name, depth)
            fresh.append(Reading(opened, reading.cost + cost + late + aux, reading.files))
        self._settle(fresh)

    @property
    def _aux(self) -> str:
        return (self.main or "").rpartition(".")[0] + ".aux"

    def _doubt(self) -> float | None:
        """Cost of taking a parenthesis that stands where TeX closes a file for text: only the project's files print."""
        top = self._readings[0].top
        return 4.0 if top is not None and not _INSTALLED.match(top.name) else None

    def _close(self, cost: float, text_cost: float | None) -> None:
        if len(self._readings) == 1 and self._readings[0].top is None:
            self._readings[0].over = True
            return
        fresh = []
        for reading in self._readings:
            if text_cost is not None:
                fresh.append(
                    Reading(reading.top, reading.cost + text_cost, list(reading.files), reading.over, reading.closed)
                )
            if reading.top is None:
                fresh.append(Reading(None, reading.cost + cost + 4.0, reading.files, True))
            else:
                top, below = reading.top, reading.top.below
                fresh.append(Reading(below, reading.cost + cost, reading.files, below is None, top.name))
        self._settle(fresh)

    def at_line(self, number: int) -> None:
        """TeX reported this line of the file that it reads: lines of one file only grow."""
        fresh = []
        for reading in self._readings:
            top = reading.top
            if top is None:
                if reading.over:
                    reading.cost += 3.0
                fresh.append(reading)
                continue
            if number < top.line:
                reading.cost += 3.0
            else:
                reading.top = Frame(top.below, top.name, top.depth, number)
            most = self._counts.get(top.name)
            if most is not None and number > most + 1:
                reading.cost += 6.0
            fresh.append(reading)
        if len(fresh) > 1:
            self._settle(fresh)

    def in_file(self, name: str) -> None:
        """TeX said itself which file it reads (`file:line:`)."""
        if self.main is None:
            self.main = name
        for reading in self._readings:
            top = reading.top
            if top is not None and top.name == name:
                continue
            reading.cost += 4.0
            under = top
            while under is not None and under.name != name:
                under = under.below
            reading.top = under or Frame(top, name, top.depth + 1 if top else 1)
        if self.split:
            self._settle(self._readings)

    def just_closed(self, stem: str) -> None:
        """TeX noticed something when the file of this name, its ending left out, had come to its end."""
        for reading in self._readings:
            if reading.closed not in (stem, f"{stem}.tex"):
                reading.cost += 3.0
        if self.split:
            self._settle(self._readings)

    def at_terminal(self) -> None:
        """A `<*>` context: TeX had left all files."""
        for reading in self._readings:
            reading.cost += reading.top.depth if reading.top else 0
            reading.top, reading.over = None, True
        if self.split:
            self._settle(self._readings)

    def place(self) -> None:
        """A diagnostic stands here: each reading notes its own file."""
        for reading in self._readings:
            reading.files.append(reading.top.name if reading.top else self.main)

    def placed(self) -> list[str | None]:
        """The files of the diagnostics since the last call, by the cheapest reading; the others are given up."""
        best = min(self._readings, key=lambda reading: reading.cost)
        files, best.files = best.files, []
        self._readings = [best]
        return files

    def finish(self) -> None:
        """The run ended in order: what is still open speaks against a reading."""
        for reading in self._readings:
            reading.cost += 3.0 * reading.top.depth if reading.top else 0

    def _settle(self, readings: list[Reading]) -> None:
        """Keep the cheapest reading of each stack, and of those the best few."""
        if len(readings) == 1:
            self._readings = readings
            return
        readings.sort(key=lambda reading: reading.cost)
        seen: set[tuple[object, ...]] = set()
        kept: list[Reading] = []
        for reading in readings:
            if reading.cost > readings[0].cost + _HOPELESS:
                break
            key = (reading.over, *_names(reading.top))
            if key not in seen:
                seen.add(key)
                kept.append(reading)
                if len(kept) == READINGS:
                    break
        self._readings = kept


def _names(frame: Frame | None) -> Iterable[object]:
    """What tells two stacks apart; below some depth the frames themselves."""
    for _ in range(8):
        if frame is None:
            return
        yield frame.name
        frame = frame.below
    yield id(frame)
