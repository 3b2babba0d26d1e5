r"""A macro that defines or sets something, used in a heading or caption.

Why it breaks: headings are expanded when they are written to the .aux and .toc; a \def, \setlength or \ifthenelse in
the macro is expanded instead of done: "Undefined control sequence", "Missing control sequence inserted".

What is done: the macro is defined with \DeclareRobustCommand, so that it is written by its name.

When nothing is done: no macro of the document that does more than set text is used in a heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._definitions import definitions
from ._inside import moving

_DOES = re.compile(
    r"\\(?:[egx]?def|let|newcommand|renewcommand|setlength|addtolength|setcounter|addtocounter|stepcounter|ifthenelse"
    r"|@ifnextchar|@ifstar|futurelet|begingroup|catcode|begin|advance|newcount|savebox|sbox|setbox|global|count"
    r"|settowidth|loop|whiledo|foreach|footnote|includegraphics|tikz|colorbox|fcolorbox)(?![A-Za-z])"
)
_FIXED = {"newcommand", "renewcommand", "providecommand"}


def propose(case: Case) -> Iterator[Candidate]:
    used = {
        command.name
        for _, source in case.tex_files()
        for heading, arguments in moving(source)
        for argument in arguments
        for command in source.commands
        if argument.start < command.start < argument.end
    }
    edits: list[Edit] = []
    all_used: list[Edit] = []
    for path, source in case.tex_files():
        for defined in definitions(source):
            if defined.command.name not in _FIXED or defined.name not in used or not defined.bodies:
                continue
            edit = Edit(path, defined.command.start + 1, defined.command.end, "DeclareRobustCommand")
            all_used.append(edit)
            if _DOES.search(source.inner(defined.bodies[0])):
                edits.append(edit)
    if edits:
        yield Candidate(tuple(edits), "make the macros robust that headings use and that do more than set text", 0.84)
    if len(all_used) > len(edits):
        yield Candidate(tuple(all_used), "make the macros robust that headings use", 0.45)


RULE = Rule(
    id="fragile-macro-in-heading",
    fix=propose,
    answers=(
        "undefined-control-sequence",
        "missing-control-sequence",
        "runaway-argument",
        "use-does-not-match",
        "missing-endcsname",
        "extra-endcsname",
        "missing-number",
        "illegal-parameter",
        "extra-brace",
        "missing-brace",
        "wrong-mode",
    ),
    examples=(
        Example(
            "\\newcommand{\\age}[2]{\\def\\x{#1}\\x--#2}\n\\newcommand{\\b}{B}\n\\section{Finds \\age{3}{4} \\b}\n",
            "\\DeclareRobustCommand{\\age}[2]{\\def\\x{#1}\\x--#2}\n\\newcommand{\\b}{B}\n"
            "\\section{Finds \\age{3}{4} \\b}\n",
            message="Missing control sequence inserted",
            code="missing-control-sequence",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\newcommand{\\age}[2]{\\def\\x{#1}\\x--#2}\n\\section{Finds}\n\\age{3}{4}\n",
            None,
            message="Missing control sequence inserted",
            code="missing-control-sequence",
            path="part.tex",
        ),
    ),
)
