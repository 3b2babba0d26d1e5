r"""A list, a display or several paragraphs in a box of one line.

Why it breaks: \fbox, \mbox, \colorbox and their kin set one line, in which no paragraph can begin: "Something's
wrong--perhaps a missing \item", "Missing } inserted", and a verbatim or table of the same kind.

What is done: a minipage of the line's width is put into the box, so that frame and text stay.

When nothing is done: the box holds a minipage, a \parbox, a varwidth or a table already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Argument, Command, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_BOXES = {"fbox": 1, "framebox": 1, "mbox": 1, "makebox": 1, "colorbox": 2, "fcolorbox": 3, "shadowbox": 1,
          "ovalbox": 1, "doublebox": 1, "boxed": 1, "raisebox": 2, "scalebox": 2, "rotatebox": 2}  # fmt: skip
"""Boxes of one line, and which of their braced arguments is the text."""

_PARAGRAPHS = re.compile(
    r"\\begin\{(?:itemize|enumerate|description|center|quote|quotation|flushleft|flushright|equation\*?|align\*?|gather\*?"
    r"|tabbing|theorem|lemma|proof|abstract|verse)\}|\\\[|\$\$|\\(?:par|vskip|vspace|smallskip|medskip|bigskip|item)\b"
    r"|(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)"
)
_HELD = re.compile(
    r"\s*%?\s*\\(?:parbox|begin\{(?:minipage|varwidth|tabular\*?|tabularx|tikzpicture|lrbox|BVerbatim)\}|vbox|vtop)"
)


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for command in source.command_named(*_BOXES):
            text = _text(source, command)
            if text is None or _HELD.match(source.inner(text)) or not _PARAGRAPHS.search(source.inner(text).strip()):
                continue
            plain = command.name in ("mbox", "makebox", "raisebox", "scalebox", "rotatebox")
            width = "\\linewidth" if plain else "\\dimexpr\\linewidth-2\\fboxsep-2\\fboxrule\\relax"
            edits.append(Edit(path, text.start + 1, text.start + 1, f"\\begin{{minipage}}{{{width}}}"))
            end = text.end - 1
            edits.append(Edit(path, end, end, "\\end{minipage}"))
    if edits:
        yield Candidate(tuple(edits), "put a minipage into the boxes that hold paragraphs", 0.88)


def _text(source: Source, command: Command) -> Argument | None:
    if not source.live(command.start) or source.in_definition(command.start):
        return None
    braced = [a for a in source.arguments(command, 5) if not a.optional]
    number = _BOXES[command.name]
    return braced[number - 1] if len(braced) >= number else None


RULE = Rule(
    id="paragraphs-in-box",
    fix=propose,
    answers=(
        "missing-item",
        "missing-brace",
        "extra-brace",
        "bad-math-environment",
        "wrong-mode",
        "missing-dollar",
        "runaway-argument",
        "end-inside-group",
        "too-deeply-nested",
        "environment-mismatch",
    ),
    examples=(
        Example(
            "\\fbox{\n\\begin{itemize}\n\\item a\n\\end{itemize}\n}\n\\fbox{b}\n",
            "\\fbox{\\begin{minipage}{\\dimexpr\\linewidth-2\\fboxsep-2\\fboxrule\\relax}\n\\begin{itemize}\n\\item a\n"
            "\\end{itemize}\n\\end{minipage}}\n\\fbox{b}\n",
            message="LaTeX Error: Something's wrong--perhaps a missing \\item",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\fbox{\\parbox{4cm}{a\n\nb}}\n",
            None,
            message="LaTeX Error: Something's wrong--perhaps a missing \\item",
            path="part.tex",
        ),
    ),
)
