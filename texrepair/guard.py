"""Did an edit keep the content? Judges every edit, a rule's or a model's, before it is kept.

Compared are the files that the main file really reads, in live text, unit by unit (see latex.content). Units that are
the same on both sides need no further look, wherever they stand. Of the rest, every word, number, symbol, key and
picture must be found again, and in a table row in its order.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from texrepair.latex.content import (
    CELL,
    Content,
    Unit,
    content,
    data_content,
    file_key,
    kind_of,
    raw_words,
    shown,
    unit_key,
    unwrapped,
)
from texrepair.latex.pictures import whole_picture
from texrepair.latex.source import Part
from texrepair.latex.symbols import SOFT
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
_TRACE_PREAMBLE = 30
_EXCUSED = 12
_INSERTED = 40
_PRINTED = frozenset({"word", "number", "symbol", "macro", "cell", "mark", "link"})
_GLUED = re.compile(r"\\[A-Za-z@]+_?$")


def guard(before: Draft, after: Draft, main: str, assets: Mapping[str, Path | bytes] | None = None) -> Verdict:
    """Compare two drafts of a project. Accepted when nothing is lost, or no more than a trace.

    `assets` are the project's pictures: one that is there may not be replaced by a placeholder.
    """
    if before.texts == after.texts:
        return Verdict(True, (), (), "")
    return _Comparison(_reads(before, main), _reads(after, main), before, assets or {}).verdict()


def _reads(draft: Draft, main: str) -> dict[str, Content]:
    """The content of the files that the main file reads, and of the project's data files."""
    found: dict[str, Content] = {}
    waiting: list[tuple[str, Part]] = [(main, "main")]
    only: frozenset[str] | None = None
    while waiting:
        path, part = waiting.pop()
        if path in found or path not in draft:
            continue
        text = unwrapped(draft.text(path)) if path == main else draft.text(path)
        read = found[path] = content(text, part)
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

    def __init__(
        self,
        before: Mapping[str, Content],
        after: Mapping[str, Content],
        draft: Draft,
        assets: Mapping[str, Path | bytes],
    ) -> None:
        same = {path for path in before if path in after and before[path] is after[path]}
        self.before = {path: read for path, read in before.items() if path not in same}
        self.after = {path: read for path, read in after.items() if path not in same}
        self.draft = draft
        self.assets = assets
        self.defined_before = frozenset().union(*(read.definitions for read in before.values()))
        self.defined_after = frozenset().union(*(read.definitions for read in after.values()))
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
        self.stray: Counter[str] = Counter()
        self.excuse()

    def excuse(self) -> None:
        """Take out of `missing` what an edit may do."""
        self._excuse_damaged_names()
        self._excuse_other_names()
        self._excuse_pictures()
        self._excuse_merged_labels()
        self._excuse_ambiguous_fractions()
        self.missing = +self.missing

    def _excuse_damaged_names(self) -> None:
        """What was printed only because a command, key or option was damaged: it is read as such now."""
        commands = _sum(self.after, "commands") - _sum(self.before, "commands")
        damaged: Counter[str] = Counter()
        for name, number in commands.items():
            for spelling in {name.rstrip("*"), name[1:].rstrip("*")}:
                damaged[spelling] += number
        soft = _sum(self.after, "soft") - _sum(self.before, "soft")
        read = _sum(self.after, "arguments") - _sum(self.before, "arguments")
        for name in ("defined", "stray"):
            read += _sum(self.after, name) - _sum(self.before, name)
        for token, number in self.gained.items():
            if kind_of(token) not in _PRINTED:
                for word in raw_words(shown(token)):
                    read[word] += number
        left = _EXCUSED + 2 * (damaged & self.missing).total()
        for token, number in self.missing.items():
            kind = kind_of(token)
            if kind == "symbol":
                self.missing[token] -= min(number, soft[token] + read[token])
            elif kind == "mark":
                free = min(number, commands["item"] + self.gained[shown(token)])
                commands["item"] -= free
                self.missing[token] -= free
            elif kind in ("word", "number"):
                free = min(number, damaged[token])
                spare = min(number - free, left, read[token])
                left -= spare
                self.missing[token] -= free + spare

    def _excuse_other_names(self) -> None:
        """Macros that the document does not define say nothing; those that it defines may be given another name."""
        renamed = sum(
            number
            for token, number in self.gained.items()
            if kind_of(token) == "macro" and token[1:] in self.defined_after - self.defined_before
        )
        glued: Counter[str] = Counter()
        for path, unit in self.left:
            text = self.before[path].text
            for token, place in zip(unit.tokens, unit.places, strict=True):
                if _GLUED.search(text, max(0, place - 40), place):
                    glued[token] += 1
        for token, number in self.missing.items():
            kind = kind_of(token)
            if kind == "macro":
                free = number if token[1:] not in self.defined_before else min(number, renamed)
            elif kind in ("word", "number"):
                free = min(number, renamed, glued[token])
            elif kind == "glossary term":
                free = number if _near(shown(token), self.gained, kind) else 0
            else:
                continue
            self.missing[token] -= free

    def _excuse_pictures(self) -> None:
        """A picture that the project does not have may be replaced by a box that names it."""
        there = {file_key(path) for path, asset in self.assets.items() if whole_picture(asset)}
        shown_words = "".join(t.casefold() for _, unit in self.right for t in unit.tokens if _ordered(t))
        for token in self.missing:
            if kind_of(token) in ("picture", "listing file"):
                key = shown(token)
                if key not in there and key and key in shown_words:
                    self.missing[token] = 0

    def _excuse_ambiguous_fractions(self) -> None:
        """Of several \\over in one group TeX ignores all but the first (tex.web, section 1183); what follows hangs loose."""
        for path, unit in self.left:
            text = self.before[path].text[unit.start : unit.end]
            if unit.kind == "formula" and text.count("\\over") > 1 and not any(t[0].isdigit() for t in self.gained):
                for token in ("1", "⟨frac⟩", "+"):
                    self.missing[token] = max(0, self.missing[token] - 1)

    def _excuse_merged_labels(self) -> None:
        """Two labels of one formula: one of them may go if what referred to it refers to the other."""
        for _, unit in self.left:
            labels = [t for t in unit.tokens if kind_of(t) == "label"]
            kept = [t for t in labels if not self.missing[t]]
            for label in labels:
                reference = label.replace("label:", "reference:", 1)
                other = next((t.replace("label:", "reference:", 1) for t in kept), "")
                if self.missing[label] and other and self.missing[reference] <= self.gained[other]:
                    self.missing[label] = self.missing[reference] = 0

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
        """All that is missing, if it is no more than a trace; else nothing."""
        kinds = Counter(kind_of(t) for t in self.missing.elements())
        small = kinds["word"] <= _TRACE_WORDS and kinds["symbol"] <= _TRACE_SYMBOLS and set(kinds) <= {"word", "symbol"}
        small &= not any(_says_much(t) for t in self.missing)
        small &= not (kinds["word"] and any(kind_of(t) == "word" for t in self.gained))
        small &= self.stray["definition"] <= _TRACE_WORDS and self.stray["text in the preamble"] <= _TRACE_PREAMBLE
        return lost if small and not any(loss.kind.startswith("order") for loss in lost) else []

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
        found = []
        for path, unit in self.left:
            wanted = [t for t in unit.tokens if _ordered(t)]
            if not _stands_in(wanted, stream, places, self.gone, self.gained):
                found.append(Loss(f"order of the {unit.kind}", _shortened(unit, path, self.before), path))
            elif unit.kind == "table row" and _cells_moved(unit.tokens, rows):
                found.append(Loss("order of the table row", _shortened(unit, path, self.before), path))
        return found

    def preamble(self) -> list[Loss]:
        """Words of definitions, and stray text of the preamble, that are nowhere any more."""
        path = next(iter(self.before), "")
        there = _sum(self.after, "defined") + _sum(self.after, "arguments") + _sum(self.after, "stray") + self.gained
        found = []
        for name, kind in (("defined", "definition"), ("stray", "text in the preamble")):
            gone = _sum(self.before, name) - _sum(self.after, name)
            words = [t for t in gone if kind_of(t) == "word" and len(t) > 2 and not there[t]]
            if words:
                self.stray[kind] += len(words)
                found.append(Loss(kind, " ".join(words[:8]), path))
        return found

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
    """Tokens whose order is looked at: punctuation of formulas is punctuation where the mode was misjudged."""
    return token not in SOFT and kind_of(token) in ("word", "number", "symbol")


