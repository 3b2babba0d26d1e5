r"""Something before \multicolumn in its cell.

Why it breaks: \multicolumn must be the first thing in its cell; a declaration or a brace before it has begun the
cell already: "Misplaced \omit".

What is done: the declaration or text goes to the front of \multicolumn's own text, braces or a command around it go
inside.

When nothing is done: only rules, white space and row colours stand before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Argument, Command, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import Row, content_start, rows, tables

_AROUND = re.compile(r"(?P<command>\\[A-Za-z]+[ \t]*)?\{(?P<inside>[^{}]*)")
_TRAILING = re.compile(r"[ \t]*\}")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for table in tables(source):
            for row in rows(source, table):
                for command in source.command_named("multicolumn"):
                    if row.start <= command.start < row.end:
                        edits += _moved(path, source, row, command)
    if edits:
        yield Candidate(tuple(edits), "put what stands before \\multicolumn inside it", 0.9)


def _moved(path: str, source: Source, row: Row, command: Command) -> Iterator[Edit]:
    arguments = source.arguments(command, 3)
    if len(arguments) < 3 or any(a.optional for a in arguments):
        return
    start = max([mark + 1 for mark in row.marks if mark < command.start], default=content_start(source, row))
    blank = re.compile(r"\s*").match(source.text, start, command.start)
    start = blank.end() if blank else start
    before = source.text[start : command.start]
    if not before.strip() or "%" in before:
        return
    text = arguments[2]
    around = _AROUND.fullmatch(before)
    closing = _TRAILING.match(source.text, text.end)
    if around is not None and closing is not None:
        yield from _inside(path, start, command, text, around, closing)
    elif before.count("{") == before.count("}"):
        yield Edit(path, start, command.start, "")
        yield Edit(path, text.start + 1, text.start + 1, before.rstrip() + _gap(before, source, text))


def _inside(
    path: str, start: int, command: Command, text: Argument, around: re.Match[str], closing: re.Match[str]
) -> Iterator[Edit]:
    yield Edit(path, start, command.start, "")
    inside = around["inside"].strip()
    if around["command"]:
        yield Edit(path, text.start + 1, text.start + 1, around["command"] + "{" + inside + (" " if inside else ""))
        yield Edit(path, text.end - 1, text.end - 1, "}")
    else:
        yield Edit(path, text.start + 1, text.start + 1, inside + " ")
    yield Edit(path, closing.start(), closing.end(), "")


def _gap(before: str, source: Source, text: Argument) -> str:
    """A space, where the two would grow together or stood apart."""
    return "" if before.endswith("}") and not before.endswith(" ") else " "


RULE = Rule(
    id="multicolumn-not-first",
    fix=propose,
    answers=("misplaced-omit", "misplaced-noalign", "extra-brace", "missing-brace", "extra-alignment"),
    examples=(
        Example(
            "\\begin{tabular}{ll}\n\\hline\n\\bfseries \\multicolumn{2}{c}{Head}\\\\\n"
            "{\\small \\multicolumn{2}{l}{Note.}}\\\\\na & \\textbf{\\multicolumn{1}{r}{b}}\\\\\n\\end{tabular}\n",
            "\\begin{tabular}{ll}\n\\hline\n\\multicolumn{2}{c}{\\bfseries Head}\\\\\n"
            "\\multicolumn{2}{l}{\\small Note.}\\\\\na & \\multicolumn{1}{r}{\\textbf{b}}\\\\\n\\end{tabular}\n",
            message="Misplaced \\omit",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\begin{tabular}{ll}\n\\hline \\multicolumn{2}{c}{Head}\\\\\na & \\multicolumn{1}{c}{b}\\\\\n"
            "\\end{tabular}\n",
            None,
            message="Misplaced \\omit",
            path="part.tex",
        ),
    ),
)
