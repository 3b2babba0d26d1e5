"""Tables and alignments: their column specification, rows and cells, as TeX's \\halign will read them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from texrepair.latex import Argument, Environment, Mode, Source
from texrepair.rules import Case

TABULAR = re.compile(
    r"tabular[x*y]?|longtable|ltablex|array|supertabular\*?|xtabular\*?|mpsupertabular|mpxtabular|NiceTabular\*?|darray"
)
"""Environments that take a column specification of the array package's kind."""

ALIGNED = re.compile(
    r"(?:align|alignat|xalignat|flalign|gather|multline|split|aligned|alignedat|gathered|eqnarray|[dr]?cases"
    r"|[pbBvV]?(?:small)?matrix|subarray|IEEEeqnarray)\*?"
)
"""Environments of formulas whose rows end with two backslashes."""

WIDE = frozenset({"tabularx", "tabular*", "tabulary", "NiceTabular*", "supertabular*", "xtabular*"})
"""Those whose width comes first."""

RULES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|cmidrule|cline|hhline|specialrule|addlinespace|Xhline|hdashline|firsthline"
    r"|lasthline|cdashline|tabucline|arrayrulecolor|morecmidrules)(?![A-Za-z])\*?"
    r"(?:[ \t]*\[[^\]\r\n]*\]|[ \t]*\([^)\r\n]*\))*(?:[ \t]*\{[^{}\r\n]*\})*"
)
"""Commands that stand only at the start of a row, with their arguments."""

NOT_CONTENT = re.compile(
    r"(?:\s+|(?<!\\)%[^\r\n]*|"
    + RULES.pattern
    + r"|\\(?:endhead|endfirsthead|endfoot|endlastfoot|noalign[ \t]*\{[^{}]*\}|rowcolor(?:\[[^\[\]]*\])?\{[^{}]*\}"
    r"|rowfont\{[^{}]*\}|centering|small|footnotesize)(?![A-Za-z]))*"
)
"""What may stand at the start of a row and is no cell's text."""

_MARK = re.compile(
    r"(?<!\\)&|\\\\\*?(?:[ \t]*\[[^\[\]\r\n&]*\])?|\\tabularnewline(?![A-Za-z])|\\cr(?:cr)?(?![A-Za-z])"
    r"|\\multicolumn[ \t]*\{[ \t]*(\d+)[ \t]*\}"
    r"|\\endhead|\\endfirsthead|\\endfoot|\\endlastfoot"
)
LENGTH = re.compile(
    r"\s*(?:[-+]?\s*\d*[.,]?\d*\s*(?:true\s*)?(?:pt|pc|in|bp|cm|mm|dd|cc|sp|ex|em|mu|px)\b.*"
    r"|[-+]?[\d.]*\s*\\[A-Za-z@]+.*|[-+]?\s*[\d.]*\s*)",
    re.DOTALL,
)
"""What can stand in the brackets behind \\\\, a bare number included, which lacks its unit only."""

_SPACED = re.compile(r"\s*")


class Row(NamedTuple):
    start: int
    end: int
    """Of its text; the \\\\ follows, or the end of the table."""
    stop: int
    """Behind the \\\\; the same as `end` where there is none."""
    marks: tuple[int, ...]
    """Where its & stand."""
    columns: int
    """How many columns it fills, \\multicolumn counted as it spans."""


class Table(NamedTuple):
    environment: Environment
    specification: Argument | None
    """Of its columns; None for alignments, and where it is missing."""
    body: int
    end: int


def tables(source: Source) -> Iterator[Table]:
    """Every live environment with rows, in order."""
    for environment in source.environments:
        if not source.live(environment.begin) or source.in_definition(environment.begin):
            continue
        end = environment.end if environment.end is not None else environment.until
        if TABULAR.fullmatch(environment.name):
            yield _table(source, environment, end)
        elif ALIGNED.fullmatch(environment.name):
            arguments = source.arguments_at(environment.begin_end, 1) if "at" in environment.name else ()
            arguments = () if "matrix" in environment.name else arguments
            body = arguments[-1].end if arguments else environment.begin_end
            yield Table(environment, None, body, end)


