r"""A package of icons that is not installed: fontawesome5, academicons.

Why it breaks: the fonts of icons are not in every installation: "File `fontawesome5.sty' not found"; every icon is then
undefined.

What is done: in moderncv the style is asked for without symbols, which sets letters; elsewhere each icon that the
document uses is defined as nothing, with its star and options, so that what stands beside it stays.

When nothing is done: the document uses no icon of the package, or a package of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import split_options, without
from ._needs import loads

_PACKAGES = {
    "fontawesome": r"fa(?:icon|[A-Z]\w*)",
    "fontawesome5": r"fa(?:Icon|[A-Z]\w*|style)",
    "fontawesome6": r"fa(?:Icon|[A-Z]\w*|style)",
    "academicons": r"ai(?:icon|[A-Z]\w*)",
    "simpleicons": r"simpleicon|si[A-Z]\w*",
    "typicons": r"ti[A-Z]\w*",
    "fontmfizz": r"mf[A-Z]\w*",
}
_NAMED = {"faIcon", "faicon", "aiicon", "simpleicon"}
"""Those that take the icon's name."""


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    name = re.sub(r"\.sty$", "", found.token or "") if found is not None else ""
    if name not in _PACKAGES:
        return
    main = case.lexed(case.main)
    if any(p.name == "moderncv" and p.command == "documentclass" for p in main.packages):
        yield from _letters(case)
    calls = [call for call in loads(case) if call[2].name == name]
    if not calls:
        return
    pattern = re.compile(_PACKAGES[name])
    used = sorted(
        {c.name for s in case.read for c in s.commands if s.live(c.start) and pattern.fullmatch(c.name)} - case.defined
    )
    path, source, load = calls[0]
    end = newline_of(source.text)
    lines = "".join(
        f"\\NewDocumentCommand{{\\{icon}}}{{{'s o m' if icon in _NAMED else 's o'}}}{{}}{end}" for icon in used
    )
    gone = without(path, source, load)
    if gone.end - gone.start > len(name) + 1:
        edits: tuple[Edit, ...] = (Edit(path, gone.start, gone.end, lines),)
    else:
        start = source.line_span(source.line(load.start))[0]
        edits = (Edit(path, start, start, lines), gone) if lines else (gone,)
    yield Candidate(edits, f"do without the icons of {name}, which is not installed", 0.8)


def _letters(case: Case) -> Iterator[Candidate]:
    source = case.lexed(case.main)
    for command in source.command_named("moderncvstyle"):
        arguments = source.arguments(command, 2)
        if not arguments or not source.live(command.start):
            continue
        if arguments[0].optional:
            options = split_options(source.inner(arguments[0]))
            if "nosymbols" in options:
                return
            edit = Edit(case.main, arguments[0].start + 1, arguments[0].end - 1, ",".join([*options, "nosymbols"]))
        else:
            edit = Edit(case.main, command.end, command.end, "[nosymbols]")
        yield Candidate((edit,), "set letters for symbols, whose fonts are not installed", 0.95)
        return


RULE = Rule(
    id="missing-icons",
    fix=propose,
    answers=("package-not-found", "file-not-found"),
    deletes="icons whose font is not installed",
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{fontawesome5}\n\\begin{document}\n"
            "\\faPhone\\ 1 \\faIcon{envelope} a\n\\end{document}\n",
            "\\documentclass{article}\n\\NewDocumentCommand{\\faIcon}{s o m}{}\n"
            "\\NewDocumentCommand{\\faPhone}{s o}{}\n"
            "\\begin{document}\n\\faPhone\\ 1 \\faIcon{envelope} a\n\\end{document}\n",
            message="LaTeX Error: File `fontawesome5.sty' not found",
            token="fontawesome5",
            line=2,
        ),
        Example(
            "\\documentclass{moderncv}\n\\moderncvstyle{classic}\n\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{moderncv}\n\\moderncvstyle[nosymbols]{classic}\n\\begin{document}\nx\n\\end{document}\n",
            message="LaTeX Error: File `fontawesome5.sty' not found",
            token="fontawesome5",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nx\n\\end{document}\n",
            None,
            message="LaTeX Error: File `fontawesome5.sty' not found",
            token="fontawesome5",
        ),
    ),
)
