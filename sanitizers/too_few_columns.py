r"""A table with more cells in its rows than columns.

Why it breaks: "Extra alignment tab has been changed to \cr": the cells beyond the last column fall on a row of their
own.

What is done: columns of the kind of the last one are added to the specification until the longest row fits, in all
such tables at once; a matrix of amsmath gets a larger MaxMatrixCols.

When nothing is done: no row has too many cells, or the specification cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Argument, Environment, Mode, Source
from texrepair.latex.preamble import preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

TABLES = {
    "tabular": 0,
    "tabular*": 1,
    "tabularx": 1,
    "tabulary": 1,
    "array": 0,
    "longtable": 0,
    "supertabular": 0,
    "xltabular": 1,
}
"""Environments with a column specification, and how many braced arguments stand before it."""

_COLUMN = re.compile(
    r"(?P<repeat>\*\s*\{(?P<times>\d+)\})|(?P<skip>[>@!<]\s*\{)|(?P<wide>[pmbwW])\s*\{|(?P<plain>[lcrXSLCRYJZD])"
    r"(?P<options>\[[^\[\]]*\])?|(?P<other>.)",
    re.DOTALL,
)


def propose(case: Case) -> Iterator[Candidate]:
    edits, near = [], []
    for path in case.draft:
        if path != case.main and not path.endswith((".tex", ".ltx")):
            continue
        source = case.lexed(path)
        for table in source.environments:
            edit = _widened(path, source, table)
            if edit is not None:
                edits.append(edit)
                if path == case.path and source.line(table.begin) <= source.line(case.at) <= source.line(table.until):
                    near.append(edit)
    if edits:
        yield Candidate(
            tuple(edits), "give the table as many columns as its longest row has cells", 0.7 if near else 0.5
        )
        if near and len(near) < len(edits):
            yield Candidate(tuple(near), "give this table as many columns as its longest row has cells", 0.6)
    matrix = [e for e in case.source.environments_at(case.at) if re.fullmatch(r"[pbBvV]?matrix\*?", e.name)]
    widest = max(
        (_cells(case.source, e) for e in case.source.environments if re.fullmatch(r"[pbBvV]?matrix\*?", e.name)),
        default=0,
    )
    if widest > 10 and (matrix or not edits):
        line = preamble_line(case.lexed(case.main), f"\\setcounter{{MaxMatrixCols}}{{{widest}}}")
        if line is not None:
            yield Candidate((Edit(case.main, line[0], line[0], line[1]),), f"allow matrices {widest} columns", 0.9)


def _widened(path: str, source: Source, table: Environment) -> Edit | None:
    if table.name not in TABLES or not source.live(table.begin):
        return None
    braced = [a for a in source.arguments_at(table.begin_end, 4) if not a.optional]
    before = TABLES[table.name]
    if len(braced) <= before:
        return None
    specification = braced[before]
    columns, last, place = _columns(source, specification)
    cells = _cells(source, table)
    if not columns or not last or cells <= columns:
        return None
    bar = "|" if source.text[place : place + 1] == "|" else ""
    added = (bar + last) * (cells - columns)
    return Edit(path, place, place, added)


def _columns(source: Source, specification: Argument) -> tuple[int, str, int]:
    """How many columns there are, how the last is written, and where it ends; 0 columns where that cannot be read."""
    text, pos, end = source.text, specification.start + 1, specification.end - 1
    columns, last, place = 0, "", end
    while pos < end:
        found = _COLUMN.match(text, pos, end)
        if found is None:
            break
        if found["repeat"]:
            open_brace = text.find("{", found.end(), end)
            close = source.closing(open_brace) if open_brace >= 0 else None
            if close is None:
                return 0, "", end
            inner = re.sub(r"[|\s]|[>@!<]\{[^{}]*\}", "", text[open_brace + 1 : close])
            columns += int(found["times"]) * len(re.findall(r"[A-Za-z](?:\{[^{}]*\})?", inner))
            last, place, pos = inner[-1:] if len(inner) == 1 else "c", close + 1, close + 1
        elif found["skip"] or found["wide"]:
            close = source.closing(found.end() - 1)
            if close is None:
                return 0, "", end
            if found["wide"]:
                columns += 1
                last, place = text[pos : close + 1], close + 1
            pos = close + 1
        else:
            if found["plain"]:
                columns += 1
                last, place = found[0], found.end()
            elif found["other"] not in " |\r\n\t\\:;":
                return 0, "", end
            pos = found.end()
    return columns, last, place


def _cells(source: Source, table: Environment) -> int:
    """The cells of its longest row."""
    end = table.end if table.end is not None else table.until
    depth = len(source.groups_at(table.begin))
    inner = [e for e in source.environments if table.begin < e.begin < end]
    cells, most = 1, 1
    for found in re.finditer(
        r"(?<!\\)&|\\\\|\\multicolumn\s*\{\s*(\d+)\s*\}|\\cr\b|\\tabularnewline", source.text[table.begin_end : end]
    ):
        pos = table.begin_end + found.start()
        if source.mode(pos) in (Mode.COMMENT, Mode.VERBATIM, Mode.DEAD) or len(source.groups_at(pos)) > depth:
            continue
        if any(e.begin < pos < e.until for e in inner):
            continue
        if found[0] == "&":
            cells += 1
        elif found[1]:
            cells += int(found[1]) - 1
        else:
            most, cells = max(most, cells), 1
    return max(most, cells)


RULE = Rule(
    id="too-few-columns",
    fix=propose,
    answers=("extra-alignment",),
    examples=(
        Example(
            "\\begin{tabular}{|l|c|}\na & b & c \\\\\n\\end{tabular}\n",
            "\\begin{tabular}{|l|c|c|}\na & b & c \\\\\n\\end{tabular}\n",
            message="Extra alignment tab has been changed to \\cr",
            path="part.tex",
            line=2,
        ),
        Example(
            "\\begin{tabular}{ll}\na & b \\\\\n\\end{tabular}\n",
            None,
            message="Extra alignment tab has been changed to \\cr",
            path="part.tex",
            line=2,
        ),
    ),
)
