r"""Mathematics outside of formulas.

Why it breaks: \alpha, \times, \frac and matrices are allowed only in formulas: "Missing $ inserted", "\mathbf allowed
only in math mode".

What is done: the shortest stretch that is a formula (the command with its arguments and the operands of its
operators) is put between dollar signs, wherever such a command stands in text; an environment such as cases or
pmatrix on lines of its own is displayed.

When nothing is done: in formulas, in code, in arguments that are not typeset, and in definitions, where the place of
use decides; where a formula would hold a heading, a caption or the end of a paragraph, which TeX allows in none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Mode, Source
from texrepair.latex.preamble import newline_of
from texrepair.latex.printing import UNPRINTED
from texrepair.latex.runs import MATH_ONLY, likeness, run_around, run_to
from texrepair.latex.vocabulary import ENDS_MATH
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_NOT_MATH = UNPRINTED | ENDS_MATH | {"verb"}
"""Commands that no formula is made of, if they stand in text."""
_ENDS_MATH = re.compile(rf"\n[ \t]*\r?\n|\\(?:{'|'.join(sorted(ENDS_MATH))})(?![A-Za-z])")
INNER = re.compile(r"(?:[pbBvV]?(?:small)?matrix|[dr]?cases|aligned|alignedat|gathered|split|subarray)\*?")
"""Environments that are a part of a formula (amsmath, mathtools)."""


def propose(case: Case) -> Iterator[Candidate]:
    everywhere: list[tuple[str, int, int, str, str]] = []
    for path, source in case.tex_files():
        everywhere += [(path, *run) for run in _runs(source, list(_commands(source)))]
    low, high = case.source.paragraph(case.at)
    here = [run for run in everywhere if run[0] == case.path and low <= run[1] <= high]
    if everywhere:
        yield Candidate(_edits(everywhere), "set mathematics that stands in text as formulas", 0.83 if here else 0.55)
    if here and len(here) < len(everywhere):
        yield Candidate(_edits(here), "set the mathematics in this paragraph as formulas", 0.7)
    if not here:
        last = [c for c in case.source.commands if low <= c.start and c.end <= case.at and c.name.isalpha()]
        if (
            last
            and last[-1].name not in _NOT_MATH
            and case.source.mode(last[-1].start) is Mode.TEXT
            and not case.source.in_definition(last[-1].start)
        ):
            runs = [(case.path, *run) for run in _runs(case.source, [last[-1]])]
            if runs:
                yield Candidate(_edits(runs), f"set \\{last[-1].name} as a formula", 0.52)


def _edits(runs: list[tuple[str, int, int, str, str]]) -> tuple[Edit, ...]:
    found = []
    for path, start, end, opening, closing in runs:
        found += [Edit(path, start, start, opening), Edit(path, end, end, closing)]
    return tuple(found)


def _commands(source: Source) -> Iterator[Command]:
    for command in source.commands:
        if command.name in MATH_ONLY and _in_text(source, command.start):
            yield command


def _in_text(source: Source, pos: int) -> bool:
    if source.mode(pos) is not Mode.TEXT or source.in_definition(pos):
        return False
    return not source.in_preamble(pos) or bool(source.groups_at(pos))


def _runs(source: Source, commands: list[Command]) -> Iterator[tuple[int, int, str, str]]:
    """Formulas as start, end and their delimiters, in order and apart from each other."""
    found = []
    for environment in source.environments:
        around = "" if environment.parent is None else source.environments[environment.parent].name
        if not environment.end_end or not INNER.fullmatch(environment.name) or INNER.fullmatch(around):
            continue
        if _in_text(source, environment.begin):
            found.append(_around_environment(source, environment.begin, environment.end_end))
    for command in commands:
        if any(start <= command.start < end for start, end, *_ in found):
            continue
        start, end = run_around(source, command.start, command.end)
        # The run ends before an argument that goes beyond the paragraph.
        cut = end == command.end and source.text.startswith("{", end)
        if not cut and not _ENDS_MATH.search(source.text, start, end):
            found.append((start, end, "$", "$"))
    last = -1
    for start, end, opening, closing in sorted(found):
        if start >= last and end > start:
            yield start, end, opening, closing
            last = end


def _around_environment(source: Source, begin: int, end: int) -> tuple[int, int, str, str]:
    text = source.text
    line_start = source.line_span(source.line(begin))[0]
    line_stop = source.line_span(source.line(end))[1]
    start = run_to(text, line_start, len(text[:begin].rstrip())) if text[line_start:begin].strip() else begin
    start = min(start, begin)
    head, tail = text[line_start:start], text[end:line_stop]
    mark = re.match(r"[ \t]*[.,;]?", tail)
    if not head.strip() and mark and not tail[mark.end() :].strip():
        newline = newline_of(text)
        return start, end + mark.end(), f"\\[{newline}{head}", f"{newline}{head}\\]"
    if likeness(head) > 0.9 and head.strip():
        start = line_start + len(head) - len(head.lstrip())
    return start, end, "$", "$"


RULE = Rule(
    id="math-in-text",
    fix=propose,
    answers=("missing-dollar", "wrong-mode", "extra-brace", "missing-brace", "misplaced-alignment"),
    examples=(
        Example(
            "The slope is \\beta = 24.1 litres, within \\pm 0.002, and \\frac{V_0}{V_1}.\n",
            "The slope is $\\beta = 24.1$ litres, within $\\pm 0.002$, and $\\frac{V_0}{V_1}$.\n",
            message="Missing $ inserted",
            path="part.tex",
            context_before="The slope is \\beta",
        ),
        Example(
            "So\n\nf(x) = \\begin{cases}\n1 & a \\\\ 2 & b\n\\end{cases}\n\nholds.\n",
            "So\n\n\\[\nf(x) = \\begin{cases}\n1 & a \\\\ 2 & b\n\\end{cases}\n\\]\n\nholds.\n",
            message="Missing $ inserted",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\newcommand{\\half}{\\frac12}\nA \\half{} more.\n",
            "\\newcommand{\\half}{\\frac12}\nA $\\half{}$ more.\n",
            message="Missing $ inserted",
            path="part.tex",
            line=2,
        ),
        Example("\\chapter{Yield}\nSoil & air.\n", None, message="Missing $ inserted", path="part.tex", line=2),
        Example("\\overline{One.\n\nTwo.}\n", None, message="Missing $ inserted", path="part.tex"),
        Example("$\\beta$ and \\verb|\\beta|.\n", None, message="Missing $ inserted", path="part.tex"),
    ),
)
