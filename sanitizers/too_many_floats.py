r"""More floats waiting than LaTeX can hold.

Why it breaks: figures and tables that find no place wait, and LaTeX has room for some fifty: "Too many unprocessed
floats".

What is done: room for more is made with \extrafloats at the end of the preamble (LaTeX since 2015).

When nothing is done: \extrafloats or morefloats is there already.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule


def propose(case: Case) -> Iterator[Candidate]:
    if "morefloats" in case.packages or any(True for s in case.read for _ in s.command_named("extrafloats")):
        return
    line = preamble_line(case.lexed(case.main), "\\extrafloats{500}")
    if line is not None:
        yield Candidate((Edit(case.main, line[0], line[0], line[1]),), "make room for more waiting floats", 0.8)


RULE = Rule(
    id="too-many-floats",
    fix=propose,
    answers=("too-many-floats",),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{figure}\\end{figure}\n\\end{document}\n",
            "\\documentclass{article}\n\\extrafloats{500}\n\\begin{document}\n\\begin{figure}\\end{figure}\n"
            "\\end{document}\n",
            message="LaTeX Error: Too many unprocessed floats",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\extrafloats{100}\n\\begin{document}\n\\end{document}\n",
            None,
            message="LaTeX Error: Too many unprocessed floats",
            line=3,
        ),
    ),
)
