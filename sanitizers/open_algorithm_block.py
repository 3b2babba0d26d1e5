r"""A block of an algorithm that is never closed: \While without \EndWhile, \IF without \ENDIF.

Why it breaks: "Some blocks are not closed!!!" (algpseudocode), "\begin{ALC@g} on input line 9 ended by
\end{algorithmic}" (algorithmic).

What is done: the block is closed before the first line that is indented no deeper than its own beginning, where what
stands in it is indented; else before the end of the block around it, or of the algorithm.

When nothing is done: every block is closed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from texrepair.latex import Command, Environment, Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_CLOSED_BY = {
    "While": "EndWhile",
    "For": "EndFor",
    "ForAll": "EndFor",
    "If": "EndIf",
    "Loop": "EndLoop",
    "Procedure": "EndProcedure",
    "Function": "EndFunction",
}
CLOSED_BY = _CLOSED_BY | {opening.upper(): closing.upper() for opening, closing in _CLOSED_BY.items()}
"""What closes a block that a command opens: algpseudocode, algcompatible; algorithmic in capitals."""
_CLOSING = frozenset(CLOSED_BY.values())


class _Open(NamedTuple):
    """A block that is not closed."""

    opening: Command
    before: int
    """Where it ends at the latest: the beginning of the line that closes what is around it."""


def propose(case: Case) -> Iterator[Candidate]:
    indented: list[Edit] = []
    late: list[Edit] = []
    for path, source in case.tex_files():
        for environment in source.environments:
            if environment.name == "algorithmic" and environment.end is not None and source.live(environment.begin):
                # Of those that end at one place, the innermost comes first.
                for block in reversed(list(_open(source, environment, environment.end))):
                    indented.append(_closed(path, source, block, _dedent(source, block)))
                    late.append(_closed(path, source, block, block.before))
    if indented:
        yield Candidate(tuple(indented), "close the blocks of algorithms where the indentation ends", 0.92)
    if late != indented:
        yield Candidate(tuple(late), "close the blocks of algorithms where what is around them ends", 0.75)


def _open(source: Source, environment: Environment, end: int) -> Iterator[_Open]:
    waiting: list[Command] = []
    found: list[_Open] = []
    for command in source.commands:
        if not environment.begin_end <= command.start < end or not source.live(command.start):
            continue
        if command.name in CLOSED_BY:
            waiting.append(command)
        elif command.name in _CLOSING:
            names = [CLOSED_BY[opening.name] for opening in waiting]
            if command.name in names:
                place = len(names) - 1 - names[::-1].index(command.name)
                found += [_Open(opening, _line_start(source, command.start)) for opening in waiting[place + 1 :]]
                del waiting[place:]
    found += [_Open(opening, _line_start(source, end)) for opening in waiting]
    return iter(sorted(found, key=lambda block: block.opening.start))


def _dedent(source: Source, block: _Open) -> int:
    """The beginning of the first line behind the opening that is not deeper; `before` where nothing is indented."""
    depth = _depth(source, block.opening.start)
    inside = False
    for number in range(source.line(block.opening.start) + 1, source.line(block.before)):
        start, end = source.line_span(number)
        if not source.text[start:end].strip():
            continue
        if _depth(source, start) <= depth:
            return start if inside else block.before
        inside = True
    return block.before


def _depth(source: Source, pos: int) -> int:
    start, end = source.line_span(source.line(pos))
    line = source.text[start:end].expandtabs(4)
    return len(line) - len(line.lstrip())


def _closed(path: str, source: Source, block: _Open, at: int) -> Edit:
    start = _line_start(source, block.opening.start)
    line = source.text[start : block.opening.start]
    indent = line[: len(line) - len(line.lstrip())]
    return Edit(path, at, at, f"{indent}\\{CLOSED_BY[block.opening.name]}{newline_of(source.text)}")


def _line_start(source: Source, pos: int) -> int:
    return source.line_span(source.line(pos))[0]


_LINES = "\\begin{algorithmic}[1]\n\\While{$x<9$}\n  \\If{$x=5$}\n    \\State rest\n"

RULE = Rule(
    id="open-algorithm-block",
    fix=propose,
    answers=("package-error", "environment-mismatch", "missing-number", "extra-brace", "missing-end-document"),
    examples=(
        Example(
            _LINES + "  \\EndIf\n\\State end\n\\end{algorithmic}\n",
            _LINES + "  \\EndIf\n\\EndWhile\n\\State end\n\\end{algorithmic}\n",
            message="Package algorithmicx Error: Some blocks are not closed!!!",
            path="part.tex",
            line=7,
        ),
        Example(
            _LINES + "\\EndWhile\n\\end{algorithmic}\n",
            _LINES + "  \\EndIf\n\\EndWhile\n\\end{algorithmic}\n",
            message="Missing number, treated as zero",
            code="missing-number",
            path="part.tex",
            line=5,
        ),
        Example(
            "\\begin{algorithmic}\n\\FOR{$i=1$ \\TO 9}\n\\IF{$x$}\n\\STATE a\n\\ENDIF\n\\end{algorithmic}\n",
            "\\begin{algorithmic}\n\\FOR{$i=1$ \\TO 9}\n\\IF{$x$}\n\\STATE a\n\\ENDIF\n\\ENDFOR\n\\end{algorithmic}\n",
            message="LaTeX Error: \\begin{ALC@g} on input line 2 ended by \\end{algorithmic}",
            code="environment-mismatch",
            path="part.tex",
            line=6,
        ),
        Example(
            _LINES + "  \\EndIf\n\\EndWhile\n\\end{algorithmic}\n",
            None,
            message="Package algorithmicx Error: Some blocks are not closed!!!",
            path="part.tex",
        ),
    ),
)
