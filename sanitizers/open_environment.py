r"""An environment that is never closed.

Why it breaks: without its \end everything that follows belongs to it, until LaTeX says, often pages later,
"\begin{quote} ... ended by \end{document}", or a float inside a float is "Not in outer par mode".

What is done: \end is put where the structure says that the environment was meant to end: behind a float's caption, a
list's last item, a table's last row, a formula; else at the end of its paragraph, before the next section or before
what closes around it. The places are tried in this order.

When nothing is done: every \begin has its \end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Environment, Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._closing import TABLES, closing, places


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None:
        return
    open_ones = [(path, source, e) for path, source in case.tex_files() for e in _unclosed(source)]
    named = [entry for entry in open_ones if entry[2].name == found.token]
    for rank, (path, source, environment) in enumerate((named or open_ones)[-3:][::-1]):
        for place in places(source, environment):
            edits = (closing(source, path, environment, place.at), *_words(source, path, environment, place.at))
            why = f"close the {environment.name} of line {source.line(environment.begin)} {place.why}"
            yield Candidate(edits, why, round(place.certainty - 0.1 * rank, 3))


def _words(source: Source, path: str, environment: Environment, at: int) -> Iterator[Edit]:
    """The & of the paragraph behind a table's end are words; unescaped they would look like its cells."""
    following = re.compile(r"[ \t]*(?:\r?\n[ \t]*){2,}(?=[^\s\\])").match(source.text, at)
    if following is None or not TABLES.fullmatch(environment.name):
        return
    for sign in re.compile(r"(?<!\\)&").finditer(source.text, following.end(), source.paragraph(following.end())[1]):
        if source.mode(sign.start()) is Mode.TEXT and source.environments_at(sign.start())[-1] == environment:
            yield Edit(path, sign.start(), sign.end(), "\\&")


def _unclosed(source: Source) -> Iterator[Environment]:
    for environment in source.environments:
        if environment.end is not None or environment.name == "document":
            continue
        if source.mode(environment.begin) not in (Mode.COMMENT, Mode.DEAD, Mode.VERBATIM):
            body = source.mode(min(environment.begin_end, len(source.text) - 1))
            if body is not Mode.VERBATIM:
                yield environment


RULE = Rule(
    id="open-environment",
    fix=propose,
    answers=(
        "environment-mismatch",
        "end-inside-group",
        "missing-brace",
        "extra-brace",
        "missing-cr",
        "not-in-outer-par-mode",
        "missing-item",
        "misplaced-noalign",
        "missing-dollar",
        "bad-math-environment",
        "runaway-argument",
        "too-deeply-nested",
    ),
    examples=(
        Example(
            "\\begin{figure}\n\\includegraphics{a}\n\\caption{A}\n\\label{f}\n\nText of the paper.\n\n"
            "\\section{Next}\nMore.\n",
            "\\begin{figure}\n\\includegraphics{a}\n\\caption{A}\n\\label{f}\n\\end{figure}\n\nText of the paper.\n\n"
            "\\section{Next}\nMore.\n",
            message="LaTeX Error: \\begin{figure} on input line 1 ended by \\end{document}",
            token="figure",
            path="part.tex",
        ),
        Example(
            "\\begin{enumerate}\n  \\item One\n  \\begin{itemize}\n    \\item a\n    \\item b\n  \\item Two\n"
            "\\end{enumerate}\n",
            "\\begin{enumerate}\n  \\item One\n  \\begin{itemize}\n    \\item a\n    \\item b\n  \\end{itemize}\n"
            "  \\item Two\n"
            "\\end{enumerate}\n",
            message="LaTeX Error: \\begin{itemize} on input line 3 ended by \\end{enumerate}",
            token="itemize",
            path="part.tex",
            line=7,
        ),
        Example(
            "\\begin{tabular}{lr}\nA & 1 \\\\\nB & 2 \\\\\n\nDone & dusted.\n",
            "\\begin{tabular}{lr}\nA & 1 \\\\\nB & 2 \\\\\n\\end{tabular}\n\nDone \\& dusted.\n",
            message="LaTeX Error: \\begin{tabular} on input line 1 ended by \\end{document}",
            token="tabular",
            path="part.tex",
        ),
        Example(
            "\\begin{questions}\n\\question A\n\\begin{parts}\n\\part[2] B\n\\part[3] C\n\\question D\n"
            "\\end{questions}\n",
            "\\begin{questions}\n\\question A\n\\begin{parts}\n\\part[2] B\n\\part[3] C\n\\end{parts}\n\\question D\n"
            "\\end{questions}\n",
            message="LaTeX Error: \\begin{parts} on input line 3 ended by \\end{questions}",
            token="parts",
            path="part.tex",
            line=7,
        ),
        Example(
            "\\begin{center}\nx\n\\end{center}\n",
            None,
            message="LaTeX Error: \\begin{center} on input line 1 ended by \\end{document}",
            token="center",
            path="part.tex",
        ),
    ),
)
