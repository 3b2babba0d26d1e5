r"""A float in a block of tikzposter.

Why it breaks: a block is a node of a picture, out of which nothing floats: "Not in outer par mode".

What is done: figure and table become the class's own tikzfigure, whose option is the caption; all at once.

When nothing is done: the class is another, or a float has more than one caption.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import whole_line

_CENTERING = re.compile(r"\\centering(?![A-Za-z])[ \t]*")


def propose(case: Case) -> Iterator[Candidate]:
    if "tikzposter" not in case.packages:
        return
    edits: list[Edit] = []
    for path, source in case.tex_files():
        text = source.text
        for environment in source.environments:
            name = environment.name
            if name not in ("figure", "figure*", "table", "table*") or not source.live(environment.begin):
                continue
            if environment.end is None:
                continue
            captions = [
                (c, a[-1])
                for c in source.command_named("caption")
                if environment.begin_end <= c.start < environment.end and (a := source.arguments(c, 2))
            ]
            if len(captions) > 1:
                return
            option = re.compile(r"[ \t]*\[[^\[\]\r\n]*\]").match(text, environment.begin_end)
            caption = source.inner(captions[0][1]) if captions else ""
            shown = f"[{{{caption}}}]" if "]" in caption else f"[{caption}]" if caption else ""
            edits.append(
                Edit(
                    path,
                    environment.begin,
                    option.end() if option else environment.begin_end,
                    f"\\begin{{tikzfigure}}{shown}",
                )
            )
            inside = _CENTERING.search(text, environment.begin_end, environment.end)
            if inside:
                edits.append(Edit(path, *whole_line(source, *inside.span()), ""))
            if captions:
                edits.append(Edit(path, *whole_line(source, captions[0][0].start, captions[0][1].end), ""))
            edits.append(Edit(path, environment.end, environment.until, "\\end{tikzfigure}"))
    if edits:
        yield Candidate(tuple(edits), "set the floats as tikzposter's own figures", 0.95)


_HEAD = "\\documentclass{tikzposter}\n\\begin{document}\n\\block{A}{\n"
_END = "}\n\\end{document}\n"

RULE = Rule(
    id="float-in-poster",
    fix=propose,
    answers=("not-in-outer-par-mode", "too-many-floats"),
    examples=(
        Example(
            _HEAD + "\\begin{figure}[h]\n  \\centering\n  X\n  \\caption{Of X}\\label{f}\n\\end{figure}\n" + _END,
            _HEAD + "\\begin{tikzfigure}[Of X]\n  X\n  \\label{f}\n\\end{tikzfigure}\n" + _END,
            message="LaTeX Error: Not in outer par mode",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{figure}\nx\n\\end{figure}\n\\end{document}\n",
            None,
            message="LaTeX Error: Not in outer par mode",
            line=4,
        ),
    ),
)
