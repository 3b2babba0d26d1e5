r"""A setting that stands before the package it belongs to.

Why it breaks: \hypersetup, \lstset, \definecolor and the like are undefined until their package is loaded, and the
\usepackage comes further down.

What is done: every such statement of the preamble is moved, in its order, behind the last of the packages they need.

When nothing is done: no package that is loaded further down defines the command.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.names import commands_of, is_known
from texrepair.latex.preamble import line_end, newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import whole_line
from ._statements import statements

_LOADS = ("usepackage", "RequirePackage", "documentclass", "PassOptionsToPackage", "PassOptionsToClass")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    source = case.lexed(case.main)
    if found is None or not found.token or case.path != case.main:
        return
    name = found.token.removeprefix("\\")
    loads = [p for p in source.packages if source.in_preamble(p.start) and source.live(p.start)]
    first = next((c.start for c in source.command_named(name) if source.live(c.start)), None)
    if first is None or not any(p.start > first and name in commands_of(p.name) for p in loads):
        return
    moved: list[tuple[int, int]] = []
    target = 0
    for command, end in statements(source):
        if command.name in _LOADS:
            continue
        before = tuple(p.name for p in loads if p.start < command.start)
        later = [p for p in loads if p.start > command.start]
        inner = {c.name for c in source.commands if command.start <= c.start < end} - case.defined
        lacking = {n for n in inner if not is_known(n, before)}
        homes = [p for p in later if lacking & commands_of(p.name)]
        if homes:
            moved.append((command.start, end))
            # What brings a name first is enough; another package may define it again.
            target = max(target, *(min(p.end for p in homes if n in commands_of(p.name)) for n in lacking
                                   if any(n in commands_of(p.name) for p in homes)))  # fmt: skip
    moved = [piece for piece in moved if piece[0] < target]
    if not moved:
        return
    newline = newline_of(source.text)
    place = line_end(source, target)
    text = "".join(newline + source.text[a:b] for a, b in moved)
    edits = [Edit(case.path, *whole_line(source, a, b), "") for a, b in moved]
    why = "move settings behind the packages that define their commands"
    yield Candidate((Edit(case.path, place, place, text), *edits), why, 0.96)


RULE = Rule(
    id="settings-before-package",
    fix=propose,
    answers=("undefined-control-sequence",),
    examples=(
        Example(
            "\\documentclass{article}\n\\definecolor{a}{rgb}{1,0,0}\n\\hypersetup{linkcolor=a}\n\\usepackage{xcolor}\n"
            "\\usepackage{hyperref}\n\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{xcolor}\n\\usepackage{hyperref}\n\\definecolor{a}{rgb}{1,0,0}\n"
            "\\hypersetup{linkcolor=a}\n\\begin{document}\nx\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\definecolor",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\hypersetup{linkcolor=a}\n\\usepackage{xcolor}\n\\begin{document}\nx\n"
            "\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\hypersetup",
            line=2,
        ),
    ),
)
