r"""A slope that LaTeX's pictures do not have: \line(7,-9){21}.

Why it breaks: \line and \vector are set from a font of short strokes, whose slopes are pairs of small numbers without
common divisor: "Bad \line or \vector argument".

What is done: pict2e is loaded, which draws any slope.

When nothing is done: it is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule


def propose(case: Case) -> Iterator[Candidate]:
    line = package_line(case.lexed(case.main), "pict2e")
    if line is not None and "pict2e" not in case.packages:
        edit = Edit(case.main, line[0], line[0], line[1])
        yield Candidate((edit,), "load pict2e, which draws lines of any slope", 0.95)


_HEAD = "\\documentclass{article}\n"
_BODY = "\\begin{document}\n\\begin{picture}(9,9)\n\\put(0,0){\\line(7,-9){5}}\n\\end{picture}\n\\end{document}\n"
_SAYS = "LaTeX Error: Bad \\line or \\vector argument"

RULE = Rule(
    id="line-slope",
    fix=propose,
    answers=("bad-line-argument",),
    examples=(
        Example(_HEAD + _BODY, _HEAD + "\\usepackage{pict2e}\n" + _BODY, message=_SAYS, line=4),
        Example(_HEAD + "\\usepackage{pict2e}\n" + _BODY, None, message=_SAYS, line=5),
    ),
)
