r"""A picture that is not there under this name.

Why it breaks: "File ... not found", "Unable to load picture or PDF file": the case, the folder or the ending of the
name is wrong, or the file exists only in the mind of the model.

What is done: a file of the project whose name differs in case, folder, slashes or ending is used, in a form that the
engine reads; else one with a very similar name; and else, so that nothing else is lost, a box of the same width that
names the missing file takes the picture's place.

When nothing is done: the name is made by a macro.
"""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Iterator

from texrepair.latex import Argument, Command, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._pictures import placeholder, plain

ENDINGS = (".pdf", ".png", ".jpg", ".jpeg")
"""Pictures that all engines read, best first."""


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not found.token:
        return
    if found.code == "undefined-control-sequence":
        # C:\fig\a.png: TeX takes the parts of the path for commands.
        inside = _name_at(case)
        if inside is None:
            return
        wanted = plain(inside)
    else:
        wanted = plain(found.token)
    uses = list(_uses(case, wanted))
    if not uses:
        return
    files = sorted(p for p in {*case.assets, *case.draft} if p.lower().endswith(ENDINGS))
    for rank, (right, certainty) in enumerate(_matches(case, wanted, files)):
        if rank > 3:
            break
        edits = tuple(Edit(path, a.start + 1, a.end - 1, right) for path, _, _, a in uses)
        yield Candidate(edits, f"use {right}, which is there, for {wanted}", certainty)
    placeholders = tuple(placeholder(path, source, command, a, "Missing figure") for path, source, command, a in uses)
    yield Candidate(placeholders, f"put a box with its name in the place of the missing {wanted}", 0.25)


def _name_at(case: Case) -> str | None:
    """The file name, with backslashes in it, in which TeX stood."""
    source = case.source
    for command in source.command_named("includegraphics", "includegraphics*"):
        name = next((a for a in source.arguments(command, 3) if not a.optional), None)
        same_line = source.line(command.start) == source.line(case.at)
        if name is not None and "\\" in source.inner(name) and (same_line or name.start <= case.at <= name.end):
            return source.inner(name)
    return None


def _uses(case: Case, wanted: str) -> Iterator[tuple[str, Source, Command, Argument]]:
    for path in case.draft:
        if path != case.main and not path.endswith((".tex", ".ltx", ".sty", ".cls")):
            continue
        source = case.lexed(path)
        for command in source.command_named("includegraphics", "includegraphics*"):
            name = next((a for a in source.arguments(command, 3) if not a.optional), None)
            if name is None or not source.live(command.start):
                continue
            written = plain(source.inner(name))
            same = written == wanted or posixpath.splitext(wanted)[0] == written or wanted.endswith("/" + written)
            if same or posixpath.splitext(wanted)[0].endswith("/" + written):
                yield path, source, command, name


def _matches(case: Case, wanted: str, files: list[str]) -> Iterator[tuple[str, float]]:
    """Names to write for files that may be meant, best first."""
    base = posixpath.dirname(case.main)
    known = {posixpath.relpath(f, base) if base else f: f for f in files}
    stem, name = posixpath.splitext(wanted)[0], posixpath.basename(wanted)
    short = posixpath.splitext(name)[0]

    def ranked(test: dict[str, bool]) -> list[str]:
        return sorted(
            (f for f, fits in test.items() if fits), key=lambda f: (ENDINGS.index(posixpath.splitext(f)[1].lower()), f)
        )

    seen: set[str] = {wanted}
    tests = (
        (0.95, {f: f.lower() == wanted.lower() for f in known}),
        (0.93, {f: posixpath.splitext(f)[0].lower() == stem.lower() for f in known}),
        (0.9, {f: posixpath.basename(f).lower() == name.lower() for f in known}),
        (0.86, {f: posixpath.splitext(posixpath.basename(f))[0].lower() == short.lower() for f in known}),
        (0.7, {f: _alike(posixpath.splitext(posixpath.basename(f))[0], short) for f in known}),
    )
    for certainty, test in tests:
        for right in ranked(test):
            if right not in seen:
                seen.add(right)
                yield right, certainty


def _alike(one: str, other: str) -> bool:
    a, b = (re.sub(r"[^a-z0-9]", "", name.lower()) for name in (one, other))
    return a == b or (len(a) > 4 and difflib.SequenceMatcher(None, a, b).ratio() > 0.85)


RULE = Rule(
    id="missing-image",
    fix=propose,
    answers=("image-not-found", "file-not-found", "pdf-inclusion", "undefined-control-sequence"),
    examples=(
        Example(
            "\\includegraphics[width=4cm]{Img/Plot.PNG}\n",
            "\\includegraphics[width=4cm]{img/plot.png}\n",
            message="File `Img/Plot.PNG' not found",
            token="Img/Plot.PNG",
            path="part.tex",
            assets=frozenset({"img/plot.png"}),
        ),
        Example(
            "\\includegraphics[width=4cm]{my_dream.png}\n",
            "\\fbox{\\parbox[c][3cm][c]{4cm}{\\centering Missing figure: my\\_dream.png}}\n",
            message="File `my_dream.png' not found",
            token="my_dream.png",
            path="part.tex",
        ),
        Example("No picture.\n", None, message="File `a.png' not found", token="a.png", path="part.tex"),
    ),
)
