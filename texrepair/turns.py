"""Which document of a batch is built next.

Documents that begin with the same preamble are a series: later ones may start from what the first one generated, and a
session goes on from one to the next (relay.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush


class Turns:
    """Gives out documents, by number, each once.

    The first one of each series goes first. Then a worker stays with its series; a free one takes the series whose
    first document took longest, so that no long one comes last and alone, then helps where the most is left to do.
    """

    def __init__(self, series: Sequence[bytes]) -> None:
        """`series` tells to which one each document belongs."""
        self._series = series
        self._rest: dict[bytes, deque[int]] = {}
        for number, name in enumerate(series):
            self._rest.setdefault(name, deque()).append(number)
        self._firsts = deque(numbers.popleft() for numbers in self._rest.values())
        self._rest = {name: numbers for name, numbers in self._rest.items() if numbers}
        self._first = frozenset(self._firsts)
        self._free: list[tuple[float, int, bytes]] = []
        """The series that wait for a worker, slowest first."""
        self._taken: set[bytes] = set()
        """Those that have one, and documents left."""

    def take(self, after: int | None) -> int | None:
        """The next one for a worker that has built `after`; None where nothing is left."""
        if self._firsts:
            return self._firsts.popleft()
        if after is not None and (name := self._series[after]) in self._taken:
            return self._of(name)
        if self._free:
            _, _, name = heappop(self._free)
            self._taken.add(name)
            return self._of(name)
        # The first one of what is neither taken nor free is being built: nobody waits for that.
        left = self._taken or self._rest.keys()
        return self._of(max(left, key=lambda name: len(self._rest[name]))) if left else None

    def followed(self, number: int) -> bool:
        """Whether whoever builds this one is likely to go on with another one of its series."""
        return not self._firsts and self._series[number] in self._rest

    def built(self, number: int, seconds: float) -> None:
        """Hear that a document has been built, in so many seconds."""
        if number in self._first and self._series[number] in self._rest:
            heappush(self._free, (-seconds, number, self._series[number]))

    def _of(self, name: bytes) -> int:
        number = self._rest[name].popleft()
        if not self._rest[name]:
            del self._rest[name]
            self._taken.discard(name)
        return number
