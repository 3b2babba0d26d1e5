r"""A style that listings does not know: style=mycode where only mystyle is defined.

Why it breaks: styles are names as commands are: "Package Listings Error: style mycode undefined".

What is done: the style becomes the nearest one that the document defines, else the only one that it defines and
nowhere uses; else an empty style of that name is defined, so that the code is set as it is.

When nothing is done: all styles are defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.latex.preamble import line_end, newline_of
from texrepair.latex.spelling import distance, reach
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_UNDEFINED = re.compile(r"style (?P<name>\S.*?) undefined")
_STYLE = re.compile(r"(?<![A-Za-z])style[ \t]*=[ \t]*(?:\{(?P<held>[^{}]*)\}|(?P<bare>[^\s,{}\[\]]+))")
_DEFINED = re.compile(r"\\lstdefinestyle[ \t]*\{(?P<name>[^{}]+)\}")


def propose(case: Case) -> Iterator[Candidate]:
    found = _UNDEFINED.search(case.diagnostic.message) if case.diagnostic else None
    if found is None:
        return
    wrong = found["name"]
    defined = {m["name"].strip() for s in case.read for m in _DEFINED.finditer(s.text) if s.live(m.start())}
    used = [(path, *use) for path, source in case.tex_files() for use in _used(source)]
    wanted = [(path, start, end) for path, start, end, name in used if name.lower() == wrong.lower()]
    names = {name.lower() for *_, name in used}
    bound = reach(wrong)
    near = sorted((far, name) for name in defined if (far := distance(wrong, name, bound)) is not None)
    idle = [name for name in defined if name.lower() not in names]
    right = near[0][1] if near else idle[0] if len(idle) == 1 else None
    if right is not None and wanted:
        edits = tuple(Edit(path, start, end, right) for path, start, end in wanted)
        yield Candidate(edits, f"write {right} for the style {wrong}", 0.92 if near else 0.8)
    main = case.lexed(case.main)
    loads = [p for p in main.packages if p.name == "listings" and main.live(p.start)]
    if loads:
        at = line_end(main, loads[-1].end)
        edit = Edit(case.main, at, at, f"{newline_of(main.text)}\\lstdefinestyle{{{wrong}}}{{}}")
        yield Candidate((edit,), f"define an empty style {wrong} for listings", 0.6)


def _used(source: Source) -> Iterator[tuple[int, int, str]]:
    """Start, end and name of every style that is asked for."""
    stretches = [
        (argument.start, argument.end)
        for command in source.command_named(
            "lstset", "lstinputlisting", "lstinline", "lstdefinestyle", "lstnewenvironment"
        )
        if source.live(command.start)
        for argument in source.arguments(command, 4)
    ]
    stretches += [
        (argument.start, argument.end)
        for environment in source.environments
        if environment.name == "lstlisting" and source.live(environment.begin)
        for argument in source.arguments_at(environment.begin_end, 1)
    ]
    for start, end in stretches:
        for match in _STYLE.finditer(source.text, start, end):
            group = "bare" if match["held"] is None else "held"
            yield match.start(group), match.end(group), match[group].strip()


_HEAD = "\\documentclass{article}\n\\usepackage{listings}\n"
_END = "\\begin{document}\n\\begin{lstlisting}[language=C, style=%s]\nx\n\\end{lstlisting}\n\\end{document}\n"
_CODE = "\\lstdefinestyle{mystyle}{basicstyle=\\ttfamily}\n"

RULE = Rule(
    id="undefined-listing-style",
    fix=propose,
    answers=("package-error",),
    examples=(
        Example(
            _HEAD + _CODE + _END % "mystlye",
            _HEAD + _CODE + _END % "mystyle",
            message="Package Listings Error: style mystlye undefined",
            line=5,
        ),
        Example(
            _HEAD + _CODE + "\\lstset{style=code}\n" + _END % "code",
            _HEAD + _CODE + "\\lstset{style=mystyle}\n" + _END % "mystyle",
            message="Package Listings Error: style code undefined",
            line=4,
        ),
        Example(
            _HEAD + _END % "code",
            _HEAD + "\\lstdefinestyle{code}{}\n" + _END % "code",
            message="Package Listings Error: style code undefined",
            line=4,
        ),
        Example(
            _HEAD + _CODE + _END % "mystyle",
            None,
            message="Package Listings Error: Couldn't load requested language",
            line=5,
        ),
    ),
)
