r"""The commands of one package, while its rival is loaded.

Why it breaks: algorithmic has \STATE, algpseudocode \State: the document loads one and is written for the other, and
the two cannot be loaded together.

What is done: the rival gives way to the package that the commands belong to, if the document uses nothing that only the
rival has.

When nothing is done: no loaded package is known to clash with one that has the command.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.facts import conflicting
from texrepair.latex.names import providers
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._needs import loads, needed, unknown


def propose(case: Case) -> Iterator[Candidate]:
    wanted = unknown(case)
    if wanted is None:
        return
    choice = [p for p in providers(wanted.name, wanted.kind) if not p.is_class][:4]
    calls = list(loads(case))
    for rank, provider in enumerate(choice):
        package = provider.package
        if package in case.packages:
            continue
        for entry in conflicting((*case.packages, package)):
            rival = entry.first if entry.second == package else entry.second
            if package not in (entry.first, entry.second) or rival == package:
                continue
            for path, _, load in calls:
                if load.name == rival:
                    kept = [p for p in case.packages if p != rival]
                    lost = needed(case, rival, (*kept, package))
                    edit = Edit(path, load.name_start, load.name_start + len(rival), package)
                    why = f"load {package}, which defines the name, in the place of {rival}, which clashes with it"
                    yield Candidate((edit,), why, round((0.6 if lost else 0.94) - 0.03 * rank, 2))


RULE = Rule(
    id="rival-package",
    fix=propose,
    answers=("undefined-control-sequence", "undefined-environment"),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{algorithmic}\n\\begin{document}\n\\begin{algorithmic}\n"
            "\\State x\n\\end{algorithmic}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{algpseudocode}\n\\begin{document}\n\\begin{algorithmic}\n"
            "\\State x\n\\end{algorithmic}\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\State",
            line=5,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n\\State x\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\State",
            line=4,
        ),
    ),
)
