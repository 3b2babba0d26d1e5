r"""\begin{document} is missing, or stands behind the first thing that it should hold: \maketitle, \section.

Why it breaks: nothing can be typeset in the preamble: "Missing \begin{document}".

What is done: \begin{document} is put before the first command or paragraph that is set, where all settings stand
before it; the one that comes too late is taken away.

When nothing is done: a package is loaded or something is defined behind that place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._statements import statements

_SET = frozenset(
    """maketitle tableofcontents listoffigures listoftables part chapter section subsection subsubsection paragraph
    frontmatter mainmatter frame titlepage noindent item includegraphics textbf textit emph begin""".split()
)
_SETTINGS = frozenset(
    """documentclass documentstyle usepackage RequirePackage newcommand renewcommand providecommand newenvironment
    renewenvironment newtheorem usetikzlibrary usetheme DeclareMathOperator addbibresource geometry hypersetup lstset
    sisetup bibliographystyle pagestyle setlength setcounter""".split()
)
_NOT_SET = re.compile(r"document|filecontents\*?|comment|macrocode")
_PROSE = re.compile(r"^[^\W\d_]+[ ,'][^\\{}=\n]*[^\W_]{2,}", re.MULTILINE)


def propose(case: Case) -> Iterator[Candidate]:
    source = case.lexed(case.main)
    late = source.document[0] if source.document is not None else None
    last, first = 0, None
    for command, end in statements(source):
        if command.name in _SETTINGS or command.name.startswith("Declare"):
            if first is not None and command.name not in ("pagestyle", "setlength", "setcounter"):
                return
            last = end
        elif first is None and _sets(source, command.name, command.end):
            first = command.start
    if not last or (first is None and late is not None):
        return
    prose = next((m.start() for m in _PROSE.finditer(source.text, last) if _free(source, m.start())), None)
    if late is None and prose is not None:
        first = prose if first is None else min(first, prose)
    if first is None:
        return
    start = source.line_span(source.line(first))[0]
    newline = newline_of(source.text)
    edits = [Edit(case.main, start, start, "\\begin{document}" + newline)]
    if late is not None:
        call = re.compile(r"[ \t]*\\begin[ \t]*\{document\}[ \t]*(?:\r?\n)?")
        begin = source.text.rfind("\\begin", 0, late)
        found = call.match(source.text, begin)
        if found is None or begin < start:
            return
        edits.append(Edit(case.main, *found.span(), ""))
    yield Candidate(tuple(edits), "begin the document before the first thing that it sets", 0.9)


def _sets(source: Source, name: str, end: int) -> bool:
    if name != "begin":
        return name in _SET
    arguments = source.arguments_at(end, 1)
    return bool(arguments) and _NOT_SET.fullmatch(source.inner(arguments[0])) is None


def _free(source: Source, pos: int) -> bool:
    return source.mode(pos) is Mode.TEXT and not source.groups_at(pos) and not source.in_definition(pos)


_HEAD = "\\documentclass{article}\n\\usepackage{amsmath}\n\\title{A}\n"
RULE = Rule(
    id="begin-document-missing",
    fix=propose,
    answers=("missing-begin-document",),
    deletes="a \\begin{document} that comes too late",
    examples=(
        Example(
            _HEAD + "\\maketitle\n\\begin{document}\n\\section{One}\nText.\n\\end{document}\n",
            _HEAD + "\\begin{document}\n\\maketitle\n\\section{One}\nText.\n\\end{document}\n",
            message="LaTeX Error: Missing \\begin{document}",
            line=4,
        ),
        Example(
            _HEAD + "\nThe first words, and more.\n\\section{One}\nText.\n\\end{document}\n",
            _HEAD + "\n\\begin{document}\nThe first words, and more.\n\\section{One}\nText.\n\\end{document}\n",
            message="LaTeX Error: Missing \\begin{document}",
            line=5,
        ),
        Example(
            _HEAD + "\\begin{filecontents}{a.txt}\nx\n\\end{filecontents}\nSome notes of mine\n\\begin{document}\n"
            "Text.\n\\end{document}\n",
            None,
            message="LaTeX Error: Missing \\begin{document}",
            line=7,
        ),
    ),
)
