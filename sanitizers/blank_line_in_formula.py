r"""An empty line in a displayed formula.

Why it breaks: an empty line ends the paragraph, which no formula may contain: "Missing $ inserted", "Paragraph ended
before \align was complete".

What is done: empty lines between the beginning and the end of a displayed formula are removed, in all formulas at
once.

When nothing is done: no displayed formula has an empty line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.runs import likeness
from texrepair.rules import Candidate, Case, Edit, Example, Rule

FORMULAS = re.compile(
    r"\\begin\{(?P<name>(?:equation|align|alignat|xalignat|flalign|gather|multline|eqnarray|displaymath|math|dmath|split"
    r"|aligned|gathered|cases|dcases|[pbBvV]?matrix|array|IEEEeqnarray)\*?)\}"
)
_FOREIGN = re.compile(r"\\(?:section|chapter|item\b|end\{document\})")
_EMPTY = re.compile(r"(?P<end>\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))+")


def propose(case: Case) -> Iterator[Candidate]:
    edits = []
    for path, source in case.tex_files():
        for start, end in _formulas(source):
            edits += [Edit(path, m.end("end"), m.end(), "") for m in _EMPTY.finditer(source.text, start, end)]
    if edits:
        unique = tuple(dict.fromkeys(edits))
        yield Candidate(unique, "remove empty lines in displayed formulas", 0.9)


def _formulas(source: Source) -> Iterator[tuple[int, int]]:
    """The bodies of displayed formulas, as they are written: the lexer ends a formula at an empty line, as TeX does."""
    text = source.text
    last = 0
    for begin in FORMULAS.finditer(text):
        if begin.start() < last or not _live(source, begin.start()):
            continue
        end = text.find(f"\\end{{{begin['name']}}}", begin.end())
        inside = text[begin.end() : end] if end >= 0 else None
        if inside is not None and not _FOREIGN.search(inside) and f"\\begin{{{begin['name']}}}" not in inside:
            yield begin.end(), end
            last = end
    for opening, closing in ((r"\\\[", r"\\\]"), (r"(?<!\\)\$\$", r"\$\$")):
        at = 0
        while (start := re.compile(r"(?<!\\)" + opening).search(text, at)) is not None:
            end_found = re.compile(closing).search(text, start.end())
            if end_found is None:
                break
            at = end_found.end()
            inside = text[start.end() : end_found.start()]
            if _live(source, start.start()) and likeness(inside) > 0.6 and len(inside) < 3000:
                yield start.end(), end_found.start()


def _live(source: Source, pos: int) -> bool:
    return source.mode(pos) not in (Mode.VERBATIM, Mode.COMMENT, Mode.DEAD) and not source.in_definition(pos)


RULE = Rule(
    id="blank-line-in-formula",
    fix=propose,
    answers=(
        "missing-dollar",
        "runaway-argument",
        "bad-math-environment",
        "missing-brace",
        "extra-brace",
        "environment-mismatch",
        "end-inside-group",
        "wrong-mode",
    ),
    deletes="empty lines in formulas",
    examples=(
        Example(
            "\\begin{align}\na &= b \\\\\n\n  c &= d\n\\end{align}\n\n\\[\nx\n\n\\]\n\nText.\n",
            "\\begin{align}\na &= b \\\\\n  c &= d\n\\end{align}\n\n\\[\nx\n\\]\n\nText.\n",
            message="Paragraph ended before \\align was complete",
            path="part.tex",
            line=3,
        ),
        Example("\\begin{align}\na\n\\end{align}\n\nText.\n", None, message="Missing $ inserted", path="part.tex"),
    ),
)
