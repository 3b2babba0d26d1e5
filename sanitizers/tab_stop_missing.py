r"""A tabbing environment with more steps than tab stops.

Why it breaks: \> goes to the next stop that \= has set; beyond the last one: "Undefined tab position".

What is done: as many stops as the longest line needs are set at its head: those that are missing are added to the
\kill line or a \kill line is put in front, in steps of the width that the author used, or 2em.

When nothing is done: no line has more steps than there are stops.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_KILL = re.compile(r"[^\r\n]*\\=[^\r\n]*?(?=[ \t]*\\kill)")
_STEP = re.compile(r"\\hspace\*?\{[^{}]*\}\\=(?=[^\r\n]*\\kill)")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for environment in source.environments:
            if environment.name != "tabbing" or not source.live(environment.begin):
                continue
            start, end = environment.begin_end, environment.until
            body = source.text[start:end]
            lines = re.split(r"\\\\|\\kill", body)
            needed = max(line.count("\\>") + line.count("\\+") + line.count("\\=") for line in lines)
            steps = max(line.count("\\=") for line in lines)
            if needed <= steps:
                continue
            kill = _KILL.search(source.text, start, end)
            unit = _STEP.search(source.text, start, end)
            stop = unit[0] if unit else "\\hspace{2em}\\="
            if kill is not None and kill[0].count("\\=") == steps:
                edits.append(Edit(path, kill.end(), kill.end(), stop * (needed - steps)))
            else:
                edits.append(Edit(path, start, start, newline_of(source.text) + stop * needed + "\\kill"))
    if edits:
        yield Candidate(tuple(edits), "set the tab stops that lines go to", 0.9)


RULE = Rule(
    id="tab-stop-missing",
    fix=propose,
    answers=("undefined-tab",),
    examples=(
        Example(
            "\\begin{tabbing}\n\\hspace{1em}\\=\\kill\na \\> b \\> c \\\\\n\\end{tabbing}\n",
            "\\begin{tabbing}\n\\hspace{1em}\\=\\hspace{1em}\\=\\kill\na \\> b \\> c \\\\\n\\end{tabbing}\n",
            message="LaTeX Error: Undefined tab position",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\begin{tabbing}\na \\= b \\= c \\\\\nd \\> e \\> f\n\\end{tabbing}\n",
            None,
            message="LaTeX Error: Undefined tab position",
            path="part.tex",
        ),
    ),
)
