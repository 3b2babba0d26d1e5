"""Stretches of text that look like a formula: where a `$` belongs when it is missing."""

from __future__ import annotations

import re
from typing import NamedTuple

from texrepair.latex.source import Mode, Source

GREEK = frozenset(
    """alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho
    sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
    hbar ell partial nabla infty emptyset aleph Re Im wp imath jmath prime forall exists""".split()
)
RELATIONS = frozenset(
    """times cdot pm mp div ast star circ bullet cap cup setminus wedge vee oplus otimes leq geq le ge neq ne equiv sim
    simeq approx cong propto ll gg subset supset subseteq supseteq in ni notin mid parallel perp to rightarrow leftarrow
    Rightarrow Leftarrow leftrightarrow Leftrightarrow longrightarrow longleftarrow mapsto implies iff lor land
    prec succ models vdash uparrow downarrow cdots ldots""".split()
)
FUNCTIONS = frozenset(
    """frac dfrac tfrac sqrt sum prod int oint iint lim log ln exp sin cos tan cot max min sup inf det arg gcd binom
    overline underline hat bar vec dot ddot tilde widehat widetilde mathbf mathrm mathit mathsf mathtt mathcal mathbb
    mathfrak boldsymbol symbf bm overrightarrow overbrace underbrace neg lnot left right langle rangle lfloor rfloor
    lceil rceil lvert rvert angle triangle operatorname displaystyle limits""".split()
)
MATH_ONLY = GREEK | RELATIONS | FUNCTIONS - {"ldots", "underline", "bullet"}
"""Commands of the kernel and of amsmath that are allowed only in math (fontmath.ltx, amsmath.sty)."""

_TOKEN = re.compile(
    r"(?P<space>(?:[ \t~]|(?:\r\n|\n|\r(?!\n))(?![ \t]*[\r\n]))+)"
    r"|(?P<script>[_^][ \t]*(?:\{(?:[^{}\r\n]|\{[^{}\r\n]*\})*\}|\\[A-Za-z]+|[-+]?\d+|[^\s\\{}$&])|'+)"
    r"|\\(?P<command>[A-Za-z]+)\*?(?:\[[^\[\]\r\n]*\])?(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*"
    r"|(?P<thin>\\[,;:!>|{}])"
    r"|(?P<operator>[=+*/<>|−×·±≤≥≈≠∈→]|-(?!-))"
    r"|(?P<operand>\d+(?:[.,]\d+)*(?![A-Za-z])|(?<![A-Za-z])[A-Za-z](?![A-Za-z'])|\{(?:[^{}\r\n]|\{[^{}\r\n]*\})*\})"
    r"|(?P<opening>[(\[])"
    r"|(?P<closing>[)\]!])"
    r"|(?P<word>[^\W_]+(?:['’-][^\W_]+)*)"
    r"|(?P<other>\\.|.)",
    re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z]{3,}|[\u2e80-\u9fff\uac00-\ud7af]")
_TEXT_ARGUMENT = re.compile(r"\\(?:text\w*|mbox|mathrm|operatorname\*?|label|tag|begin|end|ref|eqref)\s*\{[^{}]*\}")
_COMMAND = re.compile(r"\\[A-Za-z]+")


class Token(NamedTuple):
    kind: str
    """space, operator, operand, script, opening, closing, thin, word, other."""
    start: int
    end: int


def tokens(text: str, start: int, end: int) -> list[Token]:
    """The text in pieces as a formula would read it."""
    found = []
    while start < end:
        match = _TOKEN.match(text, start, end)
        if match is None:
            break
        kind = match.lastgroup or "other"
        if match["command"]:
            name = match["command"]
            kind = "operator" if name in RELATIONS else "operand" if name in MATH_ONLY else "other"
        found.append(Token(kind, match.start(), match.end()))
        start = match.end()
    return found


def run_around(source: Source, start: int, end: int) -> tuple[int, int]:
    """The formula that the math at start..end (a command, a script with its base) belongs to: its bounds.

    It grows over what it touches and over the operands of its operators, within the text around it.
    """
    low, high = _bounds(source, start)
    left, right = tokens(source.text, low, start), tokens(source.text, start, high)
    if not right:
        return start, end
    return _grow_left(left, right[0]), max(end, _grow_right(right))


def run_from(text: str, start: int, end: int) -> int:
    """Where the formula that begins at `start` ends, at most `end`; `start` where none begins there."""
    found = tokens(text, start, end)
    if not found or found[0].kind in ("word", "other", "space"):
        return start
    return _grow_right(found)


def run_to(text: str, start: int, end: int) -> int:
    """Where the formula that ends at `end` begins, at least `start`; `end` where none ends there."""
    found = tokens(text, start, end)
    if not found or found[-1].kind in ("word", "other", "space"):
        return end
    return _grow_left(found[:-1], found[-1])


def _grow_right(found: list[Token]) -> int:
    at = 0
    while at + 1 < len(found):
        following = found[at + 1]
        if following.kind in ("script", "operand", "opening", "closing", "thin"):
            at += 1
            continue
        beyond = _skip(found, at + 1, 1)
        if beyond is None:
            break
        if found[at].kind in ("operator", "opening") and found[beyond].kind in (
            "operand",
            "opening",
            "operator",
            "thin",
        ):
            at = beyond
        elif found[beyond].kind == "operator":
            right = _skip(found, beyond + 1, 1)
            if right is None or found[right].kind not in ("operand", "opening", "operator"):
                break
            at = beyond
        else:
            break
    return found[at].end


def _grow_left(left: list[Token], first: Token) -> int:
    begin = first
    at = len(left)
    while at > 0:
        before = left[at - 1]
        if before.kind in ("script", "operand", "opening", "closing", "thin"):
            at -= 1
            begin = before
            continue
        beyond = _skip(left, at - 1, -1)
        if beyond is None:
            break
        if begin.kind in ("operator", "script", "closing") and left[beyond].kind in ("operand", "closing", "script"):
            at = beyond
        elif left[beyond].kind == "operator":
            further = _skip(left, beyond - 1, -1)
            if further is None or left[further].kind not in ("operand", "closing", "script"):
                if before.kind == "operator":
                    begin = before
                break
            at = beyond
        else:
            break
        begin = left[at]
    return begin.start


def _skip(found: list[Token], at: int, step: int) -> int | None:
    while 0 <= at < len(found) and found[at].kind == "space":
        at += step
    return at if 0 <= at < len(found) else None


def _bounds(source: Source, pos: int) -> tuple[int, int]:
    low, high = source.paragraph(pos)
    for group in source.groups_at(pos):
        if group.open < pos:
            low = max(low, group.open + 1)
            high = min(high, group.until if group.close is None else group.close)
    at = next((i for i, span in enumerate(source.spans) if span.start <= pos < span.end), len(source.spans) - 1)
    first = last = at
    while first > 0 and source.spans[first - 1].end > low and source.spans[first - 1].mode is Mode.TEXT:
        first -= 1
    while (
        last + 1 < len(source.spans)
        and source.spans[last + 1].start < high
        and source.spans[last + 1].mode is Mode.TEXT
    ):
        last += 1
    return max(low, source.spans[first].start), min(high, source.spans[last].end)


def likeness(text: str) -> float:
    """How much a text looks like a formula: 1 for pure mathematics, towards 0 for prose, by its share of words."""
    plain = _COMMAND.sub(" ", _TEXT_ARGUMENT.sub(" ", text))
    words = sum(len(w) for w in _WORD.findall(plain))
    letters = len(re.sub(r"\s+", "", text)) or 1
    return max(0.0, 1.0 - words / letters)
