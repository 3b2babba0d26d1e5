r"""A rule of a table behind a row that was not ended.

Why it breaks: \hline, \midrule and the like may stand only behind \\; behind the text of a cell they are "Misplaced
\noalign", after which TeX may run for ever.

What is done: \\ is put behind the text of the row; where a bare % hides the \\ that is there, the % is escaped.

When nothing is done: the rule stands behind \\ or at the head of the table; the row holds a macro of the document,
which may end it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.names import is_known
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import before_rules, rows, whole_tables

_HIDDEN = re.compile(r"[ \t]*(?=%[ \t]*\\\\)")


def fix(case: Case) -> Iterator[Candidate]:
    source = case.source
    for table in whole_tables(case):
        for row in rows(source, table):
            if not row.marks:
                continue
            for at in before_rules(source, row):
                if row.marks[0] < at and _plain(case, row.start, at):
                    hidden = _HIDDEN.match(source.text, at)
                    if hidden:
                        edit = Edit(case.path, hidden.end(), hidden.end() + 1, "\\%")
                        yield Candidate((edit,), "escape the % that hides a row's end", 1.0)
                    else:
                        yield Candidate((Edit(case.path, at, at, " \\\\"),), "end a table row before its rule", 1.0)


def _plain(case: Case, start: int, end: int) -> bool:
    """Whether no macro stands there that could end a row: none of the document, none that is not known."""
    names = [c.name for c in case.source.commands if start <= c.start < end and c.name.isalpha()]
    return not any(n in case.defined or n.startswith(("if", "fi", "else")) for n in names) and all(
        is_known(n, case.packages) for n in names
    )


RULE = Rule(
    id="rule-behind-open-row",
    fix=fix,
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\nA & Share % \\\\\n\\midrule\n"
            "a & 5 \\\\ \\hline\n\\end{tabular}\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\nA & Share \\% \\\\\n\\midrule\n"
            "a & 5 \\\\ \\hline\n\\end{tabular}\n\\end{document}\n",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\nA & B % head\n\\midrule\n"
            "a & b \\\\ \\hline\n\\end{tabular}\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\nA & B \\\\ % head\n\\midrule\n"
            "a & b \\\\ \\hline\n\\end{tabular}\n\\end{document}\n",
        ),
        Example(
            "\\documentclass{article}\n\\newcommand{\\eol}{\\\\}\n\\begin{document}\n\\begin{tabular}{ll}\n\\hline\n"
            "A & B \\tabularnewline \\hline\na & \\begin{tabular}{l}x\\\\\\hline y\\end{tabular} \\\\[2pt]\n"
            "\\cline{1-2}\nc & d \\eol\n\\hline\n\\end{tabular}\n\\end{document}\n",
            None,
        ),
    ),
)
