"""The one comparison of two verified drafts: which got further.

Finished comes first, then the place of the first error, then the number of independent errors. Mending, the model's
rounds and the choice of the best draft all use it.

Places are compared in the order in which TeX reads the project: a chapter's lines stand where the main file reads it, a
style file's where it is loaded. Edits shift lines, so a place of the old draft is first carried over to the new one.
An error that both drafts have in the same place says nothing about which is better: the first error that they do
*not* share decides. A check's errors come before those of the bibliography, these before those of a later pass, these
before the driver's. A run that was interrupted is worse than one that ended with errors.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from texrepair.latex.comments import blanked
from texrepair.latex.places import line_text, moved, stopped_at
from texrepair.project import Draft
from texrepair.result import CompileResult, Diagnostic

Key = tuple[int, ...]
"""A place in reading order: the offset in the main file, then in the file that is read there, and so on."""

ENGINES = frozenset({"xelatex", "pdflatex", "lualatex", "latex", "tex", "xetex", "pdftex", "luatex"})

STOPPED = frozenset({"interrupted", "emergency-stop", "capacity-exceeded", "missing-end-document", "too-many-errors"})
"""Codes of errors after which TeX read no further."""

_MERE_STOPS = frozenset({"emergency-stop", "missing-end-document"})

_READS = re.compile(
    r"\\(?:input|include|subfile|subfileinclude|@input|InputIfFileExists|bibliography|addbibresource|documentclass"
    r"|usepackage|RequirePackage|RequirePackageWithOptions|LoadClass|LoadClassWithOptions"
    r"|(?:sub)?(?:import|includefrom|inputfrom)\*?\s*\{(?P<folder>[^{}]*)\})"
    r"\s*(?:\[[^\]]*\])?\s*(?:\{(?P<names>[^{}\\]*)\}|(?P<bare>[^\s{}\\%]+))"
)
_DIGITS = re.compile(r"\d+")
_STYLE_ENDINGS = (".sty", ".cls", ".clo", ".def", ".cfg", ".fd", ".ldf", ".ltx", ".cnf")


@dataclass(frozen=True, slots=True)
class Placed:
    """An error, where the program reports it, and from where on the run was astray."""

    diagnostic: Diagnostic
    own: Key
    key: Key


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed from one verified draft to another."""

    better: bool
    reason: str
    """In a few words, for the run log: "the first error moved from a.tex:3 to a.tex:40; 2 errors, were 5"."""
    gone: tuple[Diagnostic, ...] = ()
    """Independent errors that only the old draft had."""
    fresh: tuple[Diagnostic, ...] = ()
    """Independent errors that only the new draft has."""
    uncovered: bool = False
    """Every fresh error lies beyond the point up to which the old run got."""

    @property
    def clear(self) -> bool:
        """Better, and nothing new appeared in what had been read before."""
        return self.better and (not self.fresh or self.uncovered)


def better(new: CompileResult, old: CompileResult, *, after: Draft, before: Draft, main: str) -> bool:
    """Whether `new`, found for the draft `after`, got further than `old`, found for the draft `before`."""
    return compared(new, old, after=after, before=before, main=main).better


def compared(new: CompileResult, old: CompileResult, *, after: Draft, before: Draft, main: str) -> Comparison:
    """The comparison with its reasons."""
    fresh_of, gone_of = independent(new), independent(old)
    if new.ok or old.ok:
        won = new.ok and not old.ok
        reason = "clean" if new.ok else _count(fresh_of, gone_of)
        return Comparison(won, reason, gone_of if new.ok else (), () if new.ok else fresh_of)

    order, carry = Order(after, main), Carry(before, after)
    new_errors = [Placed(d, order.own(d), order.key(d)) for d in fresh_of]
    old_errors = [Placed(d, order.own(d, carry), order.key(d, carry)) for d in gone_of]
    fresh, gone = _unshared(new_errors, old_errors)
    reached = max((p.own for p in old_errors), default=())
    halted = stopped_early(old)
    uncovered = bool(fresh) and halted and all(p.own > reached for p in fresh)
    numbers = _count(fresh_of, gone_of)

    def verdict(won: bool, why: str) -> Comparison:
        reason = "; ".join(part for part in (why, numbers) if part)
        return Comparison(won, reason, tuple(p.diagnostic for p in gone), tuple(p.diagnostic for p in fresh), uncovered)

    if interrupted(new) != interrupted(old):
        hung, ended = (new_errors, old_errors) if interrupted(new) else (old_errors, new_errors)
        # A run that stopped before the place where the other one hangs never got there.
        short = stopped_early(old if interrupted(new) else new)
        if not (short and hung and ended and _reach(hung) > _reach(ended)):
            won = interrupted(old)
            return verdict(won, "the run is no longer interrupted" if won else "the run had to be interrupted")
    new_stage, old_stage = stage(new), stage(old)
    if new_stage != old_stage:
        names = f"{_STAGES[old_stage]} to {_STAGES[new_stage]}"
        return verdict(new_stage > old_stage, f"the first error moved from {names}")
    if not fresh and not gone:
        return verdict(False, "the same errors")
    if not fresh:
        return verdict(True, f"gone: {_named(gone[0].diagnostic)}")
    if not gone:
        return verdict(False, f"new: {_named(fresh[0].diagnostic)}")
    first_new, first_old = fresh[0], gone[0]
    names = f"{_named(first_old.diagnostic)} gave way to {_named(first_new.diagnostic)}"
    # The same error elsewhere, its cause unknown: where TeX reports it says how far it got.
    alike = _kind(first_new.diagnostic) == _kind(first_old.diagnostic) and first_new.own == first_new.key
    now, then = (first_new.own, first_old.own) if alike else (first_new.key, first_old.key)
    if now < then and uncovered:
        # Something that began further up, which the old run did not live to report. It may come of the edit, too.
        return replace(verdict(True, names), uncovered=False)
    if now > then and stopped_early(new) and all(p.own > max(e.own for e in new_errors) for p in gone):
        return verdict(False, names)
    return verdict(now > then if now != then else len(fresh) < len(gone), names)