def _stands_in(
    wanted: list[str], stream: list[str], places: Mapping[str, list[int]], gone: Counter[str], gained: Counter[str]
) -> bool:
    """Do these tokens follow each other in the stream, but for the lost ones, with only gained ones between them?"""
    first = 0
    while first < len(wanted) and gone[wanted[first]] > 0 and wanted[first] not in places:
        first += 1
    starts = []
    for skipped in range(first, len(wanted)):
        starts += [(skipped, at) for at in places.get(wanted[skipped], ())]
        if not gone[wanted[skipped]]:
            break
    if not starts:
        return True
    return any(_follow(wanted, skipped, stream, at, gone, gained) for skipped, at in starts)


def _follow(
    wanted: list[str], token: int, stream: list[str], at: int, gone: Counter[str], gained: Counter[str]
) -> bool:
    while token < len(wanted):
        if at < len(stream) and stream[at] == wanted[token]:
            at += 1
            token += 1
        elif at < len(stream) and gained[stream[at]] > 0:
            at += 1
        elif gone[wanted[token]] > 0:
            token += 1
        else:
            return False
    return True


def _says_much(symbol: str) -> bool:
    """A symbol whose loss changes a statement: an operator, a sign, a currency, a per cent."""
    return kind_of(symbol) == "symbol" and (
        symbol in "%&°§-/" or symbol.startswith("⟨") or unicodedata.category(symbol[0]) in ("Sm", "Sc")
    )


def _near(key: str, gained: Counter[str], kind: str) -> bool:
    """Was a key of that kind gained that is spelt almost the same?"""
    bare = re.sub(r"[\W_]+", "", key).casefold()
    return any(kind_of(t) == kind and re.sub(r"[\W_]+", "", shown(t)).casefold() == bare for t in gained)


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
