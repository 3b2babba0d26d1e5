r"""A bare & in text.

Why it breaks: & separates the cells of tables and alignments; elsewhere TeX says "Misplaced alignment tab character
&", and in a table cell that means "R&D" it counts a cell too many ("Extra alignment tab"). Where a macro puts its
argument into a table, the cell ends inside the braces of a font command ("Forbidden control sequence").

What is done: outside tables, and inside the braces of a command in a table cell, it is escaped, everywhere at once;
in a row with too many cells, those that touch a word on both sides are. With them go the
% behind numbers and the $ of amounts in sentences, which swallow or join words without an error.

When nothing is done: between the cells of a table, an alignment or a matrix, in addresses and in code; and in lines
that look like rows, as their \begin may be what is damaged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from texrepair.latex import Environment, Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._bare_signs import hidden
from ._cells import HOLDS_CELLS

CELL_COMMANDS = frozenset(
    {"halign", "matrix", "pmatrix", "cases", "ialign", "substack", "shortstack", "makecell", "multirow", "bordermatrix"}
    | {"matrix", "eqalign", "ctable", "chemfig", "schemestart", "diagram", "xymatrix", "Qcircuit", "qcircuit", "tikz"}
)
_BARE = re.compile(r"(?<!\\)&")
_ROW = re.compile(r"(?<!\\)&.*(?:\\\\\*?(?:\[[^\[\]]*\])?|\\tabularnewline)\}*\s*(?:\\[a-z]*(?:line|rule)\b\S*\s*)*$")
_RULE = re.compile(r"\s*(?:\\[a-z]*(?:line|rule)\b\S*\s*)+")
_TOUCHES = re.compile(r"(?<=[A-Za-z])&(?=[A-Za-z])")


def propose(case: Case) -> Iterator[Candidate]:
    if case.diagnostic is None:
        return
    if case.diagnostic.code == "extra-alignment":
        yield from _in_rows(case)
        if _tables(case):
            return
    here, everywhere = [], []
    for path, source in case.tex_files():
        edits = [Edit(path, pos, pos + 1, "\\&") for pos in _misplaced(source)]
        everywhere += edits
        if path == case.path:
            low, high = source.paragraph(case.at)
            here = [e for e in edits if low <= e.start <= high]
    # \author is set in a table by \maketitle, which stands elsewhere.
    if case.diagnostic.code not in ("misplaced-alignment", "extra-alignment") and not here:
        return
    certainty = 0.85 if here else 0.6
    if everywhere and (more := hidden(case, everywhere)):
        why = "escape every & that separates no cells, and the % and $ of numbers in sentences"
        yield Candidate((*everywhere, *more), why, certainty + 0.02)
    if everywhere:
        yield Candidate(tuple(everywhere), "escape every & that separates no cells", certainty)
    if here and len(here) < len(everywhere):
        yield Candidate(tuple(here), "escape the & in this paragraph", 0.7)
    if case.diagnostic.code != "misplaced-alignment":
        return
    last = case.source.text.rfind("&", 0, case.at)
    low, _ = case.source.paragraph(case.at)
    if last < low or _separates(case.source, last, _rowlike(case.source)):
        return
    if case.source.mode(last) is Mode.TEXT and case.source.text[last - 1 : last] != "\\":
        yield Candidate((Edit(case.path, last, last + 1, "\\&"),), "escape the & that TeX complained about", 0.55)


def _rowlike(source: Source) -> tuple[tuple[int, int], ...]:
    """Runs of lines that are rows: each has an & and ends with \\\\, and two have the same number."""
    runs: list[tuple[int, int]] = []
    lines: list[tuple[int, int, int]] = []
    for number in range(1, source.line_count + 2):
        start, end = source.line_span(number) if number <= source.line_count else (0, 0)
        line = source.text[start:end]
        if _ROW.search(line):
            lines.append((len(_BARE.findall(line)), start, end))
        elif not _RULE.fullmatch(line) or not line:
            if len({count for count, *_ in lines}) < len(lines):
                runs.append((lines[0][1], lines[-1][2]))
            lines = []
    return tuple(runs)


def _separates(source: Source, pos: int, rowlike: tuple[tuple[int, int], ...]) -> bool:
    """Whether it stands in lines that look like rows, and in no argument that is closed on its line."""
    if not any(start <= pos < end for start, end in rowlike):
        return False
    start, end = source.line_span(source.line(pos))
    closed = [
        (g.open, g.close) for g in source.groups_at(pos) if g.close is not None and start <= g.open < g.close < end
    ]
    return all("\\\\" in source.text[a:b] for a, b in closed)


def _misplaced(source: Source) -> Iterator[int]:
    rowlike = _rowlike(source)
    for found in _BARE.finditer(source.text):
        pos = found.start()
        if source.mode(pos) not in (Mode.TEXT, Mode.INLINE) or source.in_definition(pos) or "&" in source.ordinary(pos):
            continue
        if source.in_preamble(pos) and not source.groups_at(pos):
            continue
        around = [e for e in source.environments_at(pos) if HOLDS_CELLS.search(e.name)]
        groups = source.groups_at(pos)
        if any(g.opener in CELL_COMMANDS for g in groups):
            continue
        inside = around and not any(g.opener and g.open > around[-1].begin_end for g in groups)
        if not inside and not _separates(source, pos, rowlike):
            yield pos


def _tables(case: Case) -> list[Environment]:
    """The tables that the diagnostic may be about. tabularx and its kin set their rows only at \\end."""
    source = case.source
    line = source.line(case.at)
    return [
        e
        for e in source.environments
        if HOLDS_CELLS.search(e.name) and (e.begin <= case.at <= e.until or source.line(e.until) == line)
    ]


def _in_rows(case: Case) -> Iterator[Candidate]:
    source = case.source
    line = source.line(case.at)
    tables = _tables(case)
    if not tables and any(HOLDS_CELLS.search(e.name) for e in source.environments):
        return
    # A file without a table may hold the rows of one.
    whole = Environment("", 0, 0, None, None, None, len(source.text))
    table = tables[-1] if tables else whole
    rows = list(_rows(source, table))
    usual = Counter(len(cells) for _, cells in rows).most_common(1)[0][0] if rows else 0
    within = case.at < (table.end if table.end is not None else table.until)
    long = [(at, cells) for at, cells in rows if len(cells) > usual or (within and source.line(at) == line)]
    touching = [pos for _, cells in long for pos in cells if _TOUCHES.match(source.text, pos)]
    if touching:
        edits = tuple(Edit(case.path, pos, pos + 1, "\\&") for pos in touching)
        yield Candidate(edits, "escape the & that stand inside words of this table", 0.75)
    normal = [_kinds(source, at, cells) for at, cells in rows if len(cells) == usual]
    joins: list[Edit] = []
    for at, cells in long:
        choices = [pos for pos in cells if re.match(r"[A-Za-z.\d] & ?[A-Za-z]", source.text[pos - 2 : pos + 3])]
        if choices and len(cells) == usual + 1:
            best = max(choices, key=lambda pos: _fit(source, at, cells, pos, normal))
            joins.append(Edit(case.path, best, best + 1, "\\&"))
    if joins:
        yield Candidate(tuple(joins), "escape the & of a row that joins two words: the row has a cell too many", 0.6)


def _fit(source: Source, end: int, cells: list[int], pos: int, normal: list[list[str]]) -> tuple[int, bool]:
    """How well the row without that & agrees with the others; of equal ones that between two letters is likelier."""
    return _agreement(_kinds(source, end, [c for c in cells if c != pos]), normal), source.text[pos - 2].isalpha()


def _kinds(source: Source, end: int, cells: list[int]) -> list[str]:
    """What each cell of the row holds: a number, a code (B-12), a letter or two, words, words with digits."""
    start = source.line_span(source.line(cells[0]))[0] if cells else end
    bounds = [start, *cells, end]
    return [_kind(source.text[a:b].lstrip("&").strip()) for a, b in pairwise(bounds)]


def _kind(cell: str) -> str:
    if re.fullmatch(r"[\s$\d.,\\%+–−-]+", cell):
        return "number"
    if re.search(r"\d", cell):
        return "words with digits" if " " in cell else "code"
    return "words" if len(cell) > 2 else "letters"


def _agreement(kinds: list[str], normal: list[list[str]]) -> int:
    return sum(a == b for other in normal for a, b in zip(kinds, other, strict=False))


def _rows(source: Source, table: Environment) -> Iterator[tuple[int, list[int]]]:
    """Where each row of a table ends, and its & that are not in braces."""
    end = table.end if table.end is not None else table.until
    depth = len(source.groups_at(table.begin))
    cells: list[int] = []
    for found in re.finditer(r"(?<!\\)(?:&|\\\\|\\tabularnewline|\\cr\b)", source.text[table.begin_end : end]):
        pos = table.begin_end + found.start()
        if not source.live(pos) or source.mode(pos) is Mode.VERBATIM or len(source.groups_at(pos)) > depth:
            continue
        if found[0] == "&":
            cells.append(pos)
        else:
            yield pos, cells
            cells = []
    if cells:
        yield end, cells


RULE = Rule(
    id="ampersand-in-text",
    fix=propose,
    answers=("misplaced-alignment", "extra-alignment", "runaway-argument", "missing-brace", "end-inside-group"),
    examples=(
        Example(
            "\\section{Roles & duties} Smith & Sons\n\\begin{tabular}{ll}\na & \\textbf{R & D} \\\\\n\\end{tabular}\n",
            "\\section{Roles \\& duties} Smith \\& Sons\n\\begin{tabular}{ll}\na & \\textbf{R \\& D} \\\\\n"
            "\\end{tabular}\n",
            message="Misplaced alignment tab character &",
            path="part.tex",
            context_before="\\section{Roles & duties}",
        ),
        Example(
            "Smith & Sons grew by 5% in a year.\n\n1.5 % a remark\n\nFrom $45 for the first to $12 for wire.\n",
            "Smith \\& Sons grew by 5\\% in a year.\n\n1.5 % a remark\n\nFrom \\$45 for the first to \\$12 for wire.\n",
            message="Misplaced alignment tab character &",
            path="part.tex",
            context_before="Smith &",
        ),
        Example(
            "\\begin{tabular}{ll}\nR&D & 3 \\\\\n\\end{tabular}\n",
            "\\begin{tabular}{ll}\nR\\&D & 3 \\\\\n\\end{tabular}\n",
            message="Extra alignment tab has been changed to \\cr",
            code="extra-alignment",
            line=2,
            path="part.tex",
        ),
        Example(
            "\\documentclass{article}\n\\author{A & B}\n\\begin{document}\n\\maketitle\n\\begin{tabular}{ll}\n"
            "a & b\\\\\n\\end{tabular}\n\\end{document}\n",
            "\\documentclass{article}\n\\author{A \\& B}\n\\begin{document}\n\\maketitle\n\\begin{tabular}{ll}\n"
            "a & b\\\\\n\\end{tabular}\n\\end{document}\n",
            message="Extra alignment tab has been changed to \\cr",
            code="extra-alignment",
            line=4,
        ),
        Example(
            "R&D\n\\begin(tabular){lr}\n\\textbf{Item & Price \\\\ \\hline\nPear & 2.5 \\\\\n\\end{tabular}\n",
            "R\\&D\n\\begin(tabular){lr}\n\\textbf{Item & Price \\\\ \\hline\nPear & 2.5 \\\\\n\\end{tabular}\n",
            message="Misplaced alignment tab character &",
            path="part.tex",
        ),
        Example(
            "\\begin{align}\na &= b\n\\end{align} and \\verb|a&b|.\n",
            None,
            message="Misplaced alignment tab character &",
            path="part.tex",
        ),
    ),
)
