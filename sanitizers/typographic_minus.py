r"""A typographic minus or dash stands in a length: \vspace{−2pt}.

Why it breaks: models and word processors write U+2212 or an en dash for the hyphen-minus. In a length TeX then finds no
number ("Missing number, treated as zero"; "Illegal unit of measure").

What is done: the sign becomes a hyphen where a length begins with it: in \vspace, \hspace, \\[…], \setlength,
\addtolength, \raisebox, \titlespacing, \kern, \vskip, \hskip.

When nothing is done: in text and formulas, where the dash is meant.
"""

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._ordinary import is_read

_LENGTH = re.compile(
    r"(?:\\(?:vspace|hspace|vspace\*|hspace\*|raisebox|addvspace|enlargethispage)\*?[ \t]*\{"
    r"|\\\\\*?\["
    r"|\\(?:setlength|addtolength)[ \t]*(?:\{[ \t]*\\[A-Za-z@]+[ \t]*\}|\\[A-Za-z@]+)[ \t]*\{"
    r"|\\(?:vskip|hskip|kern)[ \t]*)"
    r"[ \t]*([−–—﹣－])[ \t]*(?=[\d.]+[ \t]*(?:pt|em|ex|mm|cm|in|bp|pc|sp|\\)|\\[A-Za-z@]+[ \t]*[}\]])"
)


def fix(case: Case) -> Iterator[Candidate]:
    if case.path.endswith(".bib"):
        return
    for match in _LENGTH.finditer(case.text):
        start, end = match.span(1)
        if is_read(case, start):
            yield Candidate((Edit(case.path, start, end, "-"),), "a hyphen for the minus of a length", 1.0)


RULE = Rule(
    id="typographic-minus",
    fix=fix,
    phase="characters",
    examples=(
        Example(
            "\\setlength{\\parskip}{–1pt}\n{\\Huge A}\\\\[−2pt]\n\\vspace{−.5\\baselineskip}\\hspace*{– "
            "1em}2013–2016, 5 − 3\n",
            "\\setlength{\\parskip}{-1pt}\n{\\Huge A}\\\\[-2pt]\n\\vspace{-.5\\baselineskip}\\hspace*{- "
            "1em}2013–2016, 5 − 3\n",
            path="chapter.tex",
        ),
        Example("From 3–5pt, $x = −2$, [−2pt] and \\verb|\\vspace{−2pt}|.\n% \\vspace{−2pt}\n", path="chapter.tex"),
    ),
)
