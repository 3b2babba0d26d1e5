r"""A longtable in a document of two columns.

Why it breaks: longtable breaks over pages, which it cannot in columns: "longtable not in 1-column mode".

What is done: it becomes a table with tabular, over both columns where it is wide; caption and label come first, and
the heads and feet for following pages, which repeat the first, go.

When nothing is done: there is no longtable.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import Table, columns, tables

_CAPTION = re.compile(r"\s*\\(?:caption|label)\b")
_ROW_END = re.compile(r"[ \t]*(?:\\\\|\\tabularnewline)(?:\[[^\[\]]*\])?[ \t]*")
_REPEATED = re.compile(r"\\(?P<kind>endfirsthead|endhead|endfoot|endlastfoot)[ \t]*")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for table in tables(source):
            if table.environment.name.startswith("longtable") and table.environment.end and table.specification:
                edits += _floated(path, source, table)
    if edits and case.diagnostic and "longtable" in case.diagnostic.message:
        yield Candidate(
            tuple(edits), "set a longtable as a table that floats: pages of two columns cannot break it", 0.88
        )


def _floated(path: str, source: Source, table: Table) -> Iterator[Edit]:
    text, newline = source.text, newline_of(source.text)
    specification = table.specification
    assert specification is not None and table.environment.end is not None
    number = columns(source.inner(specification)) or 1
    star = "*" if number > 4 or "\\textwidth" in source.inner(specification) else ""
    pos, head = table.body, ""
    while (found := _CAPTION.match(text, pos, table.end)) is not None:
        command = next(
            c for c in source.command_named("caption", "label") if c.start == found.end() - len(found[0].strip())
        )
        arguments = source.arguments(command, 2)
        if not arguments:
            break
        head += newline + text[command.start : arguments[-1].end]
        pos = arguments[-1].end
    if pos > table.body and (end := _ROW_END.match(text, pos, table.end)) is not None:
        pos = end.end()
    opening = f"\\begin{{table{star}}}[tbp]{newline}\\centering{head}{newline}\\begin{{tabular}}"
    yield Edit(path, table.environment.begin, specification.start, opening)
    if pos > table.body:
        yield Edit(path, table.body, pos, "")
    marks = list(_REPEATED.finditer(text, pos, table.end))
    kinds = [m["kind"] for m in marks]
    start = pos
    for mark in marks:
        # The first head stays; a head for the pages that follow says the same again.
        if (mark["kind"] == "endhead" and "endfirsthead" in kinds) or mark["kind"] == "endfoot":
            yield Edit(path, start, mark.end(), "")
        else:
            yield Edit(path, mark.start(), mark.end(), "")
        start = mark.end()
    stop = table.environment.end
    yield Edit(path, stop, table.environment.end_end or stop, f"\\end{{tabular}}{newline}\\end{{table{star}}}")


RULE = Rule(
    id="longtable-in-two-columns",
    fix=propose,
    answers=("package-error",),
    deletes="the repeated head of a table that no longer breaks over pages",
    examples=(
        Example(
            "\\begin{longtable}{lp{5cm}}\n\\caption{Notes}\n\\label{t} \\\\\n\\hline\nA & B \\\\\n\\endhead\n"
            "C & D \\\\\n\\end{longtable}\n",
            "\\begin{table}[tbp]\n\\centering\n\\caption{Notes}\n\\label{t}\n\\begin{tabular}{lp{5cm}}\n\\hline\n"
            "A & B \\\\\n\nC & D \\\\\n\\end{tabular}\n\\end{table}\n",
            message="Package longtable Error: longtable not in 1-column mode",
            path="part.tex",
        ),
        Example(
            "\\begin{tabular}{ll}\nA & B \\\\\n\\end{tabular}\n",
            None,
            message="Package longtable Error: longtable not in 1-column mode",
            path="part.tex",
        ),
    ),
)
