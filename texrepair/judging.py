"""Judging drafts: what the compiler says of them, within a bound on checks and a deadline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from texrepair.better import engine_passes, interrupted, stopped_early
from texrepair.diagnosis import fingerprint
from texrepair.project import Draft
from texrepair.result import Check, CompileResult
from texrepair.tracing import traced

PATIENCE = 10.0
"""Seconds that the check of a candidate may always take …"""
PATIENCE_FACTOR = 8.0
"""… and how many times as long as the longest check so far. An engine that hangs must not cost a whole pass's limit."""
UNKNOWN = 1.0
"""Seconds that a check is taken to need where the first one was interrupted."""
WASTE = 30.0
"""Seconds of checks that hang or hit another limit, after which mending ends …"""
WASTE_AFTER_A_HANG = 6.0
"""… and where the first check did so: most such documents do whatever is tried, and some are made for it."""

THOUGHT = 15.0
"""Seconds of our own work on the texts, checks apart, after which mending ends. Papers and books need a few; texts that
are made for it need any number."""


def patience(slowest: float) -> float:
    """Seconds that the check of a candidate may take where the longest check so far took `slowest`."""
    return max(PATIENCE, PATIENCE_FACTOR * slowest)


class Judge(Protocol):
    """What mending needs of a session."""

    def check(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult: ...

    def checks(
        self, drafts: Sequence[tuple[Draft, str]], *, deadline: float | None = None
    ) -> tuple[CompileResult, ...]: ...

    def compile(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult: ...


class Exhausted(Exception):
    """The bound on checks or the deadline was reached; never leaves mending."""


@dataclass
class Bench:
    """Where drafts are judged and the judgements are noted."""

    session: Judge
    main: str
    checks_left: int
    deadline: float | None
    clock: Callable[[], float]
    abreast: int = 1
    """Drafts that are checked at the same time."""
    checks: list[Check] = field(default_factory=list)
    tried: set[tuple[str, str]] = field(default_factory=set)
    """Digest and engine of every draft that was judged."""
    slowest: float = 0.0
    """Seconds of the longest run so far that ended by itself."""
    wasted: float = 0.0
    """Seconds of runs that were stopped by a limit."""
    allowance: float = WASTE
    """The most of these."""
    start: float | None = None
    """When mending began."""
    checking: float = 0.0
    """Seconds since then in which a check was waited for."""
    ready: dict[tuple[str, str], CompileResult] = field(default_factory=dict)
    """What was found on the side of drafts whose turn has not come; it counts when it comes."""

    def began(self, draft: Draft, engine: str, result: CompileResult) -> CompileResult:
        """Start from a draft that was judged elsewhere."""
        self.start = self.clock()
        self.tried.add((draft.digest, engine))
        # How long a run that hung had yet to go is unknown.
        self.slowest = min(result.seconds, UNKNOWN) if interrupted(result) else result.seconds
        self.allowance = WASTE_AFTER_A_HANG if interrupted(result) else WASTE
        return traced(result, draft, self.main)

    def first_time(self, draft: Draft, engine: str) -> bool:
        """Whether a draft's turn comes for the first time with that engine; it will not come again."""
        name = (draft.digest, engine)
        first = name not in self.tried
        self.tried.add(name)
        return first

    def reopen(self, draft: Draft, engine: str) -> None:
        """Let the turn of a draft come once more."""
        self.tried.discard((draft.digest, engine))

    @property
    def late(self) -> bool:
        """Whether the deadline has passed, or our own work has taken too long."""
        now = self.clock()
        thought = 0.0 if self.start is None else now - self.start - self.checking
        return thought >= THOUGHT or (self.deadline is not None and now >= self.deadline)

    def checked(self, draft: Draft, engine: str, following: Iterable[tuple[Draft, str]] = ()) -> CompileResult:
        """One check, and on other cores those of the drafts that are to follow. Raises Exhausted.

        The outcome is the same whatever follows: what is found on the side is noted only when its turn has come.
        """
        until = self._spent()
        name = (draft.digest, engine)
        if name not in self.ready:
            beside = list(islice((one for one in following if self._fresh(*one)), self.abreast - 1))
            with self._waiting():
                if beside:
                    drafts = [(draft, engine), *beside]
                    found = self.session.checks(drafts, deadline=until)
                    self.ready |= {(d.digest, e): r for (d, e), r in zip(drafts, found, strict=True)}
                else:
                    self.ready[name] = self.session.check(draft, engine, deadline=until)
        return self._noted(self.ready.pop(name), draft)

    def compiled(self, draft: Draft, engine: str) -> CompileResult:
        """One compile. Raises Exhausted."""
        until = self._spent()
        with self._waiting():
            result = self.session.compile(draft, engine, deadline=until)
        return self._noted(result, draft)

    def whole(self, draft: Draft, engine: str) -> CompileResult:
        """The compile that follows a clean check: it takes as long as it takes, and costs nothing of the bound."""
        with self._waiting():
            result = self.session.compile(draft, engine, deadline=self.deadline)
        return self._noted(result, draft, in_time=False)

    def forget(self) -> None:
        """Drop what was found of drafts whose turn did not come."""
        self.ready.clear()

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        began = self.clock()
        yield
        self.checking += self.clock() - began

    def _fresh(self, draft: Draft, engine: str) -> bool:
        return (draft.digest, engine) not in self.tried and (draft.digest, engine) not in self.ready

    def _spent(self) -> float:
        """Take one check of the bound; the time until which it may last."""
        if self.checks_left <= 0 or self.wasted >= self.allowance or self.late:
            raise Exhausted
        self.checks_left -= 1
        until = self.clock() + patience(self.slowest)
        return until if self.deadline is None else min(until, self.deadline)

    def _noted(self, result: CompileResult, draft: Draft, in_time: bool = True) -> CompileResult:
        result = traced(result, draft, self.main)
        if in_time and not stopped_early(result):
            self.slowest = max(self.slowest, result.seconds)
        if interrupted(result):
            # A slow machine makes hangs longer, not more.
            self.wasted += min(result.seconds, PATIENCE)
        self.checks.append(
            Check(
                stage="mend",
                draft=draft.digest[:12],
                ok=result.ok,
                errors=len(result.errors),
                fingerprint=fingerprint(result.diagnostics),
                seconds=result.seconds,
                engine_passes=engine_passes(result),
            )
        )
        return result
