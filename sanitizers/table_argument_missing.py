r"""A table, a \multicolumn or a box without one of its arguments.

Why it breaks: the first cell, or the first letter of the text, is taken for the argument that is not there: "Illegal
pream-token", "Missing number", "Missing # inserted", and what was taken is not printed.

What is done: the column specification is made for as many columns as the rows have, the width of tabularx and
minipage is the line's, \multirow gets its {*}, \multicolumn its {c}.

When nothing is done: the arguments are there, or one of them is begun and not closed: one more before it would leave
the brace open in a cell, and TeX can stand still there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from texrepair.latex import Argument, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import TABULAR, WIDE, Table, columns, content_start, is_specification, rows, tables

_LENGTH = re.compile(
    r"\s*-?(?:\d+\.?\d*|\.\d+)?\s*(?:[a-z]{2}|\\[A-Za-z@]+)\s*|\s*\\dimexpr.*|\s*\d*\.?\d+\s*", re.DOTALL
)
_BRACE = re.compile(r"\s*\{")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for table in tables(source):
            if TABULAR.fullmatch(table.environment.name) and table.specification is None:
                edits += _specified(path, source, table)
        edits += _spanning(path, source)
        for command in source.command_named("parbox"):
            arguments = source.arguments(command, 5)
            if len([a for a in arguments if not a.optional]) == 1 and source.live(command.start):
                text = next(a for a in arguments if not a.optional)
                if not source.in_definition(command.start) and not _LENGTH.fullmatch(source.inner(text)):
                    edits.append(Edit(path, text.start, text.start, "{\\linewidth}"))
        for environment in source.environments:
            if environment.name == "minipage" and source.live(environment.begin):
                arguments = source.arguments_at(environment.begin_end, 4)
                at = arguments[-1].end if arguments else environment.begin_end
                if all(a.optional for a in arguments) and not _BRACE.match(source.text, at):
                    edits.append(Edit(path, at, at, "{\\linewidth}"))
    if edits:
        yield Candidate(tuple(edits), "give tables the arguments that they lack", 0.9)


def _specified(path: str, source: Source, table: Table) -> Iterator[Edit]:
    """The missing width or column specification."""
    pos = table.environment.begin_end
    arguments = source.arguments_at(pos, 4)
    while arguments and arguments[0].optional:
        pos, arguments = arguments[0].end, arguments[1:]
    braced: list[Argument] = []
    for argument in arguments:
        if argument.optional:
            break
        braced.append(argument)
    wanted = 2 if table.environment.name in WIDE else 1
    if len(braced) < wanted and _BRACE.match(source.text, braced[-1].end if braced else pos):
        return
    inners = [source.inner(a) for a in braced]
    if table.environment.name in WIDE:
        if inners and is_specification(inners[0]) and not _LENGTH.fullmatch(inners[0]):
            yield Edit(path, pos, pos, "{\\linewidth}")
        elif inners and _LENGTH.fullmatch(inners[0]) and not (len(inners) > 1 and is_specification(inners[1])):
            yield from _columns(path, source, table, braced[0].end)
        elif not inners or not _LENGTH.fullmatch(inners[0]):
            yield Edit(path, pos, pos, "{\\linewidth}")
            yield from _columns(path, source, table, pos)
    elif not inners or not is_specification(inners[0]):
        yield from _columns(path, source, table, pos)


def _columns(path: str, source: Source, table: Table, at: int) -> Iterator[Edit]:
    cut = Table(table.environment, None, at, table.end)
    counts = Counter(row.columns for row in rows(source, cut) if content_start(source, row) < row.end)
    if not counts:
        return
    number = max(counts)
    yield Edit(path, at, at, "{l" + "c" * (number - 1) + "}")


def _spanning(path: str, source: Source) -> Iterator[Edit]:
    for command in source.command_named("multicolumn", "multirow"):
        if not source.live(command.start) or source.in_definition(command.start):
            continue
        braced = [a for a in source.arguments(command, 5) if not a.optional]
        if len(braced) != 2 or not source.inner(braced[0]).strip().lstrip("-").isdigit():
            continue
        second = source.inner(braced[1])
        if command.name == "multirow":
            if second.strip() not in ("*", "=") and not _LENGTH.fullmatch(second):
                yield Edit(path, braced[0].end, braced[0].end, "{*}")
        elif columns(second) is None:
            yield Edit(path, braced[0].end, braced[0].end, "{c}")


RULE = Rule(
    id="table-argument-missing",
    fix=propose,
    answers=(
        "bad-column-spec",
        "missing-number",
        "missing-cr",
        "misplaced-omit",
        "extra-alignment",
        "misplaced-alignment",
        "illegal-unit",
        "runaway-argument",
        "extra-brace",
        "missing-brace",
        "misplaced-noalign",
        "package-error",
        "interrupted",
        "undefined-control-sequence",
        "parameter-character",
        "tex-error",
        "missing-dollar",
        "use-does-not-match",
    ),
    examples=(
        Example(
            "\\begin{tabular}\nHalt & A & B \\\\\n\\multicolumn{3}{Am Wochenende}\\\\\n\\end{tabular}\n"
            "\\begin{tabularx}{|l|X|}\n\\multirow{2}{Wood} & a \\\\\n\\end{tabularx}\n",
            "\\begin{tabular}{lcc}\nHalt & A & B \\\\\n\\multicolumn{3}{c}{Am Wochenende}\\\\\n\\end{tabular}\n"
            "\\begin{tabularx}{\\linewidth}{|l|X|}\n\\multirow{2}{*}{Wood} & a \\\\\n\\end{tabularx}\n",
            message="LaTeX Error: Illegal character in array arg",
            path="part.tex",
        ),
        Example(
            "\\begin{tabular}[t]{ll}\n\\multicolumn{2}{c}{x}\\\\\n\\end{tabular}\n"
            "\\begin{tabularx}{0.5\\textwidth}[t]{lX}\n\\multirow[c]{2}{1cm}{x} & a\n\\end{tabularx}\n"
            "\\parbox[t]{2cm}{a}\\parbox{2cm}\n",
            None,
            message="LaTeX Error: Illegal character in array arg",
            path="part.tex",
        ),
        Example(
            "\\begin{tabular}{lrr\nA & B & C \\\\\n\\end{tabular}\n",
            None,
            message="Paragraph ended before \\@array was complete",
            code="runaway-argument",
            path="part.tex",
        ),
        Example(
            "\\begin{tabularx}{\\textwidth}{lX\nA & B \\\\\n\\end{tabularx}\n",
            None,
            message="Paragraph ended before \\TX@get@body was complete",
            code="runaway-argument",
            path="part.tex",
        ),
        Example(
            "\\begin{minipage}{0.4\\textwidth\nA.\n\\end{minipage}\n",
            None,
            message="Missing } inserted",
            code="missing-brace",
            path="part.tex",
        ),
    ),
)
