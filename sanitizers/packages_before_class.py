r"""\usepackage before \documentclass.

Why it breaks: packages build on the class: "\usepackage before \documentclass".

What is done: \documentclass is moved before the first package.

When nothing is done: no \documentclass follows.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import whole_line


def propose(case: Case) -> Iterator[Candidate]:
    source = case.lexed(case.main)
    classes = [p for p in source.packages if p.command == "documentclass" and source.live(p.start)]
    before = [
        p
        for p in source.packages
        if p.command == "usepackage" and source.live(p.start) and not source.groups_at(p.start)
    ]
    if not classes or not before or before[0].start > classes[0].start:
        return
    load = classes[0]
    start = source.line_span(source.line(before[0].start))[0]
    if source.text[start : before[0].start].strip():
        start = before[0].start
    call = source.text[load.start : load.end] + newline_of(source.text)
    edits = (Edit(case.main, start, start, call), Edit(case.main, *whole_line(source, load.start, load.end), ""))
    yield Candidate(edits, "move \\documentclass before the packages", 0.97)


RULE = Rule(
    id="packages-before-class",
    fix=propose,
    answers=("usepackage-before-class",),
    examples=(
        Example(
            "% A\n\\usepackage{amsmath}\n\\documentclass[12pt]{article}\n\\begin{document}\nx\n\\end{document}\n",
            "% A\n\\documentclass[12pt]{article}\n\\usepackage{amsmath}\n\\begin{document}\nx\n\\end{document}\n",
            message="LaTeX Error: \\usepackage before \\documentclass",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\nx\n\\end{document}\n",
            None,
            message="LaTeX Error: \\usepackage before \\documentclass",
        ),
    ),
)
