r"""A column type that nobody has defined.

Why it breaks: LaTeX itself knows the columns l, c, r and p{...}; m{...} and >{...} come from array, X from tabularx, S
from siunitx, D from dcolumn, and L{2cm}, C, Y from the author's preamble: "Illegal pream-token", "Illegal character in
array arg".

What is done: the package is loaded; tabular with an X column becomes tabularx of the line's width; L, C, R, P, M, Y are
defined with \newcolumntype as people do, ragged or centred.

When nothing is done: all letters of the column specifications are defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.latex.names import loads
from texrepair.latex.preamble import newline_of, package_line, preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._tables import Table, parts, tables

_STYLES = {"L": "\\raggedright", "C": "\\centering", "R": "\\raggedleft", "Y": "\\centering", "Z": "\\raggedleft"}
_ALIGNMENT = {"L": "l", "C": "c", "R": "r"}
_DEFINED = re.compile(r"\\newcolumntype[ \t]*\{?[ \t]*(\w)")
_OWN = {"tabulary": "LCRJX", "tabularx": "X", "xltabular": "X", "ltablex": "X"}


def propose(case: Case) -> Iterator[Candidate]:
    defined = {m[1] for source in case.read for m in _DEFINED.finditer(source.text)}
    packages: dict[str, None] = {}
    types: dict[str, str] = {}
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for table in tables(source):
            if table.specification is None:
                continue
            for part in parts(source.inner(table.specification)):
                letter = part[0]
                if letter in defined or letter in _OWN.get(table.environment.name, ""):
                    continue
                if letter in "><!mbwW":
                    packages["array"] = None
                elif letter in "Ss":
                    packages["siunitx"] = None
                elif letter in "Dd":
                    packages["dcolumn"] = None
                    if letter == "d":
                        types["d"] = _decimal(part)
                elif letter == "X":
                    packages["tabularx"] = None
                    edits += _stretched(path, source, table)
                elif letter.isalpha() and letter not in "lcrp" and letter not in types:
                    types[letter] = _type(letter, part, table.environment.name)
                    packages["array"] = None
    main = case.lexed(case.main)
    in_force = set(case.packages).union(*(loads(name) for name in case.packages)) if case.packages else set()
    missing = [name for name in packages if name not in in_force]
    for name in missing:
        line = package_line(main, name)
        if line is not None:
            edits.append(Edit(case.main, line[0], line[0], line[1]))
    if types:
        line = preamble_line(main, newline_of(main.text).join(types.values()))
        if line is not None:
            edits.append(Edit(case.main, line[0], line[0], line[1]))
    if edits:
        yield Candidate(tuple(dict.fromkeys(edits)), "load or define the column types that the tables use", 0.91)


def _decimal(part: str) -> str:
    return "\\newcolumntype{d}[1]{D{.}{.}{#1}}" if "{" in part else "\\newcolumntype{d}{D{.}{.}{-1}}"


def _type(letter: str, part: str, environment: str) -> str:
    style = _STYLES.get(letter, "")
    style = f">{{{style}\\arraybackslash}}" if style else ""
    if "{" in part:
        return f"\\newcolumntype{{{letter}}}[1]{{{style}{'m' if letter == 'M' else 'p'}{{#1}}}}"
    if environment in _OWN:
        return f"\\newcolumntype{{{letter}}}{{{style}X}}"
    return f"\\newcolumntype{{{letter}}}{{{_ALIGNMENT.get(letter, 'c')}}}"


def _stretched(path: str, source: Source, table: Table) -> Iterator[Edit]:
    """tabular becomes tabularx."""
    environment = table.environment
    if environment.name not in ("tabular", "tabular*") or environment.end is None or table.specification is None:
        return
    begin = source.text[environment.begin : environment.begin_end]
    at = environment.begin + begin.index(environment.name)
    yield Edit(path, at, at + len(environment.name), "tabularx")
    end = environment.end + source.text[environment.end : environment.end_end].index(environment.name)
    yield Edit(path, end, end + len(environment.name), "tabularx")
    if environment.name == "tabular":
        yield Edit(path, environment.begin_end, environment.begin_end, "{\\linewidth}")


RULE = Rule(
    id="unknown-column-type",
    fix=propose,
    answers=("bad-column-spec", "missing-number", "extra-alignment", "missing-cr", "misplaced-noalign", "latex-error"),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{>{\\itshape}lL{2cm}}\na & b\n"
            "\\end{tabular}\n\\begin{tabular}{lX}\na & b\n\\end{tabular}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{array}\n\\usepackage{tabularx}\n"
            "\\newcolumntype{L}[1]{>{\\raggedright\\arraybackslash}p{#1}}\n\\begin{document}\n"
            "\\begin{tabular}{>{\\itshape}lL{2cm}}\na & b\n\\end{tabular}\n"
            "\\begin{tabularx}{\\linewidth}{lX}\na & b\n\\end{tabularx}\n\\end{document}\n",
            message="LaTeX Error: Illegal character in array arg",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{tabularx}\n\\newcolumntype{L}{l}\n\\begin{document}\n"
            "\\begin{tabularx}{5cm}{>{\\itshape}lLX}\na & b & c\n\\end{tabularx}\n\\end{document}\n",
            None,
            message="LaTeX Error: Illegal character in array arg",
            line=5,
        ),
    ),
)
