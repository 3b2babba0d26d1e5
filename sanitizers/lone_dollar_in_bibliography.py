r"""A lone $ in a field of a .bib file: a price ($200), or a formula that is not closed ($\alpha-particles).

Why it breaks: BibTeX copies the field into the .bbl, where the $ opens a formula that runs into the next field or
entry: "\itshape invalid in math mode", "Missing $ inserted", in entries far from the cause.

What is done: in every field with an odd number of $ the one that is left over is escaped if an amount follows; else the
formula is closed, or opened, at the end of the symbol that stands beside it.

When nothing is done: neither an amount nor a symbol stands beside it, or more than one $ could be meant.
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
_OPENED = re.compile(r"\$" + _SYMBOL)
_CLOSED = re.compile(_SYMBOL + r"\$$")


def propose(case: Case) -> Iterator[Candidate]:
    if not case.path.endswith(".bib"):
        return
    text = case.text
    edits: list[Edit] = []
    for start, end in values(text):
        signs = [m.start() for m in _DOLLAR.finditer(text, start, end) if m[0] == "$"]
        if len(signs) % 2 == 0:
            continue
        amounts = [at for at in signs if _AMOUNT.match(text, at, end)]
        if len(amounts) == 1 or len(signs) == len(amounts):
            edits += [Edit(case.path, at, at, "\\") for at in amounts]
        elif len(signs) == 1:
            opened = _OPENED.match(text, signs[0], end)
            closed = _CLOSED.search(text[start : signs[0] + 1])
            if opened:
                edits.append(Edit(case.path, opened.end(), opened.end(), "$"))
            elif closed:
                edits.append(Edit(case.path, start + closed.start(), start + closed.start(), "$"))
    if edits:
        yield Candidate(tuple(edits), "escape or close the lone $ in the bibliography's fields", 0.94)


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
        Example("@misc{a,\n  title = {Of $x_1$ and $ more $y$}\n}\n", None, message=_SAYS, path="refs.bib", line=2),
    ),
)  # fmt: skip
