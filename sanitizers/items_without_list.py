r"""Items outside of a list.

Why it breaks: \item belongs to a list; elsewhere LaTeX says "Lonely \item--perhaps a missing list environment".

What is done: runs of such items, each up to the end of its last item's paragraph, are put into a list: description
where every item has a label, else itemize; all at once.

When nothing is done: the items stand in an environment that may be a list, or beside a list's \end whose \begin is
missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Mode, Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_OPEN = re.compile(
    r"document|abstract|minipage|frame|block|\w*box|column|columns|center|quote|quotation|multicols|flushleft|flushright"
    r"|alertblock|exampleblock|appendices|letter|titlepage|proof|theorem|remark|example|definition|solution|note"
)
"""Environments in which text may stand, and that are no lists."""
_BREAK = re.compile(
    r"\\(?:(?:sub)*section|chapter|part|paragraph|subparagraph|begin|end|frametitle|newpage|clearpage|bigskip"
    r"|medskip|vspace|closing|maketitle|bibliography|appendix)(?![A-Za-z])"
)
_LIST_ENDS = re.compile(r"\\end\s*\{(?:itemize|enumerate|description)\*?\}")


def propose(case: Case) -> Iterator[Candidate]:
    if case.diagnostic is None or "Lonely" not in case.diagnostic.message:
        return
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for run in _runs(source):
            edits += _listed(path, source, run)
    if edits:
        yield Candidate(tuple(edits), "put the items into a list", 0.88)


def _runs(source: Source) -> Iterator[list[Command]]:
    """Items without a list, those together that follow one another."""
    run: list[Command] = []
    for item in source.command_named("item"):
        around = source.environments_at(item.start)
        lonely = (
            source.live(item.start)
            and source.mode(item.start) is Mode.TEXT
            and not source.in_definition(item.start)
            and not source.in_preamble(item.start)
            and not source.groups_at(item.start)
            and (not around or _OPEN.fullmatch(around[-1].name.rstrip("*")) is not None)
        )
        if run and (not lonely or _apart(source, run[-1], item)):
            yield run
            run = []
        if lonely:
            run.append(item)
    if run:
        yield run


def _apart(source: Source, one: Command, other: Command) -> bool:
    between = source.text[one.end : other.start]
    blank = re.search(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)(?P<rest>.*)", between, re.DOTALL)
    return _BREAK.search(between) is not None or (blank is not None and bool(blank["rest"].strip()))


def _listed(path: str, source: Source, run: list[Command]) -> Iterator[Edit]:
    text = source.text
    high = source.paragraph(run[-1].start)[1]
    stop = _BREAK.search(text, run[-1].end, high)
    end = stop.start() if stop else high
    end = len(text[:end].rstrip())
    if _LIST_ENDS.match(text, len(text) - len(text[end:].lstrip())):
        return
    labelled = all(a and a[0].optional for a in (source.arguments(item, 1) for item in run))
    name = "description" if labelled else "itemize"
    newline = newline_of(text)
    start = source.line_span(source.line(run[0].start))[0]
    start = start if not text[start : run[0].start].strip() else run[0].start
    yield Edit(path, start, start, f"\\begin{{{name}}}{newline}")
    yield Edit(path, end, end, f"{newline}\\end{{{name}}}")


_SAYS = "LaTeX Error: Lonely \\item--perhaps a missing list environment"

RULE = Rule(
    id="items-without-list",
    fix=propose,
    answers=("missing-item",),
    examples=(
        Example(
            "\\section{A}\n  \\item One\n  goes on.\n\n  \\item Two.\n\nText.\n\\section{B}\n\\item[x] Three.\n",
            "\\section{A}\n\\begin{itemize}\n  \\item One\n  goes on.\n\n  \\item Two.\n\\end{itemize}\n\nText.\n"
            "\\section{B}\n\\begin{description}\n\\item[x] Three.\n\\end{description}\n",
            message=_SAYS,
            path="part.tex",
            line=2,
        ),
        Example("\\item One.\n\\end{itemize}\n", None, message=_SAYS, path="part.tex"),
        Example("\\begin{itemize}\n\\item One.\n\\end{itemize}\n", None, message=_SAYS, path="part.tex"),
    ),
)
