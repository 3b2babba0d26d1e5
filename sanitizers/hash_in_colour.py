r"""A colour as a style sheet writes it: \definecolor{night}{HTML}{#1F2A44}, \textcolor{#C96F3B}{...}.

Why it breaks: xcolor wants the six digits without #, which for TeX is the sign of a parameter: "Illegal parameter
number in definition of \@@clr"; in place of a colour's name they need the model HTML.

What is done: the # goes, three digits become six as in style sheets, and the model is named where it is not.

When nothing is done: what stands behind the # is no such number, as in a definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

_DEFINED = re.compile(
    r"\\(?:define|provide|preparec?)colou?r\s*\{[^{}]*\}\s*\{(?P<model>[^{}]*)\}\s*\{\s*(?P<code>\\?#?[0-9A-Fa-f]{3,6})\s*\}"
)
_USED = re.compile(
    r"\\(?P<command>textcolor|color|pagecolor|colorbox|cellcolor|rowcolor|columncolor)\s*"
    r"(?:\[\s*(?P<model>[A-Za-z]+)\s*\]\s*)?\{\s*(?P<code>\\?#[0-9A-Fa-f]{3,6})\s*\}"
)


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path in case.draft:
        if path != case.main and not path.endswith((".tex", ".ltx", ".sty", ".cls")):
            continue
        source = case.lexed(path)
        for found in (*_DEFINED.finditer(source.text), *_USED.finditer(source.text)):
            digits = found["code"].lstrip("\\#")
            if not source.live(found.start()) or len(digits) not in (3, 6):
                continue
            model = (found["model"] or "").strip()
            if model not in ("", "HTML", "html", "hex", "Hex", "HEX") or (model == "HTML" and digits == found["code"]):
                continue
            six = digits if len(digits) == 6 else "".join(sign * 2 for sign in digits)
            edits.append(Edit(path, *found.span("code"), six.upper()))
            if model and model != "HTML":
                edits.append(Edit(path, *found.span("model"), "HTML"))
            elif not model:
                behind = found.end("command")
                edits.append(Edit(path, behind, behind, "[HTML]"))
    if edits:
        yield Candidate(tuple(edits), "write the colours as xcolor's model HTML wants them", 0.96)


_HEAD = "\\documentclass{article}\n\\usepackage{xcolor}\n"

RULE = Rule(
    id="hash-in-colour",
    fix=propose,
    answers=(
        "illegal-parameter", "parameter-character", "missing-number", "undefined-colour", "illegal-unit",
        "missing-begin-document", "package-error",
    ),
    examples=(
        Example(
            _HEAD + "\\definecolor{night}{HTML}{#1F2A44}\n\\definecolor{red2}{hex}{#f00}\n\\begin{document}\n"
            "\\textcolor{#c96f3b}{x}\n\\end{document}\n",
            _HEAD + "\\definecolor{night}{HTML}{1F2A44}\n\\definecolor{red2}{HTML}{FF0000}\n\\begin{document}\n"
            "\\textcolor[HTML]{C96F3B}{x}\n\\end{document}\n",
            message="Illegal parameter number in definition of \\@@clr",
            line=3,
        ),
        Example(
            _HEAD + "\\newcommand{\\own}[1]{\\definecolor{x}{HTML}{#1}}\n\\definecolor{y}{HTML}{1f2a44}\n"
            "\\definecolor{z}{rgb}{0.1,0.2,0.3}\n",
            None,
            message="Illegal parameter number in definition of \\@@clr",
            line=3,
        ),
    ),
)  # fmt: skip
