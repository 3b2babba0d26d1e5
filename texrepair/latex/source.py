"""What the lexer found in one file: positions, modes, structure. Start with `lex`; everything here is read-only."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Literal, NamedTuple, Protocol, TypeVar

from texrepair.latex.patterns import BRACKETED, LINE_END, OVERLAY, skip_gap

Part = Literal["main", "body", "style"]
STYLES = (".sty", ".cls", ".def", ".cfg", ".clo", ".ldf", ".fd", ".bbx", ".cbx", ".lbx")
"""Endings of files that TeX reads while @ is a letter."""


def part_of(path: str, main: str) -> Part:
    """What a file is to the document: its main file, a package or the like, or text that one of them reads."""
    return "main" if path == main else "style" if path.endswith(STYLES) else "body"


class Mode(Enum):
    """How TeX treats a character."""

    TEXT = "text"
    INLINE = "inline"
    """Inline math, its delimiters included."""
    DISPLAY = "display"
    """Display math; of an environment only the body, of `$$` and `\\[` the delimiters too."""
    VERBATIM = "verbatim"
    """Printed or stored as it stands: verbatim, listings, minted, comment, filecontents, \\verb, \\detokenize."""
    COMMENT = "comment"
    """From % to the end of the line, the line end excluded."""
    ARGUMENT = "argument"
    """Read, but not typeset as text: names of labels, files and environments, keys, lengths, URLs, column types."""
    DEAD = "dead"
    """Skipped by TeX: \\iffalse to \\fi, what follows \\end{document} or \\endinput."""


class Span(NamedTuple):
    start: int
    end: int
    mode: Mode


class Command(NamedTuple):
    name: str
    """Without the backslash; one character for a control symbol, "" for a lone backslash at the end of the text."""
    start: int
    """Of the backslash."""
    end: int
    """Behind the name."""


class Argument(NamedTuple):
    start: int
    """Of the opening bracket or brace."""
    end: int
    """Behind the closing one."""
    optional: bool


class Environment(NamedTuple):
    name: str
    begin: int
    """Of \\begin, or of the user's shorthand for it."""
    begin_end: int
    """Behind \\begin{name}; its arguments follow."""
    end: int | None
    """Of \\end; None where it is never closed."""
    end_end: int | None
    parent: int | None
    """Index of the environment around it."""
    until: int
    """`end_end`, or for an unclosed one the place where something around it ended."""


class Group(NamedTuple):
    open: int
    close: int | None
    """Of the closing brace; None where it is never closed."""
    depth: int
    """How many brace groups lie around it."""
    opener: str
    """The command or environment that it seems to be an argument of, without backslash; "" for a group of its own."""
    parent: int | None
    until: int
    """Behind the closing brace, or for an unclosed one the place where something around it ended."""


class Fence(NamedTuple):
    """What \\left, \\begingroup or \\bgroup opens."""

    name: str
    start: int
    end: int | None
    """Of \\right, \\endgroup or \\egroup."""
    parent: int | None
    until: int


class Math(NamedTuple):
    start: int
    """Of the delimiter, or of \\begin."""
    body_start: int
    body_end: int
    end: int
    display: bool
    parent: int | None
    """Index of the formula around it (a formula inside \\text inside a formula)."""


class Package(NamedTuple):
    """One package or class that the file asks for."""

    name: str
    options: str
    """What stands in the brackets; "" without brackets."""
    start: int
    """Of the whole call, from the backslash …"""
    end: int
    """… to behind its last bracket or brace; a call with several names gives several packages with the same bounds."""
    command: str
    """usepackage, RequirePackage, documentclass, LoadClass …"""
    name_start: int
    """Where the name stands."""


class _Nested(Protocol):
    @property
    def parent(self) -> int | None: ...


_N = TypeVar("_N", bound=_Nested)


def _around(starts: Sequence[int], records: Sequence[_N], ends: Sequence[int], pos: int) -> tuple[_N, ...]:
    """The records around `pos`, outermost first: the last that began before it, if it still holds, and its parents."""
    found: list[_N] = []
    at: int | None = bisect_right(starts, pos) - 1
    while at is not None and at >= 0:
        if pos < ends[at]:
            found.append(records[at])
        at = records[at].parent
    return tuple(reversed(found))


