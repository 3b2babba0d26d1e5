r"""A redefinition that calls itself.

Why it breaks: \renewcommand{\emph}[1]{\textbf{\emph{#1}}} never ends: "TeX capacity exceeded", "Output loop".

What is done: the old meaning is saved with \let before the redefinition, which then uses the saved name.

When nothing is done: no redefinition uses its own name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._definitions import COMMANDS, definitions


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for defined in definitions(source):
            if defined.command.name not in COMMANDS or not defined.bodies or not defined.name.isalpha():
                continue
            body = defined.bodies[0]
            calls = re.compile(r"\\" + defined.name + r"(?![A-Za-z@])")
            uses = list(calls.finditer(source.text, body.start, body.end))
            if not uses or source.in_definition(defined.command.start):
                continue
            old = f"old{defined.name}"
            while old in case.defined:
                old = "o" + old
            at = defined.command.start
            edits.append(Edit(path, at, at, f"\\let\\{old}\\{defined.name}" + newline_of(source.text)))
            edits += [Edit(path, use.start() + 1, use.end(), old) for use in uses]
    if edits:
        yield Candidate(tuple(edits), "let a redefinition use the old meaning, saved with \\let", 0.93)


RULE = Rule(
    id="definition-calls-itself",
    fix=propose,
    answers=("capacity-exceeded", "output-loop", "interrupted", "emergency-stop"),
    examples=(
        Example(
            "\\renewcommand{\\emph}[1]{\\textbf{\\emph{#1}}}\n",
            "\\let\\oldemph\\emph\n\\renewcommand{\\emph}[1]{\\textbf{\\oldemph{#1}}}\n",
            message="TeX capacity exceeded, sorry [input stack size=10000]",
            path="part.tex",
        ),
        Example(
            "\\let\\oldemph\\emph\n\\renewcommand{\\emph}[1]{\\textbf{\\oldemph{#1}}}\n",
            None,
            message="TeX capacity exceeded, sorry [input stack size=10000]",
            path="part.tex",
        ),
    ),
)
