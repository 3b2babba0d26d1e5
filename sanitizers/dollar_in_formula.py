r"""A $ inside a formula that is displayed already: \begin{equation} $E = mc^2$ \end{equation}.

Why it breaks: inside a display the $ ends it: "Display math should end with $$", "Bad math environment delimiter". Who
writes $ around every formula writes it there too.

What is done: the $ inside equation, align, \[...\], \(...\) and their kin are removed, in all formulas at once; words
that stood between them are put in \text.

When nothing is done: the $ stand in \text or \mbox, or the display is not closed before its paragraph ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Math, Mode, Source
from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_DOLLAR = re.compile(r"(?<!\\)\$\$?")
_WORDS = re.compile(r"(?<![\\A-Za-z])(?:[A-Za-z]{3,}|if|is|of|or|to|in|by)(?:[ \t]+[A-Za-z]+)*")
_MARKUP = re.compile(r"\\(?:[A-Za-z]+\*?|.)(?:[ \t]*(?:\[[^\[\]]*\]|\{[^{}]*\}))*|(?<!\\)&", re.DOTALL)


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for formula in source.math:
            if not source.live(formula.start) or source.in_definition(formula.start) or formula.parent is not None:
                continue
            edits += _within(path, source, formula)
    if any("\\text{" in e.text for e in edits) and not {"amsmath", "mathtools", "beamer"} & set(case.packages):
        line = package_line(case.lexed(case.main), "amsmath")
        if line is not None:
            edits.append(Edit(case.main, line[0], line[0], line[1]))
    if edits:
        yield Candidate(tuple(edits), "remove the $ inside formulas that need none", 0.93)


def _within(path: str, source: Source, formula: Math) -> Iterator[Edit]:
    text, start, end = source.text, formula.body_start, formula.body_end
    opening = text[formula.start : start]
    if opening.startswith("$") or formula.end <= end or re.search(r"\n[ \t]*\r?\n\s*\S", text[start:end].lstrip()):
        return
    own = (Mode.DISPLAY, Mode.INLINE) if opening == "\\(" else (Mode.DISPLAY,)
    inner = [m for m in source.math if m.parent is not None and start <= m.start and m.end <= end]
    signs = [
        m
        for m in _DOLLAR.finditer(text, start, end)
        if source.mode(m.start()) in own
        and "$" not in source.ordinary(m.start())
        and not any(m2.start <= m.start() < m2.end for m2 in inner)
    ]
    if not signs or len(signs) % 2:
        return
    for sign in signs:
        yield Edit(path, *sign.span(), "")
    bounds = [start, *(pos for sign in signs for pos in sign.span()), end]
    for low, high in zip(bounds[::4], bounds[1::4], strict=True):
        yield from _worded(path, source, low, high)


def _worded(path: str, source: Source, low: int, high: int) -> Iterator[Edit]:
    """\\text around the words between two places outside of any $."""
    piece = _MARKUP.sub(lambda m: "\0" * len(m[0]), source.text[low:high])
    for words in _WORDS.finditer(piece):
        yield Edit(path, low + words.start(), low + words.end(), f"\\text{{ {words[0]} }}")


RULE = Rule(
    id="dollar-in-formula",
    fix=propose,
    answers=(
        "missing-dollar",
        "bad-math-environment",
        "bad-equation-structure",
        "extra-brace",
        "missing-brace",
        "misplaced-alignment",
        "missing-cr",
        "end-inside-group",
        "wrong-mode",
    ),
    deletes="the $ inside a formula that is displayed already",
    examples=(
        Example(
            "\\begin{equation}\\label{a}\n  $E = mc^2$\n\\end{equation}\n"
            "\\begin{align}\n  $a$ &= $b$ \\\\\n  c &= d\n\\end{align}\n\\[ $x$ + \\text{if $y$} \\]\n$z$\n",
            "\\begin{equation}\\label{a}\n  E = mc^2\n\\end{equation}\n"
            "\\begin{align}\n  a &= b \\\\\n  c &= d\n\\end{align}\n\\[ x + \\text{if $y$} \\]\n$z$\n",
            message="Display math should end with $$",
            path="part.tex",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n"
            "\\[ $x > 0$ whenever $y_1 > 1$ \\]\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n"
            "\\[ x > 0 \\text{ whenever } y_1 > 1 \\]\n\\end{document}\n",
            message="Display math should end with $$",
            line=4,
        ),
        Example(
            "\\[ x \\mbox{ if $y$} \\]\n\\begin{equation}\na\n\nfor $b$ and $c$\n",
            None,
            message="Missing $ inserted",
            path="part.tex",
            line=3,
        ),
    ),
)
