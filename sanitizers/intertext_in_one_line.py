r"""\intertext in a display of one line.

Why it breaks: \intertext sets words between the rows of align or gather; \[...\] and equation have no rows: "Invalid
use of \intertext", "Misplaced \noalign".

What is done: the display becomes gather* or align* (where it has &), whose rows end before the words; an equation keeps
its number on the last row.

When nothing is done: the display has rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Environment, Math, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_WORDS = re.compile(r"(?P<end>\\\\(?:\[[^\[\]]*\])?)?(?P<gap>\s*)\\(?:short)?intertext(?![A-Za-z])")
_OPENING = re.compile(r"\\\[|\$\$|\\begin\{(?:equation\*?|displaymath)\}")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for formula in source.math:
            if formula.display and source.live(formula.start) and not source.in_definition(formula.start):
                edits += _with_rows(path, source, formula)
    if edits:
        yield Candidate(tuple(edits), "set displays with \\intertext in gather or align", 0.88)


def _with_rows(path: str, source: Source, formula: Math) -> Iterator[Edit]:
    opening = _OPENING.match(source.text, formula.start)
    if opening is None:
        return
    words = list(_WORDS.finditer(source.text, formula.body_start, formula.body_end))
    if not words or any(e.begin >= formula.body_start for w in words for e in source.environments_at(w.end() - 1)):
        return
    held: list[Environment] = [e for e in source.environments if formula.body_start <= e.begin < formula.body_end]
    marks = [
        m.start() + formula.body_start
        for m in re.finditer(r"(?<!\\)&", source.text[formula.body_start : formula.body_end])
    ]
    outside = [pos for pos in marks if not any(e.begin < pos < e.until for e in held)]
    name = "align" if outside else "gather"
    numbered = opening[0] == "\\begin{equation}"
    star = "" if numbered else "*"
    yield Edit(path, formula.start, opening.end(), f"\\begin{{{name}{star}}}")
    for word in words:
        note = " \\notag" if numbered else ""
        if word["end"]:
            yield Edit(path, word.start("end"), word.start("end"), note)
        elif source.text[formula.body_start : word.start()].strip():
            at = word.start("gap")
            yield Edit(path, at, at, f"{note} \\\\")
    yield Edit(path, formula.body_end, formula.end, f"\\end{{{name}{star}}}")


RULE = Rule(
    id="intertext-in-one-line",
    fix=propose,
    answers=("bad-equation-structure", "misplaced-noalign", "package-error", "wrong-mode"),
    examples=(
        Example(
            "\\[\n s = 1\n\\intertext{and so}\n t = 2\n\\]\n\\begin{equation}\n a &= b \\\\\n\\intertext{or}\n c &= d\n"
            "\\end{equation}\n",
            "\\begin{gather*}\n s = 1 \\\\\n\\intertext{and so}\n t = 2\n\\end{gather*}\n\\begin{align}\n"
            " a &= b  \\notag\\\\\n\\intertext{or}\n c &= d\n\\end{align}\n",
            message="Package amsmath Error: Invalid use of \\intertext",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\begin{align*}\n a &= b \\\\\n\\intertext{or}\n c &= d\n\\end{align*}\n",
            None,
            message="Package amsmath Error: Invalid use of \\intertext",
            path="part.tex",
        ),
    ),
)
