"""A session: one sandbox in which one project is checked and compiled."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from texrepair.compile import engines, passes, verdict
from texrepair.compile.course import Begun, Course, Knowledge, Left
from texrepair.compile.engines import Engine
from texrepair.compile.flight import Flight
from texrepair.compile.layout import layout
from texrepair.compile.passes import EnginePass
from texrepair.compile.runner import Runner
from texrepair.project import Draft, Project
from texrepair.result import CompileResult, Diagnostic
from texrepair.sandboxes import Box, Limits, Sandbox, formats, opened
from texrepair.settings import Settings, read_settings

_DELIVERED = (".bbl", ".ind", ".gls", ".acr", ".nls")
"""Suffixes of generated files that a person who gets the sources may need."""

_LOCAL = ("bwrap", "landlock", "none")
"""Sandboxes whose TeX and fonts are this system's."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A first pass that somebody waits for."""

    name: tuple[str, str]
    """The draft's digest and the engine."""
    flight: Flight | None
    """None where nothing is under way: it was made before, or there is no time for it."""
    known: Knowledge
    alone: bool = True
    """No other is waited for at the same time."""


class Session:
    """One project in one sandbox. Close it, or use it as a context manager.

    It belongs to the thread that opened it: no other may use it, and its programs end with that thread.

    Raises SandboxError where no sandbox works.
    """

    def __init__(
        self,
        project: Project,
        settings: Settings | None = None,
        *,
        sandbox: Sandbox | None = None,
        cores: int | None = None,
        start: Left | None = None,
    ) -> None:
        """`cores` is the number of programs that may run side by side; None: as many cores as this process may use.

        `start` is what an earlier session's last clean compile left of the same project.
        """
        self.project = project
        self.settings = settings or read_settings()
        limits = Limits(
            seconds=self.settings.pass_seconds,
            memory_mb=self.settings.memory_mb,
            file_mb=self.settings.file_mb,
            disk_mb=self.settings.disk_mb,
            output_kib=self.settings.output_kib,
            processes=self.settings.processes,
        )
        laid = layout(project)
        assets = laid.assets(project)
        if sandbox is not None:
            self._sandbox, box = sandbox, sandbox.open(assets, limits)
        else:
            self._sandbox, box = opened(assets, limits, self.settings.sandbox, self.settings.docker_image)
        self._runner = Runner(box, laid, limits, self._sandbox.warning is None, self._seeding())
        cores = cores or len(os.sched_getaffinity(0))
        self._course = Course(self._runner, cores, self.settings.pass_seconds, self.settings.max_passes)
        self._course.left = start
        self._clean: dict[tuple[str, str], Begun] = {}
        self._pdfs: list[Path] = []
        self._released = False

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if kind is None:
                self.release()
        finally:
            self.close()

    @property
    def sandbox(self) -> str:
        """The name of the sandbox in use."""
        return self._sandbox.name

    @property
    def cores(self) -> int:
        """How many programs run side by side at most."""
        return self._course.cores

    @property
    def installed(self) -> frozenset[str]:
        """The files outside of the project that engines have read so far: TeX Live's, by absolute path."""
        return formats.originals(path for path in self._runner.read if path.startswith("/"))

    @property
    def read(self) -> frozenset[str]:
        """The files that engines have read so far: the project's relative to its root, others by absolute path."""
        return frozenset(self._runner.read)

    @property
    def left(self) -> Left | None:
        """What the last clean compile left; None where there was none."""
        return self._course.left

    @property
    def released(self) -> bool:
        """Whether the sandbox has been given up."""
        return self._released

    def release(self) -> None:
        """End every engine and give up the sandbox with all that it holds, what helps later sessions apart. The PDFs
        stay until `close`. May be called twice."""
        if not self._released and self._keeps:
            from texrepair.cache import of_user
            from texrepair.compile.seeds import learn

            learn(self._runner.box, self._sandbox, of_user())
        self._give_up()

    def rest(self, draft: Draft, engine: str | None = None) -> None:
        """Drop what was compiled, and let an engine read the draft's preamble for the project to which this goes on."""
        self._forget(set())
        if self._unfit(draft) is None:
            self._course.ahead.begin(draft, engines.engine(engine or self.project.engine))

    def go_on(self, project: Project, start: Left | None) -> None:
        """Go on to another project, which runs the same code on the same files under the same names. `start` is as for
        a new session. The PDFs go."""
        self._remove()
        self.project = project
        self._runner.read.clear()
        self._course.left = start

    def keep_format(self, engine: str) -> None:
        """Let later sessions start that engine faster, if its format is this system's."""
        if self._keeps:
            formats.make(engine)

    def close(self) -> None:
        """End every engine and remove everything, PDFs included. May be called twice."""
        self._give_up()
        self._remove()

    def _give_up(self) -> None:
        self._released = True
        self._clean = {}
        self._runner.box.close()

    def _remove(self) -> None:
        """Remove the PDFs."""
        while self._pdfs:
            shutil.rmtree(self._pdfs.pop().parent, ignore_errors=True)

    def expect(self, draft: Draft, engine: str | None = None) -> None:
        """Let an engine read this draft's preamble, since a draft that begins so will be checked soon.

        Raises as `check` does.
        """
        if self._unfit(draft) is None:
            self._course.expect(draft, engines.engine(engine or self.project.engine))

    def check(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult:
        """One pass of the engine, for the errors alone. `deadline` is in seconds of time.monotonic.

        Raises SandboxError where the sandbox itself fails, EngineMissing for an engine that is not installed,
        SettingsError for one that is unknown.
        """
        return self.checks([(draft, engine or self.project.engine)], deadline=deadline)[0]

    def checks(
        self, drafts: Sequence[tuple[Draft, str]], *, deadline: float | None = None
    ) -> tuple[CompileResult, ...]:
        """The checks of several drafts, each with its engine, side by side on the cores that there are.

        The results are in the order of the drafts, each what `check` would say. Raises as `check` does.
        """
        programs = [engines.engine(name) for _, name in drafts]
        self._forget({(draft.digest, engine.name) for (draft, _), engine in zip(drafts, programs, strict=True)})
        results: dict[int, CompileResult] = {}
        under_way: deque[tuple[int, float, Pending]] = deque()
        alone = len(drafts) == 1
        for number, ((draft, _), engine) in enumerate(zip(drafts, programs, strict=True)):
            began = time.monotonic()
            unfit = self._unfit(draft)
            if unfit is not None:
                results[number] = unfit
                continue
            if len(under_way) == self._course.cores:
                self._land(under_way, results, deadline)
            under_way.append((number, began, self._launch(draft, engine, deadline, alone)))
        while under_way:
            self._land(under_way, results, deadline)
        return tuple(results[number] for number in range(len(drafts)))

    def begin(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> Pending:
        """Start a check for which `end` waits, or which `abandon` stops. Others may be made meanwhile.

        It is for a draft that has been checked before. Raises as `check` does.
        """
        return self._launch(draft, engines.engine(engine or self.project.engine), deadline, alone=False)

    def end(self, pending: Pending) -> CompileResult:
        """What that check says. Raises SandboxError where the sandbox itself fails."""
        began = time.monotonic()
        done = self._first(pending, None).done
        return self._result(done, done.clean, began)

    def abandon(self, pending: Pending) -> None:
        """Stop a check that nobody waits for any more."""
        if pending.flight is not None:
            self._runner.abandon(pending.flight)

    def compile(
        self, draft: Draft, engine: str | None = None, *, deadline: float | None = None, last: bool = False
    ) -> CompileResult:
        """Passes until the output is stable, and the PDF. An error ends it at once. Raises as `check` does.

        If it comes out well and was the `last`, no engine gets ready for another draft.
        """
        began = time.monotonic()
        program = engines.engine(engine or self.project.engine)
        unfit = self._unfit(draft)
        if unfit is not None:
            return unfit
        name = (draft.digest, program.name)
        self._forget({name})
        pending = self._launch(draft, program, deadline)
        first = self._first(pending, deadline)
        done = first.done
        if done.clean:
            done = self._course.settled(first, draft, program, deadline, last)
            if done.folder != first.done.folder:
                self._runner.drop(done.folder)
        return replace(self._result(done, done.clean, began), pdf=None if done.pdf is None else self._laid(done.pdf))

    def _launch(self, draft: Draft, engine: Engine, deadline: float | None, alone: bool = True) -> Pending:
        """A draft's first pass: the one that a clean check has made, or one that is under way."""
        name = (draft.digest, engine.name)
        if name in self._clean:
            return Pending(name, None, self._clean[name].known)
        return Pending(name, *self._course.begin(draft, engine, deadline, alone), alone)

    def _first(self, pending: Pending, deadline: float | None) -> Begun:
        """What a first pass did; that of a clean check is kept, that of a failed one leaves nothing."""
        if pending.name in self._clean:
            return self._clean[pending.name]
        if pending.flight is None:
            return Begun(passes.late(pending.name[1]), pending.known)
        first = self._course.end(pending.flight, pending.known, deadline, pending.alone)
        if first.done.clean:
            self._clean[pending.name] = first
        else:
            self._runner.drop(first.done.folder)
        return first

    def _land(
        self,
        under_way: deque[tuple[int, float, Pending]],
        results: dict[int, CompileResult],
        deadline: float | None,
    ) -> None:
        """Wait for the oldest of the passes that are under way."""
        number, began, pending = under_way.popleft()
        done = self._first(pending, deadline).done
        results[number] = self._result(done, done.clean, began)

    def _forget(self, but: set[tuple[str, str]]) -> None:
        """Drop the passes of clean checks, those of some drafts apart."""
        for name in self._clean.keys() - but:
            self._runner.drop(self._clean.pop(name).done.folder)

    def _laid(self, pdf: bytes) -> Path:
        """The PDF as a file, outside of the box."""
        path = Path(tempfile.mkdtemp(prefix="texrepair-"), f"{self._runner.layout.job}.pdf")
        self._pdfs.append(path)
        path.write_bytes(pdf)
        return path

    @property
    def _keeps(self) -> bool:
        """Whether what helps later sessions is kept: TeX and the fonts are this system's, and there may be a cache."""
        return self._sandbox.name in _LOCAL and self.settings.cache

    def _seeding(self) -> Callable[[Box, str, bool], None] | None:
        """What lays in a box what engines know of fonts."""
        if not self._keeps:
            return None
        from texrepair.cache import of_user
        from texrepair.compile.seeds import lay

        return lambda box, engine, fresh: lay(box, engine, of_user(), fresh)

    def _unfit(self, draft: Draft) -> CompileResult | None:
        """The result for a draft that cannot be laid: a character that its file's encoding lacks."""
        try:
            self._runner.layout.texts(draft)
        except UnicodeEncodeError as error:
            return CompileResult(False, (verdict.unfit(error),))
        return None

    def _result(self, done: EnginePass, ok: bool, began: float) -> CompileResult:
        errors = tuple(d for d in done.diagnostics if d.is_error)
        warnings = tuple(d for d in done.diagnostics if not d.is_error)
        if self._sandbox.warning is not None:
            warnings += (Diagnostic("warning", "other", self._sandbox.warning, code="no-sandbox", tool="texrepair"),)
        generated = {name: data for name, data in {**done.before, **done.written}.items() if name.endswith(_DELIVERED)}
        return CompileResult(
            ok=ok,
            diagnostics=errors + warnings,
            log=done.log.decode("utf-8", "replace"),
            passes=done.passes,
            seconds=time.monotonic() - began,
            generated=generated,
            objections=done.objections,
        )
