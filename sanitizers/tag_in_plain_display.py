r"""\tag between double dollar signs, \eqno in the line, or split on its own.

Why it breaks: \tag works in the displays of amsmath only ("\tag not allowed here"), \eqno in displays only ("You can't
use `\eqno' in math mode"), and split only inside another display.

What is done: $$...\tag{1}...$$ becomes \[...\]; a formula with \eqno is displayed; split gets an equation* around it.

When nothing is done: none of the three is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.latex.preamble import newline_of, package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_TAG = re.compile(r"\\(?:tag|label|intertext|nonumber|notag|eqref)\b")
_NUMBER = re.compile(r"\\(?:eqno|leqno)\b")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for formula in source.math:
            if not source.live(formula.start) or source.in_definition(formula.start):
                continue
            body = source.text[formula.body_start : formula.body_end]
            opening = source.text[formula.start : formula.body_start]
            if opening == "$$" and _TAG.search(body):
                edits += [
                    Edit(path, formula.start, formula.body_start, "\\["),
                    Edit(path, formula.body_end, formula.end, "\\]"),
                ]
            elif opening in ("$", "\\(") and _NUMBER.search(body):
                edits += [
                    Edit(path, formula.start, formula.body_start, "$$"),
                    Edit(path, formula.body_end, formula.end, "$$"),
                ]
        edits += _split(path, source)
    if not edits:
        return
    if any("\\[" in e.text for e in edits) and not {"amsmath", "mathtools"} & set(case.packages):
        line = package_line(case.lexed(case.main), "amsmath")
        if line is not None:
            edits.append(Edit(case.main, line[0], line[0], line[1]))
    yield Candidate(tuple(edits), "display formulas with \\tag, \\eqno or split as these need it", 0.9)


def _split(path: str, source: Source) -> Iterator[Edit]:
    for environment in source.environments:
        if environment.name not in ("split", "aligned", "gathered") or environment.end_end is None:
            continue
        if not source.live(environment.begin) or source.in_definition(environment.begin):
            continue
        if any(m.start < environment.begin and m.end > environment.end_end for m in source.math):
            continue
        newline = newline_of(source.text)
        yield Edit(path, environment.begin, environment.begin, f"\\begin{{equation*}}{newline}")
        behind = environment.end_end
        yield Edit(path, behind, behind, f"{newline}\\end{{equation*}}")


RULE = Rule(
    id="tag-in-plain-display",
    fix=propose,
    answers=(
        "misplaced-tag",
        "bad-equation-structure",
        "package-error",
        "wrong-mode",
        "missing-dollar",
        "undefined-control-sequence",
    ),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n$$ a = b \\tag{1} $$\n"
            "$x = 1 \\eqno(1)$\n\n\\begin{split}\na &= b\n\\end{split}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n\\[ a = b \\tag{1} \\]\n"
            "$$x = 1 \\eqno(1)$$\n\n\\begin{equation*}\n\\begin{split}\na &= b\n\\end{split}\n\\end{equation*}\n"
            "\\end{document}\n",
            message="Package amsmath Error: \\tag not allowed here",
            line=4,
        ),
        Example(
            "$$ a = b $$\n\\begin{equation}\\begin{split}a\\end{split}\\tag{2}\\end{equation}\n",
            None,
            message="Package amsmath Error: \\tag not allowed here",
            path="part.tex",
        ),
    ),
)
