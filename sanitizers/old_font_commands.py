r"""\bf, \it, \tt and their kin in a class that no longer has them.

Why it breaks: KOMA-Script makes the font commands of LaTeX 2.09 an error, and classes that build on nothing do not
define them.

What is done: in text they become \bfseries, \itshape, \ttfamily and so on, all at once; where one is used in a formula
or a definition, \DeclareOldFontCommand gives all of them their meaning back.

When nothing is done: the document uses none of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.facts import moved
from texrepair.latex.preamble import newline_of, preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_OLD = {"rm": "mathrm", "sf": "mathsf", "tt": "mathtt", "bf": "mathbf", "it": "mathit", "sl": "", "sc": ""}


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or ("old font command" not in found.message and (found.token or "")[1:] not in _OLD):
        return
    uses = [
        (path, source, command)
        for path, source in case.tex_files()
        for command in source.command_named(*_OLD)
        if source.live(command.start) and command.name not in case.defined
    ]
    if not uses:
        return
    plain = all(not s.math_at(c.start) and not s.in_definition(c.start) for _, s, c in uses)
    edits = tuple(Edit(path, c.start, c.end, "\\" + _instead(c.name)) for path, _, c in uses)
    yield Candidate(edits, "use the font commands of LaTeX2e", 0.93 if plain else 0.4)
    main = case.lexed(case.main)
    names = sorted({c.name for _, _, c in uses})
    lines = newline_of(main.text).join(
        f"\\DeclareOldFontCommand{{\\{n}}}{{\\normalfont\\{_instead(n)}}}{{\\{_OLD[n] or 'relax'}}}" for n in names
    )
    place = preamble_line(main, lines)
    if place is not None:
        edit = Edit(case.main, place[0], place[0], place[1])
        yield Candidate((edit,), "give the old font commands their meaning back", 0.85 if plain else 0.93)


def _instead(name: str) -> str:
    entry = moved(name, "command")
    return entry.instead if entry is not None and entry.instead else name


RULE = Rule(
    id="old-font-commands",
    fix=propose,
    answers=("class-error", "undefined-control-sequence"),
    examples=(
        Example(
            "\\documentclass{scrartcl}\n\\begin{document}\n{\\bf A} and {\\it b}\n\\end{document}\n",
            "\\documentclass{scrartcl}\n\\begin{document}\n{\\bfseries A} and {\\itshape b}\n\\end{document}\n",
            message="Class scrartcl Error: undefined old font command `\\bf'",
            line=3,
        ),
        Example(
            "\\documentclass{scrartcl}\n\\begin{document}\n$\\bf A$\n\\end{document}\n",
            "\\documentclass{scrartcl}\n\\DeclareOldFontCommand{\\bf}{\\normalfont\\bfseries}{\\mathbf}\n"
            "\\begin{document}\n$\\bf A$\n\\end{document}\n",
            message="Class scrartcl Error: undefined old font command `\\bf'",
            line=3,
        ),
        Example(
            "\\documentclass{scrartcl}\n\\begin{document}\n\\textbf{A}\n\\end{document}\n",
            None,
            message="Class scrartcl Error: undefined old font command `\\bf'",
            line=3,
        ),
    ),
)
