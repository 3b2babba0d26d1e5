r"""A [ behind the end of a row, which is not meant as a length.

Why it breaks: \\ takes what follows in brackets for the space to leave, across line ends, as \midrule takes it for its
thickness: "Illegal unit of measure", "Missing number"; xelatex then may run for ever.

What is done: the bracket is put in braces, {[}; in a formula {} is put before it.

When nothing is done: the brackets hold a length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import sources

_BRACKET = re.compile(
    r"(?:\\\\\*?|\\(?:tabularnewline|toprule|midrule|bottomrule|addlinespace)(?![A-Za-z]))(?P<gap>(?:\s|(?<!\\)%[^\r\n]*)*)"
    r"\[(?P<inner>[^\[\]\r\n]*)(?P<close>\]?)"
)
_LENGTH = re.compile(
    r"\s*(?:[-+]?\s*(?:\d+[.,]?\d*|[.,]\d+)?\s*(?:true\s*)?(?:pt|mm|cm|in|ex|em|bp|pc|dd|cc|sp|mu|px|fill?l?"
    r"|\\[A-Za-z@]+)\s*|[-+]?[\d.]+|\s*(?:plus|minus)\s*|\\dimexpr.*)+"
)


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in sources(case):
        for found in _BRACKET.finditer(source.text):
            pos = found.end("gap")
            if not source.live(found.start()) or source.mode(found.start()) is Mode.VERBATIM or source.in_preamble(pos):
                continue
            if found["close"] and _LENGTH.fullmatch(found["inner"]):
                continue
            if source.math_at(pos):
                edits.append(Edit(path, pos, pos, "{}"))
            else:
                edits.append(Edit(path, pos, pos + 1, "{[}"))
    if edits:
        yield Candidate(tuple(edits), "protect the [ that begins a row from being read as a length", 0.93)


RULE = Rule(
    id="row-starts-with-bracket",
    fix=propose,
    answers=("interrupted", "illegal-unit", "missing-number", "runaway-argument", "wrong-mode", "capacity-exceeded"),
    examples=(
        Example(
            "\\begin{tabular}{ll}\na & b \\\\[2pt]\n0.6 & 1.2 \\\\\n[0.5, 0.7] & [1.1, 1.3] \\\\\n\\end{tabular}\n",
            "\\begin{tabular}{ll}\na & b \\\\[2pt]\n0.6 & 1.2 \\\\\n{[}0.5, 0.7] & [1.1, 1.3] \\\\\n\\end{tabular}\n",
            message="Illegal unit of measure (pt inserted)",
            path="part.tex",
            line=4,
        ),
        Example(
            "\\[\\begin{array}{l} a \\\\\n[x]_0 = 2 \\end{array}\\]\n",
            "\\[\\begin{array}{l} a \\\\\n{}[x]_0 = 2 \\end{array}\\]\n",
            message="Missing number, treated as zero",
            path="part.tex",
            line=2,
        ),
        Example(
            "a \\\\[1ex] b \\\\ [0.5\\baselineskip] c \\\\*[-2pt] d\n",
            None,
            message="Illegal unit of measure (pt inserted)",
            path="part.tex",
        ),
    ),
)
