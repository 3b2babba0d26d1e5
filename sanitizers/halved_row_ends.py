r"""The two backslashes that end a row were halved: a table's row ends with \ and the line.

Why it breaks: a shell or a second unescape made one backslash of two. \ before the end of a line is a space, so rows
run together; the rule of a table behind such a row is "Misplaced \noalign", after which TeX may run for ever. In a
matrix there is no error at all.

What is done: where a rule of a table stands behind such a row, every row of the file's tables, matrices and aligned
formulas that ends with \ and the line gets its second backslash back.

When nothing is done: no rule stands behind such a row, so that \ may be the space that it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import TABULAR, before_rules, rows, tables

_HALVED = re.compile(r"(?<!\\)\\(?=[ \t]*(?:\r?\n|\r))")


def fix(case: Case) -> Iterator[Candidate]:
    if not case.path.endswith((".tex", ".ltx")) and case.path != case.main:
        return
    source, text = case.source, case.text
    ends: set[int] = set()
    certain = False
    for table in tables(source):
        if table.environment.end is None:
            continue
        found = {m.start() for m in _HALVED.finditer(text, table.body, table.end)}
        ends |= {at for at in found if source.mode(at) not in (Mode.COMMENT, Mode.VERBATIM, Mode.ARGUMENT)}
        if TABULAR.fullmatch(table.environment.name) and table.specification is not None:
            for row in rows(source, table):
                stops = (at for at in before_rules(source, row) if row.marks and row.marks[0] < at)
                certain = certain or any(text[row.start : at].rstrip().endswith("\\") for at in stops)
    if certain and ends:
        edits = tuple(Edit(case.path, at, at, "\\") for at in sorted(ends))
        yield Candidate(edits, "give the ends of rows their second backslash back", 1.0)


_DAMAGED = (
    "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\nA & B \\\n\\hline\na & b \\\nc & d \\\n"
    "\\end{tabular}\nA space\\ \nand\\\nmore\n\\end{document}\n"
)

RULE = Rule(
    id="halved-row-ends",
    fix=fix,
    examples=(
        Example(
            _DAMAGED,
            _DAMAGED.replace("B \\\n", "B \\\\\n").replace("b \\\n", "b \\\\\n").replace("d \\\n", "d \\\\\n"),
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\nA & B\\ \n\\\\ \\hline\n"
            "a & b \\\\\n\\end{tabular}\n\\end{document}\n",
            None,
        ),
    ),
)
