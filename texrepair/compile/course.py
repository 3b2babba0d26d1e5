"""The passes of a draft, and what runs beside them.

While a pass typesets, the engine of the next one reads the preamble; bibtex runs before the first pass; the driver runs
on the pages of a pass while the next one confirms them. What the last clean compile generated starts the next one.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from texrepair.compile import blame, early, guess, passes, tools, warm
from texrepair.compile.ahead import HELD, Ahead
from texrepair.compile.engines import Engine
from texrepair.compile.flight import Flight
from texrepair.compile.hinges import hinges
from texrepair.compile.layout import GENERATED
from texrepair.compile.outline import Outline, items, outline
from texrepair.compile.passes import EnginePass, ToolRun
from texrepair.compile.runner import Runner
from texrepair.project import Draft


@dataclass(frozen=True, slots=True)
class Known:
    """What a tool made of what it read."""

    needs: bytes
    data: str
    """The digest of the project's files that are not TeX's."""
    run: ToolRun


Knowledge = Mapping[tuple[str, ...], Known]
"""What tools made, by job."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A draft's first pass, and what tools made before it."""

    done: EnginePass
    known: Knowledge


@dataclass(frozen=True, slots=True)
class Left:
    """What the last clean compile left, from which the next one may start."""

    engine: str
    ground: str
    """The digest of what generated files are read with."""
    generated: Mapping[str, bytes]
    known: Knowledge = field(default_factory=dict)


