r"""An \if without its \fi.

Why it breaks: everything up to the end of the file is skipped or belongs to the branch: "Incomplete \if...; all text
was ignored after line".

What is done: \fi is put behind the line or the paragraph in which the conditional, or its \else, stands, whatever
closes it soonest; then before the next heading.

When nothing is done: every conditional is closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._conditionals import is_conditional, switches

_HEADING = re.compile(
    r"[ \t]*\\(?:part|chapter|section|subsection|end\{document\}|bibliography|appendix|begin\{document\})"
)


def propose(case: Case) -> Iterator[Candidate]:
    known = frozenset(name for s in case.read for name in switches(s))
    for path, source in case.tex_files():
        for last in _open(source, known):
            newline = newline_of(source.text)
            places: list[tuple[int, str, str]] = []
            _, line = source.line_span(source.line(last.start))
            rest = source.text[last.end : line]
            if rest.strip() and not rest.strip().startswith("%"):
                places.append((line, "\\fi", "at the end of its line"))
            else:
                following = min(source.line(last.start) + 1, source.line_count)
                _, stop = source.paragraph(source.line_span(following)[0])
                places.append((stop, newline + "\\fi", "at the end of its paragraph"))
                places.append((source.line_span(following)[1], newline + "\\fi", "behind the line that follows"))
            heading = _HEADING.search(source.text, last.end)
            while heading and source.text[heading.start() - 1 : heading.start()] not in "\r\n":
                heading = _HEADING.search(source.text, heading.end())
            if heading:
                places.append((heading.start(), "\\fi" + newline, "before the next heading"))
            for rank, (at, text, why) in enumerate(places):
                edit = Edit(path, at, at, text)
                yield Candidate((edit,), f"close a conditional {why}", round(0.78 - 0.08 * rank, 3))


def _open(source: Source, known: frozenset[str]) -> Iterator[Command]:
    """The last \\if, \\else or \\or of each conditional that is never closed."""
    stack: list[Command] = []
    for command in source.commands:
        if source.in_definition(command.start):
            continue
        if is_conditional(source, command, known):
            stack.append(command)
        elif command.name in ("else", "or") and stack:
            stack[-1] = command
        elif command.name == "fi" and stack:
            stack.pop()
    yield from stack[-2:]


RULE = Rule(
    id="fi-missing",
    fix=propose,
    answers=("incomplete-conditional", "missing-end-document", "emergency-stop"),
    examples=(
        Example(
            "\\newif\\ifdraft\n\\ifdraft\nDraft text.\n\nMore.\n\\section{A}\n",
            "\\newif\\ifdraft\n\\ifdraft\nDraft text.\n\\fi\n\nMore.\n\\section{A}\n",
            message="Incomplete \\ifdraft; all text was ignored after line 2",
            path="part.tex",
            line=6,
        ),
        Example(
            "\\newif\\ifdraft\n\\ifdraft Draft \\else Final \\fi\n",
            None,
            message="Incomplete \\ifdraft; all text was ignored after line 2",
            path="part.tex",
        ),
    ),
)
