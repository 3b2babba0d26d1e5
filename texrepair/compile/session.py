"""A session: one sandbox in which one project is checked and compiled, with an engine that waits for the next draft."""

from __future__ import annotations

import posixpath
import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from texrepair.compile import engines, origins, passes, tools, verdict, warm
from texrepair.compile.engines import Engine
from texrepair.compile.layout import layout
from texrepair.compile.passes import EnginePass
from texrepair.compile.recorder import recorded
from texrepair.diagnosis import diagnose
from texrepair.errors import EngineMissing
from texrepair.project import Draft, Project
from texrepair.result import CompileResult, Diagnostic, Pass
from texrepair.sandboxes import Box, Limits, Ran, Run, Sandbox, chosen
from texrepair.settings import Settings

_LARGEST_LOG = 4 << 20

_DELIVERED = (".bbl", ".ind", ".gls", ".acr", ".nls")
"""Suffixes of generated files that a person who gets the sources may need."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An engine that has read a preamble and waits for the rest."""

    engine: Engine
    run: Run
    folder: str
    preamble: bytes
    texts: Mapping[str, bytes]
    """What lies in its folder, the main file apart."""
    read: frozenset[str]
    """Which of these the preamble reads."""


def clipped(report: bytes) -> bytes:
    """A log of any size, of which a flood is left out: what matters stands at its beginning and its end."""
    if len(report) <= _LARGEST_LOG:
        return report
    half = _LARGEST_LOG // 2
    return report[: report.rindex(b"\n", 0, half) + 1 if b"\n" in report[:half] else half] + report[-half:]


