r"""\begin or \end has lost its backslash: /begin{enumerate}, begin{tabular}.

Why it breaks: the name is printed, and what belongs to the environment stands outside it ("Lonely \item", "Misplaced
alignment tab character &", "\begin{document} ended by \end{enumerate}").

What is done: the backslash is put in where begin or end, alone or after a slash, stands before the name of an
environment in braces.

When nothing is done: for other words; in verbatim text and comments.
"""

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.latex.names import is_known_environment, is_name
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._ordinary import in_ordinary_text

_HEAD = re.compile(r"(?<![^\s}\])])(?P<head>/?begin|/?end)\{(?P<name>[A-Za-z]+\*?)\}")


def fix(case: Case) -> Iterator[Candidate]:
    if case.path.endswith(".bib"):
        return
    source = case.source
    for match in _HEAD.finditer(case.text):
        start = match.start()
        known = (
            match["name"] in case.defined
            or is_known_environment(match["name"])
            or is_name(match["name"], "environment")
        )
        read = source.mode(start) in (Mode.TEXT, Mode.INLINE, Mode.DISPLAY) and not source.in_definition(start)
        if known and read and in_ordinary_text(case, start):
            word = "\\" + match["head"].lstrip("/")
            yield Candidate((Edit(case.path, start, match.end("head"), word),), f"{word} for {match['head']}", 1.0)


RULE = Rule(
    id="begin-without-backslash",
    fix=fix,
    examples=(
        Example(
            "/begin{enumerate}\n\\item a\n\\end{enumerate}\nbegin{tabular}{ll}\na & b\n/end{tabular}\n"
            "begin{center}x\\end{center}\n",
            "\\begin{enumerate}\n\\item a\n\\end{enumerate}\n\\begin{tabular}{ll}\na & b\n\\end{tabular}\n"
            "\\begin{center}x\\end{center}\n",
            path="chapter.tex",
        ),
        Example(
            "We begin {here} and end{} it; begin{nosuchname}; \\texttt{begin\\{itemize\\}} \\verb|/begin{itemize}|\n"
            "% /begin{itemize}\n\\csname begin\\endcsname{itemize}\\item x\\end{itemize}\n",
            path="chapter.tex",
        ),
    ),
)
