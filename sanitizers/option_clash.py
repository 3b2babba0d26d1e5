r"""A package that is loaded twice, with different options.

Why it breaks: "Option clash for package xcolor": the first \usepackage, often inside another package, decides, and
the options that the second one asks for come too late.

What is done: the options of all calls in the document are put together in the first one (of two values for one key
the later counts), and the others removed; where another package loads it first, the options are passed to it before
\documentclass, or, where the class loads it, set by its own command (\hypersetup).

When nothing is done: the document does not load the package itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from texrepair.latex import Package, Source
from texrepair.latex.names import loads as loads_itself
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import key_of, split_options

_SETUP = {"hyperref": "hypersetup", "geometry": "geometry", "caption": "captionsetup", "siunitx": "sisetup"}


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not found.token:
        return
    name = re.sub(r"\.sty$", "", found.token)
    main = case.lexed(case.main)
    loads = [
        p
        for p in main.packages
        if p.name == name and main.live(p.start) and p.command in ("usepackage", "RequirePackage")
    ]
    if not loads:
        return
    options = ",".join(_merged(p.options for p in loads))
    if len(loads) > 1:
        edits = [*_with_options(case.main, main, loads[0], options)]
        for load in loads[1:]:
            edits.append(_removed(case.main, main, load))
        yield Candidate(tuple(edits), f"load {name} once, with all its options", 0.9)
    elsewhere = [p for p in main.packages if p.command == "documentclass" and main.live(p.start)]
    if elsewhere and options:
        start = elsewhere[0].start
        line = f"\\PassOptionsToPackage{{{options}}}{{{name}}}{newline_of(main.text)}"
        rest = tuple(_removed(case.main, main, load) for load in loads[1:])
        yield Candidate(
            (Edit(case.main, start, start, line), *rest), f"pass its options to {name} before all packages", 0.85
        )
        setup = _SETUP.get(name)
        if setup and len(loads) == 1 and any(name in loads_itself(p.name) for p in elsewhere):
            load = loads[0]
            gone = _removed(case.main, main, load)
            # What the class loads at the end of the preamble has no setup command before.
            call = f"\\{setup}{{{options}}}" if name != "hyperref" else f"\\AtBeginDocument{{\\{setup}{{{options}}}}}"
            whole = gone.end - gone.start > load.end - load.start
            text = call + newline_of(main.text) if whole else ""
            if whole:
                edit = Edit(gone.path, gone.start, gone.end, text)
                yield Candidate((edit,), f"leave {name} to the class, and set its options by \\{setup}", 0.84)
        last = loads[-1]
        if last.options and len(loads) == 1:
            moved = (_moved_up(case.main, main, last), _removed(case.main, main, last))
            yield Candidate(moved, f"load {name} before all other packages", 0.6)


def _merged(every: Iterable[str]) -> list[str]:
    """All options in the order of their first mention; of two values for one key the later counts."""
    found: dict[str, str] = {}
    for options in every:
        for option in split_options(options):
            found[key_of(option)] = option
    return list(found.values())


def _with_options(path: str, source: Source, load: Package, options: str) -> Iterator[Edit]:
    if ",".join(split_options(load.options)) == options:
        return
    behind = load.start + 1 + len(load.command)
    bracket = source.text.find("[", behind, load.name_start)
    if bracket >= 0 and load.options:
        start = source.text.find(load.options, bracket)
        yield Edit(path, start, start + len(load.options), options)
    elif bracket >= 0:
        yield Edit(path, bracket + 1, bracket + 1, options)
    else:
        yield Edit(path, behind, behind, f"[{options}]")


def _removed(path: str, source: Source, load: Package) -> Edit:
    text = source.text
    together = [p for p in source.packages if p.start == load.start]
    if len(together) > 1:
        end = load.name_start + len(load.name)
        comma = re.compile(r"\s*,\s*").match(text, end)
        if comma:
            return Edit(path, load.name_start, comma.end(), "")
        before = re.compile(r",\s*$").search(text[load.start : load.name_start])
        return Edit(path, load.start + before.start() if before else load.name_start, end, "")
    start, end = source.line_span(source.line(load.start))
    if (
        not text[start : load.start].strip()
        and not text[load.end : end].strip()
        and source.line(load.end) < source.line_count
    ):
        return Edit(path, start, source.line_span(source.line(load.end) + 1)[0], "")
    return Edit(path, load.start, load.end, "")


def _moved_up(path: str, source: Source, load: Package) -> Edit:
    first = min(p.start for p in source.packages if p.command in ("usepackage", "RequirePackage"))
    return Edit(path, first, first, f"\\usepackage[{load.options}]{{{load.name}}}{newline_of(source.text)}")


RULE = Rule(
    id="option-clash",
    fix=propose,
    answers=("option-clash",),
    deletes="the second loading of a package",
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{xcolor}\n\\usepackage[table]{xcolor}\n\\begin{document}\nx\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[table]{xcolor}\n\\begin{document}\nx\n\\end{document}\n",
            message="LaTeX Error: Option clash for package xcolor",
            token="xcolor",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{tikz}\n\\usepackage[table]{xcolor}\n\\begin{document}\nx\n"
            "\\end{document}\n",
            "\\PassOptionsToPackage{table}{xcolor}\n\\documentclass{article}\n\\usepackage{tikz}\n"
            "\\usepackage[table]{xcolor}\n"
            "\\begin{document}\nx\n\\end{document}\n",
            message="LaTeX Error: Option clash for package xcolor",
            token="xcolor",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{tikz}\n\\begin{document}\nx\n\\end{document}\n",
            None,
            message="LaTeX Error: Option clash for package xcolor",
            token="xcolor",
        ),
    ),
)
