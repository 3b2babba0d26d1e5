r"""A table row that does not end with two backslashes.

Why it breaks: \hline, \midrule and the like may stand only behind a row's end ("Misplaced \noalign", after which
xelatex may run for ever), and two rows in one have too many cells ("Extra alignment tab").

What is done: \\ is put behind the text that stands before a rule, behind each line of a row whose lines are rows of
their own, and behind the caption and label at the head of a longtable; everywhere at once.

When nothing is done: no rule follows text, and no row with too many cells is made of lines with the right number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import Row, Table, before_rules, columns, line_ends, rows, tables, usual_width

_HEAD = re.compile(r"\s*\\caption\b")
_LABEL = re.compile(r"\\label\b")


def propose(case: Case) -> Iterator[Candidate]:
    ahead: list[Edit] = []
    between: list[Edit] = []
    for path, source in case.tex_files():
        for table in tables(source):
            found = rows(source, table)
            expected = _expected(source, table, found)
            for row in found:
                ahead += [Edit(path, at, at, " \\\\") for at in before_rules(source, row)]
                between += [Edit(path, at, at, " \\\\") for at in line_ends(source, row, expected)]
            if table.environment.name.startswith("longtable") and found:
                ahead += [Edit(path, at, at, " \\\\") for at in _behind_caption(source, found[0])]
    both = tuple(dict.fromkeys([*ahead, *between]))
    if both:
        yield Candidate(both, "end the table rows that have no \\\\", 0.92)
    if between and ahead:
        yield Candidate(tuple(dict.fromkeys(ahead)), "end the rows before rules with \\\\", 0.8)


def _expected(source: Source, table: Table, found: tuple[Row, ...]) -> int | None:
    """How many columns a row has: what most rows fill, where the specification makes fewer."""
    usual = usual_width(found) if len(found) > 2 else None
    if table.specification is None:
        return usual
    return max(columns(source.inner(table.specification)) or 0, usual or 0)


def _behind_caption(source: Source, row: Row) -> Iterator[int]:
    """Behind \\caption and \\label at the head of a longtable, where more follows in their row."""
    if not _HEAD.match(source.text, row.start, row.end):
        return
    end = None
    for command in source.command_named("caption", "label"):
        if row.start <= command.start < row.end:
            arguments = source.arguments(command, 2)
            between = source.text[row.start if end is None else end : command.start]
            if not arguments or between.strip():
                break
            end = arguments[-1].end
    if end is not None and source.text[end : row.end].strip():
        yield end


RULE = Rule(
    id="row-end-missing",
    fix=propose,
    answers=(
        "misplaced-noalign",
        "extra-alignment",
        "interrupted",
        "misplaced-omit",
        "missing-cr",
        "extra-brace",
        "wrong-mode",
        "missing-brace",
    ),
    examples=(
        Example(
            "\\begin{tabular}{ll}\n\\toprule\nA & B\n\\midrule\na & b \\\\\n\\bottomrule\n\\end{tabular}\n",
            "\\begin{tabular}{ll}\n\\toprule\nA & B \\\\\n\\midrule\na & b \\\\\n\\bottomrule\n\\end{tabular}\n",
            message="Misplaced \\noalign",
            path="part.tex",
            line=4,
        ),
        Example(
            "\\begin{tabular}{ll}\nA & B % head\nC & D\nE & F \\\\ \\hline\nG & H\n\\end{tabular}\n",
            "\\begin{tabular}{ll}\nA & B \\\\ % head\nC & D \\\\\nE & F \\\\ \\hline\nG & H\n\\end{tabular}\n",
            message="Extra alignment tab has been changed to \\cr",
            code="extra-alignment",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\begin{tabular}{|l|c|}\nA & B & C \\\\\na & b & c \\\\\nd & e & f \\hline\ng & h & i\nj & k & l \\\\\n"
            "\\end{tabular}\n",
            "\\begin{tabular}{|l|c|}\nA & B & C \\\\\na & b & c \\\\\nd & e & f \\\\ \\hline\n"
            "g & h & i \\\\\nj & k & l \\\\\n\\end{tabular}\n",
            message="Extra alignment tab has been changed to \\cr",
            code="extra-alignment",
            path="part.tex",
            line=2,
        ),
        Example(
            "\\begin{tabular}{ll}\na & b\n\\midrule\nc & d \\\\\ne & f\ng & h \\\\\n\\end{tabular}\n",
            "\\begin{tabular}{ll}\na & b \\\\\n\\midrule\nc & d \\\\\ne & f \\\\\ng & h \\\\\n\\end{tabular}\n",
            message="Misplaced \\noalign",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\begin{longtable}{ll}\n\\caption{Stock}\n\\label{t}\n\\hline\nA & B \\\\\n\\end{longtable}\n",
            "\\begin{longtable}{ll}\n\\caption{Stock}\n\\label{t} \\\\\n\\hline\nA & B \\\\\n\\end{longtable}\n",
            message="Misplaced \\noalign",
            path="part.tex",
            line=4,
        ),
        Example(
            "\\begin{tabular}{ll}\n\\hline A &\n B \\\\ \\hline\n\\multicolumn{2}{l}{C} \\\\\n\\end{tabular}\n",
            None,
            message="Misplaced \\noalign",
            path="part.tex",
        ),
    ),
)
