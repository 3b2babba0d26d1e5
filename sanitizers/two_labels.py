r"""Two labels in one equation.

Why it breaks: amsmath takes one label for each numbered line: "Multiple \label's: label 'x' will be lost".

What is done: the first label stays, and every reference to the other becomes one to it.

When nothing is done: each equation has one label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_LABEL = re.compile(r"[ \t]*\\label[ \t]*\{(?P<key>[^{}]+)\}")
_ROW = re.compile(r"\\\\")
_REFERENCE = r"\\(?:eq|page|auto|[cC]|name|v)?ref\*?[ \t]*\{"
_EQUATIONS = re.compile(r"(?:equation|align|alignat|flalign|gather|multline|xalignat)")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    same: dict[str, str] = {}
    for path, source in case.tex_files():
        for first, second in _doubled(source):
            same[second["key"]] = first["key"]
            edits.append(Edit(path, second.start(), second.end(), ""))
    if not edits:
        return
    for path, source in case.tex_files():
        for key, kept in same.items():
            for found in re.finditer(_REFERENCE + r"(?P<key>" + re.escape(key) + r")\}", source.text):
                if source.live(found.start()):
                    edits.append(Edit(path, found.start("key"), found.end("key"), kept))
    yield Candidate(tuple(edits), "keep one label for each equation, and point all references to it", 0.9)


def _doubled(source: Source) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    for environment in source.environments:
        if not _EQUATIONS.fullmatch(environment.name) or environment.end is None or not source.live(environment.begin):
            continue
        row, first = -1, None
        ends = [m.start() for m in _ROW.finditer(source.text, environment.begin_end, environment.end)]
        single = environment.name in ("equation", "multline")
        for label in _LABEL.finditer(source.text, environment.begin_end, environment.end):
            now = 0 if single else sum(end < label.start() for end in ends)
            if first is not None and now == row:
                yield first, label
            else:
                row, first = now, label


RULE = Rule(
    id="two-labels",
    fix=propose,
    answers=("package-error", "latex-error"),
    deletes="a second label of the same equation, whose references go to the first",
    examples=(
        Example(
            "\\begin{equation}\n a = b \\label{eq:a}\\label{eq:b}\n\\end{equation}\n"
            "By \\eqref{eq:a} and \\eqref{eq:b}.\n",
            "\\begin{equation}\n a = b \\label{eq:a}\n\\end{equation}\nBy \\eqref{eq:a} and \\eqref{eq:a}.\n",
            message="Package amsmath Error: Multiple \\label's: label 'eq:b' will be lost",
            path="part.tex",
            line=2,
        ),
        Example(
            "\\begin{align}\n a \\label{eq:a} \\\\ b \\label{eq:b}\n\\end{align}\n",
            None,
            message="Package amsmath Error: Multiple \\label's: label 'eq:b' will be lost",
            path="part.tex",
        ),
    ),
)
