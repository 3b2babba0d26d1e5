r"""A bare # in text.

Why it breaks: # stands for the parameters of a definition: "You can't use `macro parameter character #'", and inside an
argument "Illegal parameter number in definition of ...".

What is done: it is escaped, everywhere in the document's body at once, then in the reported paragraph alone.
With them go the % behind numbers and the $ of amounts in sentences, which swallow or join words without an error.

When nothing is done: in definitions, in addresses and in code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._bare_signs import hidden

_BARE = re.compile(r"(?<!\\)#")
_DEFINING = frozenset({"code", "style", "append code", "append style", "foreach", "loop", "edef", "ForEach"})


def propose(case: Case) -> Iterator[Candidate]:
    here, everywhere = [], []
    for path, source in case.tex_files():
        edits = [Edit(path, pos, pos + 1, "\\#") for pos in _bare(source)]
        everywhere += edits
        if path == case.path:
            low, high = source.paragraph(case.at)
            here = [e for e in edits if low <= e.start <= high]
    if everywhere and (more := hidden(case, everywhere)):
        why = "escape every # in the text, and the % and $ of numbers in sentences"
        yield Candidate((*everywhere, *more), why, 0.87 if here else 0.52)
    if everywhere:
        yield Candidate(tuple(everywhere), "escape every # in the text", 0.85 if here else 0.5)
    if here and len(here) < len(everywhere):
        yield Candidate(tuple(here), "escape the # in this paragraph", 0.7)


def _bare(source: Source) -> Iterator[int]:
    for found in _BARE.finditer(source.text):
        pos = found.start()
        if source.mode(pos) not in (Mode.TEXT, Mode.INLINE, Mode.DISPLAY) or "#" in source.ordinary(pos):
            continue
        if source.in_definition(pos) or any(g.opener in _DEFINING for g in source.groups_at(pos)):
            continue
        if source.in_preamble(pos) and not source.groups_at(pos):
            continue
        yield pos


RULE = Rule(
    id="hash-in-text",
    fix=propose,
    answers=("parameter-character", "illegal-parameter"),
    examples=(
        Example(
            "Item #4.\n\nIt grew by 5% in a year.\n",
            "Item \\#4.\n\nIt grew by 5\\% in a year.\n",
            message="You can't use `macro parameter character #' in horizontal mode",
            path="part.tex",
            context_before="Item #",
        ),
        Example(
            "Written in C# and F#, see \\footnote{PR #12} \\href{a#b}{x}.\n",
            "Written in C\\# and F\\#, see \\footnote{PR \\#12} \\href{a#b}{x}.\n",
            message="You can't use `macro parameter character #' in horizontal mode",
            path="part.tex",
            context_before="Written in C#",
        ),
        Example(
            "\\newcommand{\\x}[1]{#1} \\verb|#| \\url{a#b}\n",
            None,
            message="You can't use `macro parameter character #' in horizontal mode",
            path="part.tex",
        ),
    ),
)
