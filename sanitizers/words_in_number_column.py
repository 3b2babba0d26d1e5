r"""Words in a column of numbers: a heading over an S column of siunitx.

Why it breaks: S columns read every cell as a number: "Invalid number 'e'", and in its wake "Forbidden control sequence
found", "Missing \endgroup inserted".

What is done: cells of S columns that hold words or a dash are put in braces, which print them as they are; all at once.

When nothing is done: the cell is in braces already, spans columns, or holds a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from texrepair.latex import Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import Row, Table, content_start, letters, rows, tables

_COMMANDS = re.compile(r"\\[A-Za-z@]+\*?|\\.")
_NUMBER = re.compile(r"[-+−±\d.,()<>~\s:*/^_=]*(?:[eEdD][-+]?\d+)?[\s\d()]*")
_DASH = re.compile(r"-{1,3}|[–—?]")
_SPAN = re.compile(r"\\multicolumn\s*\{\s*(\d+)\s*\}")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for table in tables(source):
            if table.specification is not None:
                columns = letters(source.inner(table.specification))
                if "S" in columns:
                    edits += _braced(path, source, table, columns)
    if edits:
        yield Candidate(tuple(edits), "put the words in columns of numbers into braces", 0.95)


def _braced(path: str, source: Source, table: Table, columns: list[str]) -> Iterator[Edit]:
    for row in rows(source, table):
        column = 0
        for start, end in _cells(source, row):
            cell = source.text[start:end]
            span = _SPAN.match(cell)
            if column < len(columns) and columns[column] == "S" and not span and _words(cell):
                yield Edit(path, start, start, "{")
                yield Edit(path, end, end, "}")
            column += int(span[1]) if span else 1


def _cells(source: Source, row: Row) -> Iterator[tuple[int, int]]:
    """Where the text of each cell stands, without the space around it; rules before the first one do not count."""
    bounds = (content_start(source, row) - 1, *row.marks, row.end)
    for before, behind in pairwise(bounds):
        cell = source.text[before + 1 : behind]
        start = before + 1 + len(cell) - len(cell.lstrip())
        yield start, max(start, before + 1 + len(cell.rstrip()))


def _words(cell: str) -> bool:
    if cell.startswith("{") or "%" in cell or "\n\n" in cell or not cell:
        return False
    return bool(_DASH.fullmatch(cell)) or (
        not _NUMBER.fullmatch(cell) and re.search(r"[^\W\d_]", _COMMANDS.sub("", cell)) is not None
    )


_TABLE = "\\begin{tabular}{l *{2}{S[table-format=1.2]}}\n\\toprule\nName & %s & %s \\\\\n\\midrule\n"
_ROWS = "a & 1.20 & 3.4e-5 \\\\\nb & {n/a} & \\bfseries 2.1 \\\\\n\\multicolumn{3}{l}{More} \\\\\n\\end{tabular}\n"
_SAYS = "Package siunitx Error: Invalid number 'e'"

RULE = Rule(
    id="words-in-number-column",
    fix=propose,
    answers=(
        "bad-number", "runaway-argument", "end-inside-group", "package-error", "missing-brace", "extra-brace",
        "use-does-not-match",
    ),
    examples=(
        Example(
            _TABLE % ("First run", "Mean $x$") + _ROWS,
            _TABLE % ("{First run}", "{Mean $x$}") + _ROWS,
            message=_SAYS,
            path="part.tex",
            line=3,
        ),
        Example(
            _TABLE % ("{First run}", "{Mean}") + _ROWS.replace("3.4e-5", "--"),
            _TABLE % ("{First run}", "{Mean}") + _ROWS.replace("3.4e-5", "{--}"),
            message=_SAYS,
            path="part.tex",
            line=3,
        ),
        Example("\\begin{tabular}{lr}\nName & Run \\\\\n\\end{tabular}\n", None, message=_SAYS, path="part.tex"),
    ),
)  # fmt: skip
