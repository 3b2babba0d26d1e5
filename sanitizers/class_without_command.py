r"""A command that another document class has.

Why it breaks: \chapter, \frontmatter and their kin belong to report and book: in an article they are undefined.

What is done: the class is replaced by the nearest one of its family that has the command (article by report, ctexart by
ctexrep, scrartcl by scrreprt), with options and text left as they are.

When nothing is done: the class is none of the standard families, or has the command.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.names import commands_of, environments_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._needs import unknown

FAMILIES = {
    "article": ("report", "book"),
    "report": ("book",),
    "ctexart": ("ctexrep", "ctexbook"),
    "scrartcl": ("scrreprt", "scrbook"),
    "extarticle": ("extreport", "extbook"),
    "letter": ("article",),
}


def propose(case: Case) -> Iterator[Candidate]:
    wanted = unknown(case)
    if wanted is None:
        return
    main = case.lexed(case.main)
    for load in main.packages:
        if load.command != "documentclass" or not main.live(load.start):
            continue
        for rank, other in enumerate(FAMILIES.get(load.name, ())):
            if wanted.name in (environments_of(other) if wanted.environment else commands_of(other)):
                edit = Edit(case.main, load.name_start, load.name_start + len(load.name), other)
                yield Candidate((edit,), f"use the class {other}, which has {wanted.shown}", 0.92 - 0.1 * rank)


RULE = Rule(
    id="class-without-command",
    fix=propose,
    answers=("undefined-control-sequence", "undefined-environment"),
    examples=(
        Example(
            "\\documentclass[11pt]{article}\n\\begin{document}\n\\chapter{A}\n\\end{document}\n",
            "\\documentclass[11pt]{report}\n\\begin{document}\n\\chapter{A}\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\chapter",
            line=3,
            context_before="\\chapter",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\qqzz{A}\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\qqzz",
            line=3,
        ),
    ),
)
