"""The static stage: rules that work on the text alone, before the first compile and on every reply of a model."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from texrepair.latex import Command, Source
from texrepair.project import Draft
from texrepair.result import Fix
from texrepair.rules import PHASES, Candidate, Case, Edit, Rule, applied, described

_MOST_CHANGES = 200
"""No draft needs as many: each change removes damage, and the examples' tests show that every rule comes to rest."""


class Judgement(Protocol):
    """What the guard says of an edit."""

    @property
    def accepted(self) -> bool: ...
    @property
    def reason(self) -> str: ...


def sanitize(
    draft: Draft,
    main: str,
    engine: str,
    assets: frozenset[str],
    rules: Iterable[Rule],
    values: Mapping[str, str],
    guard: Callable[[Draft, Draft, str], Judgement] | None = None,
) -> tuple[Draft, tuple[Fix, ...]]:
    """The draft after the static ones of `rules`, and what they changed, in order; what the guard refused is
    among them, not kept.

    Rules run by phase, then by id; after each change the first one begins again, until none changes anything. Only
    files that TeX or BibTeX reads as such are looked at: what is shown as a listing, or not read at all, stays.
    """
    ordered = sorted((r for r in rules if r.static), key=lambda rule: (PHASES.index(rule.phase), rule.id))
    sources: dict[tuple[str, str], Source] = {}
    fixes: list[Fix] = []
    refused: set[tuple[str, str, str]] = set()

    def changed(draft: Draft) -> Draft | None:
        start = Case(draft, main, main, None, engine, assets, values, sources)
        paths = files_read(start)
        for rule in ordered:
            for path in paths:
                case = Case(draft, main, path, None, engine, assets, values, sources)
                taken = _compatible(rule.fix(case))
                after = applied(draft, (edit for candidate in taken for edit in candidate.edits))
                if after.texts != draft.texts:
                    refusal = "" if guard is None or rule.fills else _refusal(guard(draft, after, main))
                    if refusal:
                        name = (rule.id, path, after.text(path))
                        if name in refused:
                            continue
                        refused.add(name)
                    for why in dict.fromkeys(candidate.why for candidate in taken):
                        edits = (edit for candidate in taken if candidate.why == why for edit in candidate.edits)
                        found = described(rule, draft, edits, why)
                        fixes.extend(replace(fix, kept=False, verdict=refusal) if refusal else fix for fix in found)
                    if not refusal:
                        return after
        return None

    for _ in range(_MOST_CHANGES):
        after = changed(draft)
        if after is None:
            break
        draft = after
    return draft, tuple(fixes)


def _refusal(judgement: Judgement) -> str:
    return "" if judgement.accepted else f"the guard refused: {judgement.reason}"


def _compatible(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates, without those that overlap an earlier one; they come again on the next run."""
    taken: list[Candidate] = []
    spans: list[Edit] = []
    for candidate in candidates:
        if not any(_overlap(edit, other) for edit in candidate.edits for other in spans):
            taken.append(candidate)
            spans.extend(candidate.edits)
    return taken


def _overlap(a: Edit, b: Edit) -> bool:
    return a.path == b.path and a.start < b.end and b.start < a.end


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
