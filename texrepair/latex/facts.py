"""Look-ups in the tables written by hand: preferences, what moved, conflicts, load order.

The tables are texrepair.latex.preferences, .moved and .conflicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from texrepair.latex.conflicts import CONFLICTS, ENGINES, GRAPHICS, ORDERS, Conflict, Order
from texrepair.latex.moved import MOVED, Moved

_BY_NAME = {(entry.kind, entry.name, entry.of): entry for entry in MOVED}


def moved(name: str, kind: str, of: str = "") -> Moved | None:
    """What became of a name, or None. `of`: the package whose option, key or unit it is."""
    return _BY_NAME.get((kind, name, of))


def conflicting(packages: Iterable[str]) -> tuple[Conflict, ...]:
    """The conflicts among packages (and a class) that are loaded together."""
    loaded = set(packages)
    return tuple(entry for entry in CONFLICTS if {entry.first, entry.second} <= loaded)


def misordered(packages: Sequence[str]) -> tuple[Order, ...]:
    """The rules of order that these packages break, loaded as listed."""
    place = {name: number for number, name in reversed(list(enumerate(packages)))}
    return tuple(
        entry
        for entry in ORDERS
        if entry.before in place and entry.after in place and place[entry.before] > place[entry.after]
    )


def engines_of(package: str) -> tuple[str, ...]:
    """The engines that the package or class works with: all three where nothing else is known."""
    return ENGINES.get(package, ("lualatex", "pdflatex", "xelatex"))


def graphics_endings(engine: str) -> tuple[str, ...]:
    """Endings of graphics files (without dot) that the engine can include, in the order in which it tries them."""
    return GRAPHICS[engine]
