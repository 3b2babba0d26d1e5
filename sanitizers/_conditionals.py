"""TeX's conditionals, as they stand in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Source

PRIMITIVES = frozenset(
    """if ifcat ifnum ifdim ifodd ifvmode ifhmode ifmmode ifinner ifvoid ifhbox ifvbox ifx ifeof iftrue iffalse ifcase
    ifdefined ifcsname iffontchar ifincsname ifpdf ifxetex ifluatex ifPDFTeX ifXeTeX ifLuaTeX ifTUTeX""".split()
)
"""Those of TeX, e-TeX and iftex."""

_NAMED = re.compile(r"\\(?:newif|let|def|string|noexpand|expandafter)[ \t]*\{?$")


def switches(source: Source) -> Iterator[str]:
    """The conditionals that the file makes with \\newif, without backslash."""
    for found in re.finditer(r"\\newif[ \t]*\{?\\(if[A-Za-z@]+)", source.text):
        yield found[1]


def is_conditional(source: Source, command: Command, known: frozenset[str]) -> bool:
    """Whether a conditional begins here, and is not only named, as behind \\newif."""
    if not source.live(command.start) or command.name not in PRIMITIVES | known:
        return False
    return not is_named(source, command)


def is_named(source: Source, command: Command) -> bool:
    """Whether the command is only named here: behind \\newif, \\let, \\def."""
    return _NAMED.search(source.text[max(0, command.start - 30) : command.start]) is not None
