"""How far a misspelt name is from a known one, as fingers and memories err: pure functions on strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def _neighbours() -> frozenset[str]:
    """Pairs of letters whose keys touch on a QWERTY keyboard, both ways round."""
    pairs = set()
    for row, keys in enumerate(_ROWS):
        for column, key in enumerate(keys):
            beside = [keys[column + 1]] if column + 1 < len(keys) else []
            if row + 1 < len(_ROWS):
                below = _ROWS[row + 1]
                beside += [below[c] for c in (column - 1, column) if 0 <= c < len(below)]
            for other in beside:
                pairs |= {key + other, other + key}
    return frozenset(pairs)


_TOUCHING = _neighbours()
_OTHER_LETTER, _OTHER_KEY, _OTHER_CASE = 1.0, 0.8, 0.3
_LOST_OR_ADDED, _DOUBLED, _SWAPPED = 0.9, 0.5, 0.7
_FIRST = 0.5
"""Added where the first letter is wrong: people seldom err there."""


def reach(name: str) -> float:
    """The distance beyond which a name is another name, not the misspelt one."""
    return (0.95, 1.2, 2.0, 2.8)[slips(name)]


def slips(name: str) -> int:
    """How many slips a name of that length may have: more than three make another word of it."""
    length = len(name)
    return 0 if length <= 2 else 1 if length <= 4 else 2 if length <= 8 else 3


def like(name: str, others: Iterable[str]) -> Iterator[str]:
    """Those that may lie within reach of the name: a quick choice by length and letters, before `distance`."""
    most = max(1, slips(name))
    shortest, longest = len(name) - most, len(name) + most
    letters = set(name.lower())
    for other in others:
        if shortest <= len(other) <= longest and len(letters.symmetric_difference(other.lower())) <= 2 * most:
            yield other


def distance(written: str, known: str, bound: float) -> float | None:
    """The cost of the slips that turn `known` into `written`, or None if it is greater than `bound`.

    Optimal string alignment: a letter lost, added, replaced, or two neighbours swapped; doubled letters, keys that
    touch and the wrong case cost less.
    """
    if written == known:
        return 0.0
    before: list[float] = []
    last = [0.0]
    for char, other in zip(known, "\0" + known, strict=False):
        last.append(last[-1] + (_DOUBLED if char == other else _LOST_OR_ADDED))
    for i, char in enumerate(written):
        added = _DOUBLED if i and written[i - 1] == char else _LOST_OR_ADDED
        row = [last[0] + added]
        for j, other in enumerate(known):
            lost = _DOUBLED if j and known[j - 1] == other else _LOST_OR_ADDED
            best = min(last[j] + _replaced(char, other), last[j + 1] + added, row[j] + lost)
            if i and j and char == known[j - 1] and written[i - 1] == other and char != other:
                best = min(best, before[j - 1] + _SWAPPED)
            row.append(best)
        if min(row) > bound:
            return None
        before, last = last, row
    total = last[-1]
    if written[:1].lower() != known[:1].lower():
        total += _FIRST
    return total if total <= bound else None


def _replaced(char: str, other: str) -> float:
    if char == other:
        return 0.0
    low, other_low = char.lower(), other.lower()
    if low == other_low:
        return _OTHER_CASE
    return _OTHER_KEY if low + other_low in _TOUCHING else _OTHER_LETTER


def first_letter_slips(name: str) -> set[str]:
    """Names that differ from `name` by one slip at its beginning."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    slips = {letter + name for letter in letters} | {letter + name[1:] for letter in letters} | {name[1:]}
    if len(name) > 1:
        slips.add(name[1] + name[0] + name[2:])
    return slips - {name, ""}