def independent(result: CompileResult) -> tuple[Diagnostic, ...]:
    """The errors that do not follow from an earlier one, in the order of the report."""
    return tuple(d for d in result.errors if d.independent)


def interrupted(result: CompileResult) -> bool:
    """Whether a program was stopped: by a limit, or because it hung."""
    return any(p.stopped_for is not None for p in result.passes) or any(d.code == "interrupted" for d in result.errors)


def stopped_early(result: CompileResult) -> bool:
    """Whether the engine read no further than its last error."""
    return interrupted(result) or any(d.code in STOPPED for d in result.errors)


_STAGES = ("the first pass", "the bibliography", "a later pass", "the driver", "the end")


def stage(result: CompileResult) -> int:
    """Where in the chain of programs the first error arose.

    0 first pass, 1 bibliography or index, 2 later pass, 3 driver, 4 where there is no error at all.
    """
    tools = [d.tool for d in result.errors]
    if not tools:
        return 4
    first = engine_passes(result) <= 1
    ranks = {"bibtex": 1, "biber": 1, "index": 1, "driver": 3}
    return min(ranks.get(tool, 0 if first else 2) for tool in tools)


def engine_passes(result: CompileResult) -> int:
    """How many passes of an engine it took."""
    return sum(p.program in ENGINES for p in result.passes)


class Carry:
    """Carries places of one draft over to another."""

    def __init__(self, before: Draft, after: Draft) -> None:
        self.before = before
        self._after = after

    def offset(self, path: str, offset: int) -> int:
        """Where that offset of `before` is in `after`; itself where the file did not change or is gone."""
        if path not in self.before or path not in self._after:
            return offset
        return moved(self.before.text(path), self._after.text(path))(offset)


class Order:
    """The order in which TeX reads the files of a draft."""

    def __init__(self, draft: Draft, main: str) -> None:
        self._draft = draft
        self._main = main
        self._prefix = _prefixes(tuple(draft.texts.items()), main)

    def key(self, diagnostic: Diagnostic, carry: Carry | None = None) -> Key:
        """The place from which on the run was astray: the diagnostic's, or its cause's where that is known and earlier.

        With `carry`, of a diagnostic of another draft.
        """
        own = self.own(diagnostic, carry)
        if diagnostic.origin is None:
            return own
        return min(own, self._key(diagnostic.origin.file, diagnostic.origin.line, "", carry))

    def own(self, diagnostic: Diagnostic, carry: Carry | None = None) -> Key:
        """The place that the program itself names; the cause's where it names none."""
        if diagnostic.origin is not None and (diagnostic.file is None or diagnostic.line is None):
            return self._key(diagnostic.origin.file, diagnostic.origin.line, "", carry)
        return self._key(diagnostic.file, diagnostic.line, diagnostic.before or None, carry)

    def line_key(self, diagnostic: Diagnostic, carry: Carry) -> Key:
        """The start of the line that a diagnostic of another draft names."""
        path = path_in(carry.before, diagnostic.file, self._main)
        if path is None or diagnostic.line is None:
            return self.key(diagnostic, carry)
        return self.at(path, carry.offset(path, line_text(carry.before.text(path), diagnostic.line)[0]))

    def _key(self, file: str | None, line: int | None, before: str | None, carry: Carry | None) -> Key:
        texts = self._draft if carry is None else carry.before
        path = path_in(texts, file, self._main)
        if path is None:
            return self._outside(file, carry)
        offset = stopped_at(texts.text(path), line, before)
        return self.at(path, offset if carry is None else carry.offset(path, offset))

    def reads(self, path: str) -> bool:
        """Whether the main file is seen to read that file."""
        return path in self._prefix

    def at(self, path: str, offset: int) -> Key:
        """The place of an offset of one file of the draft."""
        return (*self._prefix.get(path, (0,)), offset)

    def _outside(self, file: str | None, carry: Carry | None) -> Key:
        """A file that is no source of ours.

        Packages are read first, other files where a source names them, generated ones at \\begin{document}.
        """
        if file is None:
            return (len(self._draft.text(self._main)) if self._main in self._draft else 0,)
        if file.endswith(_STYLE_ENDINGS):
            return (0,)
        texts = self._draft if carry is None else carry.before
        stem = _stem(file)
        for path in (p for p in self._prefix if p in texts and _stem(p) != stem):
            reads = _READS.finditer(texts.text(path))
            read = next((m for m in reads if stem in map(_stem, (m["names"] or m["bare"] or "").split(","))), None)
            if read is not None:
                return self.at(path, read.start() if carry is None else carry.offset(path, read.start()))
        text = self._draft.text(self._main) if self._main in self._draft else ""
        return (max(0, text.find("\\begin{document}")),)


