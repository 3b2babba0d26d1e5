r"""A package or class that does not exist, or is not installed.

Why it breaks: \usepackage{hyperef} or a template's own class ends the run: "File `hyperef.sty' not found".

What is done: the name is corrected to the nearest one that exists; a package that is not installed and of whose
commands the document uses none is no longer loaded, which loses nothing; a template's class gives way to the standard
class that it most resembles by its name, with the lowest certainty.

When nothing is done: the package is loaded by another package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Package, Source
from texrepair.latex.names import commands_of, environments_of, is_class, is_package, nearest
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_STANDARD = (
    ("beamer", "beamer"),
    ("sphinxmanual", "report"),
    ("book", "book"),
    ("thesis", "report"),
    ("report", "report"),
    ("letter", "letter"),
)


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not found.token:
        return
    name = re.sub(r"\.(?:sty|cls)$", "", found.token)
    classes = found.code == "class-not-found"
    loads = [
        (path, source, load)
        for path in case.draft
        if path == case.main or path.endswith((".tex", ".ltx", ".sty", ".cls"))
        for source in [case.lexed(path)]
        for load in source.packages
        if load.name == name and source.live(load.start)
    ]
    if not loads:
        return
    path, source, load = loads[0]
    right = [n for n in nearest(name, kind="class" if classes else "package") if n != name]
    for rank, other in enumerate(right[:4]):
        start = load.name_start
        already = not classes and other in case.packages
        edit = _dropped(path, source, load) if already else Edit(path, start, start + len(name), other)
        known = (is_class if classes else is_package)(name)
        yield Candidate((edit,), f"load {other} for {name}", round((0.5 if known else 0.9) - 0.08 * rank, 3))
    if classes:
        standard = next((other for part, other in _STANDARD if part in name.lower()), "article")
        start = load.name_start
        yield Candidate((Edit(path, start, start + len(name), standard),), f"use the class {standard} for {name}", 0.2)
    else:
        used = {c.name for s in case.read for c in s.commands} | {e.name for s in case.read for e in s.environments}
        needed = used & (commands_of(name) | environments_of(name)) if is_package(name) else set()
        if not needed:
            edit = _dropped(path, source, load)
            yield Candidate((edit,), f"do not load {name}, which is not installed and not used", 0.4)


def _dropped(path: str, source: Source, load: Package) -> Edit:
    """The edit that takes the package out of its \\usepackage, or the whole call out of the file."""
    text = source.text
    together = [p for p in source.packages if p.start == load.start]
    if len(together) == 1:
        start, end = source.line_span(source.line(load.start))
        alone = text[start : load.start].strip() == "" and text[load.end : end].strip() == ""
        if alone and source.line(load.start) < source.line_count:
            return Edit(path, start, source.line_span(source.line(load.start) + 1)[0], "")
        return Edit(path, load.start, load.end, "")
    end = load.name_start + len(load.name)
    comma = re.compile(r"\s*,\s*").match(text, end)
    if comma:
        return Edit(path, load.name_start, comma.end(), "")
    before = re.compile(r",\s*$").search(text[load.start : load.name_start])
    start = load.start + before.start() if before else load.name_start
    return Edit(path, start, end, "")


RULE = Rule(
    id="missing-package",
    fix=propose,
    answers=("package-not-found", "class-not-found", "file-not-found"),
    deletes="the loading of a package that is not installed and not used",
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{hyperef}\n\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{hyperref}\n\\begin{document}\nx\n\\end{document}\n",
            message="LaTeX Error: File `hyperef.sty' not found",
            token="hyperef",
            line=2,
        ),
        Example(
            "\\documentclass{artcle}\n\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\nx\n\\end{document}\n",
            message="LaTeX Error: File `artcle.cls' not found",
            code="class-not-found",
            token="artcle",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nx\n\\end{document}\n",
            None,
            message="LaTeX Error: File `graphix.sty' not found",
            token="graphix",
        ),
    ),
)
