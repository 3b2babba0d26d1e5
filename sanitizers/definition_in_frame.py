r"""A definition with arguments inside a frame of beamer.

Why it breaks: beamer reads the whole frame as an argument, where #1 means something else: "Illegal parameter number in
definition of \iterate".

What is done: the definition is moved to the preamble, all such at once; or the frame is made fragile, which is read
from a file.

When nothing is done: no frame holds a definition with #.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Source
from texrepair.latex.preamble import end_of_preamble, newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import whole_line

_DEFINERS = (
    "newcommand", "renewcommand", "providecommand", "def", "newenvironment", "NewDocumentCommand", "tikzset",
    "DeclareDocumentCommand", "pgfmathdeclarefunction",
)  # fmt: skip


def propose(case: Case) -> Iterator[Candidate]:
    source = case.source
    if case.diagnostic is None or not {"beamer", "ctexbeamer", "beamerarticle"} & set(case.packages):
        return
    found = [
        (frame[0], command, end)
        for command in source.command_named(*_DEFINERS)
        if source.live(command.start)
        and (frame := [e for e in source.environments_at(command.start) if e.name == "frame"])
        and (end := _end(source, command)) is not None
        and "#" in source.text[command.start : end]
        and "fragile" not in source.text[frame[0].begin_end : frame[0].begin_end + 80].partition("]")[0]
    ]
    if not found:
        return
    main = case.lexed(case.main)
    place = end_of_preamble(main)
    if place is not None:
        newline = newline_of(main.text)
        text = "".join(source.text[command.start : end] + newline for _, command, end in found)
        edits = [Edit(case.path, *whole_line(source, command.start, end), "") for _, command, end in found]
        moved = (Edit(case.main, place, place, text), *edits)
        yield Candidate(moved, "move definitions out of the frames, to the preamble", 0.92)
    fragile = []
    for begin_end in dict.fromkeys(frame.begin_end for frame, _, _ in found):
        bracket = re.compile(r"[ \t]*(?:<[^>]*>)?[ \t]*\[").match(source.text, begin_end)
        at = bracket.end() if bracket else begin_end
        fragile.append(Edit(case.path, at, at, "fragile," if bracket else "[fragile]"))
    yield Candidate(tuple(fragile), "make the frames with definitions fragile", 0.75)


def _end(source: Source, command: Command) -> int | None:
    name = re.compile(r"\*?[ \t]*(?:\\[A-Za-z@]+(?:#\d)*)?").match(source.text, command.end)
    arguments = source.arguments_at(name.end() if name else command.end, 5)
    return arguments[-1].end if arguments else None


_HEAD = "\\documentclass{beamer}\n"

RULE = Rule(
    id="definition-in-frame",
    fix=propose,
    answers=("illegal-parameter", "parameter-character", "runaway-argument"),
    examples=(
        Example(
            _HEAD + "\\begin{document}\n\\begin{frame}\n\\newcommand{\\slot}[1]{\\fbox{#1}}\n\\slot{x}\n\\end{frame}\n"
            "\\end{document}\n",
            _HEAD + "\\newcommand{\\slot}[1]{\\fbox{#1}}\n\\begin{document}\n\\begin{frame}\n\\slot{x}\n\\end{frame}\n"
            "\\end{document}\n",
            message="Illegal parameter number in definition of \\iterate",
            token="\\iterate",
            line=6,
        ),
        Example(
            _HEAD + "\\begin{document}\n\\begin{frame}\nx\n\\end{frame}\n\\end{document}\n",
            None,
            message="Illegal parameter number in definition of \\iterate",
            token="\\iterate",
            line=4,
        ),
    ),
)
