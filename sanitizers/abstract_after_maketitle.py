r"""The abstract after \maketitle, in a class that sets it with the title.

Why it breaks: acmart (and others of publishers) print abstract, keywords and subject codes in \maketitle: "Abstract
must be defined before maketitle command".

What is done: \maketitle is moved behind the abstract, the keywords and the subject codes.

When nothing is done: no abstract follows \maketitle.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import line_end, newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import whole_line
from ._statements import end_of

_ENVIRONMENTS = ("abstract", "CCSXML", "teaserfigure", "keywords", "IEEEkeywords")
_COMMANDS = ("keywords", "ccsdesc", "received", "acmConference", "setcopyright", "acmDOI", "acmISBN", "acmYear")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    source = case.source
    calls = [c for c in source.command_named("maketitle") if source.live(c.start)]
    if found is None or not calls or "maketitle" not in found.message:
        return
    title = calls[0]
    limit = min(
        (c.start for c in source.command_named("section", "chapter") if source.live(c.start)), default=len(source.text)
    )
    ends = [
        e.end_end
        for e in source.environments
        if e.name in _ENVIRONMENTS and e.end_end is not None and title.start < e.begin < limit and source.live(e.begin)
    ]
    if not any(e.name == "abstract" for e in source.environments if title.start < e.begin < limit):
        return
    ends += [
        end_of(source, c)
        for c in source.command_named(*_COMMANDS)
        if title.start < c.start < limit and source.live(c.start)
    ]
    place = line_end(source, max(ends))
    edits = (
        Edit(case.path, *whole_line(source, title.start, title.end), ""),
        Edit(case.path, place, place, newline_of(source.text) + "\\maketitle"),
    )
    yield Candidate(edits, "move \\maketitle behind the abstract and keywords", 0.93)


RULE = Rule(
    id="abstract-after-maketitle",
    fix=propose,
    answers=("class-error", "package-error"),
    examples=(
        Example(
            "\\documentclass{acmart}\n\\begin{document}\n\\title{T}\n\\maketitle\n\\begin{abstract}\nA\n\\end{abstract}\n"
            "\\keywords{a, b}\n\\section{S}\n\\end{document}\n",
            "\\documentclass{acmart}\n\\begin{document}\n\\title{T}\n\\begin{abstract}\nA\n\\end{abstract}\n"
            "\\keywords{a, b}\n\\maketitle\n\\section{S}\n\\end{document}\n",
            message="Class acmart Error: Abstract must be defined before maketitle command. Please move it!",
            line=5,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\title{T}\n\\maketitle\nText.\n\\end{document}\n",
            None,
            message="Class acmart Error: something about maketitle",
            line=4,
        ),
    ),
)