class Session:
    """One project in one sandbox. Close it, or use it as a context manager; not for two threads at once.

    Raises SandboxError where no sandbox works, SettingsError for an engine that is unknown.
    """

    def __init__(self, project: Project, settings: Settings | None = None, *, sandbox: Sandbox | None = None) -> None:
        self.project = project
        self.settings = settings or Settings()
        self._sandbox = sandbox or chosen(self.settings.sandbox)
        self._layout = layout(project)
        self._limits = Limits(
            seconds=self.settings.pass_seconds,
            memory_mb=self.settings.memory_mb,
            file_mb=self.settings.file_mb,
            processes=self.settings.processes,
        )
        self._outside: Path | None = None
        self._count = 0
        self._waiting: _Waiting | None = None
        self._clean: tuple[str, str, EnginePass] | None = None
        self._box: Box = self._sandbox.open(self._layout.assets(project), self._limits)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def sandbox(self) -> str:
        """The name of the sandbox in use."""
        return self._sandbox.name

    def close(self) -> None:
        """End every engine and remove everything, PDFs included. May be called twice."""
        self._waiting = self._clean = None
        self._box.close()
        if self._outside is not None:
            shutil.rmtree(self._outside, ignore_errors=True)

    def check(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult:
        """One pass of the engine, for the errors alone. `deadline` is in seconds of time.monotonic.

        Raises SandboxError where the sandbox itself fails, EngineMissing for an engine that is not installed.
        """
        began = time.monotonic()
        unfit = self._unfit(draft)
        if unfit is not None:
            return unfit
        chosen_engine = engines.engine(engine or self.project.engine)
        done = self._first(draft, chosen_engine, deadline)
        self._wait_for_next(draft, chosen_engine, done)
        return self._result(done, done.clean, began)

    def compile(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult:
        """Passes until the output is stable, and the PDF. An error ends it at once. Raises as `check` does."""
        began = time.monotonic()
        unfit = self._unfit(draft)
        if unfit is not None:
            return unfit
        chosen_engine = engines.engine(engine or self.project.engine)
        done = self._first(draft, chosen_engine, deadline)
        if done.clean:
            done = self._settle(draft, chosen_engine, done, deadline)
        if not done.clean:
            self._wait_for_next(draft, chosen_engine, done)
            return self._result(done, False, began)
        return self._with_pdf(draft, chosen_engine, done, deadline, began)

    # passes

    def _first(self, draft: Draft, engine: Engine, deadline: float | None) -> EnginePass:
        """The first pass of a draft, which a clean check has already made."""
        if self._clean is not None:
            digest, name, done = self._clean
            if (digest, name) == (draft.digest, engine.name):
                return done
            self._clean = None
            self._box.drop(done.folder)
        done = self._pass(draft, engine, {}, deadline, may_be_warm=True)
        if done.clean:
            self._clean = (draft.digest, engine.name, done)
        elif done.folder:
            self._box.drop(done.folder)
        return done

    def _settle(self, draft: Draft, engine: Engine, done: EnginePass, deadline: float | None) -> EnginePass:
        """Run tools and passes until the output is stable, an error comes, or the passes are used up."""
        last_needs: dict[tuple[str, ...], bytes] = {}
        made: dict[str, bytes] = {}
        seen: list[dict[str, bytes]] = []
        every = done.passes
        objections: list[str] = []
        given = self._layout.given(draft)
        number = 1
        while True:
            reports: list[Diagnostic] = []
            for job in tools.jobs(self._layout.job, done.written, done.log.decode("utf-8", "replace")):
                if last_needs.get(job.key) == job.needs or given.issuperset(job.makes):
                    continue  # nothing new to read, or its result came with the input
                last_needs[job.key] = job.needs
                found, wrote, ran = self._tool(draft, job, done.folder, deadline)
                every += (ran,)
                reports += found
                made |= wrote
            done = replace(done, diagnostics=(*done.diagnostics, *reports), passes=every)
            now = {**done.written, **made}
            if any(d.is_error for d in reports):
                break
            again = passes.changed(done, now)
            if not again:
                break
            if now in seen:
                which = passes.flipping(done, now)
                labels = f" (label {', '.join(which)})" if which else ""
                objections.append(f"The output never settles: every pass changes {', '.join(again)}{labels} again.")
                break
            if number == self.settings.max_passes:
                objections.append(f"The output did not settle in {number} passes: {', '.join(again)} still changed.")
                break
            seen.append(now)
            kept = tuple(d for d in done.diagnostics if d.tool != "tex")
            next_pass = self._pass(draft, engine, now, deadline, may_be_warm=False)
            number += 1
            every += next_pass.passes
            self._drop(done)
            done = replace(next_pass, diagnostics=(*next_pass.diagnostics, *kept), passes=every)
            if not next_pass.clean:
                break
        return replace(done, objections=tuple(objections), passes=every)

    def _pass(
        self,
        draft: Draft,
        engine: Engine,
        generated: Mapping[str, bytes],
        deadline: float | None,
        *,
        may_be_warm: bool,
    ) -> EnginePass:
        """One pass of an engine, in a folder of its own."""
        seconds = self._seconds(deadline)
        if seconds <= 0:
            return self._no_time(engine)
        texts = self._layout.texts(draft)
        main = texts.pop(self._layout.main_path)
        waiting = self._fitting(engine, main, texts) if may_be_warm else None
        if waiting is not None:
            changed = {name: data for name, data in texts.items() if waiting.texts[name] != data}
            self._box.put(changed, waiting.folder)
            waiting.run.finish(main[len(waiting.preamble) :], main, seconds)
            run, folder = waiting.run, waiting.folder
        else:
            folder = self._new_folder(texts | {self._layout.main_path: main})
            self._box.put(dict(generated), self._layout.within(folder))
            run = self._start(engine, folder, seconds)
        ran = run.wait()
        return self._seen(draft, engine, folder, ran, generated, seconds, waiting is not None)

    def _seen(
        self,
        draft: Draft,
        engine: Engine,
        folder: str,
        ran: Ran,
        generated: Mapping[str, bytes],
        seconds: float,
        was_warm: bool,
    ) -> EnginePass:
        """What a pass did."""
        job, within = self._layout.job, self._layout.within(folder)
        reports = self._box.fetch((f"{job}.log", f"{job}.fls"), within)
        log, fls = clipped(reports.get(f"{job}.log", b"")), reports.get(f"{job}.fls", b"")
        if not log and b"format file" in ran.output:
            raise engines.missing(engine.name)  # the program is there, LaTeX for it is not
        record = recorded(fls, job)
        pages = f"{job}{engine.output}"
        own = {f"{job}.log", f"{job}.fls", pages}
        names = [name for name in record.written if name not in own and not posixpath.isabs(name) and name[:3] != "../"]
        written = self._box.fetch(names, within)
        read = diagnose(log, sources=self._layout.sources(draft), recorder=fls)
        limited = verdict.faults(engine.name, "tex", ran, self._limits, seconds, bool(read.errors))
        found = [*read.errors, *limited]
        if not found and pages not in record.written:
            found.append(Diagnostic("error", "error", "No pages of output", code="no-pages"))
        found = [self._traced(d, {**generated, **written}, draft) for d in found]
        return EnginePass(
            folder=folder,
            ran=ran,
            log=log,
            recorded=record,
            before=generated,
            written=written,
            diagnostics=tuple(self._layout.translated(d) for d in (*found, *read.warnings)),
            passes=(Pass(engine.name, ran.seconds, ran.exit_status, was_warm, ran.stopped_for),),
        )

    def _tool(
        self, draft: Draft, job: tools.Job, folder: str, deadline: float | None
    ) -> tuple[list[Diagnostic], dict[str, bytes], Pass]:
        """Run a program between two passes: what it reports, what it made, and its run."""
        within = self._layout.within(folder)
        seconds = self._seconds(deadline)
        if seconds <= 0:
            out_of_time = self._no_time_for(job.program)
            return [out_of_time], {}, Pass(job.program, 0.0, None, stopped_for="time")
        ran = self._run(job.command, within, seconds)
        files = self._box.fetch((*job.makes, job.report), within)
        report = files.pop(job.report, b"") if job.report else b""
        found = self._read_report(draft, job.program, clipped(report) or ran.output, ran, seconds)
        return found, files, Pass(job.program, ran.seconds, ran.exit_status, stopped_for=ran.stopped_for)

    def _with_pdf(
        self, draft: Draft, engine: Engine, done: EnginePass, deadline: float | None, began: float
    ) -> CompileResult:
        """Make the PDF of a stable pass and bring it out."""
        within = self._layout.within(done.folder)
        found: list[Diagnostic] = []
        every = done.passes
        pdf_name = f"{self._layout.job}.pdf"
        if engine.driver:
            seconds = self._seconds(deadline)
            if seconds <= 0:
                return self._result(replace(done, diagnostics=(self._no_time_for(engine.driver[0]),)), False, began)
            command = (*engine.driver, "-o", pdf_name, f"{self._layout.job}{engine.output}")
            ran = self._run(command, within, seconds)
            found = self._read_report(draft, engine.driver[0], ran.output, ran, seconds)
            every += (Pass(engine.driver[0], ran.seconds, ran.exit_status, stopped_for=ran.stopped_for),)
        data = self._box.fetch((pdf_name,), within).get(pdf_name, b"")
        if not any(d.is_error for d in found) and not verdict.whole_pdf(data):
            message = "No whole PDF was written"
            found.append(Diagnostic("error", "error", message, code="driver-error", tool="driver"))
        done = replace(done, diagnostics=(*found, *done.diagnostics), passes=every)
        if not done.clean:
            return self._result(done, False, began)
        if self._outside is None:
            self._outside = Path(tempfile.mkdtemp(prefix="texrepair-"))
        self._count += 1
        path = self._outside / f"{self._count}.pdf"
        path.write_bytes(data)
        return replace(self._result(done, True, began), pdf=path)

    def _traced(self, error: Diagnostic, generated: Mapping[str, bytes], draft: Draft) -> Diagnostic:
        """The error with the source of the generated file in which it was met."""
        origin = error.origin or origins.traced(error, generated, self._layout.sources(draft))
        return replace(error, origin=origin)

    def _run(self, command: tuple[str, ...], folder: str, seconds: float) -> Ran:
        try:
            return self._box.start(command, folder, seconds=seconds).wait()
        except EngineMissing as error:
            raise engines.missing(command[0]) from error

    def _read_report(self, draft: Draft, program: str, report: bytes, ran: Ran, seconds: float) -> list[Diagnostic]:
        read = diagnose(report, sources=self._layout.sources(draft))
        tool = engines.TOOLS[program]
        found = [replace(d, tool=tool) for d in read.diagnostics]
        found += verdict.faults(program, tool, ran, self._limits, seconds, bool(read.errors))
        return [self._layout.translated(d) for d in found]

    # warm engines

    def _wait_for_next(self, draft: Draft, engine: Engine, done: EnginePass) -> None:
        """Start the engine that will check the next draft, if this one had errors and may be read ahead."""
        if self._waiting is not None or done.clean or not done.folder or done.ran.stopped_for is not None:
            return
        texts = self._layout.texts(draft)
        main = texts.pop(self._layout.main_path)
        cut = warm.cut(main, self._layout.main_name, self._layout.job)
        read = frozenset(
            path for path in texts if posixpath.normpath(self._layout.inside(path)) in done.recorded.preamble
        )
        if cut is None or warm.reads_job({path: texts[path] for path in read}):
            return
        first = next(d for d in done.diagnostics if d.is_error)
        if first.file in read or (first.file == self._layout.main and (first.line or 0) <= cut.preamble.count(b"\n")):
            return  # what cures this error will change the preamble
        if any(name in done.recorded.preamble for name in done.recorded.written):
            return
        folder = self._new_folder(texts)
        run = self._start(engine, folder, self._limits.seconds, warm=self._layout.main_name)
        mark = b"" if cut.preamble.startswith(engines.BOM) else engine.mark
        run.feed(mark + cut.preamble)
        self._waiting = _Waiting(engine, run, folder, cut.preamble, texts, read)

    def _fitting(self, engine: Engine, main: bytes, texts: Mapping[str, bytes]) -> _Waiting | None:
        """The waiting engine if it has read just what this draft begins with; else it is thrown away."""
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return None
        cut = warm.cut(main, self._layout.main_name, self._layout.job)
        if (
            waiting.engine == engine
            and cut is not None
            and cut.preamble == waiting.preamble
            and waiting.texts.keys() == texts.keys()
            and all(waiting.texts[path] == texts[path] for path in waiting.read)
        ):
            return waiting
        waiting.run.stop()
        self._box.drop(waiting.folder)
        return None

    # small things

    def _new_folder(self, files: Mapping[str, bytes]) -> str:
        self._count += 1
        folder = str(self._count)
        self._box.copy("project", folder)
        self._box.put(files, folder)
        return folder

    def _start(self, engine: Engine, folder: str, seconds: float, warm: str | None = None) -> Run:
        try:
            return self._box.start(
                engine.command(self._layout.main_name), self._layout.within(folder), seconds=seconds, warm=warm
            )
        except EngineMissing as error:
            raise engines.missing(engine.name) from error

    def _drop(self, done: EnginePass) -> None:
        """Remove a pass's folder, unless it is that of the clean check."""
        if self._clean is None or self._clean[2].folder != done.folder:
            self._box.drop(done.folder)

    def _seconds(self, deadline: float | None) -> float:
        """What a program may take now."""
        most = self.settings.pass_seconds
        return most if deadline is None else min(most, deadline - time.monotonic())

    def _no_time_for(self, program: str) -> Diagnostic:
        message = f"The time ended before {program} could run"
        return Diagnostic("error", "error", message, code="interrupted", tool="texrepair")

    def _no_time(self, engine: Engine) -> EnginePass:
        return EnginePass(
            folder="",
            ran=Ran(None, stopped_for="time"),
            log=b"",
            recorded=recorded(b"", self._layout.job),
            before={},
            written={},
            diagnostics=(self._no_time_for(engine.name),),
            passes=(Pass(engine.name, 0.0, None, stopped_for="time"),),
        )

    def _unfit(self, draft: Draft) -> CompileResult | None:
        """The result for a draft that cannot be laid: a character that its file's encoding lacks."""
        try:
            self._layout.texts(draft)
        except UnicodeEncodeError as error:
            lacking = error.object[error.start : error.end]
            message = f"The file's encoding ({error.encoding}) has no character {lacking!r}"
            return CompileResult(
                False, (Diagnostic("error", "error", message, "invalid-character", token=lacking, tool="texrepair"),)
            )
        return None

    def _result(self, done: EnginePass, ok: bool, began: float) -> CompileResult:
        errors = tuple(d for d in done.diagnostics if d.is_error)
        warnings = tuple(d for d in done.diagnostics if not d.is_error)
        warned = () if self._sandbox.warning is None else (self._sandbox.warning,)
        generated = {name: data for name, data in {**done.before, **done.written}.items() if name.endswith(_DELIVERED)}
        return CompileResult(
            ok=ok,
            diagnostics=errors + warnings,
            log=done.log.decode("utf-8", "replace"),
            passes=done.passes,
            seconds=time.monotonic() - began,
            generated=generated,
            objections=(*done.objections, *warned),
        )
