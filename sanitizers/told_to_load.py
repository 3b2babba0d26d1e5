r"""A package that says itself what has to be loaded.

Why it breaks: "Please load \usepgfplotslibrary{fillbetween}", "You need to load \usepackage{...}": a key or command is
there only with a library or another package.

What is done: just that is loaded: a library behind its package, a package behind the others.

When nothing is done: the message names nothing to load, or it is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.names import is_package
from texrepair.latex.preamble import line_end, package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_LIBRARIES = {"usepgfplotslibrary": "pgfplots", "usetikzlibrary": "tikz", "tcbuselibrary": "tcolorbox",
              "usepgflibrary": "pgf"}  # fmt: skip
_LIBRARY = re.compile(r"\\(usepgfplotslibrary|usetikzlibrary|tcbuselibrary|usepgflibrary)\s*\{\s*([\w.\- ]+?)\s*\}")
_PACKAGE = re.compile(
    r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\[\]]*\])?\s*\{\s*([\w-]+)\s*\}"
    r"|(?:load|needs?|requires?|use|missing)\s+(?:also\s+)?(?:the\s+)?[`'\"‘“]?([\w-]+)[`'\"’”]?\s+package\b"
    r"|(?:load|needs?|requires?)\s+(?:the\s+)?package\s+[`'\"‘“]?([\w-]+)"
)


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None:
        return
    main = case.lexed(case.main)
    for match in _LIBRARY.finditer(found.message):
        call = f"\\{match[1]}{{{match[2]}}}"
        homes = [p for p in main.packages if p.name in (_LIBRARIES[match[1]], "pgfplots") and main.live(p.start)]
        if homes and call not in main.text:
            place = line_end(main, homes[-1].end)
            yield Candidate((Edit(case.main, place, place, "\n" + call),), f"load the library {match[2]}", 0.95)
    for match in _PACKAGE.finditer(found.message):
        name = match[1] or match[2] or match[3]
        if not is_package(name) or name in case.packages or f"Package {name} " in found.message:
            continue
        line = package_line(main, name)
        if line is not None:
            yield Candidate((Edit(case.main, line[0], line[0], line[1]),), f"load {name}, as the message asks", 0.85)


RULE = Rule(
    id="told-to-load",
    fix=propose,
    answers=("package-error", "class-error", "latex-error", "unknown-key", "tex-error"),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{pgfplots}\n\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{pgfplots}\n\\usepgfplotslibrary{fillbetween}\n\\begin{document}\nx\n"
            "\\end{document}\n",
            message="Package pgfplots Error: Please load \\usepgfplotslibrary{fillbetween} in order to use it",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{pgfplots}\n\\begin{document}\nx\n\\end{document}\n",
            None,
            message="Package pgfplots Error: sorry, this does not work",
            line=4,
        ),
    ),
)
