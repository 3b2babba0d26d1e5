r"""A bracket that closes a brace, or a brace that closes a bracket.

Why it breaks: \section{Title] and \cite[p.~4}{key} never end, as far as TeX can tell: "Runaway argument", "Argument
of ... has an extra }".

What is done: the closing sign is made to fit the opening one, everywhere at once.

When nothing is done: brackets and braces come in pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_BRACKET = re.compile(r"\\[A-Za-z]+\*?\[(?:[^\[\]{}\r\n\\]|\\[A-Za-z]+|\{[^{}\r\n]*\})*(?P<wrong>\})(?=\s*[{\[.,;]|\s)")
_BRACE = re.compile(
    r"\\[A-Za-z]+\*?(?:\[[^\[\]{}\r\n]*\])?\{(?:[^\[\]{}\r\n\\]|\\[A-Za-z]+|\{[^{}\r\n]*\})*(?P<wrong>\])"
)


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        edits += (Edit(path, pos, pos + 1, "]") for pos in _wrong(source, _BRACKET))
        edits += (Edit(path, pos, pos + 1, "}") for pos in _wrong(source, _BRACE) if not _closed_later(source, pos))
    if edits:
        yield Candidate(tuple(edits), "close brackets with brackets and braces with braces", 0.91)
        near = [e for e in edits if e.path == case.path and e.start <= case.at]
        if near and len(edits) > 1:
            yield Candidate((near[-1],), "close this bracket or brace with its own kind", 0.7)


def _wrong(source: Source, pattern: re.Pattern[str]) -> Iterator[int]:
    starts = {c.start for c in source.commands}
    for found in pattern.finditer(source.text):
        if found.start() in starts and source.live(found.start()) and not source.in_definition(found.start()):
            yield found.start("wrong")


def _closed_later(source: Source, pos: int) -> bool:
    """Whether the brace that is open at `pos` is closed on the same line."""
    line = source.text[pos + 1 : source.line_span(source.line(pos))[1]]
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", line):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            return True
    return False


RULE = Rule(
    id="bracket-for-brace",
    fix=propose,
    answers=(
        "runaway-argument",
        "extra-brace",
        "missing-brace",
        "environment-mismatch",
        "use-does-not-match",
        "missing-endcsname",
        "missing-number",
        "end-inside-group",
        "not-in-outer-par-mode",
    ),
    examples=(
        Example(
            "\\section{Sites]\nSee \\cite[p.~41}{tern} and \\textbf{a [b] c}.\n",
            "\\section{Sites}\nSee \\cite[p.~41]{tern} and \\textbf{a [b] c}.\n",
            message="Paragraph ended before \\@sect was complete",
            path="part.tex",
        ),
        Example("\\cite[p.~41]{tern} \\textbf{a]b}.\n", None, message="Runaway argument?", path="part.tex"),
    ),
)
