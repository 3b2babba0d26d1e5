r"""An \else or \fi without its \if.

Why it breaks: after editing, a conditional has two \else or a \fi too many: "Extra \else", "Extra \fi". A \newif inside
a branch that is skipped has the same effect: TeX does not know the new \if... when it skips what uses it.

What is done: \newif goes in front of the conditional that it stands in; a second \else and a \fi that closes
nothing are removed.

When nothing is done: every \else and \fi has its \if.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._conditionals import is_conditional, is_named, switches


def propose(case: Case) -> Iterator[Candidate]:
    known = frozenset(name for s in case.read for name in switches(s))
    hoisted: list[Edit] = []
    removed: list[Edit] = []
    for path, source in case.tex_files():
        outer: list[tuple[Command, bool]] = []
        for command in source.commands:
            if not source.live(command.start) or source.in_definition(command.start) or is_named(source, command):
                continue
            if is_conditional(source, command, known):
                outer.append((command, False))
            elif command.name == "else":
                if outer and not outer[-1][1]:
                    outer[-1] = (outer[-1][0], True)
                else:
                    removed.append(Edit(path, *_line_or_command(source, command), ""))
            elif command.name == "fi":
                if outer:
                    outer.pop()
                else:
                    removed.append(Edit(path, *_line_or_command(source, command), ""))
            elif command.name == "newif" and outer:
                hoisted += _hoisted(path, source, command, outer[0][0])
    if hoisted:
        yield Candidate(tuple(hoisted), "make new switches before the conditional that they stood in", 0.92)
    if removed:
        yield Candidate(tuple(removed), "remove \\else and \\fi that belong to no conditional", 0.85)


def _hoisted(path: str, source: Source, command: Command, conditional: Command) -> Iterator[Edit]:
    name = re.compile(r"[ \t]*\{?\\if[A-Za-z@]+\}?").match(source.text, command.end)
    if name is None:
        return
    call = source.text[command.start : name.end()]
    start = conditional.start
    yield Edit(path, start, start, call + newline_of(source.text))
    whole = Command("newif", command.start, name.end())
    yield Edit(path, *_line_or_command(source, whole), "")


def _line_or_command(source: Source, command: Command) -> tuple[int, int]:
    """The command, with its whole line where nothing else is on it."""
    number = source.line(command.start)
    start, end = source.line_span(number)
    if source.text[start : command.start].strip() or source.text[command.end : end].strip():
        return command.start, command.end
    return start, source.line_span(number + 1)[0] if number < source.line_count else len(source.text)


RULE = Rule(
    id="stray-else-or-fi",
    fix=propose,
    answers=("extra-or", "incomplete-conditional", "undefined-control-sequence", "missing-end-document"),
    deletes="an \\else or \\fi that belongs to no conditional",
    examples=(
        Example(
            "\\ifnum1=1\nA\n\\else\nB\n\\else\nC\n\\fi\n\\fi\n",
            "\\ifnum1=1\nA\n\\else\nB\nC\n\\fi\n",
            message="Extra \\else",
            token="\\else",
            path="part.tex",
            line=5,
        ),
        Example(
            "\\newif\\ifa\n\\ifa\n  \\newif\\ifb\n  \\btrue\n\\fi\n\\ifb x\\fi\n",
            "\\newif\\ifa\n\\newif\\ifb\n\\ifa\n  \\btrue\n\\fi\n\\ifb x\\fi\n",
            message="Extra \\fi",
            token="\\fi",
            path="part.tex",
            line=6,
        ),
        Example("\\ifnum1=1 A\\else B\\fi\n", None, message="Extra \\else", token="\\else", path="part.tex"),
    ),
)
