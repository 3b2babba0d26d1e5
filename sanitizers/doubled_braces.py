r"""Doubled braces around names: \begin{{itemize}}, \label{{fig}}.

Why it breaks: a template of Python's format method doubles its braces, and somebody forgot to format it. An environment
called {itemize} is undefined.

What is done: the inner braces go in the names of environments, and then also in the file's names of classes, packages,
files, labels and citations.

When nothing is done: elsewhere double braces are one group in another, which is right.
"""

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._ordinary import is_read

_NAME = re.compile(r"\\(?:begin|end)[ \t]*\{(\{)[ \t]*[A-Za-z*]+[ \t]*(\})\}")
_ARGUMENT = re.compile(
    r"\\(?:documentclass|usepackage|RequirePackage|label|ref|eqref|cref|autoref|pageref|cite\w*|includegraphics|input|include"
    r"|bibliography|bibliographystyle)[ \t]*(?:\[[^\]\n]*\])?\{(\{)[^{}\n]*(\})\}"
)


def fix(case: Case) -> Iterator[Candidate]:
    if "{{" not in case.text or case.path.endswith(".bib"):
        return
    names = [m for m in _NAME.finditer(case.text) if is_read(case, m.start())]
    if not names:
        return
    others = [m for m in _ARGUMENT.finditer(case.text) if is_read(case, m.start())]
    for match in (*names, *others):
        edits = (Edit(case.path, *match.span(1), ""), Edit(case.path, *match.span(2), ""))
        yield Candidate(edits, "one pair of braces for two", 1.0)


RULE = Rule(
    id="doubled-braces",
    fix=fix,
    examples=(
        Example(
            "\\documentclass[12pt]{{article}}\n\\usepackage{{amsmath}}\n\\begin{{document}}\n"
            "\\label{{a}}\\textbf{{x}}\n\\end{{document}}\n",
            "\\documentclass[12pt]{article}\n\\usepackage{amsmath}\n\\begin{document}\n"
            "\\label{a}\\textbf{{x}}\n\\end{document}\n",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\textbf{{x}}, \\cite{{a}}, \\verb|"
            "\\begin{{x}}|\n\\end{document}\n"
        ),
    ),
)