@dataclass(frozen=True)
class Source:
    """One file, lexed. Offsets are indices into `text`; ends are exclusive."""

    text: str
    part: Part
    spans: tuple[Span, ...]
    """Cover the text exactly, in order; neighbours differ in mode."""
    commands: tuple[Command, ...]
    """Every control sequence outside VERBATIM, COMMENT and DEAD."""
    environments: tuple[Environment, ...]
    """In the order of their \\begin, but for those that a definition leaves open (\\newcommand\\be{\\begin{quote}})."""
    groups: tuple[Group, ...]
    fences: tuple[Fence, ...]
    math: tuple[Math, ...]
    stray_closers: tuple[int, ...]
    """Closing braces that close nothing."""
    stray_ends: tuple[int, ...]
    """\\end without its \\begin, or crossed with another environment."""
    stray_shifts: tuple[int, ...]
    """Math delimiters where none may stand: $ or \\[ inside display math, \\) without \\(."""
    open_math: tuple[int, ...]
    """Starts of formulas that a paragraph, a cell, a group or the file ended before they were closed."""
    packages: tuple[Package, ...]
    definitions: Mapping[str, int]
    """Macros (without backslash) and environments that this file defines, and where the defining command stands."""
    bodies: tuple[tuple[int, int], ...]
    """The definitions' bodies, in order, not nested."""
    document: tuple[int, int] | None
    """From behind \\begin{document} to \\end{document} or the end of the text; None without \\begin{document}."""
    catcodes: tuple[tuple[int, str], ...] = field(repr=False)
    """From each offset on: the characters that the file made ordinary (see `ordinary`)."""

    def mode(self, pos: int) -> Mode:
        """The mode of the character at `pos`; at the end of the text, that of the last character."""
        return self.spans[max(0, bisect_right(self._span_starts, pos) - 1)].mode if self.spans else Mode.TEXT

    def live(self, pos: int) -> bool:
        """Does TeX see the character at all?"""
        return self.mode(pos) not in (Mode.COMMENT, Mode.DEAD)

    def in_preamble(self, pos: int) -> bool:
        """Before \\begin{document} of a main file, anywhere in a style file, nowhere in an \\input file."""
        if self.part == "main":
            return self.document is None or pos < self.document[0]
        return self.part == "style"

    def in_definition(self, pos: int) -> bool:
        """Inside the body of a definition, where mode and structure are those of the place of use, which is unknown."""
        at = bisect_right(self._body_starts, pos) - 1
        return at >= 0 and pos < self.bodies[at][1]

    def ordinary(self, pos: int) -> str:
        """The special characters that are plain here: after \\catcode`\\_=12, underscore.sty, \\ExplSyntaxOn."""
        at = bisect_right(self._catcode_starts, pos) - 1
        return self.catcodes[at][1] if at >= 0 else ""

    def command_named(self, *names: str) -> Iterator[Command]:
        """The commands of these names, in order."""
        if len(names) == 1:
            yield from self._commands_by_name.get(names[0], ())
            return
        yield from sorted(
            (c for name in set(names) for c in self._commands_by_name.get(name, ())), key=lambda c: c.start
        )

    def arguments(self, command: Command, maximum: int) -> tuple[Argument, ...]:
        """At most so many of the [..] and {..} that follow the command directly: only a star, an overlay such as <2->,
        spaces, one line end and comments may stand between."""
        pos = command.end + 1 if self.text.startswith("*", command.end) else command.end
        overlay = OVERLAY.match(self.text, pos)
        return self.arguments_at(overlay.end() if overlay else pos, maximum)

    def arguments_at(self, pos: int, maximum: int) -> tuple[Argument, ...]:
        """The same from any place, such as behind \\begin{name}."""
        found: list[Argument] = []
        while len(found) < maximum:
            pos = skip_gap(self.text, pos)
            if self.text.startswith("{", pos):
                close = self.closing(pos)
                if close is None:
                    break
                found.append(Argument(pos, close + 1, False))
            elif (bracket := BRACKETED.match(self.text, pos, pos + 8000)) is not None:
                found.append(Argument(pos, bracket.end(), True))
            else:
                break
            pos = found[-1].end
        return tuple(found)

    def inner(self, argument: Argument) -> str:
        """What stands between the delimiters."""
        return self.text[argument.start + 1 : argument.end - 1]

    def closing(self, brace: int) -> int | None:
        """The offset of the brace that closes the one at `brace`, or None."""
        return self._closings.get(brace)

    def environments_at(self, pos: int) -> tuple[Environment, ...]:
        """The environments around `pos`, outermost first."""
        return _around(self._environment_starts, self.environments, self._environment_ends, pos)

    def groups_at(self, pos: int) -> tuple[Group, ...]:
        """The brace groups around `pos`, outermost first; a group's own braces lie in it."""
        return _around(self._group_starts, self.groups, self._group_ends, pos)

    def fences_at(self, pos: int) -> tuple[Fence, ...]:
        """The \\left, \\begingroup and \\bgroup around `pos`, outermost first."""
        return _around(self._fence_starts, self.fences, self._fence_ends, pos)

    def math_at(self, pos: int) -> tuple[Math, ...]:
        """The formulas around `pos`, outermost first."""
        return _around(self._math_starts, self.math, self._math_ends, pos)

    def innermost(self, pos: int) -> Environment | Group | Fence | Math | None:
        """What was opened last of all that is open at `pos`: who opened the group that TeX is in."""
        around = (
            self.environments_at(pos)[-1:],
            self.groups_at(pos)[-1:],
            self.fences_at(pos)[-1:],
            self.math_at(pos)[-1:],
        )
        # A math environment opens two groups, its own and, inside it, the formula's.
        return max(
            (found[0] for found in around if found),
            key=lambda r: (r[0] if isinstance(r[0], int) else r[1], isinstance(r, Math)),
            default=None,
        )

    def level(self, pos: int) -> int:
        """How many groups lie around `pos`: braces, environments, formulas, \\left, \\begingroup and \\bgroup. That is
        TeX's \\currentgrouplevel but for the groups inside macros, boxes and alignments."""
        return sum(map(len, (self.environments_at(pos), self.groups_at(pos), self.fences_at(pos), self.math_at(pos))))

    def line(self, pos: int) -> int:
        """The 1-based number of the line that `pos` is on; lines end as for TeX, at LF, CR LF or CR."""
        return bisect_right(self._line_starts, pos)

    @property
    def line_count(self) -> int:
        """Lines of the text; what follows the last line end counts only if there is something."""
        starts = self._line_starts
        return len(starts) - 1 if len(starts) > 1 and starts[-1] == len(self.text) else len(starts)

    def line_span(self, number: int) -> tuple[int, int]:
        """Start and end of a 1-based line, its line end excluded; the nearest line where there is none such."""
        starts = self._line_starts
        number = min(max(number, 1), max(self.line_count, 1))
        start = starts[number - 1]
        end = starts[number] if number < len(starts) else len(self.text)
        return start, start + len(self.text[start:end].rstrip("\r\n"))

    def paragraph(self, pos: int) -> tuple[int, int]:
        """The lines around `pos` up to the next blank ones; for a blank line that line alone."""
        at = bisect_right(self.paragraph_starts, min(max(pos, 0), len(self.text))) - 1
        start = self.paragraph_starts[at]
        later = at + 1 < len(self.paragraph_starts)
        end = self.paragraph_starts[at + 1] if later else len(self.text)
        return start, max(start, start + len(self.text[start:end].rstrip("\r\n")))

    @cached_property
    def _span_starts(self) -> list[int]:
        return [span.start for span in self.spans]

    @cached_property
    def _body_starts(self) -> list[int]:
        return [start for start, _ in self.bodies]

    @cached_property
    def _catcode_starts(self) -> list[int]:
        return [start for start, _ in self.catcodes]

    @cached_property
    def _environment_starts(self) -> list[int]:
        return [e.begin for e in self.environments]

    @cached_property
    def _group_starts(self) -> list[int]:
        return [g.open for g in self.groups]

    @cached_property
    def _fence_starts(self) -> list[int]:
        return [f.start for f in self.fences]

    @cached_property
    def _math_starts(self) -> list[int]:
        return [m.start for m in self.math]

    @cached_property
    def _environment_ends(self) -> list[int]:
        return [e.until for e in self.environments]

    @cached_property
    def _group_ends(self) -> list[int]:
        return [g.until for g in self.groups]

    @cached_property
    def _fence_ends(self) -> list[int]:
        return [f.until for f in self.fences]

    @cached_property
    def _math_ends(self) -> list[int]:
        return [m.end for m in self.math]

    @cached_property
    def _closings(self) -> dict[int, int]:
        return {g.open: g.close for g in self.groups if g.close is not None}

    @cached_property
    def _commands_by_name(self) -> dict[str, list[Command]]:
        found: dict[str, list[Command]] = {}
        for command in self.commands:
            found.setdefault(command.name, []).append(command)
        return found

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(m.end() for m in LINE_END.finditer(self.text))]

    @cached_property
    def paragraph_starts(self) -> list[int]:
        starts, was_blank = [0], False
        for at, start in enumerate(self._line_starts):
            end = self._line_starts[at + 1] if at + 1 < len(self._line_starts) else len(self.text)
            blank = not self.text[start:end].strip()
            if start and (blank or was_blank):
                starts.append(start)
            was_blank = blank
        return starts
