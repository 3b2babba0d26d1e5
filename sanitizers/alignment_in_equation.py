r"""Aligned rows in equation or \[...\].

Why it breaks: equation and \[...\] hold one formula without rows and columns: "Misplaced alignment tab character &",
"\\ ... no line to end".

What is done: what stands in the display is put in aligned, so that number and label stay one.

When nothing is done: the & belong to a matrix, cases, array or another environment inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Math, Source
from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_OPENING = re.compile(r"\\\[|\$\$|\\begin\{(?:equation\*?|displaymath|gather\*?|multline\*?)\}")
_KEPT = re.compile(r"(?:\s|\\label[ \t]*\{[^{}]*\}|\\(?:tag|nonumber|notag)(?:\*?[ \t]*\{[^{}]*\})?)*")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for formula in source.math:
            if formula.display and source.live(formula.start) and not source.in_definition(formula.start):
                edits += _aligned(path, source, formula)
    if not edits:
        return
    if not {"amsmath", "mathtools", "beamer"} & set(case.packages):
        line = package_line(case.lexed(case.main), "amsmath")
        if line is not None:
            edits.append(Edit(case.main, line[0], line[0], line[1]))
    yield Candidate(tuple(edits), "put the rows of a display in aligned", 0.9)


def _aligned(path: str, source: Source, formula: Math) -> Iterator[Edit]:
    opening = _OPENING.match(source.text, formula.start)
    if opening is None or formula.end <= formula.body_end:
        return
    start, end = opening.end(), formula.body_end
    marks = [
        m.start()
        for m in re.compile(r"(?<!\\)&").finditer(source.text, start, end)
        if source.live(m.start())
        and not any(e.begin >= start for e in source.environments_at(m.start()))
        and not any(g.open >= start for g in source.groups_at(m.start()))
    ]
    if not marks:
        return
    name = opening[0].removeprefix("\\begin{").rstrip("}*")
    if name in ("gather", "multline"):
        new = re.sub(r"gather|multline", "align", opening[0])
        yield Edit(path, formula.start, start, new)
        yield Edit(path, formula.body_end, formula.end, new.replace("\\begin", "\\end"))
        return
    body = source.text[start:end]
    head = _KEPT.match(body)
    first = start + (head.end() if head else 0)
    last = start + len(body.rstrip())
    tail = re.search(r"(?:\s*\\(?:label|tag)[ \t]*\{[^{}]*\})+$", body.rstrip())
    if tail:
        last = start + tail.start()
    if first < last:
        yield Edit(path, first, first, "\\begin{aligned} ")
        yield Edit(path, last, last, " \\end{aligned}")


RULE = Rule(
    id="alignment-in-equation",
    fix=propose,
    answers=("misplaced-alignment", "missing-cr", "extra-brace", "missing-dollar", "extra-alignment"),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n\\begin{equation}\\label{e}\n"
            " a &= b \\\\\n c &= d\n\\end{equation}\n\\begin{gather*}\na &= b\n\\end{gather*}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n\\begin{equation}\\label{e}\n"
            " \\begin{aligned} a &= b \\\\\n c &= d \\end{aligned}\n\\end{equation}\n\\begin{align*}\na &= b\n"
            "\\end{align*}\n\\end{document}\n",
            message="Misplaced alignment tab character &",
            line=5,
        ),
        Example(
            "\\[\\begin{pmatrix} a & b \\end{pmatrix}\\]\n",
            None,
            message="Misplaced alignment tab character &",
            path="part.tex",
        ),
    ),
)