class Course:
    """The passes of one session, at most `cores` programs side by side."""

    def __init__(self, runner: Runner, cores: int, pass_seconds: float, max_passes: int) -> None:
        self.ahead = Ahead(runner)
        self.cores = cores
        self._runner = runner
        self._pass_seconds = pass_seconds
        self._max_passes = max_passes
        self.left: Left | None = None
        self._early: tuple[bytes, str, ToolRun] | None = None
        self._guesses = True
        self._foresees = True
        self._last: bytes | None = None

    def expect(self, draft: Draft, engine: Engine) -> None:
        """Let an engine read the draft's preamble, if a core is free for it."""
        if self.cores > 1:
            self.ahead.begin(draft, engine)

    def begin(
        self, draft: Draft, engine: Engine, deadline: float | None, alone: bool = True
    ) -> tuple[Flight | None, Knowledge]:
        """Start a draft's first pass; no flight where no time is left.

        Where it is not `alone`, the other cores have enough to do: no engine gets ready for what may follow.
        """
        self.expect(draft, engine)
        generated, guessed, known = self._start(draft, engine, deadline)
        flight = self._launched(draft, engine, {**guessed, **generated}, deadline, alone)
        return None if flight is None else replace(flight, guessed=frozenset(guessed)), known

    def end(self, flight: Flight, known: Knowledge, deadline: float | None, alone: bool = True) -> Begun:
        """What a first pass did. Its errors are those of a pass that starts from nothing."""
        done = replace(self._runner.landed(flight), guessed=flight.guessed)
        if not done.clean and self._misled(done):
            self._runner.drop(done.folder)
            self._foresees = False
            self.left = None
            again, known = self.begin(flight.draft, flight.engine, deadline)
            done = passes.late(flight.engine.name) if again is None else self._runner.landed(again)
        if not done.clean and alone:
            self._failed(flight.draft, flight.engine, done)
        return Begun(done, known)

    def settled(
        self, first: Begun, draft: Draft, engine: Engine, deadline: float | None, last: bool = False
    ) -> EnginePass:
        """Run tools and passes until the output is stable, an error comes, or the passes are used up; then the driver.

        The PDF of a clean pass is in its `pdf`. If it is the `last` of its session, nothing gets ready for another one.
        """
        known, done = dict(first.known), first.done
        seen: list[Mapping[str, bytes]] = []
        counted: set[tuple[str, ...]] = set()
        ready: ToolRun | None = None
        while True:
            done, made = self._after(draft, done, known, counted, deadline)
            now = {**done.kept, **done.written, **made}
            again = passes.changed(done, now)
            if not done.clean:
                self._failed(draft, engine, done)
                return done
            if not again:
                break
            if now in seen:
                done = replace(done, objections=(passes.unsettled(done, now, again),))
                break
            if len(seen) + 1 == self._max_passes:
                message = f"The output did not settle in {self._max_passes} passes: {', '.join(again)} changed."
                done = replace(done, objections=(message,))
                break
            seen.append(now)
            done, ready = self._confirmed(draft, engine, done, now, len(seen), deadline)
        done = self._with_pdf(draft, engine, done, ready, deadline)
        if not last:
            self.expect(draft, engine)
        if done.clean and not done.objections:
            self.left = self._left(draft, engine, done, made, known)
            if not last:
                self._prepare(draft, engine, self.left.generated, None)
        return done

    def _start(
        self, draft: Draft, engine: Engine, deadline: float | None
    ) -> tuple[dict[str, bytes], dict[str, bytes], Knowledge]:
        """The generated files from which a draft's first pass starts: those of the last clean compile, or else a .bbl;
        and those that are guessed where there was no such compile."""
        layout, state = self._runner.layout, self.left
        generated: dict[str, bytes] = {}
        known: dict[tuple[str, ...], Known] = {}
        if state is not None and state.engine == engine.name and state.ground == self._ground(draft):
            generated |= state.generated
            data = self._data(draft)
            known |= {key: one for key, one in state.known.items() if one.data == data}
        fresh, sources = not generated, layout.sources(draft)
        found = outline(sources, layout.main_name)
        generated |= self._before(draft, found, known, deadline)
        if not (fresh and self._foresees) or hinges(sources, layout.job):
            return generated, {}, known
        bbl = f"{layout.job}.bbl"
        listed = generated[bbl].decode("utf-8", "replace") if bbl in generated else sources.get(bbl)
        entries = found.items if listed is None else items(listed)
        return generated, guess.guessed(found, entries, layout.job, engine.name != "pdflatex"), known

    def _before(
        self, draft: Draft, found: Outline, known: dict[tuple[str, ...], Known], deadline: float | None
    ) -> Mapping[str, bytes]:
        """What bibtex makes before the first pass. `known` grows."""
        layout, given = self._runner.layout, self._runner.layout.given(draft)
        if not self._guesses or f"{layout.job}.bbl" in given:
            return {}
        aux = early.guessed(found, given)
        job = None if aux is None else next(tools.jobs(layout.job, {f"{layout.job}.aux": aux}, ""), None)
        if aux is None or job is None:
            return {}
        had, data = known.get(job.key), self._data(draft)
        if had is None or had.needs != job.needs:
            if self._early is None or self._early[:2] != (aux, data):
                self._early = (aux, data, self._runner.early(draft, aux, job, self._seconds(deadline)))
            had = Known(job.needs, data, self._early[2])
            if had.run.failed:
                return {}  # what is wrong is said after the pass
        known[job.key] = had
        return had.run.made

    def _launched(
        self,
        draft: Draft,
        engine: Engine,
        generated: Mapping[str, bytes],
        deadline: float | None,
        alone: bool = True,
    ) -> Flight | None:
        seconds = self._seconds(deadline)
        if seconds <= 0:
            return None
        flight = self.ahead.take(draft, engine, generated, seconds)
        flight = flight or self._runner.launched(draft, engine, generated, seconds)
        if alone:
            self.expect(draft, engine)
        return flight

    def _after(
        self,
        draft: Draft,
        done: EnginePass,
        known: dict[tuple[str, ...], Known],
        counted: set[tuple[str, ...]],
        deadline: float | None,
    ) -> tuple[EnginePass, dict[str, bytes]]:
        """The pass with what the tools after it report, and what they made. `known` and `counted` grow."""
        layout, made = self._runner.layout, dict[str, bytes]()
        given, data = layout.given(draft), self._data(draft)
        kept = {name: text for name, text in done.kept.items() if name.endswith((".bib", ".bst"))}
        for job in tools.jobs(layout.job, {**kept, **done.written}, done.log.decode("utf-8", "replace")):
            if given.issuperset(job.makes):
                continue  # its result came with the input
            had = known.get(job.key)
            if had is None or had.needs != job.needs:
                if had is not None and job.key not in counted and self._early is not None and had.run is self._early[2]:
                    self._guesses = False
                run = self._runner.tool(draft, job, done.folder, self._seconds(self._later(done, deadline)))
                known[job.key] = had = Known(job.needs, data, run)
                counted.discard(job.key)
            made |= had.run.made
            if job.key not in counted:
                counted.add(job.key)
                done = done.with_tool(had.run)
        return done, made

    def _confirmed(
        self,
        draft: Draft,
        engine: Engine,
        done: EnginePass,
        now: Mapping[str, bytes],
        number: int,
        deadline: float | None,
    ) -> tuple[EnginePass, ToolRun | None]:
        """The pass after pass `number`. The PDF comes with it if the driver made it of the same pages meanwhile."""
        flight = self._launched(draft, engine, now, self._later(done, deadline))
        if flight is None:
            return passes.late(engine.name).following(done), None
        driving = None
        if engine.driver and self.cores > 1 and number > 1:
            # The pages of a first pass lack what it did not find, so that the next pass changes them.
            driving = self._runner.driving(engine, done.folder, flight.seconds)
        after, ready = self._runner.landed(flight), None
        if driving is not None:
            pages = self._runner.pages(engine, after.folder)
            if after.clean and pages is not None and pages == self._runner.pages(engine, done.folder):
                ready = self._runner.driven(draft, engine, done.folder, driving, flight.seconds)
            else:
                driving.stop()
        if number > 1:  # the first one is its session's
            self._runner.drop(done.folder)
        return after.following(done), ready

    def _with_pdf(
        self, draft: Draft, engine: Engine, done: EnginePass, ready: ToolRun | None, deadline: float | None
    ) -> EnginePass:
        if ready is None:
            seconds = self._seconds(self._later(done, deadline))
            if engine.driver and seconds <= 0:
                return done.with_tool(passes.late_tool(engine.driver[0]))
            driving = self._runner.driving(engine, done.folder, seconds) if engine.driver else None
            ready = self._runner.driven(draft, engine, done.folder, driving, seconds)
        return replace(done.with_tool(ready), pdf=ready.made.get(f"{self._runner.layout.job}.pdf"))

    def _left(
        self, draft: Draft, engine: Engine, done: EnginePass, made: Mapping[str, bytes], known: Knowledge
    ) -> Left:
        """What the next draft may start from. A file that the document alone knows may stand in its way."""
        job = self._runner.layout.job
        own = {job + suffix for suffix in (*GENERATED, *HELD)}
        kept = {name: data for name, data in done.written.items() if name.endswith(".aux") or name in own}
        told = {key: replace(one, run=replace(one.run, passed=None)) for key, one in known.items()}
        return Left(engine.name, self._ground(draft), {**kept, **made}, told)

    def _failed(self, draft: Draft, engine: Engine, done: EnginePass) -> None:
        """Get ready for the next draft after one that failed."""
        if self.ahead.learn(draft, engine, done):
            self._prepare(draft, engine, done.before, done)

    def _prepare(self, draft: Draft, engine: Engine, generated: Mapping[str, bytes], failed: EnginePass | None) -> None:
        """Let an engine read on to where the next draft is likely to differ, and another one the preamble.

        That is where this draft differs from the one before or has its first error, else near its end.
        """
        if self.cores < 2:
            return
        layout = self._runner.layout
        main = layout.texts(draft)[layout.main_path]
        last, self._last = self._last, main
        start = len(warm.preamble(main) or b"")
        if not start:
            return
        places = [max(main.rfind(b"\\end{document}"), start)]
        if last is not None and last != main:
            same = warm.shared(last, main)
            places += [same] if same > start else []
        error = None if failed is None else next((d for d in failed.diagnostics if d.is_error), None)
        if error is not None:
            if error.file is None or error.line is None:
                return
            if error.file == layout.main:
                places.append(warm.line_start(main, error.line))
            else:
                places.append(warm.reading(main, start, layout.inside(error.file)) or start)
        self.ahead.deepen(draft, engine, generated, warm.before(main, start, min(places)))
        self.ahead.begin(draft, engine)

    def _misled(self, done: EnginePass) -> bool:
        """Whether an error may come from what an earlier draft generated, or from a guess."""
        old = frozenset() if self.left is None else self.left.generated.keys()
        return blame.files(done, old | done.guessed, self._runner.layout.outside) or blame.guesses(done)

    def _ground(self, draft: Draft) -> str:
        """The digest of what generated files are read with: the preamble, and files that are neither text nor data."""
        layout = self._runner.layout
        texts = layout.texts(draft)
        main = texts[layout.main_path]
        first = warm.preamble(main)
        kept = {path: data for path, data in texts.items() if not path.endswith((".tex", ".bib", ".bst"))}
        kept.pop(layout.main_path, None)
        return _digest({**kept, layout.folder: main if first is None else first})

    def _data(self, draft: Draft) -> str:
        """The digest of what tools may read beside what a pass writes."""
        texts = self._runner.layout.texts(draft)
        return _digest({path: data for path, data in texts.items() if not path.endswith((".tex", ".sty", ".cls"))})

    def _later(self, done: EnginePass, deadline: float | None) -> float:
        """Until when what follows a pass may last: a part of the most, or many times what that pass took.

        A tool, a driver or a second pass that takes so much longer than the pass before it never ends.
        """
        until = time.monotonic() + max(self._pass_seconds / 6, 10 * done.ran.seconds)
        return until if deadline is None else min(until, deadline)

    def _seconds(self, deadline: float | None) -> float:
        """What a program may take now."""
        most = self._pass_seconds
        return most if deadline is None else min(most, deadline - time.monotonic())


def _digest(files: Mapping[str, bytes]) -> str:
    total = hashlib.sha256()
    for path in sorted(files):
        for part in (path.encode("utf-8", "surrogateescape"), files[path]):
            total.update(len(part).to_bytes(8, "big") + part)
    return total.hexdigest()
