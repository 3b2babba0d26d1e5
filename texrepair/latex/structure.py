"""The lexer's memory: the stack of what is open, the current mode, and the records that become a Source."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from texrepair.latex.source import Command, Environment, Fence, Group, Math, Mode, Package, Span

Kind = Literal["{", "[", "env", "math", "fence"]


@dataclass(slots=True)
class Effect:
    """What a user's macro or environment does to the structure where it is used."""

    ends: list[str] = field(default_factory=list)
    """Environments and formulas (by their opening delimiter) that it closes but did not open …"""
    begins: list[str] = field(default_factory=list)
    """… and those that it leaves open."""
    catcodes: str = ""
    """Characters that it makes ordinary."""
    commands: set[str] = field(default_factory=set)
    """The names used in its body."""


@dataclass(slots=True)
class Definition:
    """A definition that is being read."""

    name: str
    environment: bool
    command: str
    arguments: str = ""
    """The text of its number of arguments, default and base environment, as written."""
    bodies: list[Effect] = field(default_factory=list)


class Frame:
    """Something that is open."""

    __slots__ = (
        "at",
        "catcodes",
        "definition",
        "effect",
        "index",
        "kind",
        "letters",
        "name",
        "outer",
        "rest",
        "short_verbs",
        "start",
    )

    def __init__(self, kind: Kind, name: str, at: int, index: int, outer: Mode) -> None:
        self.kind = kind
        self.name = name
        self.at = at
        self.index = index
        """Of its record."""
        self.outer = outer
        """The mode to go back to."""
        self.letters = ""
        self.catcodes = ""
        self.short_verbs = ""
        self.rest = ""
        """Signature that is still to be read when it closes."""
        self.effect: Effect | None = None
        """Set for a definition's body: nothing that it leaves open spills out of it."""
        self.start = at
        """Of the command that it is an argument of."""
        self.definition: Definition | None = None


_NO_RECORD: Final = -1


