"""Where in a preamble a line may be put in."""

from __future__ import annotations

from texrepair.latex.source import Package, Source

AFTER_HYPERREF = frozenset(
    {"hyperref", "bookmark", "cleveref", "glossaries", "glossaries-extra", "hyperxmp", "zref-clever", "hypcap"}
)
"""hyperref, and packages that must come behind it (hyperref's README; cleveref's manual asks to be last)."""

LATE = AFTER_HYPERREF | {"unicode-math", "nameref"}
"""Packages that redefine what others define, so that others are put in before them; unicode-math's manual asks to come
after amsmath."""

FIRST = frozenset({"xcolor", "color", "fix-cm", "iftex"})
"""Packages that others load without options: they come first, or their options clash."""

_NOT_CONDITIONAL = frozenset(
    {"iff", "ifthenelse", "ifstrequal", "ifdefempty", "ifblank", "ifstrempty", "iftoggle", "ifbool", "ifdefstring"}
)


def newline_of(text: str) -> str:
    """The line end that the text uses."""
    return "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"


def package_line(source: Source, package: str, options: str = "", before: int | None = None) -> tuple[int, str] | None:
    """Where a \\usepackage for that package belongs in a main file, and the text to insert there, line end included.

    Behind the other packages, but before those that must be late, and before the offset `before` where it is given.
    None where the file has no document class.
    """
    call = f"\\usepackage[{options}]{{{package}}}" if options else f"\\usepackage{{{package}}}"
    place = package_place(source, package, before)
    return None if place is None else _line_at(source, place, call)


def package_place(source: Source, package: str, before: int | None = None) -> int | None:
    """The offset for a \\usepackage of that package: the end of a line, or the start of one."""
    loads = [
        p for p in source.packages if source.in_preamble(p.start) and source.live(p.start) and _plain(source, p.start)
    ]
    classes = [p for p in loads if p.command in ("documentclass", "documentstyle", "LoadClass", "LoadClassWithOptions")]
    if not classes:
        return None
    top = line_end(source, classes[-1].end)
    others = [p for p in loads if p.start > classes[-1].start and (before is None or p.end <= before)]
    if not others or package in FIRST:
        return top
    if package not in AFTER_HYPERREF:
        for load in others:
            if load.name in LATE and load.name != package:
                return _outside_conditional(source, _line_start(source, load.start), backwards=True)
    return _outside_conditional(source, line_end(source, others[-1].end), backwards=False)


def end_of_preamble(source: Source) -> int | None:
    """The start of the line of \\begin{document}, or its own offset where something stands before it on its line."""
    if source.document is None:
        return None
    begin = source.text.rfind("\\begin", 0, source.document[0])
    start = _line_start(source, begin)
    return start if not source.text[start:begin].strip() else begin


def preamble_line(source: Source, text: str) -> tuple[int, str] | None:
    """Where at the end of the preamble a line of ours belongs, and the text to insert; None without a document."""
    place = end_of_preamble(source)
    return None if place is None else _line_at(source, place, text)


def line_end(source: Source, pos: int) -> int:
    """The end of the line that `pos` is on, its line end excluded."""
    return max(pos, source.line_span(source.line(pos))[1])


def _line_start(source: Source, pos: int) -> int:
    return source.line_span(source.line(pos))[0]


def _line_at(source: Source, place: int, line: str) -> tuple[int, str]:
    end = newline_of(source.text)
    if place == _line_start(source, place) and place < len(source.text):
        return place, line + end
    return place, end + line


def _plain(source: Source, pos: int) -> bool:
    return not source.groups_at(pos) and not source.in_definition(pos)


def _outside_conditional(source: Source, place: int, backwards: bool) -> int:
    """The place itself, or the nearest one outside \\if … \\fi."""
    open_ifs: list[int] = []
    for command in source.commands:
        if command.start >= place and not (open_ifs and not backwards):
            break
        if source.in_definition(command.start) or not source.live(command.start):
            continue
        if command.name.startswith("if") and command.name not in _NOT_CONDITIONAL:
            if command.start < place:
                open_ifs.append(command.start)
        elif command.name == "fi" and open_ifs:
            open_ifs.pop()
            if command.start >= place and not open_ifs:
                return line_end(source, command.end)
    if backwards and open_ifs:
        return _line_start(source, open_ifs[0])
    return place


def loads_of(source: Source, package: str) -> tuple[Package, ...]:
    """The live calls in this file that load that package."""
    return tuple(p for p in source.packages if p.name == package and source.live(p.start))
