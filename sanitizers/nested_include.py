r"""\include in a file that is itself \include'd.

Why it breaks: \include writes an .aux file of its own for each file, and LaTeX refuses: "\include cannot be nested".

What is done: it becomes \input in the inner file.

When nothing is done: \include stands in the main file.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule


def propose(case: Case) -> Iterator[Candidate]:
    edits = [
        Edit(path, command.start + 1, command.end, "input")
        for path, source in case.tex_files()
        if path != case.main
        for command in source.command_named("include")
        if source.live(command.start)
    ]
    if edits:
        yield Candidate(tuple(edits), "read with \\input what stands in a file that is itself \\include'd", 0.93)


RULE = Rule(
    id="nested-include",
    fix=propose,
    answers=("nested-include",),
    examples=(
        Example(
            "\\chapter{A}\n\\include{b}\n",
            "\\chapter{A}\n\\input{b}\n",
            message="LaTeX Error: \\include cannot be nested",
            path="part.tex",
            line=2,
        ),
        Example("\\chapter{A}\n\\input{b}\n", None, message="LaTeX Error: \\include cannot be nested", path="part.tex"),
    ),
)
