"""Where something that was never closed may have been meant to end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from texrepair.latex import Environment, Mode, Source
from texrepair.latex.preamble import line_end, newline_of
from texrepair.latex.runs import likeness
from texrepair.rules import Edit

LISTS = frozenset(
    {"itemize", "enumerate", "description", "compactitem", "compactenum", "inparaenum", "tasks", "trivlist"}
)
FLOATS = re.compile(r"(?:wrap|sideways|float)?(?:figure|table)\*?|algorithm\*?|listing\*?|scheme|SCfigure|marginfigure")
TABLES = re.compile(r"tabular[*x]?|tabulary|longtable|array|tblr|longtblr|supertabular|xtabular|tabu|NiceTabular")
FORMULAS = re.compile(
    r"(?:equation|align|alignat|flalign|gather|multline|eqnarray|displaymath|math|split|aligned|cases|dcases|gathered"
    r"|[pbBvV]?(?:small)?matrix)\*?"
)
SECTIONING = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "appendix", "bibliography")
NOT_NESTED = re.compile(
    r"(?:figure|table|frame|abstract|equation|align|gather|thebibliography|tabular|longtable|letter|lemma|theorem|proof)\*?"
)
DRAWINGS = frozenset({"tikzpicture", "scope", "axis", "semilogxaxis", "semilogyaxis", "loglogaxis", "pgfpicture"})
_NOT_DRAWN = re.compile(
    r"^[ \t]*(?:\r?$|\\(?:begin|end)\{(?!scope|axis|semilog|loglog|pgfonlayer|tabular|array)"
    r"|\\(?:caption|label|item)\b)"
    r"|^[ \t]*[A-Za-z]+ [a-z]",
    re.MULTILINE,
)
"""A line that a drawing does not hold: an empty one, another environment, a caption, words."""
WHOLE = frozenset({"letter", "multicols", "multicols*", "landscape", "appendices", "thebibliography", "questions"})
"""Environments that hold many paragraphs, up to a section or the end of the document."""
_HEADINGS = tuple(name for name in SECTIONING if name != "part")
_QUESTIONS = (*_HEADINGS, "question", "titledquestion", "bonusquestion")
_PARTS = (*_QUESTIONS, "part", "bonuspart")
_SUBPARTS = (*_PARTS, "subpart", "bonussubpart")
ENDED_BY = {
    "questions": _HEADINGS,
    "parts": _QUESTIONS,
    "subparts": _PARTS,
    "subsubparts": _SUBPARTS,
    **dict.fromkeys(
        ("choices", "oneparchoices", "checkboxes", "oneparcheckboxes"), (*_SUBPARTS, "subsubpart", "bonussubsubpart")
    ),
}
"""What cannot stand in environments of the class exam, in which \\part is no heading (exam.cls)."""
_OF_A_FLOAT = ("caption", "label", "includegraphics", "captionof", "legend", "subfloat", "subcaptionbox")
_ROW = re.compile(r"\\\\|(?<!\\)&|\\(?:hline|toprule|midrule|bottomrule|cmidrule|cline|tabularnewline)")


class Place(NamedTuple):
    """An offset behind which the closing belongs."""

    at: int
    certainty: float
    why: str


def closing(source: Source, path: str, environment: Environment, at: int) -> Edit:
    """The edit that closes the environment behind `at`, on a line of its own where it began on one."""
    text = source.text
    begin_line = source.line_span(source.line(environment.begin))[0]
    indent = text[begin_line : environment.begin]
    call = f"\\end{{{environment.name}}}"
    if indent.strip():
        return Edit(path, at, at, call)
    return Edit(path, at, at, newline_of(text) + indent + call)


def extent(source: Source, environment: Environment) -> int:
    """How far an unclosed environment can reach: to the \\end around it, the next section or the next of its kind."""
    stop = environment.until
    for command in source.command_named(*ENDED_BY.get(environment.name, SECTIONING)):
        if environment.begin_end <= command.start < stop and source.live(command.start):
            stop = command.start
            break
    if NOT_NESTED.fullmatch(environment.name):
        for other in source.environments:
            if environment.begin < other.begin < stop and other.name == environment.name:
                stop = other.begin
                break
    return stop


def end_of_text(source: Source, stop: int) -> int:
    """The end of the last line with something on it before `stop`."""
    return len(source.text[:stop].rstrip())


def places(source: Source, environment: Environment) -> Iterator[Place]:
    """Where an unclosed environment may have been meant to end, best first."""
    stop = extent(source, environment)
    last = end_of_text(source, stop)
    begin = environment.begin_end
    if last <= begin:
        yield Place(begin, 0.6, "at once")
        return
    name = environment.name
    if FLOATS.fullmatch(name):
        yield from _float(source, begin, stop)
    elif name in LISTS:
        yield from _list(source, environment, stop)
    elif TABLES.fullmatch(name):
        rows = _last_row(source, begin, stop)
        if rows is not None:
            yield Place(rows, 0.85, "behind its last row")
            if re.match(r"[ \t]*\r?\n[ \t]*\r?\n", source.text[rows:]) and "\\\\" in _line(source, rows):
                return  # What follows the blank line is text, which would become a cell.
    elif FORMULAS.fullmatch(name):
        yield Place(_end_of_formula(source, begin, stop), 0.85, "where the formula ends")
    elif name in DRAWINGS:
        yield Place(_last_path(source, begin, stop), 0.85, "behind its last path")
    elif name in WHOLE or name in ENDED_BY:
        yield Place(last, 0.8, "before what follows")
    paragraph = line_end(source, end_of_text(source, source.paragraph(_first_text(source, begin))[1]))
    if begin < paragraph < last:
        yield Place(paragraph, 0.66, "at the end of its paragraph")
    yield Place(last, 0.62, "before what follows")
    outer = end_of_text(source, environment.until)
    if outer > last:
        yield Place(outer, 0.4, "before the end of what is around it")
    yield from _other_paragraphs(source, paragraph, last)


def _last_path(source: Source, start: int, stop: int) -> int:
    """Behind the last path of a drawing, before the first line that no drawing holds."""
    behind = line_end(source, start)
    other = _NOT_DRAWN.search(source.text, min(behind + 1, stop), stop)
    stop = stop if other is None else other.start()
    path = source.text.rfind(";", start, stop)
    return end_of_text(source, stop) if path < 0 else line_end(source, path)


def _other_paragraphs(source: Source, start: int, stop: int) -> Iterator[Place]:
    at = start
    for _ in range(3):
        following = re.compile(r"\s*").match(source.text, at)
        if following is None or following.end() >= stop:
            return
        at = line_end(source, end_of_text(source, source.paragraph(following.end())[1]))
        if at < stop:
            yield Place(at, 0.3, "at the end of a later paragraph")


def _first_text(source: Source, pos: int) -> int:
    found = re.compile(r"\S").search(source.text, pos)
    return found.start() if found else pos


def _float(source: Source, begin: int, stop: int) -> Iterator[Place]:
    at = begin
    anchor = None
    while at < stop:
        start, end = source.paragraph(at)
        end = min(end, stop)
        ends = [
            _call_end(source, c.start, c.end)
            for c in source.command_named(*_OF_A_FLOAT)
            if max(start, begin) <= c.start < end and source.live(c.start)
        ]
        ends += [e.end_end for e in source.environments if begin < e.begin and start <= e.begin < end and e.end_end]
        if not ends and source.text[start:end].strip():
            break
        if ends:
            anchor = max(ends)
        following = re.compile(r"\s*").match(source.text, max(end, anchor or 0))
        if following is None or following.end() <= at:
            break
        at = following.end()
    if anchor is not None and anchor <= stop:
        yield Place(line_end(source, anchor), 0.85, "behind its caption and label")


def _call_end(source: Source, start: int, end: int) -> int:
    command = next((c for c in source.command_named(*_OF_A_FLOAT) if c.start == start), None)
    arguments = source.arguments(command, 3) if command else ()
    return arguments[-1].end if arguments else end


def _list(source: Source, environment: Environment, stop: int) -> Iterator[Place]:
    text = source.text
    indent = _indent(source, environment.begin)
    own: list[int] = []
    for item in source.command_named("item"):
        if not environment.begin_end <= item.start < stop or source.mode(item.start) is Mode.VERBATIM:
            continue
        around = source.environments_at(item.start)
        if not around or around[-1].begin != environment.begin:
            continue
        if own and indent is not None:
            deep, now = _indent(source, own[0]), _indent(source, item.start)
            if deep is not None and now is not None and len(now) < len(deep) and len(now) <= len(indent):
                before = end_of_text(source, source.line_span(source.line(item.start))[0])
                yield Place(before, 0.84, "before the item that is indented less")
                break
        own.append(item.start)
    if own:
        end = min(source.paragraph(own[-1])[1], end_of_text(source, stop))
        yield Place(
            line_end(source, max(end_of_text(source, end), own[-1])) if end < stop else end, 0.8, "behind its last item"
        )
    elif not text[environment.begin_end : stop].strip():
        yield Place(environment.begin_end, 0.5, "at once")


def _indent(source: Source, pos: int) -> str | None:
    start = source.line_span(source.line(pos))[0]
    blank = source.text[start:pos]
    return blank if not blank.strip() else None


def _last_row(source: Source, begin: int, stop: int) -> int | None:
    last = None
    number = source.line(begin)
    while number <= source.line_count:
        start, end = source.line_span(number)
        if start >= stop:
            break
        line = source.text[max(start, begin) : min(end, stop)]
        if re.match(r"\s*\\(?:caption|label|end|begin|section|footnotetext|captionof|vspace|par)\b", line):
            break
        if _ROW.search(line) and not line.lstrip().startswith("%"):
            last = min(end, stop)
        elif not line.strip() and last is not None and not _rows_follow(source, last, end, stop):
            break
        number += 1
    return last


def _rows_follow(source: Source, last: int, end: int, stop: int) -> bool:
    """Whether the next line is a row, too: behind a row that has its \\\\ a bare & may be a word of the text."""
    following = source.text[end:stop].lstrip().partition("\n")[0]
    row = _line(source, last)
    found = {mark[0] for mark in _ROW.finditer(following)}
    return bool(found - {"&"} if "\\\\" in row else found)


def _line(source: Source, end: int) -> str:
    return source.text[source.line_span(source.line(end))[0] : end]


def _end_of_formula(source: Source, begin: int, stop: int) -> int:
    number = source.line(begin)
    last = begin
    while number <= source.line_count:
        start, end = source.line_span(number)
        if start >= stop:
            break
        line = source.text[max(start, begin) : min(end, stop)]
        if line.strip() and likeness(line) < 0.45:
            break
        if not line.strip() and last > begin:
            break
        if line.strip():
            last = max(last, max(start, begin) + len(line.rstrip()))
        number += 1
    return last
