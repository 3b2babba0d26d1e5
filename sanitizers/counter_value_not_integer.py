r"""A counter that is set to something that is no whole number.

Why it breaks: \setcounter{page}{iv} and \setcounter{secnumdepth}{two} need digits: "Missing number, treated as zero".

What is done: Roman numerals and English number words become digits.

When nothing is done: the value is a number, a counter, or no number at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

_SET = re.compile(
    r"\\(?:setcounter|addtocounter)[ \t]*\{(?P<counter>[A-Za-z@]+)\}[ \t]*\{[ \t]*(?P<value>[A-Za-z]+)[ \t]*\}"
)
_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
).split()
_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for found in _SET.finditer(source.text):
            number = _number(found["value"])
            if number is not None and source.live(found.start()):
                edits.append(Edit(path, found.start("value"), found.end("value"), str(number)))
    if edits:
        yield Candidate(tuple(edits), "write the values of counters in digits", 0.9)


def _number(word: str) -> int | None:
    if word.lower() in _WORDS:
        return _WORDS.index(word.lower())
    if not _ROMAN.fullmatch(word):
        return None
    values = [_VALUES[letter] for letter in word.lower()]
    return sum(-v if v < max(values[at:]) else v for at, v in enumerate(values))


RULE = Rule(
    id="counter-value-not-integer",
    fix=propose,
    answers=("missing-number",),
    examples=(
        Example(
            "\\setcounter{page}{iv}\n\\setcounter{secnumdepth}{two}\n\\setcounter{x}{\\value{y}}\n",
            "\\setcounter{page}{4}\n\\setcounter{secnumdepth}{2}\n\\setcounter{x}{\\value{y}}\n",
            message="Missing number, treated as zero",
            path="part.tex",
        ),
        Example(
            "\\setcounter{page}{4}\n\\setcounter{x}{abc}\n",
            None,
            message="Missing number, treated as zero",
            path="part.tex",
        ),
    ),
)
