r"""The document's own \newcommand, \newenvironment and the like, read with their parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from texrepair.latex import Argument, Command, Source

COMMANDS = frozenset({"newcommand", "renewcommand", "providecommand", "DeclareRobustCommand"})
ENVIRONMENTS = frozenset({"newenvironment", "renewenvironment"})

_NAME = re.compile(r"\*?[ \t]*(?:\{[ \t]*\\(?P<braced>[A-Za-z@]+|[^A-Za-z\s])[ \t]*\}|\\(?P<bare>[A-Za-z@]+))")
_ENVIRONMENT = re.compile(r"\*?[ \t]*\{[ \t]*(?P<name>[^{}\\\s]+)[ \t]*\}")
_NUMBER = re.compile(r"\s*\[[ \t]*(?P<number>\d)[ \t]*\]")


class Defined(NamedTuple):
    command: Command
    """\\newcommand, \\newenvironment …"""
    name: str
    name_end: int
    """Behind the name with its braces, where [number] belongs."""
    number: int
    """How many arguments are declared."""
    digit: tuple[int, int] | None
    """Where the number stands, without brackets."""
    default: Argument | None
    bodies: tuple[Argument, ...]
    """One of a macro, two of an environment; fewer where they are not there."""

    @property
    def environment(self) -> bool:
        return self.command.name in ENVIRONMENTS


def definitions(source: Source) -> Iterator[Defined]:
    """Every live definition, in order."""
    for command in source.command_named(*COMMANDS, *ENVIRONMENTS):
        if not source.live(command.start):
            continue
        environment = command.name in ENVIRONMENTS
        name = (_ENVIRONMENT if environment else _NAME).match(source.text, command.end)
        if name is None:
            continue
        end = name.end()
        number = _NUMBER.match(source.text, end)
        rest = source.arguments_at(number.end() if number else end, 3)
        default = rest[0] if rest and rest[0].optional and number else None
        bodies = [a for a in rest[1 if default else 0 :] if not a.optional][: 2 if environment else 1]
        yield Defined(
            command,
            name["name"] if environment else name["braced"] or name["bare"],
            end,
            int(number["number"]) if number else 0,
            number.span("number") if number else None,
            default,
            tuple(bodies),
        )


def parameters(text: str) -> int:
    """The highest parameter that a body uses; ##1 belongs to a definition inside."""
    return max((int(found[1]) for found in re.finditer(r"(?<![\\#])#([1-9])", text)), default=0)
