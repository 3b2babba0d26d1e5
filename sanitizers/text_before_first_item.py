r"""Text between the beginning of a list and its first \item.

Why it breaks: a list holds items only: "Something's wrong--perhaps a missing \item".

What is done: the text goes in front of the list, where an expert would write it; a list without any \item that is
empty is removed, one whose lines are marked with - or * gets its \item's.

When nothing is done: every list begins with an \item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Environment, Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_LISTS = frozenset({"itemize", "enumerate", "description", "compactitem", "compactenum", "inparaenum", "trivlist"})
_SETTING = re.compile(
    r"(?:\s|%[^\r\n]*|\\(?:itemsep|parskip|parsep|topsep|labelsep|leftskip)\s*=?\s*-?[\d.]+\s*[a-z]{2}|\\tightlist\b"
    r"|\\(?:setlength|addtolength|setcounter|addtocounter|renewcommand|vspace\*?|setstretch|def)(?:\s*\{[^{}]*\})*"
    r"|\\(?:small|footnotesize|raggedright|normalsize|sloppy|itshape|bfseries|setlist\{[^{}]*\}|centering|label\{[^{}]*\}))*"
)
_MARKED = re.compile(r"^[ \t]*(?:[-*+•–]|\d+[.)])[ \t]+", re.MULTILINE)


def propose(case: Case) -> Iterator[Candidate]:
    moved: list[Edit] = []
    items: list[Edit] = []
    removed: list[Edit] = []
    for path, source in case.tex_files():
        for environment in source.environments:
            if environment.name not in _LISTS or environment.end is None or not source.live(environment.begin):
                continue
            start, first = _body(source, environment), _first_item(source, environment)
            text = source.text
            if first is None:
                inside = text[start : environment.end]
                marks = list(_MARKED.finditer(text, start, environment.end))
                if not inside.strip():
                    removed.append(Edit(path, environment.begin, environment.end_end or environment.end, ""))
                elif marks:
                    items += [Edit(path, m.start(), m.end(), "\\item ") for m in marks]
                continue
            settings = _SETTING.match(text, start, first)
            start = settings.end() if settings else start
            if text[start:first].strip():
                moved += _in_front(path, source, environment, start, first)
    if moved or items or removed:
        yield Candidate(
            (*moved, *items, *removed), "put the text before a list's first item in front of the list", 0.88
        )


def _body(source: Source, environment: Environment) -> int:
    arguments = source.arguments_at(environment.begin_end, 2)
    options = [a for a in arguments[:1] if a.optional]
    return options[-1].end if options else environment.begin_end


def _first_item(source: Source, environment: Environment) -> int | None:
    for command in source.command_named("item"):
        if environment.begin < command.start < (environment.end or environment.until):
            around = source.environments_at(command.start)
            lists = [e for e in around if e.name in _LISTS]
            if lists and lists[-1].begin == environment.begin:
                return command.start
    return None


def _in_front(path: str, source: Source, environment: Environment, start: int, first: int) -> Iterator[Edit]:
    text = source.text
    line, _ = source.line_span(source.line(environment.begin))
    indent = text[line : environment.begin]
    newline = newline_of(text)
    words = text[start:first].strip()
    stop = start + len(text[start:first].rstrip())
    begin = len(text[start:first]) - len(text[start:first].lstrip()) + start
    if "%" in words or "\\begin" in words:
        words += newline if "%" in words.rpartition("\n")[2] else ""
    gap = newline + indent if not indent.strip() else " "
    yield Edit(path, environment.begin, environment.begin, words + gap)
    head = source.line_span(source.line(begin))[0]
    own_line = head >= environment.begin_end and not text[head:begin].strip()
    after = source.line_span(source.line(stop))[1]
    if own_line and stop == after and source.line(stop) < source.line_count:
        yield Edit(path, head, source.line_span(source.line(stop) + 1)[0], "")
    else:
        yield Edit(path, begin, stop, "")


RULE = Rule(
    id="text-before-first-item",
    fix=propose,
    answers=("missing-item",),
    deletes="a list without any content",
    examples=(
        Example(
            "Do:\n\\begin{enumerate}\n  Never alone.\n  \\item a\n\\end{enumerate}\n",
            "Do:\nNever alone.\n\\begin{enumerate}\n  \\item a\n\\end{enumerate}\n",
            message="LaTeX Error: Something's wrong--perhaps a missing \\item",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\begin{itemize}\n- a\n- b\n\\end{itemize}\n",
            "\\begin{itemize}\n\\item a\n\\item b\n\\end{itemize}\n",
            message="LaTeX Error: Something's wrong--perhaps a missing \\item",
            path="part.tex",
            line=2,
        ),
        Example(
            "\\begin{itemize}\n\\setlength{\\itemsep}{0pt}\n\\item a\n\\end{itemize}\n",
            None,
            message="LaTeX Error: Something's wrong--perhaps a missing \\item",
            path="part.tex",
        ),
    ),
)
