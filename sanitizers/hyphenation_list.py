r"""Commas and other signs between the words of \hyphenation.

Why it breaks: \hyphenation takes words with hyphens, separated by spaces, and nothing else: "Not a letter", "Improper
\hyphenation will be flushed".

What is done: signs between the words become spaces, signs in them go; the words stay.

When nothing is done: the list holds only words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule


def propose(case: Case) -> Iterator[Candidate]:
    if case.diagnostic is None:
        return
    edits = []
    for path in case.draft:
        if path != case.main and not path.endswith((".tex", ".ltx", ".sty", ".cls")):
            continue
        source = case.lexed(path)
        for command in source.command_named("hyphenation", "babelhyphenation"):
            arguments = [a for a in source.arguments(command, 2) if not a.optional]
            if not source.live(command.start) or not arguments:
                continue
            inner = source.inner(arguments[0])
            right = re.sub(r"[,;/|.:]+(?=\s|$)|[,;/|]+", " ", inner)
            right = re.sub(r"\\-|[‐‑–]", "-", right)
            right = re.sub(r"(?:(?!\\)[^\w\s{}\\^\"'`~-]|\d|_)", "", right)
            right = re.sub(r"[ \t]{2,}", " ", right)
            if right != inner:
                edits.append(Edit(path, arguments[0].start + 1, arguments[0].end - 1, right))
    if edits:
        yield Candidate(tuple(edits), "separate the words of \\hyphenation by spaces", 0.93)


RULE = Rule(
    id="hyphenation-list",
    fix=propose,
    answers=("hyphenation",),
    deletes="signs that are no letters from \\hyphenation",
    examples=(
        Example(
            "\\documentclass{article}\n\\hyphenation{data-base, work-flow; co-or-di-nate}\n\\begin{document}\nx\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\hyphenation{data-base work-flow co-or-di-nate}\n\\begin{document}\nx\n"
            "\\end{document}\n",
            message="Not a letter",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\hyphenation{data-base work-flow}\n\\begin{document}\nx\n\\end{document}\n",
            None,
            message="Not a letter",
            line=2,
        ),
    ),
)
