r"""A displayed formula in a caption or heading.

Why it breaks: captions are set in a box of one line first, where no display can stand: "Bad math environment
delimiter", "Missing $ inserted".

What is done: \[...\] and $$...$$ and equation in a caption, heading, \mbox or table cell's command become $...$.

When nothing is done: the display stands in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._inside import CAPTIONS, HEADINGS

_HOLDERS = frozenset({*HEADINGS, *CAPTIONS, "mbox", "makebox", "textbf", "textit", "emph", "fbox", "framebox"})
_DISPLAY = re.compile(
    r"\\\[\s*(?P<a>(?:(?!\\\]|\\\[).)*?)\s*\\\]|\$\$\s*(?P<b>[^$]*?)\s*\$\$"
    r"|\\begin\{(?P<name>equation\*?|displaymath)\}\s*(?P<c>(?:(?!\\begin|\\end).)*?)\s*\\end\{(?P=name)\}",
    re.DOTALL,
)


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for found in _DISPLAY.finditer(source.text):
            pos = found.start()
            if not source.live(pos) or not any(g.opener in _HOLDERS for g in source.groups_at(pos)):
                continue
            body = found["a"] or found["b"] or found["c"] or ""
            if "\\\\" not in body and "&" not in body and "\\label" not in body:
                edits.append(Edit(path, pos, found.end(), f"${body}$"))
    if edits:
        yield Candidate(tuple(edits), "set the formulas of captions and headings in the line", 0.9)


RULE = Rule(
    id="display-in-caption",
    fix=propose,
    answers=(
        "bad-math-environment",
        "missing-dollar",
        "runaway-argument",
        "extra-brace",
        "missing-brace",
        "wrong-mode",
        "missing-item",
    ),
    examples=(
        Example(
            "\\caption{Decay, with the law \\[ h = e^{-t} \\] for comparison.}\n",
            "\\caption{Decay, with the law $h = e^{-t}$ for comparison.}\n",
            message="LaTeX Error: Bad math environment delimiter",
            path="part.tex",
        ),
        Example(
            "\\caption{A $b$}\n\\[ c \\]\n",
            None,
            message="LaTeX Error: Bad math environment delimiter",
            path="part.tex",
        ),
    ),
)
