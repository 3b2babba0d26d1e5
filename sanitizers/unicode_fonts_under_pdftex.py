r"""fontspec in a document that is built with pdfTeX.

Why it breaks: "The fontspec package requires either XeTeX or LuaTeX": pdfTeX cannot use the fonts of the system.

What is done: another engine is proposed, which is taken only where the caller did not name one. Else the font encoding
T1 and Latin Modern take fontspec's place, and the commands that choose fonts go or get a meaning.

When nothing is done: the text holds characters that pdfTeX has no fonts for, such as Chinese ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.latex.fonts import shape_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import whole_line, without
from ._needs import loads
from ._statements import end_of

_SETTINGS = (
    "setmainfont", "setromanfont", "setsansfont", "setmonofont", "setmathfont", "setmathrm", "setmathsf", "setmathtt",
    "defaultfontfeatures", "addfontfeatures", "addfontfeature", "unimathsetup",
)  # fmt: skip
_FAMILIES = {"serif": "rmfamily", "sans": "sffamily", "mono": "ttfamily"}
_UNICODE_ONLY = ("fontspec", "xltxtra", "xunicode", "unicode-math", "mathspec", "luatextra")
_FOREIGN = re.compile(r"[\u0370-\u1dff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef\U00010000-\U0010ffff]")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or case.engine != "pdflatex":
        return
    for rank, engine in enumerate(("xelatex", "lualatex")):
        why = f"build with {engine}, which the document's fonts need"
        yield Candidate((), why, round(0.95 - 0.05 * rank, 2), engine)
    if any(_FOREIGN.search(s.text) for s in case.read):
        return
    edits: list[Edit] = []
    first = True
    for path, source, load in loads(case):
        if load.name in _UNICODE_ONLY:
            gone = without(path, source, load)
            text = "\\usepackage[T1]{fontenc}\n\\usepackage{lmodern}\n" if first else ""
            whole = gone.end - gone.start > len(load.name) + 1
            if first and not whole:
                text = ""
                start = source.line_span(source.line(load.start))[0]
                edits.append(Edit(path, start, start, "\\usepackage[T1]{fontenc}\n\\usepackage{lmodern}\n"))
            edits.append(Edit(path, gone.start, gone.end, text))
            first = False
        elif load.name == "fontenc" and load.options.strip() in ("TU", "EU1", "EU2"):
            edits.append(without(path, source, load))
    if not edits:
        return
    if "unicode-math" in case.packages and "amssymb" not in case.packages:
        edits[0] = Edit(edits[0].path, edits[0].start, edits[0].end, edits[0].text + "\\usepackage{amsmath,amssymb}\n")
    for path in case.draft:
        if path == case.main or path.endswith((".tex", ".sty", ".cls", ".ltx")):
            edits += _fonts(path, case.lexed(path))
    yield Candidate(tuple(edits), "use the font encoding T1 and Latin Modern in the place of fontspec", 0.85)


def _fonts(path: str, source: Source) -> Iterator[Edit]:
    for command in source.command_named(*_SETTINGS):
        if source.live(command.start) and not source.in_definition(command.start):
            yield Edit(path, *whole_line(source, command.start, end_of(source, command)), "")
    for command in source.command_named("newfontfamily", "newfontface", "renewfontfamily"):
        end = end_of(source, command)
        name = re.compile(r"\s*(?:\{\s*)?(\\[A-Za-z@]+)").match(source.text, command.end)
        if name is not None and source.live(command.start):
            shape = shape_of(name[1]) or shape_of(source.text[name.end() : end]) or "serif"
            yield Edit(path, command.start, end, f"\\providecommand{name[1]}{{\\{_FAMILIES.get(shape, 'rmfamily')}}}")
    for command in source.command_named("fontspec"):
        if source.live(command.start) and not source.in_preamble(command.start):
            yield Edit(path, command.start, end_of(source, command), "")


RULE = Rule(
    id="unicode-fonts-under-pdftex",
    fix=propose,
    answers=("wrong-engine",),
    deletes="commands that choose fonts which pdfTeX cannot use",
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{fontspec}\n\\setmainfont{Arial}\n\\newfontfamily\\headsans{Arial}\n"
            "\\begin{document}\n\\headsans x\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{lmodern}\n"
            "\\providecommand\\headsans{\\sffamily}\n\\begin{document}\n\\headsans x\n\\end{document}\n",
            message="Fatal Package fontspec Error: The fontspec package requires either XeTeX or LuaTeX",
            token="fontspec",
            line=2,
            engine="pdflatex",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nx\n\\end{document}\n",
            None,
            message="Fatal Package fontspec Error: The fontspec package requires either XeTeX or LuaTeX",
            token="fontspec",
        ),
    ),
)
