r"""\raggedright or \centering in a column of a table that ends its rows with two backslashes.

Why it breaks: \raggedright, \raggedleft and \centering give \\ their own meaning, so that it ends a line in the cell
and not the row: "Extra alignment tab", "Misplaced \noalign".

What is done: \arraybackslash of the array package is put behind it in the column specification or \newcolumntype.

When nothing is done: it is there already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_RAGGED = re.compile(r">[ \t]*\{(?P<before>[^{}]*)\\(?:raggedright|raggedleft|centering)(?![A-Za-z])(?P<after>[^{}]*)")
_SAFE = re.compile(r"\\(?:arraybackslash|let\s*\\\\)")


def propose(case: Case) -> Iterator[Candidate]:
    edits = []
    for path, source in case.tex_files():
        for found in _RAGGED.finditer(source.text):
            if source.live(found.start()) and not _SAFE.search(found[0]):
                at = found.start("after")
                edits.append(Edit(path, at, at, "\\arraybackslash"))
    if not edits:
        return
    if not {"array", "tabularx", "tabulary", "colortbl", "longtable"} & set(case.packages):
        line = package_line(case.lexed(case.main), "array")
        if line is not None:
            edits.append(Edit(case.main, line[0], line[0], line[1]))
    yield Candidate(tuple(edits), "give \\\\ its meaning back in ragged columns, with \\arraybackslash", 0.9)


RULE = Rule(
    id="ragged-column",
    fix=propose,
    answers=("extra-alignment", "misplaced-noalign", "misplaced-omit", "missing-cr", "undefined-control-sequence"),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{array}\n\\begin{document}\n"
            "\\begin{tabular}{l>{\\raggedright}p{2cm}}\na & b \\\\\nc & d \\\\\n\\end{tabular}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{array}\n\\begin{document}\n"
            "\\begin{tabular}{l>{\\raggedright\\arraybackslash}p{2cm}}\na & b \\\\\nc & d \\\\\n\\end{tabular}\n"
            "\\end{document}\n",
            message="Extra alignment tab has been changed to \\cr",
            line=6,
        ),
        Example(
            "\\begin{tabular}{l>{\\centering\\arraybackslash}p{2cm}}\na & b \\\\\n\\end{tabular}\n",
            None,
            message="Extra alignment tab has been changed to \\cr",
            path="part.tex",
        ),
    ),
)
