"""Did an edit keep the content? Judges every edit, a rule's or a model's, before it is kept.

Compared are the files that the main file really reads, in live text, unit by unit (see latex.content). Units that are
the same on both sides need no further look, wherever they stand. Of the rest, every word, number, symbol, key and
picture must be found again, and in a table row in its order.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from texrepair.latex.content import CELL, Content, Unit, content, data_content, kind_of, raw_words, shown, unit_key
from texrepair.latex.source import Part
from texrepair.project import Draft


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that an edit dropped or changed."""

    kind: str
    """section title, table row, paragraph, citation, number, order …"""
    what: str
    """How it reads, shortened."""
    file: str

    def __str__(self) -> str:
        return f"{self.kind} ‘{self.what}’ of {self.file}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the guard says of an edit."""

    accepted: bool
    lost: tuple[Loss, ...]
    """Why it is refused; empty where it is accepted."""
    trace: tuple[Loss, ...]
    """What is missing and was let pass: a word or two, a punctuation mark."""
    reason: str
    """One sentence for a person and for the model; "" where nothing is missing."""


_STYLE = (".sty", ".cls", ".def", ".cfg", ".clo", ".ldf", ".fd", ".bbx", ".cbx", ".lbx")
_TEX = (".tex", ".ltx", ".latex", ".tikz", ".pgf", ".bbl", ".toc", ".inc", ".ins")
_CODE = (".bst", ".ist", ".lua", ".py", ".gst", ".xdy", ".latexmkrc")
_TRACE_WORDS = 2
_TRACE_SYMBOLS = 2
_EXCUSED = 12
_INSERTED = 40


def guard(before: Draft, after: Draft, main: str) -> Verdict:
    """Compare two drafts of a project. Accepted when nothing is lost, or no more than a trace."""
    if before.texts == after.texts:
        return Verdict(True, (), (), "")
    return _Comparison(_reads(before, main), _reads(after, main), before).verdict()


def _reads(draft: Draft, main: str) -> dict[str, Content]:
    """The content of the files that the main file reads, and of the project's data files."""
    found: dict[str, Content] = {}
    waiting: list[tuple[str, Part]] = [(main, "main")]
    only: frozenset[str] | None = None
    while waiting:
        path, part = waiting.pop()
        if path in found or path not in draft:
            continue
        read = found[path] = content(draft.text(path), part)
        only = only if read.include_only is None else read.include_only
        for command, name in read.inputs:
            if command == "include" and only is not None and name.removesuffix(".tex") not in only:
                continue
            target = _resolved(draft, main, path, command, name)
            if target is not None and not target.endswith(".bib"):
                waiting.append((target, "style" if target.endswith(_STYLE) else "body"))
    for path in draft:
        if path not in found and not path.endswith(_STYLE + _TEX + _CODE):
            found[path] = data_content(draft.text(path), path.endswith(".bib"))
    return found


def _resolved(draft: Draft, main: str, path: str, command: str, name: str) -> str | None:
    ending = ".cls" if command in ("documentclass", "LoadClass") else ".sty" if "ackage" in command else ".tex"
    for folder in dict.fromkeys((posixpath.dirname(main), posixpath.dirname(path))):
        for candidate in (name + ending, name):
            target = posixpath.normpath(posixpath.join(folder, candidate))
            if target in draft:
                return target
    return None


