r"""A typographic minus in a number that a program reads: (2,−0.12) in a plot, xmin=−5, \num{−3}.

Why it breaks: word processors write U+2212 for the hyphen-minus, and pgfplots and siunitx read numbers: "Could not
parse input", "Unknown operator `−'", "Invalid number".

What is done: the sign becomes a hyphen in coordinates, in values of keys of pictures and in siunitx's numbers, all at
once.

When nothing is done: in text, labels and formulas, where the sign is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._siunitx import numbers

_PICTURES = re.compile(r"tikzpicture|axis|semilog[xy]axis|loglogaxis|polaraxis|scope|circuitikz|pspicture|picture")
_MINUS = re.compile("[−﹣－]")
_SIGN = re.compile(r"(?:(?<=[(,=:])|(?<==\{)|(?<=\d[ \t]))[ \t]*([−–﹣－])(?=[ \t]*[\d.])")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path in case.draft:
        if path != case.main and not path.endswith((".tex", ".ltx", ".tikz", ".pgf")):
            continue
        source = case.lexed(path)
        for found in _SIGN.finditer(source.text):
            around = source.environments_at(found.start(1))
            if source.live(found.start(1)) and any(_PICTURES.fullmatch(e.name) for e in around):
                edits.append(Edit(path, *found.span(1), "-"))
        for start, end in numbers(source):
            edits += [Edit(path, *m.span(), "-") for m in _MINUS.finditer(source.text, start, end)]
    if edits:
        yield Candidate(tuple(dict.fromkeys(edits)), "write a hyphen for the minus of numbers that are read", 0.94)


_AXIS = "\\begin{axis}[ymin=−1]\n\\addplot coordinates {(0,1) (1,−0.5)};\n\\node {−3 and 4–5};\n\\end{axis}\n"
_SAYS = "Package PGF Math Error: Unknown operator `−' or `−0' (in '−0.5')"

RULE = Rule(
    id="typographic-minus-in-number",
    fix=propose,
    answers=("bad-expression", "bad-number", "missing-number", "package-error", "illegal-unit"),
    examples=(
        Example(
            _AXIS + "\\num{−3} and −3.\n",
            _AXIS.replace("=−1", "=-1").replace(",−0.5", ",-0.5") + "\\num{-3} and −3.\n",
            message=_SAYS,
            path="part.tex",
            line=2,
        ),
        Example("A drop of −3, from 4–5 to (2,−1).\n", None, message=_SAYS, path="part.tex"),
    ),
)
