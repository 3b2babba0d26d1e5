r"""A name format of biblatex in the form of its version 2.

Why it breaks: since biblatex 3.3 a name format is given names, not #1 to #8: "Illegal parameter number in definition".

What is done: the formats that only choose the order of the names become an alias of biblatex's own: last name first is
family-given, first name first given-family, the first name inverted family-given/given-family.

When nothing is done: the format does something else, or there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

_ORDER = (
    (r"name:(?:last-first/first-last|family-given/given-family)", "family-given/given-family"),
    (r"name:(?:last-first|family-given)", "family-given"),
    (r"name:(?:first-last|given-family)", "given-family"),
    (r"name:(?:last|family)", "family"),
)


def propose(case: Case) -> Iterator[Candidate]:
    if case.diagnostic is None:
        return
    edits = []
    for path in case.draft:
        if path != case.main and not path.endswith((".tex", ".sty", ".cls")):
            continue
        source = case.lexed(path)
        for command in source.command_named("DeclareNameFormat"):
            arguments = [a for a in source.arguments(command, 3) if not a.optional]
            if len(arguments) < 2 or not source.live(command.start) or "#" not in source.inner(arguments[1]):
                continue
            body = source.inner(arguments[1])
            orders = [order for sign, order in _ORDER if re.search(sign + r"(?![\w/-])", body)]
            both = {"family-given", "given-family"} <= set(orders)
            if orders:
                alias = "family-given/given-family" if both else orders[0]
                names = source.text[arguments[0].start : arguments[0].end]
                edits.append(Edit(path, command.start, arguments[1].end, f"\\DeclareNameAlias{names}{{{alias}}}"))
    if edits:
        yield Candidate(tuple(edits), "say the order of names in the form of biblatex 3", 0.9)


RULE = Rule(
    id="old-name-format",
    fix=propose,
    answers=("illegal-parameter", "package-error", "undefined-control-sequence"),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{biblatex}\n\\DeclareNameFormat{sortname}{%\n"
            "  \\usebibmacro{name:last-first}{#1}{#4}{#5}{#7}}\n\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{biblatex}\n\\DeclareNameAlias{sortname}{family-given}\n"
            "\\begin{document}\nx\n\\end{document}\n",
            message="Illegal parameter number in definition of \\blx@defformat@d",
            token="\\blx@defformat@d",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nx\n\\end{document}\n",
            None,
            message="Illegal parameter number in definition of \\x",
            token="\\x",
            line=2,
        ),
    ),
)
