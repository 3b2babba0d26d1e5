"""Write the two tables: names by kind, and packages with what they define. Plain sorted text, one line each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from naming.counts import Counts, frequency
from naming.owners import Key, Owner
from texrepair.latex.tables import CODES, INNER

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_BAD_OPTION = re.compile(r"[,\t\n\r]")
_BAD = re.compile(r"[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


def base36(number: int) -> str:
    text = ""
    while True:
        number, digit = divmod(number, 36)
        text = _DIGITS[digit] + text
        if not number:
            return text


def write(folder: Path, owners: dict[Key, Owner], counts: Counts) -> tuple[int, int]:
    """Write names.tsv and packages.tsv (their form: texrepair.latex.tables); returns the numbers of their lines."""
    folder.mkdir(parents=True, exist_ok=True)
    ordered = sorted(owners, key=lambda key: f"{key[0]}\t{key[1]}\t".encode())
    ids = {key: base36(number) for number, key in enumerate(ordered)}
    used = {key: popularity(key, counts) for key in ordered}
    holders: dict[tuple[str, str], list[str]] = {}
    for key in ordered:
        for kind, name, arguments in _names(owners[key], used[key]):
            takes = "" if arguments is None else f"={arguments}"
            holders.setdefault((CODES[kind], name), []).append(ids[key] + takes)
        for kind, name in _inner(owners[key], used[key]):
            holders.setdefault((CODES[kind], name), []).append(ids[key] + INNER)
    counted = {CODES["command"]: counts.commands, CODES["environment"]: counts.environments}
    rows = []
    for (code, name), found in holders.items():
        seen = frequency(counted[code][name]) if code in counted else 0
        rows.append(f"{code}\t{name}\t{base36(seen) if seen else ''}\t{','.join(found)}")
    rows.sort(key=str.encode)
    _put(folder / "names.tsv", rows)
    places = {tuple(row.split("\t", 2)[:2]): number for number, row in enumerate(rows)}
    fronts: dict[Key, set[Key]] = {}
    for key in ordered:
        for load in closure(key, owners):
            if owners[key].folder == owners[load].folder is not None and used[key] > used[load]:
                fronts.setdefault(load, set()).add(key)
    lines = []
    for key in ordered:
        owner = owners[key]
        numbers = sorted(places[CODES[kind], name] for kind, name, _ in _names(owner, used[key]))
        fields = (
            *key, str(used[key]),
            ",".join(ids[load] for load in sorted(_direct(owner, owners))),
            ",".join(ids[front] for front in sorted(fronts.get(key, ()))),
            ",".join(sorted(option for option in owner.options if option and not _BAD_OPTION.search(option))),
            ",".join(base36(b - a) for a, b in pairwise((0, *numbers))),
        )  # fmt: skip
        lines.append("\t".join(fields))
    _put(folder / "packages.tsv", lines)
    return len(rows), len(lines)


def _inner(owner: Owner, popularity: int) -> Iterator[tuple[str, str]]:
    """Names that may not be there; those inside macros only of packages that many use, for there are too many."""
    inner = owner.inner if popularity >= _KNOWN_WELL else set()
    for name in inner | owner.perhaps:
        if "end" + name in inner and name not in owner.environments:
            yield "environment", name
        elif name not in owner.commands and not (name.startswith("end") and name[3:] in inner):
            yield "command", name


_WELL_ENOUGH, _KNOWN_WELL = 30, 45


def popularity(key: Key, counts: Counts) -> int:
    """How commonly an owner is used, 0 to 99; libraries stand in the middle, since nobody counts them."""
    kind, name = key
    if kind in {"latex", "engine"}:
        return 99
    return counts.popularity(name.partition("[")[0]) if kind in {"package", "class", "variant"} else 40


def _names(owner: Owner, popularity: int) -> Iterator[tuple[str, str, str | None]]:
    """Kind, name and arguments of all that it defines; keys only of what many use, for there are too many."""
    for kind, found in (("command", owner.commands), ("environment", owner.environments)):
        for name, arguments in found.items():
            if not _BAD.search(name):
                yield kind, name, arguments
    for kind, marked in owner.marked.items():
        for name in marked:
            if kind in CODES and (kind != "key" or popularity >= _WELL_ENOUGH) and not _BAD.search(name):
                yield kind, name, None


def _direct(owner: Owner, owners: dict[Key, Owner]) -> set[Key]:
    """What it loads less what that loads in turn; what loads the owner itself again is no way around."""
    loads = {key for key in owner.requires if key in owners}
    indirect: set[Key] = set()
    for key in sorted(loads):
        if key not in indirect:
            below = closure(key, owners)
            if owner.key not in below:
                indirect |= below
    return loads - indirect


def closure(start: Key, owners: dict[Key, Owner]) -> set[Key]:
    """Everything that `start` loads, directly or not, itself left out."""
    seen: set[Key] = set()
    waiting = [start]
    while waiting:
        for key in owners[waiting.pop()].requires:
            if key in owners and key not in seen and key != start:
                seen.add(key)
                waiting.append(key)
    return seen


def _put(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
