"""A command with its arguments, as one piece that can be moved or taken out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Source
from texrepair.latex.names import arguments_of

_ARITY = {
    "usepackage": "omo", "RequirePackage": "omo", "documentclass": "omo", "PassOptionsToPackage": "mm",
    "hypersetup": "m", "lstset": "m", "sisetup": "m", "tikzset": "m", "pgfplotsset": "m", "usetikzlibrary": "m",
    "setmainfont": "omo", "setsansfont": "omo", "setmonofont": "omo", "setmathfont": "omo", "newfontfamily": "momo",
    "setmainlanguage": "om", "setotherlanguage": "om", "setotherlanguages": "m", "setdefaultlanguage": "om",
    "DeclareUnicodeCharacter": "mm", "captionsetup": "omm", "geometry": "m", "addbibresource": "om", "input": "m",
}  # fmt: skip
_TOKEN = re.compile(r"\s*\\(?:[A-Za-z@]+|[^A-Za-z@])")


def end_of(source: Source, command: Command) -> int:
    """Behind the command's last argument."""
    text, pos = source.text, command.end
    for letter in _ARITY.get(command.name) or arguments_of(command.name) or "oooooomm":
        if letter == "s":
            pos += text.startswith("*", pos)
            continue
        found = source.arguments_at(pos, 1)
        if found and found[0].optional == (letter in "oOdD"):
            pos = found[0].end
        elif letter == "m" and not found:
            token = _TOKEN.match(text, pos)
            if token is None:
                break
            pos = token.end()
    return pos


def statements(source: Source) -> Iterator[tuple[Command, int]]:
    """The commands of the preamble that are no arguments of others, each with its end, in order."""
    done = 0
    for command in source.commands:
        if not source.in_preamble(command.start):
            break
        if command.start < done or not source.live(command.start):
            continue
        if source.groups_at(command.start) or source.in_definition(command.start):
            continue
        done = max(command.end, end_of(source, command))
        yield command, done
