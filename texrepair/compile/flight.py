"""A pass that is under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from texrepair.compile.engines import Engine
from texrepair.project import Draft
from texrepair.sandboxes import Run


@dataclass(frozen=True, slots=True)
class Flight:
    """A pass that was started and has everything that it needs."""

    draft: Draft
    engine: Engine
    generated: Mapping[str, bytes]
    """The generated files that lie in its folder."""
    folder: str
    run: Run
    seconds: float
    """What it may take from now on."""
    warm: bool = False
    """Its engine had begun to read before."""
    nudged: int = 0
    """The line of the main file in which its engine read a command that does not stand there (warm.nudged); 0: none."""
    guessed: frozenset[str] = frozenset()
    """The names of those that no pass has written."""
