r"""A float placed with a letter that LaTeX does not know.

Why it breaks: [H] needs the package float, and [here] or [hbt!x] hold letters that mean nothing: "Unknown float
option".

What is done: for H the package is loaded; other letters are dropped, and
those beside an H, in all floats at once.

When nothing is done: all floats have letters of htbp!.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_FLOAT = re.compile(
    r"\\begin\{(?:figure|table|algorithm|listing|sidewaysfigure|sidewaystable)\*?\}[ \t]*\[(?P<where>[^\[\]\r\n]*)\]"
)


def propose(case: Case) -> Iterator[Candidate]:
    main = case.lexed(case.main)
    if case.diagnostic is not None and case.diagnostic.token == "H":
        line = package_line(main, "float") if "float" not in case.packages else None
        if line is not None:
            yield Candidate((Edit(case.main, line[0], line[0], line[1]),), "load float, which defines [H]", 0.95)
    edits = []
    for path, source in case.tex_files():
        for found in _FLOAT.finditer(source.text):
            where = found["where"]
            known = "".join(dict.fromkeys(re.sub(r"[^htbpH!]", "", _abbreviated(where))))
            known = "H" if "H" in known else known  # It stands alone, says the package float.
            if known != where and source.live(found.start()):
                edits.append(Edit(path, found.start("where"), found.end("where"), known or "htbp"))
    if any(edit.text == "H" for edit in edits) and "float" not in case.packages:
        line = package_line(main, "float")
        if line is not None:
            edits.append(Edit(case.main, line[0], line[0], line[1]))
    if edits:
        yield Candidate(tuple(edits), "keep of a float's placement the letters that LaTeX knows", 0.85)


def _abbreviated(where: str) -> str:
    """Words such as here and top as their letters."""
    return re.sub(
        r"here|top|bottom|page|center|left|right",
        lambda m: m[0][0] if m[0] in ("here", "top", "bottom", "page") else "",
        where,
    )


RULE = Rule(
    id="float-option",
    fix=propose,
    answers=("unknown-float-option",),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{figure}[H]\nx\n\\end{figure}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{float}\n\\begin{document}\n\\begin{figure}[H]\nx\n\\end{figure}\n"
            "\\end{document}\n",
            message="LaTeX Error: Unknown float option `H'",
            token="H",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{float}\n\\begin{document}\n\\begin{figure}[h!,H]\nx\n\\end{figure}\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{float}\n\\begin{document}\n\\begin{figure}[H]\nx\n\\end{figure}\n"
            "\\end{document}\n",
            message="LaTeX Error: Unknown float option `H'",
            token="H",
            line=4,
        ),
        Example(
            "\\begin{figure}[here]\nx\n\\end{figure}\n",
            "\\begin{figure}[h]\nx\n\\end{figure}\n",
            message="LaTeX Error: Unknown float option `e'",
            token="e",
            path="part.tex",
        ),
        Example(
            "\\begin{figure}[ht]\nx\n\\end{figure}\n",
            None,
            message="LaTeX Error: Unknown float option `e'",
            token="e",
            path="part.tex",
        ),
    ),
)
