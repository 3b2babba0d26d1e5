r"""A $ inside a displayed formula.

Why it breaks: mathematics is already on. In equation or \[ \] the $ ends the formula too early, "Display math should
end with $$"; align reads its cells as groups, "Missing } inserted".

What is done: the pairs of $ in displayed formulas are removed, of all formulas at once. What stands between them is
mathematics as before.

When nothing is done: the $ stand in \text or the like, or do not come in pairs.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule


def propose(case: Case) -> Iterator[Candidate]:
    edits = tuple(Edit(path, pos, pos + 1, "") for path, source in case.tex_files() for pos in _pairs(source))
    if edits:
        yield Candidate(edits, "remove the $ inside displayed formulas", 0.87)


def _pairs(source: Source) -> Iterator[int]:
    """The single $ of displayed formulas that hold an even number of them."""
    by_formula: dict[int, list[int]] = {}
    for pos in source.stray_shifts:
        if source.text[pos] == "$" and source.mode(pos) is Mode.DISPLAY and not source.in_definition(pos):
            around = source.math_at(pos)
            if around and around[-1].display and "$" not in (source.text[pos - 1], source.text[pos + 1 : pos + 2]):
                by_formula.setdefault(around[-1].start, []).append(pos)
    for found in by_formula.values():
        if len(found) % 2 == 0:
            yield from found


RULE = Rule(
    id="dollar-in-display",
    fix=propose,
    answers=(
        "missing-brace",
        "missing-dollar",
        "extra-brace",
        "bad-math-environment",
    ),
    deletes="a $ where mathematics is on already",
    examples=(
        Example(
            "\\begin{align}\na &= b \\\\\nc &= $d$ \\text{ if $e$}\n\\end{align}\n",
            "\\begin{align}\na &= b \\\\\nc &= d \\text{ if $e$}\n\\end{align}\n",
            message="Missing } inserted",
            path="part.tex",
            line=4,
        ),
        Example(
            "\\begin{equation}\na = \\text{ if $e$}\n\\end{equation}\nAnd $x$.\n",
            None,
            message="Missing } inserted",
            path="part.tex",
            line=3,
        ),
    ),
)
