r"""A table row without its \\.

Why it breaks: \hline and \midrule behind it are "Misplaced \noalign"; without a rule the next row's cells are counted
to this one: "Extra alignment tab".

What is done: \\ is put at the end of lines that are followed by a rule, or that, with the next line, have as many
cells as two rows; all in the document at once.

When nothing is done: every row ends with \\.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Environment, Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

TABLES = re.compile(
    r"tabular[*x]?|tabulary|longtable|array|supertabular|xltabular|(?:[pbBvV]|small)?matrix|tabu|NiceTabular"
)
_RULE = re.compile(r"\s*\\(?:hline|midrule|bottomrule|toprule|cmidrule|cline|addlinespace|specialrule|Xhline)\b")
_ROW_END = re.compile(
    r"\\\\(?:\*|\s*\[[^\[\]]*\])?\s*(?:\\(?:hline|midrule|bottomrule|toprule|cline\{[^{}]*\}|cmidrule\S*))*\s*$|\\tabularnewline\s*$|\\cr\s*$"
)


def propose(case: Case) -> Iterator[Candidate]:
    edits = []
    for path in case.draft:
        if path != case.main and not path.endswith((".tex", ".ltx")):
            continue
        source = case.lexed(path)
        for table in source.environments:
            if TABLES.fullmatch(table.name) and source.live(table.begin):
                edits += [Edit(path, at, at, " \\\\") for at in _missing(source, table)]
    if edits:
        yield Candidate(tuple(dict.fromkeys(edits)), "end table rows with \\\\", 0.86)


def _missing(source: Source, table: Environment) -> Iterator[int]:
    lines = list(_lines(source, table))
    counts = [_cells(line) for _, line in lines if _ROW_END.search(line)]
    usual = max(set(counts), key=counts.count) if counts else 0
    for (at, line), (_, following) in zip(lines, [*lines[1:], (0, "")], strict=True):
        if not line.strip() or _ROW_END.search(line) or _RULE.match(line):
            continue
        before_rule = _RULE.match(following) is not None and ("&" in line or "\\multicolumn" in line)
        two_rows = usual > 1 and _cells(line) == usual == _cells(following)
        if before_rule or (two_rows and following.strip()):
            yield at


def _lines(source: Source, table: Environment) -> Iterator[tuple[int, str]]:
    """Each line of the body that is not empty: where its text ends, and the text without its comment."""
    arguments = source.arguments_at(table.begin_end, 4)
    start = arguments[-1].end if arguments else table.begin_end
    end = table.end if table.end is not None else table.until
    for number in range(source.line(start), source.line(end) + 1):
        low, high = source.line_span(number)
        low, high = max(low, start), min(high, end)
        if low >= high:
            continue
        comment = next((s.start for s in source.spans if s.mode is Mode.COMMENT and low <= s.start < high), high)
        text = source.text[low:comment]
        if text.strip():
            yield low + len(text.rstrip()), text.strip()


def _cells(line: str) -> int:
    spans = sum(int(n) - 1 for n in re.findall(r"\\multicolumn\s*\{\s*(\d+)\s*\}", line))
    return len(re.findall(r"(?<!\\)&", line)) + 1 + spans


RULE = Rule(
    id="row-end-missing",
    fix=propose,
    answers=("misplaced-noalign", "extra-alignment", "misplaced-omit", "wrong-mode", "missing-brace", "interrupted"),
    examples=(
        Example(
            "\\begin{tabular}{ll}\na & b\n\\midrule\nc & d \\\\\ne & f\ng & h \\\\\n\\end{tabular}\n",
            "\\begin{tabular}{ll}\na & b \\\\\n\\midrule\nc & d \\\\\ne & f \\\\\ng & h \\\\\n\\end{tabular}\n",
            message="Misplaced \\noalign",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\begin{tabular}{ll}\na & b \\\\ \\hline\nc & d\n\\end{tabular}\n",
            None,
            message="Misplaced \\noalign",
            path="part.tex",
            line=3,
        ),
    ),
)