class _Comparison:
    """What is in `before` and not in `after`."""

    def __init__(self, before: Mapping[str, Content], after: Mapping[str, Content], draft: Draft) -> None:
        same = {path for path in before if path in after and before[path] is after[path]}
        self.before = {path: read for path, read in before.items() if path not in same}
        self.after = {path: read for path, read in after.items() if path not in same}
        self.draft = draft
        self.definitions = frozenset().union(*(read.definitions for read in before.values()))
        mine, theirs = _counts(self.before.values()), _counts(self.after.values())
        self.left = _leftover(self.before, mine - theirs)
        self.right = _leftover(self.after, theirs - mine)
        need = Counter(t for _, unit in self.left for t in unit.tokens if t != CELL)
        have = Counter(t for _, unit in self.right for t in unit.tokens if t != CELL)
        self.missing = need - have
        self.gained = have - need
        faint = _sum(self.before, "faint") - _sum(self.after, "faint")
        self.missing += faint - self.gained
        self.gone = Counter(self.missing)
        """All that is not where it was; `missing` is what remains of it without the excused."""
        self.excuse()

    def excuse(self) -> None:
        """Take out of `missing` what an edit may do: what was a damaged command, key or option is read as such now."""
        commands = _sum(self.after, "commands") - _sum(self.before, "commands")
        damaged = Counter[str]()
        for name, number in commands.items():
            for spelling in {name.rstrip("*"), name[1:].rstrip("*")}:
                damaged[spelling] += number
        soft = _sum(self.after, "soft") - _sum(self.before, "soft")
        read = (_sum(self.after, "arguments") - _sum(self.before, "arguments")) + (
            _sum(self.after, "preamble") - _sum(self.before, "preamble")
        )
        keys = Counter[str]()
        for token, number in self.gained.items():
            if kind_of(token) not in ("word", "number", "symbol", "macro", "cell"):
                for word in raw_words(shown(token)):
                    keys[word] += number
        left = _EXCUSED
        for token, number in list(self.missing.items()):
            kind = kind_of(token)
            if kind == "macro":
                free = number if token[1:] not in self.definitions else 0
            elif kind == "symbol":
                free = soft[token]
            elif kind in ("word", "number"):
                free = min(number, damaged[token])
                spare = min(number - free, left, read[token] + keys[token])
                left -= spare
                free += spare
            else:
                free = 0
            self.missing[token] -= min(free, number)
        self.missing = +self.missing

    def verdict(self) -> Verdict:
        lost = [*self.losses(), *self.disordered(), *self.preamble()]
        trace = self.trace(lost)
        lost = [] if trace else lost
        inserted = self.inserted()
        if inserted:
            lost.append(inserted)
        if not lost:
            reason = "Hardly anything is missing: " + _listed(trace) if trace else ""
            return Verdict(True, (), tuple(trace), reason)
        return Verdict(False, tuple(lost), (), _reason(lost))

    def trace(self, lost: list[Loss]) -> list[Loss]:
        kinds = Counter(kind_of(t) for t in self.missing.elements())
        grave = set(kinds) - {"word", "symbol"}
        small = kinds["word"] <= _TRACE_WORDS and kinds["symbol"] <= _TRACE_SYMBOLS
        return lost if small and not grave and not any(loss.kind.startswith("order") for loss in lost) else []

    def losses(self) -> list[Loss]:
        """The missing tokens, by the unit that they stood in."""
        found: list[Loss] = []
        missing = Counter(self.missing)
        for path, unit in self.left:
            words = []
            for token in unit.tokens:
                if missing[token] > 0:
                    missing[token] -= 1
                    words.append(token)
            for kind in dict.fromkeys(kind_of(t) for t in words):
                of_kind = [shown(t) for t in words if kind_of(t) == kind]
                if kind in ("word", "number", "symbol", "macro"):
                    if kind == "number" and len(of_kind) < len(unit.tokens):
                        found.append(Loss("number", " ".join(of_kind), path))
                    else:
                        found.append(Loss(unit.kind, _shortened(unit, path, self.before), path))
                else:
                    found += [Loss(kind, word, path) for word in of_kind]
        found += [Loss("white text", shown(t), next(iter(self.before))) for t in +missing]
        return list(dict.fromkeys(found))

    def disordered(self) -> list[Loss]:
        """Units whose tokens are all there, but no longer in their order; rows whose cells changed places."""
        stream = [t for _, unit in self.right for t in unit.tokens if _ordered(t)]
        places: dict[str, list[int]] = {}
        for at, token in enumerate(stream):
            places.setdefault(token, []).append(at)
        rows = Counter(unit.tokens for _, unit in self.right if unit.kind == "table row")
        missing = Counter(self.gone)
        found = []
        for path, unit in self.left:
            wanted = []
            for token in unit.tokens:
                if missing[token] > 0:
                    missing[token] -= 1
                elif _ordered(token):
                    wanted.append(token)
            if not _stands_in(wanted, stream, places, self.gained):
                found.append(Loss(f"order of the {unit.kind}", _shortened(unit, path, self.before), path))
            elif unit.kind == "table row" and _cells_moved(unit.tokens, rows):
                found.append(Loss("order of the table row", _shortened(unit, path, self.before), path))
        return found

    def preamble(self) -> list[Loss]:
        """Words of definitions and of the preamble that are nowhere any more."""
        gone = _sum(self.before, "preamble") - _sum(self.after, "preamble")
        there = _sum(self.after, "preamble") + self.gained + _sum(self.after, "arguments")
        words = [t for t in gone if kind_of(t) == "word" and len(t) > 2 and not there[t]]
        path = next(iter(self.before), "")
        return [Loss("definition", " ".join(words[:6]), path)] if len(words) > _TRACE_WORDS else []

    def inserted(self) -> Loss | None:
        """Many words that the project did not hold before in any form."""
        gained = Counter({t: n for t, n in self.gained.items() if kind_of(t) in ("word", "number")})
        if gained.total() <= _INSERTED:
            return None
        for text in self.draft.texts.values():
            gained -= raw_words(text)
        if gained.total() <= _INSERTED:
            return None
        path = self.right[0][0] if self.right else ""
        return Loss("insertion", f"{gained.total()} words", path)


