r"""\limits behind something that is no operator.

Why it breaks: \limits sets scripts above and below operators such as \sum and \max only: "Limit controls must follow a
math operator".

What is done: what stands before it is made an operator with \mathop{...}.

When nothing is done: \limits follows an operator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

_LIMITS = re.compile(
    r"(?P<base>\\(?P<name>[A-Za-z]+)\*?(?:[ \t]*\{(?:[^{}]|\{[^{}]*\})*\})?|\{(?:[^{}]|\{[^{}]*\})*\}|[A-Za-z]+)[ \t]*"
    r"\\(?:no)?limits(?![A-Za-z])"
)
_OPERATORS = frozenset(
    """sum prod coprod int oint iint iiint bigcup bigcap bigoplus bigotimes bigodot bigvee bigwedge biguplus bigsqcup
    lim max min sup inf limsup liminf det gcd Pr arg operatorname mathop argmax argmin displaystyle varlimsup varliminf
    injlim projlim log ln exp sin cos tan dim ker hom deg smallint idotsint iiiint""".split()
)


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for found in _LIMITS.finditer(source.text):
            if not source.live(found.start()) or found["name"] in _OPERATORS:
                continue
            start, end = found.span("base")
            if source.text[start] == "{":
                edits.append(Edit(path, start, start, "\\mathop"))
            else:
                edits += [Edit(path, start, start, "\\mathop{"), Edit(path, end, end, "}")]
    if edits:
        yield Candidate(tuple(edits), "make an operator of what stands before \\limits", 0.9)


RULE = Rule(
    id="limits-without-operator",
    fix=propose,
    answers=("wrong-mode",),
    examples=(
        Example(
            "$\\text{ess}\\limits_x + \\sum\\limits_i + {A}\\limits_b$\n",
            "$\\mathop{\\text{ess}}\\limits_x + \\sum\\limits_i + \\mathop{A}\\limits_b$\n",
            message="Limit controls must follow a math operator",
            path="part.tex",
        ),
        Example("$\\sum\\limits_i$\n", None, message="Limit controls must follow a math operator", path="part.tex"),
    ),
)
