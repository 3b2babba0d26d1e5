r"""A misspelt shape of TikZ: \node[elipse].

Why it breaks: shapes are keys of TikZ: "I do not know the key '/tikz/elipse'".

What is done: the word becomes the nearest shape in every picture, and its library is loaded.

When nothing is done: no shape is near.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.latex.names import nearest
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tikz import libraries, library_of, loading


def propose(case: Case) -> Iterator[Candidate]:
    wrong = (case.diagnostic.token or "").removeprefix("/tikz/") if case.diagnostic else ""
    if not re.fullmatch(r"[A-Za-z][A-Za-z ]{2,}", wrong):
        return
    word = re.compile(rf"(?:(?<=[\[,{{\n])|(?<=shape=))[ \t]*(?P<word>{re.escape(wrong)})(?=[ \t]*[,\]}}\n])")
    places = [
        (path, found.start("word"), found.end("word"))
        for path, source in case.tex_files()
        for found in word.finditer(source.text)
        if source.mode(found.start("word")) not in (Mode.COMMENT, Mode.VERBATIM, Mode.DEAD)
    ]
    if not places:
        return
    loaded = libraries(case.lexed(case.main))
    for rank, right in enumerate(nearest(wrong, "shape")[:2]):
        edits = [Edit(path, start, end, right) for path, start, end in places]
        wanted = [library for library in library_of(right, ("shape",)) if library not in loaded]
        if wanted:
            load = loading(case, wanted)
            if load is None:
                continue
            edits.append(load)
        yield Candidate(tuple(edits), f"write {right} for the shape {wrong}", 0.93 - 0.1 * rank)


_HEAD = "\\documentclass{article}\n\\usepackage{tikz}\n"
_BODY = "\\begin{document}\n\\tikz\\node[draw, %s] {An elipse};\n\\end{document}\n"

RULE = Rule(
    id="misspelt-shape",
    fix=propose,
    answers=("unknown-key",),
    examples=(
        Example(
            _HEAD + _BODY % "elipse",
            _HEAD + "\\usetikzlibrary{shapes.geometric}\n" + _BODY % "ellipse",
            message="Package pgfkeys Error: I do not know the key '/tikz/elipse' and I am going to ignore it",
            token="/tikz/elipse",
            line=4,
        ),
        Example(
            _HEAD + "\\usetikzlibrary{shapes.geometrc}\n" + _BODY % "elipse",
            _HEAD + "\\usetikzlibrary{shapes.geometrc}\n" + _BODY % "ellipse",
            message="Package pgfkeys Error: I do not know the key '/tikz/elipse' and I am going to ignore it",
            token="/tikz/elipse",
            line=5,
        ),
        Example(
            _HEAD + _BODY % "qqzz",
            None,
            message="Package pgfkeys Error: I do not know the key '/tikz/qqzz' and I am going to ignore it",
            token="/tikz/qqzz",
            line=4,
        ),
    ),
)
