r"""\maketitle before \title.

Why it breaks: \maketitle sets what \title, \author and \date have stored, and nothing is stored yet: "No \title
given".

What is done: \maketitle is moved behind the last of them.

When nothing is done: the document has no \title.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import line_end, newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule


def propose(case: Case) -> Iterator[Candidate]:
    source = case.lexed(case.main)
    calls = [c for c in source.command_named("maketitle") if source.live(c.start) and not source.in_definition(c.start)]
    stored = [
        source.arguments(c, 2)[-1].end
        for c in source.command_named("title", "author", "date")
        if source.live(c.start) and not source.in_definition(c.start) and source.arguments(c, 2)
    ]
    if not calls or not stored or max(stored) < calls[0].start:
        return
    call = calls[0]
    start, end = source.line_span(source.line(call.start))
    alone = not source.text[start : call.start].strip() and not source.text[call.end : end].strip()
    removal = (start, source.line_span(source.line(call.start) + 1)[0]) if alone else (call.start, call.end)
    place = line_end(source, max(stored))
    newline = newline_of(source.text)
    edits = (Edit(case.main, *removal, ""), Edit(case.main, place, place, f"{newline}\\maketitle"))
    yield Candidate(edits, "set the title behind what it is made of", 0.9)


RULE = Rule(
    id="title-after-maketitle",
    fix=propose,
    answers=("no-title",),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\maketitle\n\\title{A}\n\\author{B}\nText.\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n\\title{A}\n\\author{B}\n\\maketitle\nText.\n"
            "\\end{document}\n",
            message="LaTeX Error: No \\title given",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\maketitle\n\\end{document}\n",
            None,
            message="LaTeX Error: No \\title given",
            line=3,
        ),
    ),
)
