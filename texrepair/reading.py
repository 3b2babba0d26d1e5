"""Which of a draft's files the document reads, as far as their names are written out."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from texrepair.latex import Command, Source
from texrepair.rules import Case

_READS = {
    "input": (".tex", ""),
    "@input": (".tex", ""),
    "@@input": (".tex", ""),
    "include": (".tex",),
    "subfile": (".tex", ""),
    "subfileinclude": (".tex", ""),
    "InputIfFileExists": (".tex", ""),
    "usepackage": (".sty",),
    "RequirePackage": (".sty",),
    "RequirePackageWithOptions": (".sty",),
    "documentclass": (".cls",),
    "documentstyle": (".cls", ".sty"),
    "LoadClass": (".cls",),
    "LoadClassWithOptions": (".cls",),
    "bibliography": (".bib",),
    "addbibresource": ("",),
}
"""Commands whose (first braced) argument names files that are read as TeX or BibTeX, and the endings that are tried."""

_READS_FROM = frozenset(["import", "subimport", "inputfrom", "subinputfrom", "includefrom", "subincludefrom"])
"""import.sty: the first argument is a folder, the second a file in it."""

_SHOWS = re.compile(r"(?:listing|verbatim|minted|pygmented|includepdf|dofile|loadfile)", re.IGNORECASE)
"""Parts of the names of commands that show a file or hand it to another language."""


def files_read(case: Case) -> tuple[str, ...]:
    """The draft's files that TeX or BibTeX reads, as far as their names are written out; the main file comes first."""
    found: list[str] = []
    shown: set[str] = set()
    waiting = [case.main]
    while waiting:
        path = waiting.pop(0)
        if path in found:
            continue
        found.append(path)
        if path.endswith(".bib"):
            continue
        source = case.lexed(path)
        for command in source.commands:
            if not source.live(command.start):
                continue
            if _SHOWS.search(command.name):
                shown.update(_names_in_arguments(source, command))
                continue
            if command.name in _READS or command.name in _READS_FROM:
                waiting.extend(p for p in _named(case, path, source, command) if p not in found)
    return tuple(p for p in found if p == case.main or not _spellings(p) & shown)


def _spellings(path: str) -> set[str]:
    name = posixpath.basename(path)
    return {path, name, posixpath.splitext(path)[0], posixpath.splitext(name)[0]}


def _names_in_arguments(source: Source, command: Command) -> Iterator[str]:
    for argument in source.arguments(command, 3):
        for word in re.split(r"[\s,={}]+", source.inner(argument)):
            yield word
            yield posixpath.basename(word)


def _named(case: Case, path: str, source: Source, command: Command) -> Iterator[str]:
    braced = [source.inner(a).strip() for a in source.arguments(command, 3) if not a.optional]
    folders = [posixpath.dirname(case.main), "", posixpath.dirname(path)]
    endings: tuple[str, ...] = (".tex", "")
    if command.name in _READS_FROM:
        if len(braced) < 2:
            return
        names = [posixpath.join(braced[0], braced[1])]
    else:
        endings = _READS[command.name]
        if braced:
            names = [name.strip() for name in braced[0].split(",")]
        else:
            bare = re.compile(r"[ \t]*([^\s\\{}%#$&]+)").match(source.text, command.end)
            if bare is None or command.name not in ("input", "@input", "@@input"):
                return
            names = [bare[1]]
    for name in names:
        for folder in folders:
            for ending in endings:
                candidate = posixpath.normpath(posixpath.join(folder, name + ending))
                if candidate in case.draft:
                    yield candidate
