r"""A file of text that is not there under this name.

Why it breaks: \input of a file whose name is wrong in case, folder or ending, or that was never written, ends the run
at once: "File ... not found", "Emergency stop".

What is done: a file of the project whose name differs in case, folder or ending, or is very similar, is read; else a
comment that names the missing file takes the place of the \input: the text itself was never there.

When nothing is done: the name is made by a macro, or the file is a package's own.
"""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Iterator

from texrepair.latex import Command, Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_READS = ("input", "include", "subfile", "subfileinclude")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not found.token:
        return
    wanted = _plain(found.token)
    uses = list(_uses(case, wanted))
    if not uses:
        return
    for rank, (right, certainty) in enumerate(_matches(case, wanted)):
        if rank > 2:
            break
        edits = tuple(Edit(path, start, end, right) for path, _, _, start, end in uses)
        yield Candidate(edits, f"read {right}, which is there, for {wanted}", certainty)
    notes = tuple(
        Edit(path, command.start, _whole(source, end), _note(source, command, _whole(source, end)))
        for path, source, command, _, end in uses
    )
    yield Candidate(notes, f"note that {wanted} is missing, in a comment in its place", 0.24)


def _plain(name: str) -> str:
    return posixpath.normpath(name.strip().strip('"').replace("\\", "/"))


def _uses(case: Case, wanted: str) -> Iterator[tuple[str, Source, Command, int, int]]:
    """Where it is read: file, command and the bounds of the name."""
    bare = re.compile(r"[ \t]+([^\s\\{}%#$&]+)")
    for path, source in case.tex_files():
        for command in source.command_named(*_READS):
            if not source.live(command.start) or source.in_definition(command.start):
                continue
            argument = next((a for a in source.arguments(command, 1) if not a.optional), None)
            name = bare.match(source.text, command.end)
            if argument is not None:
                start, end = argument.start + 1, argument.end - 1
            elif name and command.name == "input":
                start, end = name.start(1), name.end(1)
            else:
                continue
            written = _plain(source.text[start:end])
            if written == wanted or written == wanted.removesuffix(".tex"):
                yield path, source, command, start, end


def _whole(source: Source, end: int) -> int:
    return end + 1 if source.text.startswith("}", end) else end


def _matches(case: Case, wanted: str) -> Iterator[tuple[str, float]]:
    base = posixpath.dirname(case.main)
    files = [f for f in {*case.draft, *case.assets} if f != case.main and f.endswith((".tex", ".txt", ".ltx", ".tikz"))]
    known = sorted(posixpath.relpath(f, base) if base else f for f in files)
    stem = wanted.removesuffix(".tex").lower()
    name = posixpath.basename(stem)
    endings = ("", ".tex", ".txt", ".tex.txt")
    short = {file: posixpath.basename(file).lower() for file in known}
    alike = [f for f in known if difflib.SequenceMatcher(None, short[f], name + ".tex").ratio() > 0.88]
    yield from ((f, 0.95) for f in known if f.lower() in (stem, stem + ".tex"))
    yield from ((f, 0.88) for f in known if short[f] in [name + ending for ending in endings])
    yield from ((f, 0.6) for f in alike)


def _note(source: Source, command: Command, end: int) -> str:
    rest = source.text[end : source.line_span(source.line(end))[1]]
    return f"% missing: {source.text[command.start : end]}" + (newline_of(source.text) if rest.strip() else "")


RULE = Rule(
    id="missing-input",
    fix=propose,
    answers=("file-not-found", "emergency-stop"),
    examples=(
        Example(
            "\\input{Sections/Intro}\n",
            "\\input{sections/intro.tex}\n",
            message="LaTeX Error: File `Sections/Intro.tex' not found",
            token="Sections/Intro.tex",
            path="part.tex",
            files={"sections/intro.tex": "Hello.\n"},
        ),
        Example(
            "\\input{sections/later} Text.\n",
            "% missing: \\input{sections/later}\n Text.\n",
            message="LaTeX Error: File `sections/later.tex' not found",
            token="sections/later.tex",
            path="part.tex",
        ),
        Example("No file.\n", None, message="File `a.tex' not found", token="a.tex", path="part.tex"),
    ),
)
