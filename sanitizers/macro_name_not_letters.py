r"""A new macro whose name is not made of letters.

Why it breaks: a name ends at the first character that is no letter, so that \newcommand{\vol1} defines \vol, and
\newcommand{euro} nothing: "Missing control sequence inserted", "Missing \begin{document}", "Missing $ inserted".

What is done: digits become words and underscores go, in the definition and at every use (\volone); a lost backslash
is put before the name.

When nothing is done: all names are made of letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_DEFINING = (
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|DeclareMathOperator|(?:New|Renew)DocumentCommand)"
    r"\*?[ \t]*"
)
_WRONG = re.compile(
    _DEFINING + r"(?:\{[ \t]*\\(?P<held>[A-Za-z]+(?:[0-9]|[_-](?=[A-Za-z0-9]))[A-Za-z0-9_-]*)[ \t]*\}"
    r"|\\(?P<bare>[A-Za-z]+(?:[0-9]|_(?=[A-Za-z0-9]))[A-Za-z0-9_]*)(?=[ \t]*[\[{]))"
)
_LOST = re.compile(_DEFINING + r"\{[ \t]*(?P<name>[A-Za-z]+)[ \t]*\}(?=[ \t]*[\[{])")
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def propose(case: Case) -> Iterator[Candidate]:
    names: dict[str, str] = {}
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for found in _WRONG.finditer(source.text):
            name = found["held"] or found["bare"]
            if source.live(found.start()):
                names[name] = re.sub(r"[^A-Za-z]", lambda m: _DIGITS[int(m[0])] if m[0].isdigit() else "", name)
        for found in _LOST.finditer(source.text):
            if source.live(found.start()):
                edits.append(Edit(path, found.start("name"), found.start("name"), "\\"))
    right = set(names.values())
    if len(right) < len(names) or right & case.defined:
        return
    for path, source in case.tex_files():
        for name in sorted(names, key=len, reverse=True):
            for use in re.finditer(r"(?<!\\)\\" + re.escape(name) + r"(?![A-Za-z0-9])", source.text):
                if source.live(use.start()) and source.mode(use.start()) is not Mode.VERBATIM:
                    edits.append(Edit(path, use.start() + 1, use.end(), names[name]))
    if edits:
        yield Candidate(tuple(edits), "give macros names of letters only", 0.93)


RULE = Rule(
    id="macro-name-not-letters",
    fix=propose,
    answers=(
        "missing-begin-document",
        "missing-control-sequence",
        "missing-dollar",
        "already-defined",
        "use-does-not-match",
        "undefined-control-sequence",
        "illegal-parameter",
        "latex-error",
        "missing-number",
        "tex-error",
        "missing-brace",
        "extra-brace",
    ),
    examples=(
        Example(
            "\\newcommand{\\vol1}{One}\n\\newcommand{\\vol2}{Two}\n\\newcommand{euro}{EUR}\n\\newcommand\\price_net{N}\n"
            "\\vol1{} \\vol2, \\price_net.\n",
            "\\newcommand{\\volone}{One}\n\\newcommand{\\voltwo}{Two}\n\\newcommand{\\euro}{EUR}\n"
            "\\newcommand\\pricenet{N}\n\\volone{} \\voltwo, \\pricenet.\n",
            message="LaTeX Error: Missing \\begin{document}",
            path="part.tex",
        ),
        Example(
            "\\newcommand{\\vol}{One}\n\\newcommand\\x[1]{#1}\n\\vol1\n",
            None,
            message="LaTeX Error: Missing \\begin{document}",
            path="part.tex",
        ),
    ),
)
