r"""Shorthands of babel's French where its definition file is not installed.

Why it breaks: \og, \fg, \ieme, \no and others are defined in french.ldf, a package of its own; where babel reads the
language from its locale files instead, they are unknown: "Undefined control sequence".

What is done: those that the text uses are defined at the end of the preamble, as french.ldf prints them.

When nothing is done: the document does not ask for French, or defines them.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import newline_of, preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_FRENCH = frozenset({"french", "francais", "frenchb", "acadian", "canadien"})
_ORDINALS = {
    "ier": "er",
    "iere": "re",
    "iers": "ers",
    "ieres": "res",
    "ieme": "e",
    "iemes": "es",
    "nd": "nd",
    "nde": "de",
}
_MACROS = {
    "og": "\\providecommand{\\og}{«\\,}",
    "fg": "\\providecommand{\\fg}{\\,»}",
    "up": "\\providecommand{\\up}[1]{\\textsuperscript{#1}}",
    "fup": "\\providecommand{\\fup}[1]{\\textsuperscript{#1}}",
    "no": "\\providecommand{\\no}{n\\textsuperscript{o}}",
    "No": "\\providecommand{\\No}{N\\textsuperscript{o}}",
    "nos": "\\providecommand{\\nos}{n\\textsuperscript{os}}",
    "Nos": "\\providecommand{\\Nos}{N\\textsuperscript{os}}",
    "primo": "\\providecommand{\\primo}{1\\textsuperscript{o}}",
    "secundo": "\\providecommand{\\secundo}{2\\textsuperscript{o}}",
    "tertio": "\\providecommand{\\tertio}{3\\textsuperscript{o}}",
    "bsc": "\\providecommand{\\bsc}[1]{\\textsc{#1}}",
    "nombre": "\\providecommand{\\nombre}[1]{#1}",
    "degres": "\\providecommand{\\degres}{°}",
    "degre": "\\providecommand{\\degre}{°}",
    "frenchsetup": "\\providecommand{\\frenchsetup}[1]{}",
    "frenchbsetup": "\\providecommand{\\frenchbsetup}[1]{}",
    "NoAutoSpacing": "\\providecommand{\\NoAutoSpacing}{}",
    **{name: f"\\providecommand{{\\{name}}}{{\\textsuperscript{{{end}}}}}" for name, end in _ORDINALS.items()},
}


def propose(case: Case) -> Iterator[Candidate]:
    token = (case.diagnostic.token or "").removeprefix("\\") if case.diagnostic else ""
    main = case.lexed(case.main)
    named = {o.strip() for p in main.packages if main.live(p.start) for o in p.options.split(",")}
    if token not in _MACROS or not named & _FRENCH:
        return
    used = {c.name for s in case.read for c in s.commands if s.live(c.start)} - case.defined
    lines = [text for name, text in _MACROS.items() if name in used]
    line = preamble_line(main, newline_of(main.text).join(lines))
    if line is not None:
        edit = Edit(case.main, line[0], line[0], line[1])
        yield Candidate((edit,), "define the shorthands of babel's French that the text uses", 0.94)


RULE = Rule(
    id="french-shorthands",
    fix=propose,
    answers=("undefined-control-sequence",),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage[french,provide=*]{babel}\n\\begin{document}\n"
            "Le 2\\ieme{} \\og mot\\fg.\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[french,provide=*]{babel}\n\\providecommand{\\og}{«\\,}\n"
            "\\providecommand{\\fg}{\\,»}\n\\providecommand{\\ieme}{\\textsuperscript{e}}\n\\begin{document}\n"
            "Le 2\\ieme{} \\og mot\\fg.\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\ieme",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage[german]{babel}\n\\begin{document}\n\\og\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\og",
            line=4,
        ),
    ),
)