class Structure:
    """Stack and records. Every method is constant in time, apart from closing what it pops."""

    def __init__(self, text: str, letters: str) -> None:
        self.text = text
        self.letters = letters
        self.catcodes = ""
        self.short_verbs = ""
        self.mode = Mode.TEXT
        self.mark = 0
        self.spans: list[Span] = []
        self.commands: list[Command] = []
        self.stack: list[Frame] = []
        self.environments: list[Environment | None] = []
        self.groups: list[Group | None] = []
        self.fences: list[Fence | None] = []
        self.math: list[Math | None] = []
        self.body_starts: dict[str, list[int]] = {"env": [], "math": []}
        self.stray_closers: list[int] = []
        self.stray_ends: list[int] = []
        self.stray_shifts: list[int] = []
        self.open_math: list[int] = []
        self.packages: list[Package] = []
        self.definitions: dict[str, int] = {}
        self.bodies: list[tuple[int, int]] = []
        self.catcode_events: list[tuple[int, str]] = []
        # Positions in `stack`, by what one looks for there.
        self.open_of: dict[str, list[int]] = {"{": [], "[": [], "env": [], "math": [], "fence": [], "body": []}
        self.named: dict[str, list[int]] = {}

    # Modes.

    def switch(self, pos: int, mode: Mode) -> None:
        """From `pos` on the mode is `mode`."""
        if mode is not self.mode:
            if pos > self.mark:
                self._emit(self.mark, pos, self.mode)
                self.mark = pos
            self.mode = mode

    def overlay(self, start: int, end: int, mode: Mode) -> None:
        """From `start` to `end` the mode is `mode`, then the one before again."""
        if start < end and mode is not self.mode:
            before = self.mode
            self.switch(start, mode)
            self.switch(end, before)

    def _emit(self, start: int, end: int, mode: Mode) -> None:
        if self.spans and self.spans[-1].mode is mode:
            start = self.spans.pop().start
        self.spans.append(Span(start, end, mode))

    # Catcodes.

    def set_catcodes(self, pos: int, catcodes: str) -> None:
        if catcodes != self.catcodes:
            self.catcodes = catcodes
            self.catcode_events.append((pos, catcodes))

    # The stack.

    def push(self, kind: Kind, name: str, at: int, mode: Mode, body: int, switch_at: int) -> Frame:
        """Open something that begins at `at` and whose body begins at `body`; the mode holds from `switch_at` on."""
        if kind == "{":
            index = len(self.groups)
            self.groups.append(None)
        elif kind == "env":
            index = len(self.environments)
            self.environments.append(None)
            self.body_starts[kind].append(body)
        elif kind == "math":
            index = len(self.math)
            self.math.append(None)
            self.body_starts[kind].append(body)
        elif kind == "fence":
            index = len(self.fences)
            self.fences.append(None)
        else:
            index = _NO_RECORD
        frame = Frame(kind, name, at, index, self.mode)
        frame.letters, frame.catcodes, frame.short_verbs = self.letters, self.catcodes, self.short_verbs
        place = len(self.stack)
        self.open_of[kind].append(place)
        if kind == "env" or kind == "math":
            self.named.setdefault(name, []).append(place)
        self.stack.append(frame)
        if mode is not self.mode:
            self.switch(switch_at, mode)
        return frame

    def _pop(self, pos: int) -> Frame:
        frame = self.stack.pop()
        self.open_of[frame.kind].pop()
        if frame.kind == "env" or frame.kind == "math":
            self.named[frame.name].pop()
        if frame.effect is not None:
            self.open_of["body"].pop()
        self.letters, self.short_verbs = frame.letters, frame.short_verbs
        self.set_catcodes(pos, frame.catcodes)
        if frame.outer is not self.mode:
            self.switch(pos, frame.outer)
        return frame

    @property
    def barrier(self) -> int:
        """The place of the innermost definition's body on the stack; what lies under it is out of reach."""
        bodies = self.open_of["body"]
        return bodies[-1] if bodies else -1

    def effect_here(self) -> Effect | None:
        """The effect of the definition whose body is being read."""
        bodies = self.open_of["body"]
        return self.stack[bodies[-1]].effect if bodies else None

    def make_body(self, frame: Frame) -> None:
        """Let nothing spill out of the frame on top of the stack."""
        frame.effect = Effect()
        self.open_of["body"].append(len(self.stack) - 1)

    def top(self, kind: str) -> int:
        """The place of the innermost frame of that kind within reach, or -1."""
        places = self.open_of[kind]
        return places[-1] if places and places[-1] > self.barrier else -1

    def innermost(self, name: str) -> int:
        """The place of the innermost environment or formula of that name within reach, or -1."""
        places = self.named.get(name)
        return places[-1] if places and places[-1] > self.barrier else -1

    def _parent(self, kind: Kind) -> int | None:
        places = self.open_of[kind]
        return self.stack[places[-1]].index if places else None

    def close(self, start: int, end: int, switch_at: int) -> Frame:
        """Close the innermost frame with the delimiter at start..end; from `switch_at` on, the mode around it holds."""
        frame = self._pop(switch_at)
        self._record(frame, start, end)
        return frame

    def cut(self, place: int, pos: int) -> None:
        """Give up, at `pos`, everything from that place of the stack upwards: it was never closed."""
        while len(self.stack) > place:
            in_body = bool(self.open_of["body"])
            frame = self._pop(pos)
            if in_body and frame.kind in ("env", "fence"):
                continue
            if frame.kind == "math" and not in_body:
                self.open_math.append(frame.at)
            self._record(frame, None, pos)

    def _record(self, frame: Frame, start: int | None, end: int) -> None:
        at, kind = frame.at, frame.kind
        parent = None if kind == "[" else self._parent(kind)
        if kind == "{":
            self.groups[frame.index] = Group(at, start, len(self.open_of["{"]), frame.name, parent, end)
        elif kind == "env":
            begin_end = self.body_starts[kind][frame.index]
            closed = None if start is None else end
            self.environments[frame.index] = Environment(frame.name, at, begin_end, start, closed, parent, end)
        elif kind == "math":
            body = self.body_starts[kind][frame.index]
            body_end = end if start is None else start
            display = frame.name not in ("$", "\\(", "inline")
            self.math[frame.index] = Math(at, body, max(body, body_end), end, display, parent)
        elif kind == "fence":
            self.fences[frame.index] = Fence(frame.name, at, start, parent, end)

    def flat_group(self, start: int, end: int, opener: str, closed: bool = True) -> None:
        """Record a group that was read at once."""
        depth = len(self.open_of["{"])
        self.groups.append(Group(start, end - 1 if closed else None, depth, opener, self._parent("{"), end))
