r"""Internal names such as \@addtoreset in a document without \makeatletter.

Why it breaks: outside of packages @ is no letter, so that TeX reads \@ and then text: "You can't use `\spacefactor' in
vertical mode", "Missing \begin{document}".

What is done: the stretch of the preamble that uses such names is put between \makeatletter and \makeatother.

When nothing is done: \makeatletter is in force already, or the @ belongs to an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_INTERNAL = re.compile(r"(?<!\\)(?:\\\\)*\\(?:@[A-Za-z@]+|[A-Za-z]+@[A-Za-z@]*)")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for first, last in _stretches(source):
            start, _ = source.line_span(first)
            _, end = source.line_span(last)
            newline = newline_of(source.text)
            edits.append(Edit(path, start, start, "\\makeatletter" + newline))
            edits.append(Edit(path, end, end, newline + "\\makeatother"))
    if edits:
        yield Candidate(tuple(edits), "make @ a letter where internal names are used", 0.92)


def _stretches(source: Source) -> Iterator[tuple[int, int]]:
    """First and last line of each stretch of statements that use internal names."""
    switches = [
        (command.start, command.name == "makeatletter")
        for command in source.command_named("makeatletter", "makeatother")
        if source.live(command.start)
    ]
    found: list[tuple[int, int]] = []
    for use in _INTERNAL.finditer(source.text):
        pos = use.start()
        letter = next((on for at, on in reversed(switches) if at < pos), source.part == "style")
        if letter or not source.live(pos) or not source.in_preamble(pos):
            continue
        first, last = _statement(source, pos)
        if found and not any(found[-1][1] < source.line(at) < first for at, _ in switches):
            between = source.text[source.line_span(found[-1][1])[1] : source.line_span(first)[0]]
            if "\\usepackage" not in between or first <= found[-1][1]:
                found[-1] = (found[-1][0], max(last, found[-1][1]))
                continue
        found.append((first, last))
    yield from found


def _statement(source: Source, pos: int) -> tuple[int, int]:
    """The lines of the top-level statement around `pos`: its line, and those of the groups that begin on it."""
    groups = source.groups_at(pos)
    start = min([pos, *(g.open for g in groups)])
    first = source.line(start)
    end = max([pos, *(g.close or pos for g in groups)])
    last = source.line(end)
    while True:
        low, high = source.line_span(last)
        reach = max((source.line(g.close) for g in source.groups if low <= g.open < high and g.close), default=last)
        following = source.text[high:].lstrip("\r\n \t")[:1] if last < source.line_count else ""
        if reach > last:
            last = reach
        elif following in ("{", "[") and source.text[high : high + 2].strip() == "":
            last += 1
        else:
            return first, last


RULE = Rule(
    id="at-sign-in-name",
    fix=propose,
    answers=(
        "wrong-mode",
        "missing-begin-document",
        "undefined-control-sequence",
        "already-defined",
        "missing-control-sequence",
        "use-does-not-match",
        "missing-number",
        "misplaced-noalign",
        "missing-brace",
    ),
    examples=(
        Example(
            "\\documentclass{article}\n\\renewcommand{\\section}{\\@startsection\n"
            "  {section}{1}{0pt}{1ex}{1ex}{\\large}}\n"
            "\\author{a@b.org}\n\\begin{document}\nx@y\n\\end{document}\n",
            "\\documentclass{article}\n\\makeatletter\n\\renewcommand{\\section}{\\@startsection\n"
            "  {section}{1}{0pt}{1ex}{1ex}{\\large}}\n\\makeatother\n\\author{a@b.org}\n\\begin{document}\nx@y\n"
            "\\end{document}\n",
            message="You can't use `\\spacefactor' in vertical mode",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\makeatletter\n\\@addtoreset{equation}{section}\n\\makeatother\n"
            "\\begin{document}\n\\end{document}\n",
            None,
            message="You can't use `\\spacefactor' in vertical mode",
            line=2,
        ),
    ),
)
