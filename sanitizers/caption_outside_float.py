r"""A \caption outside of a float.

Why it breaks: \caption counts figures or tables, and only a float says which: "\caption outside float".

What is done: \captionof{table} is written where a table or the words of a table stand before it, else
\captionof{figure}, and the package caption is loaded; all such captions at once.

When nothing is done: every \caption stands in a float, a longtable or the like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Source
from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_FLOATS = re.compile(
    r".*(?:figure|table|algorithm|listing|float|wrap|subfloat|longtable|tblr|SCfigure|margin|scheme|photo).*",
    re.IGNORECASE,
)


def propose(case: Case) -> Iterator[Candidate]:
    edits = []
    for path, source in case.tex_files():
        for command in source.command_named("caption"):
            if (
                source.in_preamble(command.start)
                or source.in_definition(command.start)
                or not source.live(command.start)
            ):
                continue
            around = source.environments_at(command.start)
            if not any(_FLOATS.fullmatch(e.name) for e in around) and source.arguments(command, 2):
                edits.append(Edit(path, command.end, command.end, f"of{{{_kind(source, command)}}}"))
    if not edits:
        return
    main = case.lexed(case.main)
    if not {"caption", "capt-of", "subcaption", "memoir"} & set(case.packages):
        line = package_line(main, "caption")
        if line is None:
            return
        edits.append(Edit(case.main, line[0], line[0], line[1]))
    yield Candidate(tuple(edits), "write \\captionof for captions outside of floats", 0.88)


def _kind(source: Source, command: Command) -> str:
    around = source.environments_at(command.start)
    start = around[-1].begin if around and around[-1].name != "document" else source.paragraph(command.start)[0]
    before = source.text[start : command.start]
    tables = re.search(r"\\begin\{(?:tabular|tabularx|tabulary|array|tblr)", before)
    return "table" if tables and "\\includegraphics" not in before else "figure"


RULE = Rule(
    id="caption-outside-float",
    fix=propose,
    answers=("outside-float",),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{center}\n\\caption{A}\n\\end{center}\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{caption}\n\\begin{document}\n\\begin{center}\n"
            "\\captionof{figure}{A}\n"
            "\\end{center}\n\\end{document}\n",
            message="LaTeX Error: \\caption outside float",
            line=4,
        ),
        Example(
            "\\begin{figure}\n\\caption{A}\n\\end{figure}\n",
            None,
            message="LaTeX Error: \\caption outside float",
            path="part.tex",
        ),
    ),
)
