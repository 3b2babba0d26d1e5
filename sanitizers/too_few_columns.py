r"""A table whose rows have more cells than its specification has columns.

Why it breaks: TeX ends the row at the surplus cell: "Extra alignment tab has been changed to \cr".

What is done: the last column of the specification is repeated until it holds the longest row, if most rows are that
long; a row that lacks its \\ does not count. If few are, later, because then a & is more likely wrong. For a matrix
with more than ten columns the counter MaxMatrixCols is set; the number of alignat and its kin is raised.

When nothing is done: no row is too long.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.preamble import preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import Row, columns, content_start, line_ends, rows, tables, usual_width, widened


def propose(case: Case) -> Iterator[Candidate]:
    likely: list[Edit] = []
    doubtful: list[Edit] = []
    widest = 0
    for path, source in case.tex_files():
        for table in tables(source):
            found = [row for row in rows(source, table) if content_start(source, row) < row.end]
            usual = usual_width(found)
            # A row whose lines are rows of the usual width lacks its row end: it says nothing of the columns.
            whole = [row for row in found if not any(line_ends(source, row, usual)) and not _hides_end(source, row)]
            counts = [row.columns for row in whole]
            most = max(counts, default=0)
            name = table.environment.name
            if "matrix" in name and "small" not in name:
                widest = max(widest, most)
            if "alignat" in name or "alignedat" in name:
                likely += _pairs(path, source.text, table.environment.begin_end, most)
            if table.specification is None:
                continue
            now = columns(source.inner(table.specification))
            if now is None or most <= now:
                continue
            new = widened(source.inner(table.specification), most - now)
            edit = Edit(path, table.specification.start + 1, table.specification.end - 1, new)
            share = sum(count > now for count in counts) / len(counts)
            (likely if share >= 0.5 else doubtful).append(edit)
    if widest > 10:
        line = preamble_line(case.lexed(case.main), f"\\setcounter{{MaxMatrixCols}}{{{widest}}}")
        if line is not None:
            likely.append(Edit(case.main, line[0], line[0], line[1]))
    if likely:
        yield Candidate(tuple(likely), "make as many columns as the rows have", 0.82)
    if doubtful:
        yield Candidate((*likely, *doubtful), "make as many columns as the longest row has", 0.52)


def _hides_end(source: Source, row: Row) -> bool:
    """Whether a % in the row hides a row's end, so that more than one row is in it."""
    return any(
        span.mode is Mode.COMMENT
        and row.start < span.start < row.end
        and source.text[span.start - 1 : span.start].strip()
        and "\\\\" in source.text[span.start : span.end]
        for span in source.spans
    )


def _pairs(path: str, text: str, pos: int, most: int) -> Iterator[Edit]:
    """The number of alignat: a row of n pairs of columns has 2n-1 signs &."""
    close = text.find("}", pos)
    if text.startswith("{", pos) and close > 0 and text[pos + 1 : close].strip().isdigit():
        needed = (most + 1) // 2
        if int(text[pos + 1 : close]) < needed:
            yield Edit(path, pos + 1, close, str(needed))


RULE = Rule(
    id="too-few-columns",
    fix=propose,
    answers=("extra-alignment", "package-error", "misplaced-omit", "bad-equation-structure"),
    examples=(
        Example(
            "\\begin{tabular}{|l|c|}\n\\hline\nA & 1 & 2 \\\\\nB & 3 & 4 \\\\ \\hline\n\\end{tabular}\n",
            "\\begin{tabular}{|l|c|c|}\n\\hline\nA & 1 & 2 \\\\\nB & 3 & 4 \\\\ \\hline\n\\end{tabular}\n",
            message="Extra alignment tab has been changed to \\cr",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n\\(\\begin{pmatrix}\n"
            "1&2&3&4&5&6&7&8&9&10&11\n\\end{pmatrix}\\)\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\setcounter{MaxMatrixCols}{11}\n\\begin{document}\n"
            "\\(\\begin{pmatrix}\n1&2&3&4&5&6&7&8&9&10&11\n\\end{pmatrix}\\)\n\\end{document}\n",
            message="Extra alignment tab has been changed to \\cr",
            line=5,
        ),
        Example(
            "\\begin{alignat*}{1}\n a &= 1 & b &= 2 \\\\\n\\end{alignat*}\n",
            "\\begin{alignat*}{2}\n a &= 1 & b &= 2 \\\\\n\\end{alignat*}\n",
            message="Package amsmath Error: Extra & on this line",
            code="package-error",
            path="part.tex",
            line=2,
        ),
        Example(
            "\\begin{tabular}{|l|c|}\na & b & c \\\\\n\\end{tabular}\n",
            "\\begin{tabular}{|l|c|c|}\na & b & c \\\\\n\\end{tabular}\n",
            message="Extra alignment tab has been changed to \\cr",
            path="part.tex",
            line=2,
        ),
        Example(
            "\\begin{tabular}{|l|c|}\na & b & c \\\\\nd & e & f \\\\\ng & h & i\nj & k & l \\\\\n\\end{tabular}\n",
            "\\begin{tabular}{|l|c|c|}\na & b & c \\\\\nd & e & f \\\\\ng & h & i\nj & k & l \\\\\n\\end{tabular}\n",
            message="Extra alignment tab has been changed to \\cr",
            path="part.tex",
            line=2,
        ),
        Example(
            "\\begin{tabular}{lr}\nA & 12% \\\\\nB & 13% \\\\\nC & 14 \\\\\n\\end{tabular}\n",
            None,
            message="Extra alignment tab has been changed to \\cr",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\begin{tabular}{@{}l*{2}{r}@{}}\nA & 1 & \\multicolumn{1}{c}{2} \\\\\n\\end{tabular}\n",
            None,
            message="Extra alignment tab has been changed to \\cr",
            path="part.tex",
        ),
    ),
)
