"""What of one content is not in another: compared unit by unit, then token by token, less what an edit may do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from texrepair.latex.hidden import is_condition
from texrepair.latex.symbols import SOFT
from texrepair.latex.units import CELL, Content, Key, Unit, kind_of, raw_words, shown

_EXCUSED = 12
"""Tokens that an edit may turn from text into names, keys and options."""
_SKIPPED = 2000
"""New tokens that are stepped over in search of the rest of a unit."""
_PRINTED = frozenset({"word", "number", "symbol", "macro", "cell", "mark", "link"})
_HERE = "\0"
"""Marks, for the patterns below, where the token begins."""
_GLUED = re.compile(r"\\[A-Za-z@]+_?\0")
_BRACKETED = re.compile(r"(?:[\[{｛]|\]\()[^\[\]{}｝()\n\0]*\0")
"""What stands in brackets or braces may have been meant as a name, a key or an option."""
_CALLED = re.compile(r"\\\0|\0[^\W\d_]+\*?\s*[\[{｛]|[\n/]\0[^\W\d_]+\s")
"""What is followed by an argument or preceded by a backslash may have been meant as a command."""
_CUT_OFF = re.compile(r"[\x07\x08\t\x0b\x0c\r\n]\0")
"""What follows a control character may be the rest of a command: in Python and JSON \\t, \\n, \\b, \\f are such."""


class Placed(NamedTuple):
    """A unit and the file that it stands in."""

    path: str
    unit: Unit


class Comparison:
    """What is in `before` and not in `after`, both by path. Units that are the same need no further look, wherever they
    stand; `left` and `right` hold the others."""

    def __init__(
        self, before: Mapping[str, Content], after: Mapping[str, Content], has_picture: Callable[[str], bool]
    ) -> None:
        same = {path for path in before if path in after and before[path] is after[path]}
        self.before = {path: read for path, read in before.items() if path not in same}
        self.after = {path: read for path, read in after.items() if path not in same}
        self.has_picture = has_picture
        """Is there a picture whose name has this key?"""
        self.defined_before = frozenset().union(*(read.definitions for read in before.values()))
        self.defined_after = frozenset().union(*(read.definitions for read in after.values()))
        mine, theirs = _counts(self.before.values()), _counts(self.after.values())
        self.left = _leftover(self.before, mine - theirs)
        self.right = _leftover(self.after, theirs - mine)
        need = Counter(t for _, unit in self.left for t in unit.tokens)
        have = Counter(t for _, unit in self.right for t in unit.tokens)
        self.cells = need.pop(CELL, 0), have.pop(CELL, 0)
        self.gained = have - need
        """Tokens that are new where something changed."""
        self.gone = need - have
        """Tokens that are not where something changed …"""
        self.gone += self.less("faint") - self.gained
        self.missing = Counter(self.gone)
        """… and those of them that an edit may not drop."""
        self._excuse()

    def less(self, name: str) -> Counter[str]:
        """What a counter of the contents (faint, defined, arguments …) has lost."""
        return _sum(self.before, name) - _sum(self.after, name)

    @cached_property
    def conditioned(self) -> Counter[str]:
        """Tokens that are now printed on a condition only; unless one was open before and has been closed."""
        new = any(is_condition(name) for name in self.more("commands"))
        if not new and any(read.open_conditionals for read in self.before.values()):
            return Counter()
        return self.more("conditional") - self.gained

    def more(self, name: str) -> Counter[str]:
        """What a counter of the contents has gained."""
        return _sum(self.after, name) - _sum(self.before, name)

    # What an edit may do.

    def _excuse(self) -> None:
        if not self.missing:
            return
        self._excuse_punctuation()
        self._excuse_damaged_names()
        self._excuse_macros()
        self._excuse_keys()
        self._excuse_ambiguous_fractions()
        self.missing = +self.missing

    def _drop(self, token: str, number: int) -> int:
        """Take at most so many of the token out of what is missing; returns how many."""
        number = max(0, min(number, self.missing[token]))
        self.missing[token] -= number
        return number

    def _excuse_punctuation(self) -> None:
        """Math where a $ was lost is text again, an unescaped & is a cell's end again, a list has real numbers."""
        soft, items = self.more("soft"), self.more("commands")["item"]
        self._drop("&", self.cells[1] - self.cells[0])
        for token in list(self.missing):
            if kind_of(token) == "symbol":
                self._drop(token, soft[token])
            elif kind_of(token) == "mark":
                items -= self._drop(token, items + self.gained[shown(token)])

    def _excuse_damaged_names(self) -> None:
        """What was printed only because a command, key or option was damaged is read as such now."""
        names, tails = Counter[str](), Counter[str]()
        for name, number in self.more("commands").items():
            names[name.rstrip("*")] += number
            tails[name[1:].rstrip("*")] += number
        read = self.more("arguments") + self.more("defined") + self.more("stray")
        for token, number in self.gained.items():
            if kind_of(token) not in _PRINTED:
                for word in raw_words(shown(token)):
                    read[word] += number
        free = _EXCUSED
        bracketed, called = self._standing(_BRACKETED), self._standing(_CALLED)
        cut_off = self._standing(_CUT_OFF)
        for token in list(self.missing):
            if kind_of(token) == "word":
                free += 2 * self._drop(token, min(tails[token], cut_off[token]))
                free += 2 * self._drop(token, min(names[token], max(called[token], bracketed[token])))
        for kinds in (("word", "number"), ("symbol",)):
            for token in list(self.missing):
                if kind_of(token) in kinds:
                    free -= self._drop(token, min(free, read[token], bracketed[token]))

    def _excuse_macros(self) -> None:
        """Macros that the document does not define say nothing; those that it defines may be given another name."""
        new = self.defined_after - self.defined_before
        renamed = sum(n for token, n in self.gained.items() if kind_of(token) == "macro" and token[1:] in new)
        glued = self._standing(_GLUED) if renamed else Counter[str]()
        for token in list(self.missing):
            kind = kind_of(token)
            if kind == "macro":
                self._drop(token, renamed if token[1:] in self.defined_before else self.missing[token])
            elif kind in ("word", "number"):
                self._drop(token, min(renamed + len(new), glued[token]))  # \vol1, which cannot be defined

    def _excuse_keys(self) -> None:
        """A picture that is not there may be replaced by a box that names it; a glossary key may be spelt as it is
        defined, without its plural ending too; of two labels in one unit one may go if what refers to it refers to
        the other."""
        words = "".join(self.stream).casefold()
        respelt = {_bare(t) for t in self.gained if kind_of(t) == "glossary term"}
        for token in list(self.missing):
            kind, key = kind_of(token), shown(token)
            placeholder = kind in ("picture", "listing file") and key and key in words and not self.has_picture(key)
            singular = _bare(token).removesuffix("s"), _bare(token).removesuffix("es")
            if placeholder or (kind == "glossary term" and respelt & {_bare(token), *singular}):
                self._drop(token, self.missing[token])
        for _, unit in self.left:
            labels = [t for t in unit.tokens if kind_of(t) == "label"]
            kept = next((t for t in labels if not self.missing[t]), "").replace("label:", "reference:", 1)
            for label in labels:
                reference = label.replace("label:", "reference:", 1)
                if self.missing[label] and kept and self.missing[reference] <= self.gained[kept]:
                    self.missing[label] = self.missing[reference] = 0

    def _excuse_ambiguous_fractions(self) -> None:
        """Of several \\over in one group TeX ignores all but the first (tex.web, section 1183)."""
        if any(kind_of(t) == "number" for t in self.gained):
            return
        for path, unit in self.left:
            if unit.kind == "formula" and self.before[path].text.count("\\over", unit.start, unit.end) > 1:
                for token in ("1", "⟨frac⟩", "+"):
                    self._drop(token, 1)

    def _standing(self, where: re.Pattern[str]) -> Counter[str]:
        """How many of the missing tokens stand where the pattern says."""
        found: Counter[str] = Counter()
        for path, unit in self.left:
            text = self.before[path].text
            for token, place in zip(unit.tokens, unit.places, strict=True):
                if self.missing[token] and where.search(
                    text[max(0, place - 120) : place] + _HERE + text[place : place + 60]
                ):
                    found[token] += 1
        return found

    # Order.

    def disordered(self) -> list[Placed]:
        """Units whose remaining tokens no longer follow each other, and table rows whose cells changed places."""
        stream = self.stream
        places: dict[str, list[int]] = {}
        for at, token in enumerate(stream):
            places.setdefault(token, []).append(at)
        rows = {unit.tokens for _, unit in self.right if unit.kind == "table row"}
        found = []
        for placed in self.left:
            wanted = [t for t in placed.unit.tokens if in_order(t)]
            if not self._stands_in(wanted, stream, places) or (
                placed.unit.kind == "table row" and _cells_moved(placed.unit.tokens, rows)
            ):
                found.append(placed)
        return found

    @cached_property
    def stream(self) -> list[str]:
        """The words, numbers and symbols of the changed units of `after`."""
        return [t for _, unit in self.right for t in unit.tokens if in_order(t)]

    def _stands_in(self, wanted: list[str], stream: list[str], places: Mapping[str, list[int]]) -> bool:
        """Do these tokens follow each other in the stream, but for the lost ones, with only gained ones between them?
        Begins at the rarest of them."""
        kept = [at for at, token in enumerate(wanted) if not self.gone[token]]
        if not kept:
            return True
        anchor = min(kept, key=lambda at: len(places.get(wanted[at], ())))
        return any(
            self._follow(wanted, anchor, stream, place, 1) and self._follow(wanted, anchor, stream, place, -1)
            for place in places.get(wanted[anchor], ())
        )

    def _follow(self, wanted: list[str], token: int, stream: list[str], at: int, step: int) -> bool:
        skipped = 0
        while 0 <= token < len(wanted):
            there = stream[at] if 0 <= at < len(stream) else ""
            if there == wanted[token]:
                at += step
                token += step
            elif there and self.gained[there] > 0 and skipped < _SKIPPED:
                at += step
                skipped += 1
            elif self.gone[wanted[token]] > 0:
                token += step
            else:
                return False
        return True


def in_order(token: str) -> bool:
    """Tokens whose order is looked at. Punctuation of formulas is not: where a $ is lost it is taken for text."""
    return token not in SOFT and token[0] != "⟨" and kind_of(token) in ("word", "number", "symbol")


def _bare(key: str) -> str:
    return re.sub(r"[\W_]+", "", shown(key)).casefold()


def _cells_moved(row: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> bool:
    """Is there a row with the same tokens in the same number of cells, but in other cells?"""
    bare = [t for t in row if t != CELL]
    return any(len(other) == len(row) and other != row and [t for t in other if t != CELL] == bare for other in rows)


def _counts(reads: Iterable[Content]) -> Counter[Key]:
    total: Counter[Key] = Counter()
    for read in reads:
        total.update(read.counts)
    return total


def _leftover(reads: Mapping[str, Content], wanted: Counter[Key]) -> list[Placed]:
    """The units of that multiset, in the order of the files."""
    found = []
    for path, read in reads.items():
        for unit, key in zip(read.units, read.keys, strict=True):
            if wanted[key] > 0:
                wanted[key] -= 1
                found.append(Placed(path, unit))
    return found


def _sum(reads: Mapping[str, Content], name: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for read in reads.values():
        total.update(getattr(read, name))
    return total
