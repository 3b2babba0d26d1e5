r"""A bare _ or ^ in text.

Why it breaks: they set indices and exponents, which only formulas have: "Missing $ inserted", often reported where
the argument or paragraph ends.

What is done: in names and numbers (file_name, two_2, 1_000, C:\a_b) they are escaped; what looks like mathematics
(x_1, 10^{-3}, CO_2, km^2) becomes a formula. All of them in the document at once, then those of the paragraph alone,
then the other way of reading them. With them go the
% behind numbers and the $ of amounts in sentences, which swallow or join words without an error.

When nothing is done: in formulas, labels, addresses, file names of \includegraphics and other arguments that are not
typeset, in code, and in definitions, where the place of use decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._bare_signs import hidden

TYPESET_IN_PREAMBLE = frozenset(
    {"title", "author", "date", "subtitle", "institute", "lhead", "chead", "rhead", "lfoot", "cfoot", "rfoot"}
    | {"fancyhead", "fancyfoot", "thanks", "affil", "address", "email", "subject", "publishers", "keywords"}
)
CODE = frozenset({"texttt", "code", "file", "path", "cmd", "filename", "variable", "command", "option", "menu", "env"})
"""Arguments of these commands hold names, not formulas."""

_CHARS = r"(?:[^\s{}$&~%\\,;()\[\]|_^\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]|\\[_&#%])*"
"""Of a word; Chinese and its kin write no space between a word and the formula beside it."""
_WORD = re.compile(rf"{_CHARS}(?:(?<!\\)[_^](?:\{{[^{{}}$\r\n]*\}})?{_CHARS})+")
_SCRIPTS = r"(?:[_^](?:\{[^{}$]{1,16}\}|[-+−]?\d+|[A-Za-z](?![A-Za-z])))"
_FORMULA = re.compile(rf"(?:[A-Za-z]'*|\d+(?:[.,]\d+)?(?=\^)){_SCRIPTS}{{1,3}}")
_SUFFIX = re.compile(rf"(?:[A-Za-z]{{1,5}}{_SCRIPTS})+[A-Za-z]{{0,5}}")
_NAME = re.compile(r"(?![a-z]?(?:[A-Z][a-z]?)+_)[A-Za-z]+_[-+−]?\d")
"""A word with a number, as in two_2; only the symbols of chemistry, as in pCO_2, have indices without braces."""
_PART_NUMBER = re.compile(r"[A-Z]_\d{2,}")
"""A type or a number of a document, as in K_80, unless the document has a formula with such a symbol."""
_SCRIPT = re.compile(_SCRIPTS)
_DEGREE = re.compile(r"\^(?:\{\\circ\}|\\circ(?![A-Za-z]))[ \t]*")

Rewrite = Callable[[str], str]


def propose(case: Case) -> Iterator[Candidate]:
    here, everywhere = [], []
    for path, source in case.tex_files():
        words = list(_words(source))
        everywhere += [(path, source, start, end) for start, end in words]
        if path == case.path:
            low, high = source.paragraph(case.at)
            here = [(path, source, start, end) for start, end in words if low <= start <= high]
    if not everywhere:
        return
    likely = 0.85 if here else 0.45
    if not _mathematical(everywhere):
        # Among names such as max_retries, 10^6 is typed as they are.
        edits = tuple(Edit(path, a, b, _escaped(source, a, b)) for path, source, a, b in everywhere)
        why = "escape every bare _ and ^: they stand in names"
        if more := hidden(case, edits):
            yield Candidate((*edits, *more), f"{why}, and the % and $ of numbers in sentences", likely + 0.04)
        yield Candidate(edits, why, likely + 0.03)
    choices: tuple[tuple[list[tuple[str, Source, int, int]], Callable[[Source, int, int], str], str, float], ...] = (
        (everywhere, _likely, "escape _ and ^ in text, or set them as formulas, wherever they stand bare", likely),
        (here, _likely, "escape _ and ^ in this paragraph, or set them as formulas", likely - 0.1),
        (everywhere, _escaped, "escape every bare _ and ^", likely - 0.2),
        (here, _escaped, "escape every bare _ and ^ of this paragraph", likely - 0.25),
    )
    for where, rewrite, why, certainty in choices:
        edits = tuple(Edit(path, a, b, rewrite(source, a, b)) for path, source, a, b in where)
        if edits and where is everywhere and (more := hidden(case, edits)):
            yield Candidate((*edits, *more), f"{why}, and the % and $ of numbers in sentences", certainty + 0.02)
        if edits:
            yield Candidate(edits, why, certainty)


def _mathematical(words: list[tuple[str, Source, int, int]]) -> bool:
    """Whether the words can be meant as formulas: some can be nothing else, or there are formulas and no names."""
    cores = [source.text[a:b].rstrip(".:!?,") for _, source, a, b in words]
    if any(
        "{" in core or _DEGREE.search(core) or _suffixed(core) or (_FORMULA.fullmatch(core) and core[0].isalpha())
        for core in cores
    ):
        return True
    return any(source.math for _, source, *_ in words) and all(_FORMULA.fullmatch(core) for core in cores)


def _words(source: Source) -> Iterator[tuple[int, int]]:
    """The words that hold a bare _ or ^ in text."""
    text = source.text
    for found in _WORD.finditer(text):
        start, end = found.span()
        marks = [start + m.start() for m in re.finditer(r"(?<!\\)[_^]", found[0])]
        degree = _DEGREE.match(text, marks[-1])
        if degree and text[marks[-1] - 1 : marks[-1]] != "^":
            end = max(end, degree.end())
        before = text[start - 1 : start]
        if before == "\\" or (before == "}" and marks[0] == start and not degree):
            continue
        if "^^" in found[0] or not all(_bare(source, mark) for mark in marks):
            continue
        yield start, end


def _bare(source: Source, pos: int) -> bool:
    if source.mode(pos) is not Mode.TEXT or source.in_definition(pos) or source.text[pos] in source.ordinary(pos):
        return False
    return not source.in_preamble(pos) or any(g.opener in TYPESET_IN_PREAMBLE for g in source.groups_at(pos))


def _likely(source: Source, start: int, end: int) -> str:
    word = source.text[start:end]
    degree = _DEGREE.search(word)
    if degree:
        return word[: degree.start()] + "$^{\\circ}$" + word[degree.end() :]
    if any(g.opener in CODE for g in source.groups_at(start)):
        return _escaped(source, start, end)
    core = word.rstrip(".:!?")
    tail = word[len(core) :]
    if _PART_NUMBER.fullmatch(core) and not any(core[:2] in source.text[m.start : m.end] for m in source.math):
        return _escaped(source, start, end)
    if _FORMULA.fullmatch(core):
        return "$" + _SCRIPT.sub(_braced, core) + "$" + tail
    if _suffixed(core) and (re.search(r"[_^]\{?[-+−]?\d", core) is not None) and core.count("_") < 3:
        return _SCRIPT.sub(lambda m: "$" + _braced(m) + "$", core) + tail
    return _escaped(source, start, end)


def _suffixed(core: str) -> bool:
    """Whether it is a unit or a symbol of several letters with indices or exponents."""
    return _SUFFIX.fullmatch(core) is not None and _NAME.match(core) is None


def _braced(script: re.Match[str]) -> str:
    mark, body = script[0][0], script[0][1:]
    return script[0] if body.startswith("{") or len(body) == 1 else f"{mark}{{{body}}}"


def _escaped(source: Source, start: int, end: int) -> str:
    def escape(found: re.Match[str]) -> str:
        return "\\_" if found[0] == "_" else "\\^{}"

    return re.sub(r"(?<!\\)[_^]", escape, source.text[start:end])


RULE = Rule(
    id="underscore-in-text",
    fix=propose,
    answers=("missing-dollar",),
    examples=(
        Example(
            "The newest is raw_2019_q3.csv, with x_1 and 10^6 rows.\n",
            "The newest is raw\\_2019\\_q3.csv, with $x_1$ and $10^6$ rows.\n",
            message="Missing $ inserted",
            path="part.tex",
            context_before="The newest is raw_",
        ),
        Example(
            "\\texttt{a_b}, CO_2 at 20^\\circ C, and \\label{a_b} $x_1$.\n",
            "\\texttt{a\\_b}, CO$_2$ at 20$^{\\circ}$C, and \\label{a_b} $x_1$.\n",
            message="Missing $ inserted",
            path="part.tex",
            context_before="\\texttt{a_b}",
        ),
        Example(
            "The newest is raw_2019.csv, with 10^6 rows.\n",
            "The newest is raw\\_2019.csv, with 10\\^{}6 rows.\n",
            message="Missing $ inserted",
            path="part.tex",
            context_before="The newest is raw_",
        ),
        Example(
            "重力g_0为10^6，共1_000_000行，1_a和two_2，文件_1，km^2。\n",
            "重力$g_0$为$10^6$，共1\\_000\\_000行，1\\_a和two\\_2，文件\\_1，km$^2$。\n",
            message="Missing $ inserted",
            path="part.tex",
            context_before="重力g_",
        ),
        Example(
            "The newest is raw_2019.csv.\n\nIt grew by 5% in a year.\n",
            "The newest is raw\\_2019.csv.\n\nIt grew by 5\\% in a year.\n",
            message="Missing $ inserted",
            path="part.tex",
            context_before="The newest is raw_",
        ),
        Example("$x_1$ and \\url{a_b} and \\verb|a_b|.\n", None, message="Missing $ inserted", path="part.tex"),
    ),
)
