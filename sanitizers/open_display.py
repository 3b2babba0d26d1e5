r"""A displayed formula with one delimiter.

Why it breaks: behind a \[ or \( without its partner text is read as mathematics up to the paragraph's end or to a
command that formulas cannot hold; a \] alone is a "Bad math environment delimiter".

What is done: the missing delimiter is put where the formula ends or begins: at the end of its line, before the text
that follows.

When nothing is done: the delimiters come in pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.preamble import newline_of
from texrepair.latex.runs import likeness, run_from, run_to
from texrepair.rules import Candidate, Case, Edit, Example, Rule

PARTNER = {"\\[": "\\]", "\\(": "\\)", "$$": "$$", "\\]": "\\[", "\\)": "\\("}


def propose(case: Case) -> Iterator[Candidate]:
    source, text = case.source, case.text
    marks = [pos for pos in source.open_math if text.startswith(("\\[", "\\(", "$$"), pos)]
    marks += [pos for pos in source.stray_shifts if text.startswith(("\\]", "\\)"), pos)]
    marks.sort(key=lambda pos: (pos > case.at + 200, abs(pos - case.at)))
    for rank, pos in enumerate(marks[:3]):
        mark = text[pos : pos + 2]
        cures = _closed(source, pos, mark) if mark in ("\\[", "\\(", "$$") else _opened(source, pos, mark)
        for edit_at, inserted, certainty in cures:
            why = f"add the {PARTNER[mark]} that the {mark} of line {source.line(pos)} lacks"
            yield Candidate((Edit(case.path, edit_at, edit_at, inserted),), why, round(certainty - 0.08 * rank, 3))


def _closed(source: Source, pos: int, mark: str) -> Iterator[tuple[int, str, float]]:
    text = source.text
    partner = PARTNER[mark]
    if mark == "\\(":
        end = run_from(text, pos + 2, source.line_span(source.line(pos))[1])
        if end > pos + 2:
            yield end, partner, 0.84
    number = source.line(pos)
    last = None
    while number <= source.line_count:
        start, end = source.line_span(number)
        line = text[max(start, pos + 2) : end]
        if number > source.line(pos) and (
            not line.strip() or likeness(line) < 0.5 or re.match(r"\s*\\(?:begin|item|end|sec)", line)
        ):
            break
        if line.strip():
            last = end
        number += 1
    if last is not None:
        own = not text[source.line_span(source.line(pos))[0] : pos].strip() and not text[pos + 2 : pos + 3].strip()
        yield last, (newline_of(text) if own else "") + partner, 0.82
    yield source.line_span(source.line(pos))[1], partner, 0.6


def _opened(source: Source, pos: int, mark: str) -> Iterator[tuple[int, str, float]]:
    text = source.text
    partner = PARTNER[mark]
    start_of_line = source.line_span(source.line(pos))[0]
    if mark == "\\)":
        begin = run_to(text, start_of_line, len(text[:pos].rstrip()))
        if begin < pos:
            yield begin, partner, 0.84
        return
    number = source.line(pos)
    first = None
    while number >= 1:
        start, end = source.line_span(number)
        line = text[start : min(end, pos)]
        if number < source.line(pos) and (not line.strip() or likeness(line) < 0.5):
            break
        if line.strip() and source.mode(start) is Mode.TEXT:
            first = start
        number -= 1
    if first is not None:
        yield first, partner + newline_of(text), 0.8


RULE = Rule(
    id="open-display",
    fix=propose,
    answers=(
        "missing-dollar",
        "bad-math-environment",
        "end-inside-group",
        "wrong-mode",
        "missing-item",
        "missing-brace",
        "extra-brace",
        "environment-mismatch",
    ),
    examples=(
        Example(
            "It is\n\\[\nx = y^2\n\\begin{itemize}\n\\item a\n\\end{itemize}\n",
            "It is\n\\[\nx = y^2\n\\]\n\\begin{itemize}\n\\item a\n\\end{itemize}\n",
            message="Missing $ inserted",
            path="part.tex",
            line=5,
        ),
        Example("Let \\(x be.\n", "Let \\(x\\) be.\n", message="Missing $ inserted", path="part.tex"),
        Example("Let \\(x\\) be.\n", None, message="Missing $ inserted", path="part.tex"),
    ),
)