def _stem(name: str) -> str:
    return posixpath.basename(name.strip().strip('"')).partition(".")[0]


def path_in(draft: Draft, file: str | None, main: str) -> str | None:
    """The draft's path of a file as TeX named it, or None where the draft has no such file."""
    if file is None:
        return main if main in draft else None
    name = posixpath.normpath(file.strip('"'))
    for probe in (name, name + ".tex"):
        if probe in draft:
            return probe
    if posixpath.isabs(name):
        return None
    ends = [path for path in draft if path.endswith("/" + name) or path.endswith("/" + name + ".tex")]
    return ends[0] if len(ends) == 1 else None


@lru_cache(maxsize=16)
def _prefixes(files: tuple[tuple[str, str], ...], main: str) -> Mapping[str, Key]:
    texts = dict(files)
    found: dict[str, Key] = {main: ()}
    queue = [main]
    while queue:
        path = queue.pop(0)
        if path not in texts:
            continue
        text = blanked(texts[path])
        for read in _READS.finditer(text):
            folder = read["folder"] or ""
            for name in (read["names"] or read["bare"] or "").split(","):
                child = _resolved(texts, posixpath.join(folder, name.strip().strip('"')), path)
                if child is not None and child not in found:
                    found[child] = (*found[path], read.start())
                    queue.append(child)
    return found


def _resolved(texts: Mapping[str, str], name: str, reader: str) -> str | None:
    if not name:
        return None
    for base in ("", posixpath.dirname(reader)):
        stem = posixpath.normpath(posixpath.join(base, name))
        for ending in ("", ".tex", ".sty", ".cls", ".bib"):
            if stem + ending in texts:
                return stem + ending
    return None


def _reach(errors: list[Placed]) -> Key:
    """How far a run that was cut short read in its right mind: to its last error, or where that one's cause stands."""
    return max(p.key for p in [e for e in errors if e.diagnostic.code not in _MERE_STOPS] or errors)


def _unshared(new: list[Placed], old: list[Placed]) -> tuple[list[Placed], list[Placed]]:
    """What only one side has, in reading order."""

    def left(own: list[Placed], other: list[Placed]) -> list[Placed]:
        seen = Counter((_kind(p.diagnostic), p.own) for p in other)
        rest = []
        for placed in own:
            name = (_kind(placed.diagnostic), placed.own)
            if seen[name] > 0:
                seen[name] -= 1
            else:
                rest.append(placed)
        return sorted(rest, key=lambda p: p.key)

    return left(new, old), left(old, new)


def _kind(diagnostic: Diagnostic) -> tuple[str, str | None, str]:
    # Messages name input lines, which edits shift.
    return diagnostic.code, diagnostic.token, _DIGITS.sub("#", diagnostic.message[:120])


def _named(diagnostic: Diagnostic) -> str:
    place = f"{diagnostic.file or '?'}:{diagnostic.line if diagnostic.line is not None else '?'}"
    token = f" {diagnostic.token}" if diagnostic.token and diagnostic.token not in diagnostic.message else ""
    return f"{place}: {diagnostic.message[:80]}{token}"


def _count(new: tuple[Diagnostic, ...], old: tuple[Diagnostic, ...]) -> str:
    return f"{len(new)} error{'' if len(new) == 1 else 's'}, {'was' if len(old) == 1 else 'were'} {len(old)}"
