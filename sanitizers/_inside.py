"""Arguments that are written to files or set in boxes, where not everything may stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Argument, Command, Source

HEADINGS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
CAPTIONS = ("caption", "captionof", "subcaption", "addcontentsline", "markboth", "markright", "title")


def moving(source: Source) -> Iterator[tuple[Command, tuple[Argument, ...]]]:
    """Headings and captions in the text, with their arguments: what LaTeX writes to the .toc, .lof and .aux."""
    for command in source.command_named(*HEADINGS, *CAPTIONS):
        if source.live(command.start) and not source.in_definition(command.start):
            arguments = source.arguments(command, 3)
            if any(not a.optional for a in arguments):
                yield command, arguments


def typewritten(code: str) -> str:
    """What \\verb shows, as \\texttt with its characters escaped."""
    return "\\texttt{" + re.sub(r"[\\{}$&#_%~^]|(?<=-)-|  +", _escaped, code) + "}"


def _escaped(found: re.Match[str]) -> str:
    mark = found[0]
    if mark.isspace():
        return "\\ " * len(mark)
    named = {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "-": "{}-"}
    return named.get(mark, "\\" + mark)
