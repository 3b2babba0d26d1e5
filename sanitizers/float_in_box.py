r"""A float inside a box.

Why it breaks: figures and tables cannot float out of a tcolorbox, a minipage, a cell or a footnote: "Not in outer par
mode".

What is done: such floats are set where they stand, with [H] of the package float; all at once.

When nothing is done: every float stands in the open, or in a block of tikzposter, which loses what is set in this way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

FLOATS = re.compile(r"(?:figure|table)\*?")
BOX_COMMANDS = frozenset(
    {"parbox", "fbox", "framebox", "mbox", "makebox", "footnote", "block", "innerblock", "raisebox"}
)
"""Commands whose argument is set in a box."""
BOXES = re.compile(r"minipage|.*box|tabular.*|multicols\*?|block|column|adjustbox|framed|shaded|mdframed|quote|parbox")


def propose(case: Case) -> Iterator[Candidate]:
    if "tikzposter" in case.packages:
        return
    edits: list[Edit] = []
    for path, source in case.tex_files():
        defined = {e.name for e in source.environments if e.name in case.defined}
        for environment in source.environments:
            if not FLOATS.fullmatch(environment.name) or not source.live(environment.begin):
                continue
            around = [e for e in source.environments_at(environment.begin) if e.begin < environment.begin]
            boxed = any((BOXES.fullmatch(e.name) or e.name in defined) and e.end is not None for e in around)
            if not boxed and not any(g.opener in BOX_COMMANDS for g in source.groups_at(environment.begin)):
                continue
            option = re.compile(r"[ \t]*\[[^\[\]\r\n]*\]").match(source.text, environment.begin_end)
            end = option.end() if option else environment.begin_end
            if source.text[environment.begin_end : end].strip() != "[H]":
                edits.append(Edit(path, environment.begin_end, end, "[H]"))
    if not edits:
        return
    if "float" not in case.packages:
        line = package_line(case.lexed(case.main), "float")
        if line is None:
            return
        edits.append(Edit(case.main, line[0], line[0], line[1]))
    yield Candidate(tuple(edits), "set floats inside boxes where they stand", 0.86)


RULE = Rule(
    id="float-in-box",
    fix=propose,
    answers=("not-in-outer-par-mode", "too-many-floats"),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{float}\n\\begin{document}\n\\begin{minipage}{5cm}\n"
            "\\begin{figure}[h]\nx\n"
            "\\end{figure}\n\\end{minipage}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{float}\n\\begin{document}\n\\begin{minipage}{5cm}\n"
            "\\begin{figure}[H]\nx\n"
            "\\end{figure}\n\\end{minipage}\n\\end{document}\n",
            message="LaTeX Error: Not in outer par mode",
            line=5,
        ),
        Example(
            "\\begin{figure}[h]\nx\n\\end{figure}\n",
            None,
            message="LaTeX Error: Not in outer par mode",
            path="part.tex",
        ),
    ),
)
