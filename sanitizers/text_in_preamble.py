r"""Text before \begin{document}: notes to oneself, or an option that the class does not know.

Why it breaks: nothing can be typeset in the preamble: "Missing \begin{document}". The rest of the preamble is then read
as text.

What is done: \author and \affil with a bracketed mark are the package authblk's, which is loaded; lines of the preamble
that hold nothing but text become comments, all at once; \\ behind a \usepackage is removed.

When nothing is done: no line of the preamble begins with text, or nothing comes after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._statements import statements

_RULE = re.compile(r"[ \t]*[-=*~+]{3,}")


def propose(case: Case) -> Iterator[Candidate]:
    source = case.lexed(case.main)
    if case.diagnostic is None or source.document is None:
        return
    for command in source.command_named("author", "affil", "title"):
        arguments = source.arguments(command, 2)
        if not source.in_preamble(command.start) or not arguments or not arguments[0].optional:
            continue
        if command.name != "title" and "authblk" not in case.packages:
            line = package_line(source, "authblk")
            if line is not None:
                edit = Edit(case.main, line[0], line[0], line[1])
                yield Candidate((edit,), "load authblk: \\author and \\affil have marks of it", 0.9)
                break
    breaks = tuple(
        Edit(case.main, command.start, command.end, "")
        for command, _ in statements(source)
        if command.name in ("\\", "newline", "linebreak")
    )
    if breaks:
        yield Candidate(breaks, "remove the \\\\ of the preamble, which ends no line", 0.9)
    edits = tuple(Edit(case.main, start, start, "% ") for start in _lines_of_text(source))
    if edits:
        yield Candidate(edits, "make comments of the lines of text in the preamble", 0.8)


def _lines_of_text(source: Source) -> Iterator[int]:
    """The starts of the lines of the preamble that belong to no statement and hold text only."""
    if source.document is None:
        return
    ends = list(statements(source))
    first = next((end for command, end in ends if command.name in ("documentclass", "documentstyle")), None)
    if first is None:
        return
    for number in range(source.line(first) + 1, source.line(source.document[0])):
        start, end = source.line_span(number)
        text = source.text[start:end]
        if not _RULE.match(text) and not re.match(r"[ \t]*[^\s\\%{}\[\]$&#=,.;:\-+*/<>()'\"!|@~^_]", text):
            continue
        inside = any(command.start < start < stop for command, stop in ends)
        if inside or source.groups_at(start) or source.in_definition(start) or source.environments_at(start):
            continue
        if source.mode(start) is Mode.TEXT and not re.search(r"[{}]", re.sub(r"\\[{}]", "", text)):
            yield start


RULE = Rule(
    id="text-in-preamble",
    fix=propose,
    answers=("missing-begin-document", "no-line-to-end"),
    deletes="lines of notes in the preamble, which nothing can typeset: they become comments",
    examples=(
        Example(
            "\\documentclass{article}\nremember the figures\n\\title{A}\n\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{article}\n% remember the figures\n\\title{A}\n\\begin{document}\nx\n\\end{document}\n",
            message="LaTeX Error: Missing \\begin{document}",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\author[1]{A}\n\\affil[1]{B}\n\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{authblk}\n\\author[1]{A}\n\\affil[1]{B}\n\\begin{document}\nx\n"
            "\\end{document}\n",
            message="LaTeX Error: Missing \\begin{document}",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{array}\\\\\n\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{array}\n\\begin{document}\nx\n\\end{document}\n",
            message="LaTeX Error: There's no line here to end",
            code="no-line-to-end",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\title{A\n  and more}\n\\begin{document}\nx\n\\end{document}\n",
            None,
            message="LaTeX Error: Missing \\begin{document}",
            line=2,
        ),
    ),
)
