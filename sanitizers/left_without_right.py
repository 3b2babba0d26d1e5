r"""A \left without its \right, or the two in different rows.

Why it breaks: the two must stand in one row and cell of one formula: "Extra }, or forgotten \right", "Missing \right.
inserted", "Extra \right".

What is done: a bracket that can be the partner gets its \left or \right; else a row that ends inside \left gets the
invisible \right. at its end, and one that holds a \right alone gets \left. at its start; all formulas at once. \left{
and \right} get their backslash; \middle outside of \left is dropped, its sign stays.

When nothing is done: every \left has its \right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from texrepair.latex import Math, Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_TOKENS = re.compile(
    r"\\(?P<command>left|right|middle)(?![A-Za-z])\s*(?P<delimiter>\\[{}|.]|\\[A-Za-z]+|.)?"
    r"|\\(?P<environment>begin|end)\{[^{}]*\}|(?P<row>\\\\(?:\[[^\[\]]*\])?)|(?P<cell>(?<!\\)&)|(?P<brace>(?<!\\)[{}])",
    re.DOTALL,
)
_BEFORE_END = re.compile(r"(?:\s|\\(?:notag|nonumber|label\{[^{}]*\}|tag\*?\{[^{}]*\})|[.,;])*$")

_PAIRS = {"(": ")", "[": "]", "\\{": "\\}", "\\langle": "\\rangle", "\\lfloor": "\\rfloor", "\\lceil": "\\rceil"}
_BRACKET = re.compile(
    r"(?<!left)(?<!right)(?<!middle)(?<![bB]ig)(?<![bB]igg)(?<![bB]ig[lrm])(?<![bB]igg[lrm])"
    r"(?:\\[{}]|\\[lr](?:angle|floor|ceil)\b|(?<!\\)[()\[\]{}])"
)


class Opened(NamedTuple):
    """A \\left that waits for its \\right."""

    end: int
    delimiter: str


def propose(case: Case) -> Iterator[Candidate]:
    braces: list[Edit] = []
    pairs: list[Edit] = []
    for path, source in case.tex_files():
        for found in re.finditer(r"\\(?:left|right|middle|[bB]igg?[lrm]?)\s*(?P<brace>[{}])", source.text):
            if source.mode(found.start()) in (Mode.INLINE, Mode.DISPLAY):
                braces.append(Edit(path, found.start("brace"), found.start("brace"), "\\"))
        for formula in source.math:
            if formula.parent is None and not source.in_definition(formula.start):
                pairs += _paired(source, path, formula)
    if braces:
        yield Candidate(tuple(braces), "write \\{ and \\} for the braces that \\left and \\right set", 0.9)
    if pairs:
        yield Candidate(tuple(pairs), "close every \\left and open every \\right within its row", 0.86)


def _paired(source: Source, path: str, formula: Math) -> Iterator[Edit]:
    """Walk through the formula with a stack: what is open at a row's end, a cell's end or an \\end is closed there."""
    text, start, end = source.text, formula.body_start, formula.body_end
    stack: list[str | Opened] = []
    begun = start
    starts: list[int] = []
    for found in _TOKENS.finditer(text, start, end):
        if source.mode(found.start()) in (Mode.COMMENT, Mode.TEXT, Mode.VERBATIM):
            continue
        if found["command"] == "left":
            stack.append(Opened(found.end(), found["delimiter"] or ""))
        elif found["command"] == "right":
            if stack and isinstance(stack[-1], Opened):
                stack.pop()
            elif not any(isinstance(s, Opened) for s in stack):
                partner = _bare_partner(text, begun, found.start(), found["delimiter"] or "", backwards=True)
                at, new = (begun, "\\left. ") if partner is None else (partner, "\\left")
                yield Edit(path, at, at, new)
        elif found["command"] == "middle":
            if not any(isinstance(s, Opened) for s in stack):
                yield Edit(path, found.start(), found.start() + len("\\middle"), "")
        elif found["environment"] == "begin" or found["brace"] == "{":
            stack.append("open")
            starts.append(begun)
            if found["environment"]:
                arguments = source.arguments_at(found.end(), 2)
                begun = arguments[-1].end if arguments else found.end()
        elif found["environment"] == "end" or found["brace"] == "}":
            yield from _closed(text, path, stack, begun, found.start())
            if stack:
                stack.pop()
            begun = starts.pop() if starts else begun
        elif found["row"] or found["cell"]:
            yield from _closed(text, path, stack, begun, found.start())
            begun = found.end()
    while stack:
        if isinstance(stack[-1], Opened):
            yield from _closed(text, path, stack, begun, end)
        else:
            stack.pop()


def _closed(text: str, path: str, stack: list[str | Opened], begun: int, end: int) -> Iterator[Edit]:
    while stack and isinstance(opened := stack[-1], Opened):
        stack.pop()
        partner = _bare_partner(text, max(begun, opened.end), end, opened.delimiter, backwards=False)
        if partner is not None:
            yield Edit(path, partner, partner, "\\right")
            continue
        tail = _BEFORE_END.search(text[begun:end])
        at = begun + tail.start() if tail else end
        yield Edit(path, at, at, " \\right.")


def _bare_partner(text: str, start: int, end: int, delimiter: str, backwards: bool) -> int | None:
    """Where between two places the delimiter's partner stands without \\left, \\right or \\big, and in no braces."""
    partner = {b: a for a, b in _PAIRS.items()}.get(delimiter) if backwards else _PAIRS.get(delimiter)
    if partner is None:
        return None
    depth = braces = 0
    signs = list(_BRACKET.finditer(text, start, end))
    for sign in signs[::-1] if backwards else signs:
        if sign[0] in "{}":
            braces += 1 if (sign[0] == "{") != backwards else -1
            if braces < 0:
                return None
        elif not braces and sign[0] == delimiter:
            depth += 1
        elif not braces and sign[0] == partner:
            if not depth:
                return sign.start()
            depth -= 1
    return None


RULE = Rule(
    id="left-without-right",
    fix=propose,
    deletes="a \\middle outside of \\left",
    answers=(
        "extra-right",
        "extra-brace",
        "missing-delimiter",
        "missing-brace",
        "misplaced-alignment",
        "end-inside-group",
    ),
    examples=(
        Example(
            "\\begin{align}\na &= \\left( b \\\\\n  & c \\right)\n\\end{align}\n",
            "\\begin{align}\na &= \\left( b \\right. \\\\\n  &\\left.  c \\right)\n\\end{align}\n",
            message="Missing \\right. inserted",
            path="part.tex",
        ),
        Example(
            "\\[ \\left{ x \\right} \\]\n",
            "\\[ \\left\\{ x \\right\\} \\]\n",
            message="Missing delimiter (. inserted)",
            code="missing-delimiter",
            path="part.tex",
        ),
        Example(
            "\\[ \\left( \\frac{a}{(b)} )^2 \\leq 1 \\] $[ \\sqrt{c} \\right]$\n",
            "\\[ \\left( \\frac{a}{(b)} \\right)^2 \\leq 1 \\] $\\left[ \\sqrt{c} \\right]$\n",
            message="Missing \\right. inserted",
            path="part.tex",
        ),
        Example("\\[ \\left( x \\right) \\]\n", None, message="Extra \\right", path="part.tex"),
    ),
)
