r"""Options of a list without the package enumitem.

Why it breaks: LaTeX's own lists take no options: [label=(\alph*)] is typeset before the first item, "perhaps a
missing \item", "Missing number".

What is done: enumitem is loaded. Where enumerate's short form is used ([(a)], [i.]), enumitem is loaded with
shortlabels.

When nothing is done: no list has options, or a package that reads them is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_OPTIONS = re.compile(r"\\begin\{(?:itemize|enumerate|description)\}[ \t]*\[(?P<options>[^\r\n]*?)\](?=\s|\\|%|$)")
_KEYS = re.compile(
    r"(?:label|leftmargin|rightmargin|itemsep|topsep|parsep|partopsep|nosep|noitemsep|start|resume|wide|align|font|ref"
    r"|labelsep|labelwidth|labelindent|itemindent|listparindent|before|after|style|widest|series|left|first|nolistsep)\b"
)
_SHORT = re.compile(r"[(\[]?(?:[aAiI1]|\\roman\*|\\alph\*|\\arabic\*)[)\].:]?|[^=]{0,12}[aAiI1][^=]{0,3}")


def propose(case: Case) -> Iterator[Candidate]:
    if {"enumitem", "enumerate", "paralist", "beamer", "tasks"} & set(case.packages):
        return
    found = [m["options"].strip() for s in case.read for m in _OPTIONS.finditer(s.text) if s.live(m.start())]
    keys = any(_KEYS.match(options) for options in found)
    short = any(_SHORT.fullmatch(options) for options in found)
    if not keys and not short:
        return
    line = package_line(case.lexed(case.main), "enumitem", "shortlabels" if short else "")
    if line is not None:
        edit = Edit(case.main, line[0], line[0], line[1])
        yield Candidate((edit,), "load enumitem, which reads the options of lists", 0.9 if keys else 0.7)


RULE = Rule(
    id="list-options",
    fix=propose,
    answers=("missing-item", "missing-number", "illegal-unit", "undefined-control-sequence"),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{itemize}[nosep]\n\\item a\n\\end{itemize}\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{enumitem}\n\\begin{document}\n\\begin{itemize}[nosep]\n\\item a\n"
            "\\end{itemize}\n\\end{document}\n",
            message="LaTeX Error: Something's wrong--perhaps a missing \\item",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{itemize}\n\\item[a] b\n\\end{itemize}\n"
            "\\end{document}\n",
            None,
            message="LaTeX Error: Something's wrong--perhaps a missing \\item",
            line=4,
        ),
    ),
)