def _counts(reads: Iterable[Content]) -> Counter[tuple[str, tuple[str, ...]]]:
    total: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for read in reads:
        total.update(read.counts)
    return total


def _leftover(reads: Mapping[str, Content], wanted: Counter[tuple[str, tuple[str, ...]]]) -> list[tuple[str, Unit]]:
    """The units of that multiset, in the order of the files."""
    wanted = Counter(wanted)
    found = []
    for path, read in reads.items():
        for unit in read.units:
            key = unit_key(unit)
            if wanted[key] > 0:
                wanted[key] -= 1
                found.append((path, unit))
    return found


def _sum(reads: Mapping[str, Content], name: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for read in reads.values():
        total.update(getattr(read, name))
    return total


def _ordered(token: str) -> bool:
    return token != CELL and kind_of(token) in ("word", "number", "symbol")


def _stands_in(wanted: list[str], stream: list[str], places: Mapping[str, list[int]], gained: Counter[str]) -> bool:
    """Do these tokens follow each other in the stream, with nothing but gained ones between them?"""
    if not wanted:
        return True
    for start in places.get(wanted[0], ()):
        at = start
        for token in wanted:
            while at < len(stream) and stream[at] != token and gained[stream[at]] > 0:
                at += 1
            if at >= len(stream) or stream[at] != token:
                break
            at += 1
        else:
            return True
    return False


def _cells_moved(row: tuple[str, ...], rows: Counter[tuple[str, ...]]) -> bool:
    """Is there a row with the same tokens in the same number of cells, but in other cells?"""
    bare = tuple(t for t in row if t != CELL)
    return any(
        len(other) == len(row) and other != row and tuple(t for t in other if t != CELL) == bare for other in rows
    )


def _shortened(unit: Unit, path: str, reads: Mapping[str, Content]) -> str:
    text = " ".join(reads[path].text[unit.start : unit.end].split())
    return text if len(text) <= 60 else text[:57] + "…"


def _listed(losses: Iterable[Loss]) -> str:
    losses = list(losses)
    named = ", ".join(f"the {loss}" for loss in losses[:4])
    return named + (f" and {len(losses) - 4} more" if len(losses) > 4 else "")


def _reason(losses: list[Loss]) -> str:
    return f"The edit loses or changes content: {_listed(losses)}."
