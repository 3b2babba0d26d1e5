r"""A lone $ in a field of a .bib file: a price ($200), or a formula that is not closed ($\alpha-particles).

Why it breaks: BibTeX copies the field into the .bbl, where the $ opens a formula that runs into the next field or
entry: "\itshape invalid in math mode", "Missing $ inserted", in entries far from the cause.

What is done: in every field a $ before an amount, with no formula's end near, is escaped; a formula that would hold
words is closed, or opened, at the end of the symbol that stands beside its $.

When nothing is done: neither an amount nor a symbol stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._bib_fields import values

_DOLLAR = re.compile(r"\\.|\$", re.DOTALL)
_AMOUNT = re.compile(r"\$\s?\d[\d.,]*(?![\d.,]*\s*(?:\\[a-z]|[\^_=<>+*/$]))")
_SYMBOL = (
    r"(?:\\(?!text|emph|item|begin|end|url|href)[A-Za-z]+(?:\{[^{}$]*\})?|[A-Za-z](?=[_^]))"
    r"(?:[_^](?:\{[^{}$]*\}|\\[A-Za-z]+|\w))*"
)
_PROSE = re.compile(r"(?<![\\{A-Za-z])[A-Za-z]{3,}")
"""A word that is no command and no argument: no formula holds one."""
_OPENED = re.compile(r"\$" + _SYMBOL)
_CLOSED = re.compile(_SYMBOL + r"\$$")


def propose(case: Case) -> Iterator[Candidate]:
    if not case.path.endswith(".bib"):
        return
    edits = [edit for start, end in values(case.text) for edit in _of_field(case, start, end)]
    if edits:
        yield Candidate(tuple(edits), "escape or close the lone $ in the bibliography's fields", 0.94)


def _of_field(case: Case, start: int, end: int) -> list[Edit]:
    """The edits that leave the field with whole formulas; none where it is not clear what its $ mean."""
    text, edits = case.text, list[Edit]()
    signs = [m.start() for m in _DOLLAR.finditer(text, start, end) if m[0] == "$"]
    number = 0
    while number < len(signs):
        at, number = signs[number], number + 1
        after = signs[number] if number < len(signs) else None
        prose = _PROSE.search(text, at + 1, after or end)
        if _AMOUNT.match(text, at, end) and (after is None or prose or _AMOUNT.match(text, after, end)):
            edits.append(Edit(case.path, at, at, "\\"))
            continue
        if after is not None and not prose:
            number += 1
            continue
        opened = _OPENED.match(text, at, end)
        closed = _CLOSED.search(text[start : at + 1])
        if opened:
            edits.append(Edit(case.path, opened.end(), opened.end(), "$"))
        elif closed:
            edits.append(Edit(case.path, start + closed.start(), start + closed.start(), "$"))
        else:
            return []
    return edits


_ENTRIES = (
    "@misc{a,\n  title = {Detectors for $\\alpha-particles},\n  note = {for $200 each}\n}\n"
    "@misc{b,\n  title = {Of $x_1$ and \\$5}\n}\n"
)
_SAYS = "Missing $ inserted"

RULE = Rule(
    id="lone-dollar-in-bibliography",
    fix=propose,
    answers=(
        "missing-dollar", "wrong-mode", "missing-brace", "extra-brace", "bad-math-environment", "runaway-argument",
        "environment-mismatch", "end-inside-group", "double-script",
    ),
    examples=(
        Example(
            _ENTRIES,
            _ENTRIES.replace("\\alpha-", "\\alpha$-").replace("$200", "\\$200"),
            message=_SAYS,
            path="refs.bib",
            line=2,
        ),
        Example(
            "@misc{a,\n  title = {Of \\mu_0$ and more}\n}\n",
            "@misc{a,\n  title = {Of $\\mu_0$ and more}\n}\n",
            message=_SAYS,
            path="refs.bib",
            line=2,
        ),
        Example(
            "@misc{a,\n  title = {Sand at $10 and $20},\n  note = {A $5 sensor for \\beta$-decay}\n}\n",
            "@misc{a,\n  title = {Sand at \\$10 and \\$20},\n  note = {A \\$5 sensor for $\\beta$-decay}\n}\n",
            message=_SAYS,
            path="refs.bib",
            line=2,
        ),
        Example("@misc{a,\n  title = {Of $x_1$ and $ more $y$}\n}\n", None, message=_SAYS, path="refs.bib", line=2),
    ),
)  # fmt: skip
