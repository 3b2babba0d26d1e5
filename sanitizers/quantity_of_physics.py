r"""\qty{5}{\metre} while the package physics has taken the name \qty.

Why it breaks: both physics and siunitx define \qty; siunitx leaves it to physics, whose \qty puts brackets around one
argument and works in formulas only.

What is done: where \qty has a number and a unit, siunitx's other name of it is written, \SI; physics keeps its own.

When nothing is done: one of the two packages is not loaded, or no \qty has two arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule


def propose(case: Case) -> Iterator[Candidate]:
    if case.diagnostic is None or not {"physics", "siunitx"} <= set(case.packages) or "qty" in case.defined:
        return
    edits = [edit for path, source in case.tex_files() for edit in _quantities(path, source)]
    if edits:
        yield Candidate(tuple(edits), "write \\SI for the \\qty of siunitx, since physics has taken \\qty", 0.97)


def _quantities(path: str, source: Source) -> Iterator[Edit]:
    for command in source.command_named("qty"):
        arguments = source.arguments(command, 3)
        braced = [a for a in arguments if not a.optional]
        if not source.live(command.start) or len(braced) < 2:
            continue
        number = source.inner(braced[0])
        if re.fullmatch(r"[\s\d.,+\-eE()x*/^~#\\a-zA-Z]*", number) and re.search(r"[\d#]", number):
            yield Edit(path, command.start, command.end, "\\SI")


_HEAD = "\\documentclass{article}\n\\usepackage{siunitx}\n\\usepackage{physics}\n\\begin{document}\n"

RULE = Rule(
    id="quantity-of-physics",
    fix=propose,
    answers=(
        "missing-dollar", "undefined-control-sequence", "missing-delimiter", "extra-right", "wrong-mode",
        "package-error", "extra-brace", "runaway-argument",
    ),
    examples=(
        Example(
            _HEAD + "\\qty{5}{\\metre} and $\\qty(x)$\n\\end{document}\n",
            _HEAD + "\\SI{5}{\\metre} and $\\qty(x)$\n\\end{document}\n",
            message="Missing $ inserted",
            line=5,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{siunitx}\n\\begin{document}\n\\qty{5}{\\metre}\n\\end{document}\n",
            None,
            message="Missing $ inserted",
            line=4,
        ),
    ),
)  # fmt: skip
