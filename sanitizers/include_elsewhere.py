r"""\include of a file that is not there, while the project has one of that name in another folder.

Why it breaks: LaTeX leaves out an \include'd file that it does not find, with a warning only: the chapter is not there.

What is done: the path becomes that of the one file of the project with that name.

When nothing is done: the file is there; several files have the name, or none; the file is read somewhere else.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_READ = re.compile(r"\\(?:input|include|subfile|import|subimport)\b[^%\n]*")


def fix(case: Case) -> Iterator[Candidate]:
    if case.path != case.main or "\\include" not in case.text:
        return
    base = case.main[: case.main.rfind("/") + 1]
    known = (p for p in (*case.draft, *case.assets) if p.endswith(".tex") and p.startswith(base))
    files = {p.removeprefix(base) for p in known}
    said = " ".join(_READ.findall(" ".join(case.draft.text(p) for p in case.draft if p.endswith(".tex"))))
    source = case.source
    for start, end, name in _includes(source):
        if not re.fullmatch(r"[\w./-]+", name) or posixpath.normpath(name.removesuffix(".tex")) + ".tex" in files:
            continue
        stem = posixpath.basename(name).removesuffix(".tex")
        found = [f for f in sorted(files) if posixpath.basename(f) == stem + ".tex"]
        if len(found) == 1 and found[0].removesuffix(".tex") not in said:
            right = found[0].removesuffix(".tex")
            yield Candidate((Edit(case.path, start, end, right),), f"include {right}, which is there, for {name}", 1.0)


def _includes(source: Source) -> Iterator[tuple[int, int, str]]:
    for command in source.command_named("include"):
        arguments = source.arguments(command, 1)
        if source.live(command.start) and not source.in_definition(command.start) and arguments:
            start, end = arguments[0].start + 1, arguments[0].end - 1
            yield start, end, source.text[start:end].strip()


_MAIN = "\\documentclass{book}\n\\begin{document}\n\\include{%s}\n\\end{document}\n"
RULE = Rule(
    id="include-elsewhere",
    fix=fix,
    examples=(
        Example(_MAIN % "intro", _MAIN % "chapters/intro", files={"chapters/intro.tex": "Text.\n"}),
        Example(_MAIN % "chapters/intro", files={"chapters/intro.tex": "Text.\n"}),
        Example(_MAIN % "unwritten", files={"chapters/intro.tex": "Text.\n"}),
    ),
)
