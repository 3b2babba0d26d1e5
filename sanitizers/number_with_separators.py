r"""A number as it is printed, where siunitx reads one: \num{3,450.0}, \SI{1.2 \times 10^5}{\pascal}.

Why it breaks: for siunitx a comma is the decimal sign, a thin space or an apostrophe no part of a number, and a power
of ten is written with e: "Invalid number '3,450.0'".

What is done: separators of thousands go where they can be nothing else, and m \times 10^n becomes men; all at once.

When nothing is done: the number may be meant as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._siunitx import numbers

_GROUPED = re.compile(
    r"(?<![\d.,])\d{1,3}(?:(?:,\d{3})+(?=\.\d)|(?:,\d{3}){2,}|(?:(?:'|’|\\,|\u202f|\u2009)\d{3})+)(?![\d,])"
)
_POWER = re.compile(r"[ \t]*(?:\\times|\\cdot|×|·|\*)[ \t]*10[ \t]*\^[ \t]*(?:\{[ \t]*([-+]?\d+)[ \t]*\}|([-+]?\d+))")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for start, end in numbers(source):
            for found in _GROUPED.finditer(source.text, start, end):
                edits.append(Edit(path, *found.span(), re.sub(r"\\,|\D", "", found[0])))
            for found in _POWER.finditer(source.text, start, end):
                edits.append(Edit(path, *found.span(), "e" + (found[1] or found[2])))
    if edits:
        yield Candidate(tuple(edits), "write the numbers as siunitx reads them", 0.93)


_SAYS = "Package siunitx Error: Invalid number '3,450.0'"

RULE = Rule(
    id="number-with-separators",
    fix=propose,
    answers=("bad-number", "package-error"),
    examples=(
        Example(
            "\\num{3,450.0} or \\SI{1,200,000}{\\metre} or \\num{1.2 \\times 10^{-5}}, 3,450.0 in all.\n",
            "\\num{3450.0} or \\SI{1200000}{\\metre} or \\num{1.2e-5}, 3,450.0 in all.\n",
            message=_SAYS,
            path="part.tex",
        ),
        Example("\\num{3,450} and \\num{1,2}.\n", None, message=_SAYS, path="part.tex"),
    ),
)
