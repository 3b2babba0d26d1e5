r"""A bare _ # % or & in a field of a .bib file: File tides_2021.txt, Small clocks in C#, Pumps & Turbines.

Why it breaks: BibTeX copies the field into the .bbl, where _ wants a formula, # a macro, & a table, and % swallows the
rest of the line with its braces. None of them is a comment or a mark for BibTeX itself.

What is done: all of them in the file's fields are escaped; a power such as 10^-4 becomes a formula.

When nothing is done: in HTML entities, which another rule turns into what they mean; in formulas, in the arguments of
\url and the like, and in fields that hold addresses or keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._bib_fields import values
from ._entities import ENTITY

_SKIP = re.compile(r"\$[^$]*\$|\\(?:url|path|href|nolinkurl|doi)\s*\{[^{}]*\}|\\.", re.DOTALL)
_BARE = re.compile(r"[_#%&]")
_POWER = re.compile(r"(?<!\w)(\w{1,8})\^(?:\{([^{}]*)\}|([-+]?\w+))")


def propose(case: Case) -> Iterator[Candidate]:
    if not case.path.endswith(".bib"):
        return
    text = case.text
    edits: list[Edit] = []
    for start, end in values(text):
        pos = start
        while pos < end:
            skipped = _SKIP.match(text, pos, end) or ENTITY.match(text, pos, end)
            if skipped:
                pos = skipped.end()
                continue
            power = _POWER.match(text, pos, end)
            if power:
                edits.append(Edit(case.path, *power.span(), f"${power[1]}^{{{power[2] or power[3]}}}$"))
                pos = power.end()
                continue
            if _BARE.match(text, pos):
                edits.append(Edit(case.path, pos, pos, "\\"))
            pos += 1
    if edits:
        yield Candidate(tuple(edits), "escape the signs that stand bare in the bibliography's fields", 0.92)


_ENTRY = (
    "@misc{k_1,\n  title = {Small clocks in C# and $x_1$},\n  note = {File a\\_b_c.txt, 90% of it, 10^-4},\n"
    "  url = {x_y%20z}\n}\n"
)
_SAYS = "You can't use `macro parameter character #' in horizontal mode"

RULE = Rule(
    id="bare-sign-in-bibliography",
    fix=propose,
    answers=(
        "parameter-character",
        "missing-dollar",
        "misplaced-alignment",
        "extra-alignment",
        "illegal-parameter",
        "missing-brace",
        "extra-brace",
        "runaway-argument",
        "end-inside-group",
        "environment-mismatch",
    ),
    examples=(
        Example(
            _ENTRY,
            _ENTRY.replace("C#", "C\\#").replace("b_c", "b\\_c").replace("90%", "90\\%").replace("10^-4", "$10^{-4}$"),
            message=_SAYS,
            path="refs.bib",
            line=2,
        ),
        Example(
            "@misc{k,\n  title = {Clocks in C\\# and $x_1$},\n  url = {x_y}\n}\n",
            None,
            message=_SAYS,
            path="refs.bib",
            line=2,
        ),
    ),
)
