r"""A \\ where there is no line to end.

Why it breaks: between paragraphs (behind an empty line, a heading, a list) there is no line that \\ or \newline could
end: "There's no line here to end".

What is done: the \\ is removed, \\[length] becomes \vspace{length}; all that stand at the start of a paragraph go
together, then the one that TeX names.

When nothing is done: the \\ ends a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_BREAK = re.compile(
    r"(?:\\\\\*?|\\newline(?![A-Za-z])|\\linebreak(?![A-Za-z]))(?:[ \t]*\[(?P<length>[^\[\]\r\n]*)\])?[ \t]*"
)
_BETWEEN = re.compile(
    r"(?:^|(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)|\\(?:par|maketitle|noindent|newpage|clearpage|(?:big|med|small)skip)"
    r"|\\(?:vspace|section|subsection|subsubsection|chapter|paragraph|title|end)\*?\{[^{}]*\}|\\(?:begin)\{document\})\s*$"
)


def propose(case: Case) -> Iterator[Candidate]:
    everywhere = []
    for path, source in case.tex_files():
        everywhere += [_without(path, found) for found in _BREAK.finditer(source.text) if _idle(source, found.start())]
    if everywhere:
        yield Candidate(tuple(everywhere), "remove \\\\ where no line ends", 0.86)
    source = case.source
    end = source.line_span(source.line(case.at))[1]
    # \\\\ looks for a star or a bracket behind it, so that TeX may stand in the next line when it complains.
    start = source.line_span(max(1, source.line(case.at) - 1))[0]
    here = [m for m in _BREAK.finditer(source.text, start, end) if _typeset(source, m.start())]
    for found in sorted(here, key=lambda m: abs(m.end() - case.at))[:2]:
        edit = _without(case.path, found)
        if (edit,) != tuple(everywhere):
            yield Candidate((edit,), "remove the \\\\ that ends no line", 0.7)


def _typeset(source: Source, pos: int) -> bool:
    return source.mode(pos) is Mode.TEXT and not source.in_definition(pos) and not source.in_preamble(pos)


def _idle(source: Source, pos: int) -> bool:
    """Whether nothing of a line stands before this place."""
    if not _typeset(source, pos):
        return False
    rows = re.compile(r"tab|array|align|matrix|cases|verse")
    if any(rows.search(e.name) for e in source.environments_at(pos)[1:]):
        return False
    return _BETWEEN.search(source.text[max(0, pos - 400) : pos]) is not None


def _without(path: str, found: re.Match[str]) -> Edit:
    length = found["length"]
    return Edit(path, found.start(), found.end(), f"\\vspace{{{length}}}" if length and length.strip() else "")


RULE = Rule(
    id="no-line-to-end",
    fix=propose,
    answers=("no-line-to-end",),
    deletes="a \\\\ that ends no line",
    examples=(
        Example(
            "One.\n\n\\\\ Two. \\\\\nThree.\n\n\\\\[1cm]\nFour.\n",
            "One.\n\nTwo. \\\\\nThree.\n\n\\vspace{1cm}\nFour.\n",
            message="LaTeX Error: There's no line here to end",
            path="part.tex",
            line=3,
            context_before="\\\\",
        ),
        Example("One. Two.\n", None, message="LaTeX Error: There's no line here to end", path="part.tex"),
    ),
)
