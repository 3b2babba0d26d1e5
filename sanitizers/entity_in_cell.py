r"""HTML entities in the cells of a table or of aligned formulas: R&amp;D, x &gt; 0.

Why it breaks: & begins a new cell, so that a row has too many: "Extra alignment tab has been changed to \cr".

What is done: all entities that stand in live text become the characters or commands that they mean.

When nothing is done: there are none; outside tables the static rule has replaced them already.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex import Mode, lex
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._entities import ENTITY, TEXT, meaning


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        without = lex(ENTITY.sub(lambda m: "x" * len(m.group()), source.text), part=source.part)
        for found in ENTITY.finditer(source.text):
            sign = meaning(found.group())
            mode = without.mode(found.start())
            if sign and mode in (Mode.TEXT, Mode.INLINE, Mode.DISPLAY) and "&" not in source.ordinary(found.start()):
                new = TEXT.get(sign, sign)
                edits.append(Edit(path, *found.span(), new if mode is Mode.TEXT else new.strip("$")))
    if edits:
        yield Candidate(tuple(edits), "write the characters that HTML entities mean", 0.93)


_HEAD = "\\documentclass{article}\n\\begin{document}\n"
RULE = Rule(
    id="entity-in-cell",
    fix=propose,
    answers=("extra-alignment", "misplaced-alignment", "missing-dollar", "parameter-character"),
    examples=(
        Example(
            _HEAD + "\\begin{tabular}{ll}\nR&amp;D & 5 &lt; 6\\\\\n\\end{tabular}\n$x$ \\verb|&lt;|\n\\end{document}\n",
            _HEAD + "\\begin{tabular}{ll}\nR\\&D & 5 $<$ 6\\\\\n\\end{tabular}\n$x$ \\verb|&lt;|\n\\end{document}\n",
            message="Extra alignment tab has been changed to \\cr",
            line=4,
        ),
        Example(
            "\\begin{tabular}{l}\na & b\n\\end{tabular}\n",
            None,
            message="Extra alignment tab has been changed to \\cr",
            path="part.tex",
        ),
    ),
)
