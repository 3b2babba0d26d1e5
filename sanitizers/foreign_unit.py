r"""A unit that TeX does not know.

Why it breaks: px, rem, inch, pts and a percentage are units of web pages and office programs: "Illegal
unit of measure".

What is done: they become the units that TeX has: px and pts become bp and pt, inch in, rem em, 80\% of a width
0.8\linewidth.

When nothing is done: all units are TeX's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_UNITS = {"px": "bp", "pts": "pt", "points": "pt", "point": "pt", "inch": "in", "inches": "in", "rem": "em",
          "ems": "em",
          "centimeter": "cm", "centimeters": "cm", "millimeter": "mm", "millimeters": "mm", "vw": "\\linewidth",
          "PT": "pt", "Pt": "pt", "CM": "cm", "Cm": "cm", "MM": "mm", "IN": "in", "EM": "em", "EX": "ex"}  # fmt: skip
_LENGTH = re.compile(
    r"(?P<before>[={\[,(]|\\\\\[|\b(?:plus|minus)[ \t])[ \t]*-?(?P<value>\d+\.?\d*|\.\d+)[ \t]*"
    r"(?P<unit>" + "|".join(sorted(_UNITS, key=len, reverse=True)) + r"|\\?%)(?![A-Za-z])"
)


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    exact: list[Edit] = []
    for path, source in case.tex_files():
        for found in _LENGTH.finditer(source.text):
            pos = found.start("unit")
            hidden = source.mode(found.start("value"))
            if hidden in (Mode.VERBATIM, Mode.DEAD, Mode.COMMENT):
                continue
            unit = found["unit"]
            if unit in ("%", "\\%", "vw"):
                if not re.search(
                    r"(?:width|height|\{minipage\}(?:\[\w\])?[{=\[]|\\parbox\{)[ \t]*=?\{?$",
                    _before(source.text, found),
                ):
                    continue
                share = f"{float(found['value']) / 100:g}\\linewidth"
                edits.append(Edit(path, found.start("value"), found.end("unit"), share))
                kept = f"\\dimexpr{found['value']}\\linewidth/100\\relax"
                exact.append(Edit(path, found.start("value"), found.end("unit"), kept))
            elif hidden is not Mode.TEXT or any(g.opener for g in source.groups_at(pos)):
                edits.append(Edit(path, pos, found.end("unit"), _UNITS[unit]))
    if edits:
        yield Candidate(tuple(edits), "write TeX's units", 0.91)
    if exact:
        # A % that hid the end of its argument makes the number look like text, which has to stay.
        others = [edit for edit in edits if not any(edit.start == e.start and edit.path == e.path for e in exact)]
        yield Candidate((*others, *exact), "write shares of the line in TeX's way", 0.9)


def _before(text: str, found: re.Match[str]) -> str:
    return text[max(0, found.start() - 30) : found.start("value")]


RULE = Rule(
    id="foreign-unit",
    fix=propose,
    answers=("illegal-unit", "missing-number", "runaway-argument"),
    examples=(
        Example(
            "\\includegraphics[width=300px]{a}\\vspace{10pts}\\hspace{2rem}\\includegraphics[width=80\\%]{b}\n",
            "\\includegraphics[width=300bp]{a}\\vspace{10pt}\\hspace{2em}\\includegraphics[width=0.8\\linewidth]{b}\n",
            message="Illegal unit of measure (pt inserted)",
            path="part.tex",
        ),
        Example(
            "The icon is 32px wide, (12 points), 80\\%.\\vspace{10pt}\n",
            None,
            message="Illegal unit of measure (pt inserted)",
            path="part.tex",
        ),
    ),
)
