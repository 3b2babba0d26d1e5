r"""A TikZ path without its semicolon.

Why it breaks: every path ends with a semicolon; without it the next command belongs to the path: "Giving up on this
path. Did you forget a semicolon?", "Cannot parse this coordinate".

What is done: a semicolon is put behind the path, before the line with the next path command or the end of the picture.

When nothing is done: every path ends with one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Environment, Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_PICTURE = re.compile(r"tikzpicture|scope|axis|circuitikz|semilogxaxis|semilogyaxis|loglogaxis|polaraxis")
_STARTS = frozenset(
    {"node", "draw", "path", "fill", "filldraw", "clip", "coordinate", "shade", "shadedraw", "matrix", "graph"}
    | {"pattern", "addplot", "useasboundingbox", "pic"}
)
_BETWEEN = frozenset({"begin", "end", "foreach", "addlegendentry", "legend", "tikzset", "pgfmathsetmacro", "def"})


def propose(case: Case) -> Iterator[Candidate]:
    edits = [
        Edit(path, at, at, ";")
        for path, source in case.tex_files()
        for environment in source.environments
        if _PICTURE.fullmatch(environment.name) and source.live(environment.begin)
        for at in _open(source, environment)
    ]
    if edits:
        yield Candidate(tuple(dict.fromkeys(edits)), "end the paths that have no semicolon", 0.9)


def _open(source: Source, picture: Environment) -> Iterator[int]:
    """Where paths end that no semicolon ends."""
    depth = len(source.groups_at(picture.begin))
    level = len(source.environments_at(picture.begin))
    started = False
    stop = picture.end if picture.end is not None else picture.until
    for command in source.commands:
        if command.start < picture.begin_end or command.start >= stop:
            continue
        pos = command.start
        if len(source.groups_at(pos)) > depth or not source.live(pos):
            continue
        inner = len(source.environments_at(pos)) > level
        first = not source.text[source.line_span(source.line(pos))[0] : pos].strip()
        begins = command.name in _STARTS and (first or _ended(source, picture, pos)) and not inner
        if started and (begins or (command.name in _BETWEEN and first)):
            end = _text_end(source, picture.begin_end, pos)
            if source.text[end - 1] != ";" and not source.text[:end].endswith("{"):
                yield end
            started = False
        started = started or begins
    if started:
        end = _text_end(source, picture.begin_end, stop)
        if source.text[end - 1] != ";":
            yield end


def _ended(source: Source, picture: Environment, pos: int) -> bool:
    end = _text_end(source, picture.begin_end, pos)
    return source.text[end - 1 : end] == ";"


def _text_end(source: Source, start: int, stop: int) -> int:
    """The end of the live text before `stop`."""
    end = stop
    while end > start and (source.text[end - 1].isspace() or source.mode(end - 1) in (Mode.COMMENT, Mode.DEAD)):
        end -= 1
    return end


RULE = Rule(
    id="path-without-semicolon",
    fix=propose,
    answers=(
        "tikz-path",
        "package-error",
        "unknown-key",
        "bad-expression",
        "undefined-control-sequence",
        "undefined-shape",
        "missing-brace",
        "runaway-argument",
        "wrong-mode",
        "extra-brace",
        "use-does-not-match",
    ),
    examples=(
        Example(
            "\\begin{tikzpicture}\n\\node (a) {A} % one\n\\draw (a)\n  -- node[above] {no} (b)\n\\node at (1,1) {B};\n"
            "\\draw (a) -- (b)\n\\end{tikzpicture}\n",
            "\\begin{tikzpicture}\n\\node (a) {A}; % one\n\\draw (a)\n  -- node[above] {no} (b);\n"
            "\\node at (1,1) {B};\n\\draw (a) -- (b);\n\\end{tikzpicture}\n",
            message="Package tikz Error: Giving up on this path. Did you forget a semicolon?",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\begin{tikzpicture}\n\\foreach \\x in {1,2} {\n  \\node at (\\x,0) {\\x};\n}\n\\draw (0,0) -- (1,1);\n"
            "\\end{tikzpicture}\n",
            None,
            message="Package tikz Error: Giving up on this path. Did you forget a semicolon?",
            path="part.tex",
        ),
    ),
)