def whole_tables(case: Case) -> Iterator[Table]:
    """The tables of the file, if it is TeX, that are closed and name their columns: what static rules may trust."""
    if case.path.endswith((".tex", ".ltx")) or case.path == case.main:
        for table in tables(case.source):
            tabular = TABULAR.fullmatch(table.environment.name)
            if tabular and table.environment.end is not None and table.specification is not None:
                yield table


def _table(source: Source, environment: Environment, end: int) -> Table:
    pos = environment.begin_end
    wanted = 2 if environment.name in WIDE else 1
    found: list[Argument] = []
    for argument in source.arguments_at(pos, wanted + 2):
        if argument.optional:
            if found and len(found) == wanted:
                break
            pos = argument.end
            continue
        if len(found) == wanted:
            break
        found.append(argument)
    if len(found) == wanted and is_specification(source.inner(found[-1])):
        return Table(environment, found[-1], found[-1].end, end)
    return Table(environment, None, pos, end)


def rows(source: Source, table: Table) -> tuple[Row, ...]:
    """The rows of a table, rules at its head included in the row that follows; the last one has text or a rule."""
    inner = source.environments_at(table.environment.begin)
    depth = len(source.groups_at(table.environment.begin))
    level = len(inner)
    found: list[Row] = []
    start, marks, extra = table.body, [], 0
    for mark in _MARK.finditer(source.text, table.body, table.end):
        pos = mark.start()
        if not source.live(pos) or source.mode(pos) is Mode.VERBATIM:
            continue
        around = source.environments_at(pos)
        if (len(source.groups_at(pos)) > depth and not mark[1]) or len(around) > level:
            continue
        if mark[0] == "&":
            marks.append(pos)
        elif mark[1]:
            extra += int(mark[1]) - 1 if len(mark[1]) < 4 else 0
        elif mark[0].startswith("\\end"):
            start = mark.end() if not marks else start
        else:
            found.append(Row(start, pos, mark.end(), tuple(marks), len(marks) + 1 + extra))
            start, marks, extra = mark.end(), [], 0
    if source.text[start : table.end].strip():
        found.append(Row(start, table.end, table.end, tuple(marks), len(marks) + 1 + extra))
    return tuple(found)


def content_start(source: Source, row: Row) -> int:
    """Where the row's first cell begins, behind rules and white space; the row's end where it has no text."""
    found = NOT_CONTENT.match(source.text, row.start, row.end)
    return found.end() if found else row.start


def before_rules(source: Source, row: Row) -> Iterator[int]:
    """Where text ends that a rule follows in the same row."""
    start = content_start(source, row)
    depth = len(source.groups_at(row.start))
    level = len(source.environments_at(row.start))
    for rule in RULES.finditer(source.text, start, row.end):
        pos = rule.start()
        if not source.live(pos) or len(source.groups_at(pos)) > depth or len(source.environments_at(pos)) > level:
            continue
        end = text_end(source, start, pos)
        if end > start and RULES.search(source.text, start, end) is None:
            yield end
        return


def text_end(source: Source, start: int, stop: int) -> int:
    """The end of the live text before `stop`."""
    end = stop
    while end > start and (source.text[end - 1].isspace() or not source.live(end - 1)):
        end -= 1
    return end


def usual_width(found: Sequence[Row]) -> int | None:
    """How many columns the rows fill most often; None where no two are alike."""
    counts = Counter(row.columns for row in found).most_common(1)
    return counts[0][0] if counts and counts[0][1] > 1 else None


def line_ends(source: Source, row: Row, expected: int | None) -> Iterator[int]:
    """The ends of lines that are rows of their own, in a row with more cells than expected."""
    if expected is None or expected < 2 or row.columns <= expected:
        return
    counts: list[tuple[int, int]] = []
    start = content_start(source, row)
    while start < row.end:
        stop = min(source.line_span(source.line(start))[1], row.end)
        rule = RULES.search(source.text, start, stop)
        end = text_end(source, start, rule.start() if rule else stop)
        if end > start:
            counts.append((sum(start <= mark < stop for mark in row.marks) + 1, end))
        following = NOT_CONTENT.match(source.text, stop, row.end)
        start = max(following.end() if following else stop, stop + 1)
    if len(counts) > 1 and all(number == expected for number, _ in counts):
        for _, end in counts[:-1]:
            yield end


