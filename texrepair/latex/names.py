"""What LaTeX's names mean: which package brings a command, what is known where, what a misspelt name was meant to be.

The knowledge is made from TeX Live's own files by script/make_names and lies in texrepair/latex/data; what no file
tells (preferences, conflicts, what moved) is written by hand: texrepair.latex.facts. Names are given without backslash.
"Packages in force" are names as documents load them, classes included; `xcolor[table]` and `tikz:calc` stand for a
package with an option and for a library. Names that are unknown bring nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from texrepair.latex.facts import moved
from texrepair.latex.preferences import ARGUMENTS, PREFERRED, SYNONYMS
from texrepair.latex.spelling import distance, first_letter_slips, like, reach
from texrepair.latex.tables import CODES, INNER, LIBRARIES, Owner, name_table, owner_table

ENGINES = ("lualatex", "pdflatex", "xelatex")


@dataclass(frozen=True, slots=True)
class Provider:
    """What to load in order to have a name."""

    package: str
    """The package or class; for a library the package that it belongs to."""
    is_class: bool = False
    option: str = ""
    """The option that it has to be loaded with, or ""."""
    library: str = ""
    """The library that it has to load, or ""."""


def providers(name: str, kind: str = "command") -> tuple[Provider, ...]:
    """Who defines that name, most commonly used first, classes after packages; none for what needs no package.

    `kind` is one of texrepair.latex.tables.CODES. Parts of a bundle come after the package that people load: for
    \\State algpseudocode, then algorithmicx.
    """
    table = owner_table()
    row = name_table().row(kind, name)
    held = dict(row.owners) if row else {}
    for number, takes in tuple(held.items()):
        for front in table.owner(number).fronts:
            held.setdefault(front, takes)
    owners = [table.owner(number) for number in held]
    preferred = PREFERRED.get(kind, {}).get(name, ())
    if any(owner.kind == "latex" or (owner.kind == "engine" and not preferred) for owner in owners):
        return ()
    environment = name_table().row("environment", name) if kind == "command" else None
    begins = {number for number, _ in environment.owners} if environment else set()
    owners += [owner for other in preferred for owner in table.named(other) if owner.id not in held]
    ranked = sorted(
        (owner for owner in owners if owner.kind != "engine"),
        key=lambda owner: (
            _place(owner, preferred), held.get(owner.id) == INNER or owner.id in begins, -_standing(owner), owner.name,
        ),
    )  # fmt: skip
    return tuple(dict.fromkeys(_provider(owner) for owner in ranked))


def packages_defining(command: str) -> tuple[str, ...]:
    """The packages and classes that define the command, most commonly used first; none for a kernel command."""
    return _packages(command, "command")


def packages_with_environment(name: str) -> tuple[str, ...]:
    """The packages and classes that define the environment, most commonly used first."""
    return _packages(name, "environment")


def packages_with_colour(name: str) -> tuple[str, ...]:
    """The packages that define the colour; `providers(name, "colour")` tells the option, too."""
    return _packages(name, "colour")


def packages_with_key(key: str) -> tuple[str, ...]:
    """The packages that define the key, written with its family: `/tikz/draw`, `Gin/width`, `siunitx/per-mode`."""
    return _packages(key, "key")


def packages_with_option(option: str) -> tuple[str, ...]:
    """The packages and classes that declare the option, most commonly used first."""
    table = owner_table()
    names = [name for kind in ("package", "class") for name, _ in table.names(kind)]
    found = {owner for name in names for owner in table.named(name) if option in owner.options}
    return tuple(
        dict.fromkeys(owner.name for owner in sorted(found, key=lambda owner: (-_standing(owner), owner.name)))
    )


def packages_with_library(library: str) -> tuple[str, ...]:
    """Which of tikz, tcolorbox and pgfplots have a library of that name."""
    return tuple(kind for kind in ("tikz", "tcolorbox", "pgfplots") if owner_table().named(f"{kind}:{library}"))


def is_package(name: str) -> bool:
    """Whether TeX Live has a package of that name (installed here or not)."""
    return any(owner.kind == "package" for owner in owner_table().named(name))


def is_class(name: str) -> bool:
    """Whether TeX Live has a class of that name (installed here or not)."""
    return any(owner.kind == "class" for owner in owner_table().named(name))


def popularity(package: str) -> int:
    """How commonly the package or class is used, 0 to 99; 0 for one that is unknown."""
    return max((owner.popularity for owner in owner_table().named(package)), default=0)


def options_of(package: str) -> frozenset[str]:
    """The options that the package or class declares itself, keys of its option family included."""
    return frozenset().union(*(owner.options for owner in owner_table().named(package)))


def loads(package: str) -> frozenset[str]:
    """The packages and classes that it loads, directly or not."""
    table = owner_table()
    own = tuple(owner.id for owner in table.named(package))
    return frozenset(table.owner(number).name for number in table.closure(own) - set(own))


def commands_of(package: str) -> frozenset[str]:
    """The commands that loading the package or class brings, those of what it loads included."""
    return frozenset(_in_force("command", (package,)))


def environments_of(package: str) -> frozenset[str]:
    """The environments that loading the package or class brings, those of what it loads included."""
    return frozenset(_in_force("environment", (package,)))


def is_known(command: str, packages_in_force: Iterable[str] = (), engine: str | None = None) -> bool:
    """Whether the command is defined by the kernel, the engine (any engine where None) or what is loaded."""
    return _known(command, "command", packages_in_force, engine)


def is_known_environment(name: str, packages_in_force: Iterable[str] = ()) -> bool:
    """Whether the environment is defined by the kernel or what is loaded."""
    return _known(name, "environment", packages_in_force, None)


def is_name(name: str, kind: str) -> bool:
    """Whether the name is known at all; kind as in texrepair.latex.tables.CODES (language, bibstyle, colour …)."""
    return name_table().row(kind, name) is not None


def arguments_of(command: str, package: str | None = None) -> str | None:
    """What the command takes, a letter for each argument: m mandatory, o optional in brackets, s a star; rarer: d and r
    other delimiters, t a token, e embellishments, g an optional group. None where the definition does not tell.

    Without a package: as the kernel or else the most commonly used package defines it.
    """
    told = ARGUMENTS.get(command)
    if told == "?":
        return None
    if told is not None and package is None:
        return told
    row = name_table().row("command", command)
    if row is None:
        return told
    table = owner_table()
    within = table.closure(tuple(owner.id for owner in table.named(package))) if package else None
    ranked = sorted(row.owners, key=lambda held: -_standing(table.owner(held[0])))
    for number, takes in ranked:
        if takes not in (None, INNER) and (within is None or number in within):
            return takes
    return told


def nearest(name: str, kind: str = "command", packages: Iterable[str] = (), limit: int = 5) -> tuple[str, ...]:
    """Known names that a misspelt one may have been meant to be, best first.

    What the kernel and `packages` define counts for more than what would have to be loaded.

    `kind`: command, environment, package, class, option (of `packages`), tikz, tcolorbox, pgfplots (libraries), key, or
    another of texrepair.latex.tables.CODES. Empty where nothing is near.
    """
    meant = SYNONYMS.get(kind, {}).get(name, ())
    cost = {other: place - 9.0 for place, other in enumerate(meant)}
    allowed = reach(name)
    for candidates, penalty in _candidates(name, kind, tuple(dict.fromkeys(packages))):
        for other in like(name, candidates):
            if other not in cost and other != name:
                far = distance(name, other, allowed)
                if far is not None and (penalty < _NOT_IN_FORCE or _used(other, kind)):
                    cost[other] = far + penalty - candidates[other] / 200
    return tuple(sorted(cost, key=lambda other: (cost[other], other))[:limit])


def _candidates(name: str, kind: str, packages: tuple[str, ...]) -> Iterator[tuple[Mapping[str, int], float]]:
    """Names with how often they are seen, and what they cost for not being in force; those in force first."""
    table, names = owner_table(), name_table()
    if kind in {"package", "class"} | LIBRARIES:
        yield dict(table.names(kind)), 0.0
    elif kind == "option":
        yield dict.fromkeys((option for package in packages for option in options_of(package)), 0), 0.0
    elif kind == "key" and "/" in name:
        family = name.rpartition("/")[0] + "/"
        yield dict(names.beginning(kind, family)), 0.0
        if family == "/tikz/":
            yield {"/tikz/" + key.removeprefix("/pgf/"): seen for key, seen in names.beginning(kind, "/pgf/")}, 0.1
    else:
        internal = bool(_INTERNAL & set(name))
        near = _in_force(kind, (*_KERNEL, *packages))
        yield near if internal else _public(kind, (*_KERNEL, *packages)), 0.0
        far = dict(names.beginning(kind, name[:1])) if name else {}
        for slip in first_letter_slips(name):
            if row := names.row(kind, slip):
                far[slip] = row.frequency
        yield {other: seen for other, seen in far.items() if other not in near}, _NOT_IN_FORCE


def _used(name: str, kind: str) -> bool:
    """Whether documents use the name, or a package that many load brings it: nobody means the others."""
    if kind not in {"command", "environment"}:
        return True
    row = name_table().row(kind, name)
    if row is None:
        return False
    return row.frequency > 0 or any(owner_table().owner(number).popularity >= 40 for number, _ in row.owners)


_KERNEL = ("latex", *ENGINES)
_INTERNAL = frozenset("@_:")
_NOT_IN_FORCE = 0.6


def _known(name: str, kind: str, packages: Iterable[str], engine: str | None) -> bool:
    packages = tuple(dict.fromkeys(packages))
    if not set(packages).isdisjoint(PREFERRED.get(kind, {}).get(name, ())):
        return True
    row = name_table().row(kind, name)
    if row is None:
        return False
    table = owner_table()
    holders = {number for number, _ in row.owners}
    for number in holders:
        owner = table.owner(number)
        if owner.kind == "latex" or (owner.kind == "engine" and engine in (None, owner.name)):
            return True
    loaded = tuple(sorted(owner.id for package in packages for owner in table.named(package)))
    return not holders.isdisjoint(table.closure(loaded))


@lru_cache(maxsize=64)
def _in_force(kind: str, packages: tuple[str, ...]) -> dict[str, int]:
    """Names of that kind that those bring, with their frequency."""
    owners, names, code = owner_table(), name_table(), CODES[kind]
    loaded = owners.closure(tuple(owner.id for package in packages for owner in owners.named(package)))
    found: dict[str, int] = {}
    for place in {place for number in loaded for place in owners.owner(number).lines}:
        held, name, seen = names.numbered(place)
        if held == code:
            found[name] = seen
    return found


@lru_cache(maxsize=64)
def _public(kind: str, packages: tuple[str, ...]) -> dict[str, int]:
    """As _in_force, without names that only packages use."""
    return {name: seen for name, seen in _in_force(kind, packages).items() if _INTERNAL.isdisjoint(name)}


def _packages(name: str, kind: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(provider.package for provider in providers(name, kind)))


def _place(owner: Owner, preferred: tuple[str, ...]) -> int:
    """Its place in the table of preferences; those that are not in it come after."""
    return preferred.index(owner.name) if owner.name in preferred else len(preferred)


def _standing(owner: Owner) -> float:
    """What a name's owners are ranked by: a class cannot simply be loaded, and what is superseded should not be."""
    standing = float(owner.popularity)
    if owner.kind == "class":
        standing -= 30
    if owner.kind == "variant":
        standing -= 5
    if moved(owner.name, "package"):
        standing -= 40
    return standing


def _provider(owner: Owner) -> Provider:
    if owner.kind == "variant":
        package, _, option = owner.name.removesuffix("]").partition("[")
        return Provider(package, option=option)
    if owner.kind in LIBRARIES:
        return Provider(owner.kind, library=owner.name)
    return Provider(owner.name, is_class=owner.kind == "class")
