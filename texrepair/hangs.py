"""What hangs, and what is only slow.

A pass that never ends looks like one that takes long, and a right document may take long. So a first check has a few
seconds. What it had to interrupt goes through mending, since rules know the commonest loops, and where none of them
helps a longer check follows: a pass that stands where it stood hangs; one that has come further may only be slow, and
gets all the time that there is for a pass.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from texrepair import machine
from texrepair.project import Draft
from texrepair.result import CompileResult
from texrepair.settings import Settings

if TYPE_CHECKING:
    from texrepair.compile.session import Pending, Session

PATIENCE = 8.0
"""Seconds for the first check. Most passes that take longer never end, and rules know the commonest causes."""
STUCK = 12.0
"""Seconds more for the next one, where no rule helps. A pass that then stands where it stood hangs; one that has come
further gets all the time that a pass may take. Both grow with the setting `pass_seconds`."""
BUSIEST = 2.0
"""How many times as long PATIENCE and STUCK are at most where programs wait for a core."""
OFTEN = 3
"""Times that a file in which a pass is interrupted was read, from which on it is taken for a part of a loop."""
LOOPING = (None, 0)
"""Where a pass stands that is in such a file."""
UNTOLD = (None, None)
"""Where a pass stands that had to be killed and did not say it."""


class Checked(Protocol):
    """A draft, and what the last check said of it."""

    @property
    def draft(self) -> Draft: ...
    @property
    def engine(self) -> str: ...
    @property
    def result(self) -> CompileResult | None: ...


C = TypeVar("C", bound=Checked)


@dataclass(frozen=True)
class Watchdog:
    """How long checks may last, and what hangs of that which they had to interrupt."""

    session: Session
    pass_seconds: float
    """The longest that a pass may take at all."""
    deadline: float
    """Of everything, on the clock's scale."""
    clock: Callable[[], float]

    def until(self, seconds: float) -> float:
        """The time of the clock until which a check may last that has so many seconds where no other program runs."""
        patience = seconds * max(1.0, self.pass_seconds / Settings.pass_seconds)
        # Where programs wait for a core, a pass that takes long is no sign of a hang: a good document would be mended.
        patience *= min(max(1.0, machine.wanting() / len(os.sched_getaffinity(0))), BUSIEST)
        return min(self.deadline, self.clock() + patience)

    def begin(self, checked: Checked) -> Pending | None:
        """The longer check of what was interrupted, under way while rules are tried; None where it has to wait for a
        core, or nothing was interrupted. It is for `slow`, or to be abandoned."""
        if self.session.cores < 2 or checked.result is None or not _stood(checked.result):
            return None
        return self.session.begin(checked.draft, checked.engine, deadline=self.until(PATIENCE + STUCK))

    def slow(
        self, checked: Sequence[C], longer: Pending | None
    ) -> tuple[tuple[C, CompileResult] | None, tuple[tuple[C, CompileResult], ...]]:
        """The first of these that was only slow, and what its check says now that it had the time; None where all hang,
        or none was interrupted. And every check that it took to know this, in order. `longer` is what `begin` gave for
        the first one."""
        stood = [(one, where) for one in checked if one.result is not None and (where := _stood(one.result))]
        made: tuple[tuple[C, CompileResult], ...] = ()
        for seconds in (PATIENCE + STUCK, None):
            if not stood or self.clock() >= self.deadline:
                if longer is not None:
                    self.session.abandon(longer)
                break
            results = self._abreast([one for one, _ in stood], longer, seconds)
            longer = None
            made += tuple((one, result) for (one, _), result in zip(stood, results, strict=True))
            further = []
            for (one, where), result in zip(stood, results, strict=True):
                now = _stood(result)
                if not now:
                    return (one, result), made
                if now != where and UNTOLD not in now and LOOPING not in (*where, *now):
                    further.append((one, now))
            stood = further
        return None, made

    def _abreast(
        self, checked: Sequence[Checked], longer: Pending | None, seconds: float | None
    ) -> tuple[CompileResult, ...]:
        """A check of each that lasts at most so long (None: as long as a pass may), side by side where there are cores
        enough. `longer` is that of the first one where it is under way."""
        drafts = [(one.draft, one.engine) for one in checked[0 if longer is None else 1 :]]
        groups = [drafts] if len(drafts) <= self.session.cores else [[one] for one in drafts]
        results: tuple[CompileResult, ...] = ()
        for group in groups:
            until = self.deadline if seconds is None else self.until(seconds)
            results += self.session.checks(group, deadline=until)
        return results if longer is None else (self.session.end(longer), *results)


def _stood(result: CompileResult) -> tuple[tuple[str | None, int | None], ...]:
    """Where a first pass was interrupted: file and line; nothing where no program, or a later one, ran out of time.

    LOOPING is no place: where a loop over a file is interrupted is chance.
    """
    if not result.timed_out or len(result.passes) > 1:
        return ()
    stops = [d for d in result.errors if d.code == "interrupted" and d.tool == "tex"]
    return tuple(LOOPING if _times_read(result, d.file) >= OFTEN else (d.file, d.line) for d in stops)


def _times_read(result: CompileResult, file: str | None) -> int:
    """How often the log of a pass says that a file was opened: TeX writes a parenthesis and its name."""
    if file is None:
        return 0
    name = re.escape(Path(file).name)
    return len(re.findall(rf"\((?:[^\s()]*/)?{name}(?=[\s()])", result.log))
