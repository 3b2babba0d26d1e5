"""A session: one sandbox in which one project is checked and compiled."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from texrepair.compile import engines, passes, tools, verdict
from texrepair.compile.ahead import Ahead
from texrepair.compile.engines import Engine
from texrepair.compile.layout import layout
from texrepair.compile.passes import EnginePass
from texrepair.compile.runner import Runner
from texrepair.project import Draft, Project
from texrepair.result import CompileResult, Diagnostic
from texrepair.sandboxes import Limits, Sandbox, chosen
from texrepair.settings import Settings

_DELIVERED = (".bbl", ".ind", ".gls", ".acr", ".nls")
"""Suffixes of generated files that a person who gets the sources may need."""


class Session:
    """One project in one sandbox. Close it, or use it as a context manager.

    It belongs to the thread that opened it: no other may use it, and its programs end with that thread.

    Raises SandboxError where no sandbox works.
    """

    def __init__(self, project: Project, settings: Settings | None = None, *, sandbox: Sandbox | None = None) -> None:
        self.project = project
        self.settings = settings or Settings()
        self._sandbox = sandbox or chosen(self.settings.sandbox, self.settings.docker_image)
        limits = Limits(
            seconds=self.settings.pass_seconds,
            memory_mb=self.settings.memory_mb,
            file_mb=self.settings.file_mb,
            disk_mb=self.settings.disk_mb,
            output_kib=self.settings.output_kib,
            processes=self.settings.processes,
        )
        laid = layout(project)
        self._runner = Runner(
            self._sandbox.open(laid.assets(project), limits), laid, limits, self._sandbox.warning is None
        )
        self._ahead = Ahead(self._runner)
        self._clean: tuple[str, str, EnginePass] | None = None
        self._pdfs: list[Path] = []

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def sandbox(self) -> str:
        """The name of the sandbox in use."""
        return self._sandbox.name

    @property
    def installed(self) -> frozenset[str]:
        """The files outside of the project that engines have read so far: TeX Live's, by absolute path."""
        return frozenset(self._runner.installed)

    def close(self) -> None:
        """End every engine and remove everything, PDFs included. May be called twice."""
        self._clean = None
        self._runner.box.close()
        for pdf in self._pdfs:
            shutil.rmtree(pdf.parent, ignore_errors=True)

    def check(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult:
        """One pass of the engine, for the errors alone. `deadline` is in seconds of time.monotonic.

        Raises SandboxError where the sandbox itself fails, EngineMissing for an engine that is not installed,
        SettingsError for one that is unknown.
        """
        began = time.monotonic()
        program = engines.engine(engine or self.project.engine)
        unfit = self._unfit(draft)
        if unfit is not None:
            return unfit
        done = self._first(draft, program, deadline)
        return self._result(done, done.clean, began)

    def compile(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult:
        """Passes until the output is stable, and the PDF. An error ends it at once. Raises as `check` does."""
        began = time.monotonic()
        program = engines.engine(engine or self.project.engine)
        unfit = self._unfit(draft)
        if unfit is not None:
            return unfit
        done = self._first(draft, program, deadline)
        pdf = None
        if done.clean:
            done = self._settled(draft, program, done, deadline)
            if done.clean:
                done, pdf = self._with_pdf(draft, program, done, deadline)
            else:
                self._ahead.start(draft, program, done)
            self._drop(done)
        return replace(self._result(done, done.clean, began), pdf=pdf)

    def _first(self, draft: Draft, engine: Engine, deadline: float | None) -> EnginePass:
        """The first pass of a draft, which a clean check has already made. It starts without generated files."""
        if self._clean is not None:
            digest, name, done = self._clean
            if (digest, name) == (draft.digest, engine.name):
                return done
            self._clean = None
            self._runner.drop(done.folder)
        seconds = self._seconds(deadline)
        if seconds <= 0:
            return passes.late(engine.name)
        warm = self._ahead.check(draft, engine, seconds)
        done = self._runner.cold(draft, engine, {}, seconds) if warm is None else warm
        if done.clean:
            self._clean = (draft.digest, engine.name, done)
        else:
            self._ahead.start(draft, engine, done)
            self._runner.drop(done.folder)
        return done

    def _settled(self, draft: Draft, engine: Engine, done: EnginePass, deadline: float | None) -> EnginePass:
        """Run tools and passes until the output is stable, an error comes, or the passes are used up."""
        given = self._runner.layout.given(draft)
        needs: dict[tuple[str, ...], bytes] = {}
        made: dict[str, bytes] = {}
        seen: list[Mapping[str, bytes]] = []
        while True:
            for job in tools.jobs(self._runner.layout.job, done.written, done.log.decode("utf-8", "replace")):
                if needs.get(job.key) == job.needs or given.issuperset(job.makes):
                    continue  # it would read nothing new, or its result came with the input
                needs[job.key] = job.needs
                run = self._runner.tool(draft, job, done.folder, self._seconds(deadline))
                made |= run.made
                done = done.with_tool(run)
            now = {**done.written, **made}
            again = passes.changed(done, now)
            if not done.clean or not again:
                return done
            if now in seen:
                return replace(done, objections=(passes.unsettled(done, now, again),))
            if len(seen) + 1 == self.settings.max_passes:
                message = f"The output did not settle in {self.settings.max_passes} passes: {', '.join(again)} changed."
                return replace(done, objections=(message,))
            seen.append(now)
            self._drop(done)
            seconds = self._seconds(deadline)
            after = self._runner.cold(draft, engine, now, seconds) if seconds > 0 else passes.late(engine.name)
            done = after.following(done)

    def _with_pdf(
        self, draft: Draft, engine: Engine, done: EnginePass, deadline: float | None
    ) -> tuple[EnginePass, Path | None]:
        """Make the PDF of a stable pass and bring it out."""
        run = self._runner.driver(draft, engine, done.folder, self._seconds(deadline))
        done = done.with_tool(run)
        if not done.clean:
            return done, None
        ((_, data),) = run.made.items()
        path = Path(tempfile.mkdtemp(prefix="texrepair-"), f"{self._runner.layout.job}.pdf")
        self._pdfs.append(path)
        path.write_bytes(data)
        return done, path

    def _drop(self, done: EnginePass) -> None:
        """Remove a pass's folder, unless it is that of the clean check."""
        if self._clean is None or self._clean[2].folder != done.folder:
            self._runner.drop(done.folder)

    def _seconds(self, deadline: float | None) -> float:
        """What a program may take now."""
        most = self.settings.pass_seconds
        return most if deadline is None else min(most, deadline - time.monotonic())

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
