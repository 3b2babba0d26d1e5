"""The arguments of siunitx's commands: numbers and units."""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex import Source

UNITS = frozenset(
    {"SI", "si", "qty", "unit", "SIrange", "SIlist", "qtyrange", "qtylist", "qtyproduct", "DeclareSIUnit"}
)
"""Commands with an argument that holds a unit; it is the last one."""

_NUMBERS = {"num": 1, "SI": 1, "qty": 1, "numrange": 2, "SIrange": 2, "qtyrange": 2, "ang": 1, "tablenum": 1}
"""How many arguments hold a number."""


def numbers(source: Source) -> Iterator[tuple[int, int]]:
    """Where the numbers stand, without their braces."""
    for command in source.command_named(*_NUMBERS):
        if source.live(command.start) and not source.in_definition(command.start):
            braced = [a for a in source.arguments(command, 4) if not a.optional]
            for argument in braced[: _NUMBERS[command.name]]:
                yield argument.start + 1, argument.end - 1