def is_specification(text: str) -> bool:
    """Whether the text can be a column specification: letters, rules, and arguments in braces."""
    return columns(text) is not None


def columns(specification: str) -> int | None:
    """How many columns a specification makes; None where it is none."""
    total = 0
    for kind, start, end in _steps(specification):
        if kind == "bad":
            return None
        if kind == "column":
            total += 1
        elif kind == "repeat":
            times = _REPEAT.match(specification, start)
            inner = columns(specification[times.end() : end - 1]) if times else None
            if times is None or inner is None:
                return None
            total += int(times[1]) * inner
    return total or None


def parts(specification: str) -> list[str]:
    """Its columns and the material before, between and behind them, each as it is written."""
    found: list[str] = []
    for kind, start, end in _steps(specification):
        piece = specification[start:end]
        times = _REPEAT.match(piece) if kind == "repeat" else None
        if times is not None:
            found += parts(piece[times.end() : -1])
        elif piece.strip():
            found.append(piece)
    return found


def letters(specification: str) -> list[str]:
    """The letter of each column, repeated ones written out."""
    found: list[str] = []
    for kind, start, end in _steps(specification):
        times = _REPEAT.match(specification, start) if kind == "repeat" else None
        if times is not None:
            found += letters(specification[times.end() : end - 1]) * int(times[1])
        elif kind == "column":
            found.append(specification[start])
    return found


def widened(specification: str, more: int) -> str:
    """The specification with its last column repeated so many times more."""
    steps = list(_steps(specification))
    at = max((n for n, (kind, *_) in enumerate(steps) if kind in ("column", "repeat")), default=None)
    if at is None:
        return specification
    kind, start, end = steps[at]
    first, last = at, at
    while last + 1 < len(steps) and specification[steps[last + 1][1]] in "<|":
        last += 1
    if last == at and first and specification[steps[first - 1][1]] == "|":
        first -= 1
    while first and specification[steps[first - 1][1]] == ">":
        first -= 1
    place = steps[last][2]
    piece = specification[steps[first][1] : place]
    if kind == "repeat":
        times = _REPEAT.match(specification, start)
        inner = specification[times.end() : end - 1] if times else "c"
        piece = (inner if columns(inner) == 1 else "c") + specification[end:place]
    return specification[:place] + piece * more + specification[place:]


_REPEAT = re.compile(r"\*\s*\{\s*(\d{1,3})\s*\}\s*\{")
_LETTERS = frozenset("lcrpmbwsdtvxyz")
"""Small letters that are columns of the usual packages, or that people define."""


def _steps(text: str) -> Iterator[tuple[str, int, int]]:
    """The parts of a specification: kind (column, repeat, other, bad), start and end."""
    pos = 0
    while pos < len(text):
        char, start = text[pos], pos
        kind = "other"
        end: int | None
        if char.isspace() or char in "|:;":
            end = pos + 1
        elif char in "><@!":
            end = _group(text, pos + 1)
        elif char == "*":
            middle = _group(text, pos + 1)
            end = None if middle is None else _group(text, middle)
            kind = "repeat"
        elif char in _LETTERS or "A" <= char <= "Z":
            kind, end = "column", pos + 1
            while True:
                after = _blank(text, end)
                close = text.find("]", after) + 1 if text.startswith("[", after) else _group(text, after) or 0
                if not close:
                    break
                end = close
        elif char == "%":
            end = text.find("\n", pos) + 1 or len(text)
        else:
            end = None
        if end is None:
            yield "bad", start, len(text)
            return
        yield kind, start, end
        pos = end


def _group(text: str, pos: int) -> int | None:
    """Behind the group that opens at `pos`, white space before it allowed; None where there is none."""
    pos = _blank(text, pos)
    if not text.startswith("{", pos):
        return None
    depth = 0
    for found in re.compile(r"(?<!\\)[{}]").finditer(text, pos):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return found.end()
    return None


def _blank(text: str, pos: int) -> int:
    found = _SPACED.match(text, pos)
    return found.end() if found else pos
