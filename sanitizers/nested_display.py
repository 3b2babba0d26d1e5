r"""A displayed formula inside a displayed formula.

Why it breaks: \[ around equation, $$ around align, align inside equation: the outer one is closed by the inner: "Bad
math environment delimiter", "Erroneous nesting of equation structures".

What is done: \[ \] or $$ around an environment that displays by itself are removed; align, gather and alignat inside
another environment become aligned, gathered and alignedat; all at once.

When nothing is done: no display stands in another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_DISPLAY = r"(?:equation|align|alignat|flalign|gather|multline|eqnarray|displaymath)\*?"
_WRAPPED = re.compile(
    r"(?P<open>\\\[|\$\$)(?P<gap>\s*)(?P<inner>\\begin\{(?P<name>"
    + _DISPLAY
    + r")\}.*?\\end\{(?P=name)\})(?P<tail>\s*)"
    r"(?P<close>\\\]|\$\$)",
    re.DOTALL,
)
INSIDE = {"align": "aligned", "align*": "aligned", "gather": "gathered", "gather*": "gathered", "alignat": "alignedat"}
INSIDE |= {"alignat*": "alignedat", "eqnarray": "aligned", "eqnarray*": "aligned"}
OUTER = re.compile(r"equation\*?|displaymath|gather\*?|multline\*?")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for found in _WRAPPED.finditer(source.text):
            if source.mode(found.start()) in (Mode.COMMENT, Mode.VERBATIM, Mode.DEAD) or "\n\n" in found["inner"]:
                continue
            edits.append(Edit(path, found.start("open"), found.end("gap"), ""))
            edits.append(Edit(path, found.start("tail"), found.end("close"), ""))
        for environment in source.environments:
            around = None if environment.parent is None else source.environments[environment.parent]
            if around is None or environment.name not in INSIDE or not OUTER.fullmatch(around.name):
                continue
            if environment.end is None or not source.live(environment.begin):
                continue
            for start, end in ((environment.begin, environment.begin_end), (environment.end, environment.end_end or 0)):
                name = source.text.find(environment.name, start, end)
                edits.append(Edit(path, name, name + len(environment.name), INSIDE[environment.name]))
    if edits:
        yield Candidate(tuple(edits), "leave one of two displays", 0.92)


RULE = Rule(
    id="nested-display",
    fix=propose,
    answers=(
        "bad-math-environment",
        "missing-dollar",
        "bad-equation-structure",
        "package-error",
        "missing-brace",
        "environment-mismatch",
        "end-inside-group",
        "wrong-mode",
        "extra-brace",
        "misplaced-alignment",
    ),
    deletes="the delimiters of a display around a display",
    examples=(
        Example(
            "\\[\n\\begin{equation}\nx\n\\end{equation}\n\\]\n\\begin{equation}\n\\begin{align}\ny\n"
            "\\end{align}\n\\end{equation}\n",
            "\\begin{equation}\nx\n\\end{equation}\n\\begin{equation}\n\\begin{aligned}\ny\n\\end{aligned}\n"
            "\\end{equation}\n",
            message="LaTeX Error: Bad math environment delimiter",
            path="part.tex",
            line=2,
        ),
        Example(
            "\\[\n\\begin{aligned}\nx\n\\end{aligned}\n\\]\n",
            None,
            message="LaTeX Error: Bad math environment delimiter",
            path="part.tex",
        ),
    ),
)
