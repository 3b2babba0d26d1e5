r"""Box-drawing characters under pdfLaTeX.

Why it breaks: trees of folders are drawn with U+2500 ..., for which LaTeX has no definitions: "Unicode character not
set up for use with LaTeX".

What is done: the package pmboxdraw, which draws them, is loaded.

When nothing is done: none is in the text, or the engine is XeLaTeX or LuaLaTeX, where the font has them or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_BOXES = re.compile("[\u2500-\u259f]")


def propose(case: Case) -> Iterator[Candidate]:
    if "pmboxdraw" in case.packages or not any(_BOXES.search(source.text) for _, source in case.tex_files()):
        return
    line = package_line(case.lexed(case.main), "pmboxdraw")
    if line is not None:
        edit = Edit(case.main, line[0], line[0], line[1])
        yield Candidate((edit,), "load pmboxdraw, which draws box-drawing characters", 0.88)


RULE = Rule(
    id="box-drawing",
    fix=propose,
    answers=("unicode-not-set-up",),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{verbatim}\n├── a\n\\end{verbatim}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{pmboxdraw}\n\\begin{document}\n\\begin{verbatim}\n├── a\n"
            "\\end{verbatim}\n\\end{document}\n",
            message="LaTeX Error: Unicode character ├ (U+251C) not set up for use with LaTeX",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n→\n\\end{document}\n",
            None,
            message="LaTeX Error: Unicode character → (U+2192) not set up for use with LaTeX",
            line=3,
        ),
    ),
)
