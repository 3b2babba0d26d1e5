"""The two tables that script/make_names writes, read lazily: names.tsv and packages.tsv in texrepair/latex/data.

Both are sorted text. names.tsv has a line for each name: code of the kind, name, how often it was seen (0 to 99,
logarithmic, empty for 0), the ids of its owners, each with `=` and its arguments where they are known, or with `~`
where the name exists only inside the owner's environments or macros, or with certain options or engines. packages.tsv
has a line for each owner (package, class, library …): kind, name, popularity, ids of what it loads, ids of better-known
owners of the same bundle that load it, options, and the numbers of the lines in names.tsv that it defines. An id is the
number of the line from 0. Numbers are in base 36; a list of line numbers holds differences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import resources

CODES = {
    "command": "c",
    "environment": "e",
    "key": "k",
    "colour": "o",
    "counter": "n",
    "pagestyle": "p",
    "theoremstyle": "t",
    "shape": "s",
    "arrow": "a",
    "decoration": "d",
    "language": "g",
    "listing": "i",
    "bibstyle": "b",
    "biblatexstyle": "x",
    "beamertheme": "m",
    "encoding": "f",
}
"""The kinds of name that names.tsv holds, and their codes there."""


INNER = "~"
"""Stands for the arguments of a name that exists only inside its owner's environments, or with certain options."""


@dataclass(frozen=True, slots=True)
class Row:
    """One name: how often it was seen, and who defines it (id; arguments, INNER, or None where they are not known)."""

    name: str
    frequency: int
    owners: tuple[tuple[int, str | None], ...]


@dataclass(frozen=True, slots=True)
class Owner:
    """One line of packages.tsv."""

    id: int
    kind: str
    """package, class, variant (a package with an option, `xcolor[table]`), tikz, pgfplots, tcolorbox (a library of
    theirs), latex (the kernel) or engine (what only that engine knows)."""
    name: str
    popularity: int
    loads: tuple[int, ...]
    fronts: tuple[int, ...]
    options: frozenset[str]
    lines: tuple[int, ...]


class NameTable:
    """names.tsv. A look-up bisects the text; nothing is split or decoded beforehand."""

    @cached_property
    def _text(self) -> bytes:
        return _data("names.tsv")

    @cached_property
    def _lines(self) -> list[bytes]:
        return self._text.split(b"\n")

    def row(self, kind: str, name: str) -> Row | None:
        """The line of that name, or None."""
        start = self._first(f"{CODES[kind]}\t{name}\t".encode("utf-8", "replace"))
        line = self._text[start : self._text.find(b"\n", start)].decode()
        fields = line.split("\t")
        return _row(fields) if fields[:2] == [CODES[kind], name] else None

    def beginning(self, kind: str, prefix: str) -> Iterator[tuple[str, int]]:
        """Name and frequency of all names of that kind that begin so."""
        head = f"{CODES[kind]}\t{prefix}".encode("utf-8", "replace")
        start = self._first(head)
        end = self._first(head + b"\xff")
        for line in self._text[start:end].decode().split("\n")[:-1]:
            fields = line.split("\t")
            yield fields[1], int(fields[2] or "0", 36)

    def numbered(self, number: int) -> tuple[str, str, int]:
        """Code of the kind, name and frequency of the line with that number."""
        code, name, frequency, _ = self._lines[number].decode().split("\t", 3)
        return code, name, int(frequency or "0", 36)

    def _first(self, head: bytes) -> int:
        """Where the first line begins that is not less than `head`."""
        text, low, high = self._text, 0, len(self._text)
        while low < high:
            middle = (low + high) // 2
            start = text.rfind(b"\n", low, middle) + 1 or low
            end = text.find(b"\n", middle)
            if text[start:end] < head:
                low = end + 1
            else:
                high = start
        return low


class OwnerTable:
    """packages.tsv; the file is split at once, a line is decoded when it is asked for."""

    @cached_property
    def _lines(self) -> list[bytes]:
        return _data("packages.tsv").split(b"\n")[:-1]

    @cached_property
    def _ids(self) -> dict[str, list[int]]:
        """Ids by name; libraries under `tikz:calc`."""
        found: dict[str, list[int]] = {}
        for number, line in enumerate(self._lines):
            kind, name, _ = line.decode().split("\t", 2)
            found.setdefault(f"{kind}:{name}" if kind in LIBRARIES else name, []).append(number)
        return found

    def named(self, name: str) -> tuple[Owner, ...]:
        """The package and the class of that name; `tikz:calc` a library, `xcolor[table]` a package with an option."""
        return tuple(self.owner(number) for number in self._ids.get(name.replace("=true]", "]"), ()))

    def names(self, kind: str) -> Iterator[tuple[str, int]]:
        """Name and popularity of all owners of that kind."""
        head = kind.encode() + b"\t"
        for line in self._lines:
            if line.startswith(head):
                _, name, popularity, _ = line.split(b"\t", 3)
                yield name.decode(), int(popularity)

    def owner(self, number: int) -> Owner:
        """The owner with that id."""
        return _owner(number, self._lines[number])

    def closure(self, numbers: tuple[int, ...]) -> frozenset[int]:
        """Those ids and those of everything that they load."""
        return _closure(self, numbers)


LIBRARIES = frozenset({"tikz", "pgfplots", "tcolorbox"})


@cache
def name_table() -> NameTable:
    """names.tsv, read at the first look-up."""
    return NameTable()


@cache
def owner_table() -> OwnerTable:
    """packages.tsv, read at the first look-up."""
    return OwnerTable()


@lru_cache(maxsize=2048)
def _owner(number: int, line: bytes) -> Owner:
    kind, name, popularity, loads, fronts, options, lines = line.decode().split("\t")
    position = 0
    places = []
    for step in lines.split(",") if lines else ():
        position += int(step, 36)
        places.append(position)
    return Owner(
        number, kind, name, int(popularity), _numbers(loads), _numbers(fronts),
        frozenset(options.split(",")) if options else frozenset(), tuple(places),
    )  # fmt: skip


@lru_cache(maxsize=256)
def _closure(table: OwnerTable, numbers: tuple[int, ...]) -> frozenset[int]:
    seen = set(numbers)
    waiting = list(numbers)
    while waiting:
        for load in table.owner(waiting.pop()).loads:
            if load not in seen:
                seen.add(load)
                waiting.append(load)
    return frozenset(seen)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number, 36) for number in text.split(",")) if text else ()


def _row(fields: list[str]) -> Row:
    owners = []
    for holder in fields[3].split(","):
        number, equals, takes = holder.partition("=")
        inner = number.endswith(INNER)
        owners.append((int(number.rstrip(INNER), 36), INNER if inner else takes if equals else None))
    return Row(fields[1], int(fields[2] or "0", 36), tuple(owners))


def _data(name: str) -> bytes:
    return resources.files(__package__).joinpath("data", name).read_bytes()
