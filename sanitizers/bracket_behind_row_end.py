r"""A table row that begins with a bracket.

Why it breaks: \\ takes what follows in brackets, even on the next line, for a length: "Illegal unit of measure", after
which xelatex may run for ever on a row such as [0.5, 0.7] & [1.1, 1.3].

What is done: {} is put before the bracket.

When nothing is done: the brackets hold a length or a macro, or the place is not in a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import LENGTH, whole_tables

_BRACKET = re.compile(
    r"(?:\\\\|\\tabularnewline(?![A-Za-z]))(?P<gap>(?:\s|(?<!\\)%[^\r\n]*)*)"
    r"\[(?P<inner>[^\[\]\r\n\\{}%]*)\][ \t]*(?=[&\w(\[$.,;–-]|\\\\)"
)


def fix(case: Case) -> Iterator[Candidate]:
    source = case.source
    for table in whole_tables(case):
        level = len(source.environments_at(table.body))
        for found in _BRACKET.finditer(source.text, table.body, table.end):
            pos = found.start()
            if len(source.environments_at(pos)) > level or not source.live(pos) or source.mode(pos) is Mode.VERBATIM:
                continue
            if not LENGTH.fullmatch(found["inner"]) and re.search(r"[\d,]", found["inner"]):
                at = found.end("gap")
                why = "keep a bracket at the start of a row from being read as a length"
                yield Candidate((Edit(case.path, at, at, "{}"),), why, 1.0)


RULE = Rule(
    id="bracket-behind-row-end",
    fix=fix,
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\n0.6 & 1.2 \\\\\n"
            "[0.5, 0.7] & [1.1, 1.3] \\\\[1ex]\n\\end{tabular}\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\n0.6 & 1.2 \\\\\n"
            "{}[0.5, 0.7] & [1.1, 1.3] \\\\[1ex]\n\\end{tabular}\n\\end{document}\n",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\na & b \\\\[0.5\\baselineskip]\n"
            "c & d \\\\ [2pt]\ne & f \\\\[-.5ex] g & h\n\\end{tabular}\na\\\\[1, 2] b\n\\end{document}\n",
            None,
        ),
    ),
)
