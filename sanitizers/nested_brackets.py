r"""A ] inside an optional argument.

Why it breaks: in \item[Wheel, \cite[p.~17]{plover}] the first ] ends the argument: "Argument of \x has an extra }".

What is done: the whole argument is put in braces, [{...}]; first in the reported paragraph, then everywhere.

When nothing is done: brackets inside are in braces, or there are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_OPENS = re.compile(
    r"\\(?:item|section|subsection|subsubsection|paragraph|chapter|part|caption|captionof|footnote|footnotemark|title"
    r"|author|marginpar|frametitle|bibitem)\*?[ \t]*\[|\\begin\{(?!tikz|axis|lstlisting|minted|tabular|figure|table)"
    r"[A-Za-z*]+\}[ \t]*\["
)
_MARKS = re.compile(r"(?<!\\)[\[\]{}]")


def propose(case: Case) -> Iterator[Candidate]:
    everywhere: list[tuple[str, int, int]] = []
    for path, source in case.tex_files():
        everywhere += [(path, *bounds) for bounds in _nested(source)]
    low, high = case.source.paragraph(case.at)
    before, _ = case.source.paragraph(max(0, low - 2))
    here = [entry for entry in everywhere if entry[0] == case.path and before <= entry[1] <= high]
    if everywhere:
        yield Candidate(
            _edits(everywhere), "put optional arguments with brackets inside in braces", 0.9 if here else 0.6
        )
    if here and len(here) < len(everywhere):
        yield Candidate(_edits(here), "put this optional argument in braces", 0.8)


def _edits(entries: list[tuple[str, int, int]]) -> tuple[Edit, ...]:
    return tuple(e for path, start, end in entries for e in (Edit(path, start, start, "{"), Edit(path, end, end, "}")))


def _nested(source: Source) -> Iterator[tuple[int, int]]:
    """Where the insides of optional arguments begin and end whose first ] is not their own."""
    for opening in _OPENS.finditer(source.text):
        start = opening.end()
        if not source.live(opening.start()) or source.mode(opening.start()) is Mode.VERBATIM:
            continue
        depth, level, nested = 1, 0, False
        _, stop = source.paragraph(start)
        for mark in _MARKS.finditer(source.text, start, stop):
            if mark[0] in "{}":
                level += 1 if mark[0] == "{" else -1
                if level < 0:
                    break
            elif level == 0:
                depth += 1 if mark[0] == "[" else -1
                nested |= depth > 1
                if depth == 0:
                    if nested:
                        yield start, mark.start()
                    break


RULE = Rule(
    id="nested-brackets",
    fix=propose,
    answers=("runaway-argument", "extra-brace", "use-does-not-match", "missing-brace", "missing-item"),
    examples=(
        Example(
            "\\begin{theorem}[\\cite[Section~2]{teal}]\nText.\n\\item[Wheel, \\cite[p.~17]{plover}] The rim.\n"
            "\\item[{\\cite[a]{b}}] x [y]\n",
            "\\begin{theorem}[{\\cite[Section~2]{teal}}]\nText.\n\\item[{Wheel, \\cite[p.~17]{plover}}] The rim.\n"
            "\\item[{\\cite[a]{b}}] x [y]\n",
            message="Argument of \\@thm has an extra }",
            path="part.tex",
        ),
        Example("\\item[a] b [c]\n", None, message="Argument of \\@item has an extra }", path="part.tex"),
    ),
)
