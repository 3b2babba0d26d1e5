r"""A length without its unit.

Why it breaks: TeX needs a unit behind every number that is a length: "Illegal unit of measure (pt inserted)".

What is done: a unit that makes sense in that place is added: cm for the width of pictures and columns, pt for skips,
\textwidth behind a share of at most 1.

When nothing is done: every length has its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import TABULAR

_NUMBER = r"[ \t]*(?P<value>-?(?:\d+\.?\d*|\.\d+))(?P<blank>[ \t]*)"
_SKIPS = (
    re.compile(r"\\[vh]space\*?[ \t]*\{" + _NUMBER + r"\}"),
    re.compile(
        r"\\(?:setlength|addtolength)[ \t]*(?:\{[ \t]*\\[A-Za-z@]+[ \t]*\}|\\[A-Za-z@]+)[ \t]*\{" + _NUMBER + r"\}"
    ),
    re.compile(r"\\\\\*?[ \t]*\[" + _NUMBER + r"\]"),
)
_WIDTH = re.compile(
    r"\\(?:begin\{minipage\}(?:\[[^\[\]]*\])*|parbox(?:\[[^\[\]]*\])*|begin\{tabular[x*y]\}|resizebox)[ \t]*\{"
    + _NUMBER
    + r"\}"
)
_KEY = re.compile(r"(?<![A-Za-z])(?:width|height|totalheight)[ \t]*=" + _NUMBER + r"(?=[,\]])")
_COLUMN = re.compile(r"(?<!\\)[pmb][ \t]*\{" + _NUMBER + r"\}")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        found = [(m, "pt") for pattern in _SKIPS for m in pattern.finditer(source.text)]
        found += [(m, _wide(m["value"])) for m in (*_WIDTH.finditer(source.text), *_in_arguments(source))]
        for number, unit in found:
            if source.live(number.start()) and source.mode(number.start()) is not Mode.VERBATIM:
                unit = unit if float(number["value"]) else "pt"
                edits.append(Edit(path, number.start("blank"), number.end("blank"), unit))
    if edits:
        yield Candidate(tuple(dict.fromkeys(edits)), "give lengths the unit that they lack", 0.84)


def _in_arguments(source: Source) -> Iterator[re.Match[str]]:
    """Numbers without a unit in the options of pictures and in column specifications."""
    for command in source.command_named("includegraphics"):
        for argument in source.arguments(command, 1):
            if argument.optional:
                yield from _KEY.finditer(source.text, argument.start, argument.end)
    for environment in source.environments:
        if TABULAR.fullmatch(environment.name):
            for argument in source.arguments_at(environment.begin_end, 3):
                if not argument.optional:
                    yield from _COLUMN.finditer(source.text, argument.start, argument.end)


def _wide(value: str) -> str:
    """The unit of a width: a share of the line, centimetres, or points where it would be wider than a page."""
    number = abs(float(value))
    return "\\textwidth" if 0 < number <= 1 else "cm" if number < 30 else "pt"


RULE = Rule(
    id="length-without-unit",
    fix=propose,
    answers=("illegal-unit", "missing-number"),
    examples=(
        Example(
            "\\vspace{10}\\setlength{\\parskip}{6}\n\\begin{minipage}{0.5}\\end{minipage}\n"
            "\\includegraphics[width=8]{a}\n\\begin{tabular}{lp{3}}a \\\\[4] b\\end{tabular}\n",
            "\\vspace{10pt}\\setlength{\\parskip}{6pt}\n\\begin{minipage}{0.5\\textwidth}\\end{minipage}\n"
            "\\includegraphics[width=8cm]{a}\n\\begin{tabular}{lp{3cm}}a \\\\[4pt] b\\end{tabular}\n",
            message="Illegal unit of measure (pt inserted)",
            path="part.tex",
        ),
        Example(
            "\\vspace{10pt}\\hspace{\\parindent}\\includegraphics[width=0.5\\textwidth,angle=90]{a}\n",
            None,
            message="Illegal unit of measure (pt inserted)",
            path="part.tex",
        ),
    ),
)
