"""Runs the programs of one session in its box, and reads what they report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from texrepair.compile import engines, passes, tools, verdict, warm
from texrepair.compile.engines import Engine
from texrepair.compile.flight import Flight
from texrepair.compile.layout import Layout
from texrepair.compile.passes import EnginePass, ToolRun
from texrepair.compile.recorder import recorded
from texrepair.diagnosis import diagnose
from texrepair.errors import EngineMissing
from texrepair.project import Draft
from texrepair.result import Diagnostic, Pass
from texrepair.sandboxes import PROJECT, Box, Limits, Ran, Run

_LARGEST_LOG = 4 << 20
_MOST_FILES = 5_000
"""Files that a pass writes and the next one may read: a document can make its recorder file say anything."""


class Runner:
    """One box, one layout. Folders in the box have numbers; each engine pass has its own."""

    def __init__(
        self,
        box: Box,
        layout: Layout,
        limits: Limits,
        contained: bool,
        seeding: Callable[[Box, str, bool], None] | None = None,
    ) -> None:
        """`seeding` lays in the box what an engine knows of fonts; it is told whether nothing has run there."""
        # With `p`, TeX refuses every name that begins with `../`. Where the box holds the rest back, it need not, for a
        # main file that does not lie at the project's root (texmf.cnf, openin_any).
        reads = {"openin_any": "r"} if layout.folder and contained else {}
        self.box = box
        self.layout = layout
        self.limits = limits
        self.read: set[str] = set()
        """What passes have read: the project's files by path, and files outside of the box."""
        self.loud: set[bytes] = set()
        """Preambles that end with a package of which TeX says something."""
        self._reads = reads
        self._folders = 0
        self._seeding = seeding
        self._seeded: set[str] = set()
        self._fresh = True

    def laid(self, files: Mapping[str, bytes]) -> str:
        """A new folder with the project's assets and these files."""
        self._folders += 1
        folder = str(self._folders)
        self.box.copy(PROJECT, folder)
        self.box.put(files, folder)
        return folder

    def started(self, engine: Engine, folder: str, seconds: float, warm: str | None = None) -> Run:
        """An engine at work in a folder. Raises EngineMissing with the cure."""
        if self._seeding is not None and engine.name not in self._seeded:
            self._seeded.add(engine.name)
            self._seeding(self.box, engine.name, self._fresh)
        command = engine.command(self.layout.main_name)
        return self._start(command, self.layout.within(folder), seconds, warm)

    def launched(self, draft: Draft, engine: Engine, generated: Mapping[str, bytes], seconds: float) -> Flight:
        """A pass from its start, on a draft and what earlier passes generated."""
        folder = self.laid(self.layout.texts(draft))
        self.box.put(dict(generated), self.layout.within(folder))
        return Flight(draft, engine, generated, folder, self.started(engine, folder, seconds), seconds)

    def landed(self, flight: Flight) -> EnginePass:
        """What a pass did, once it has ended."""
        ran = flight.run.wait()
        # It may have been killed while it waited, for what another program did. Its time begins after that.
        if not (flight.warm and self._perhaps_not_its_own(ran)):
            done = self.seen(
                flight.draft, flight.engine, flight.folder, ran, flight.generated, flight.seconds, warm=flight.warm
            )
            if not self._names_the_nudge(flight, done):
                return done
        self.drop(flight.folder)
        left = max(flight.seconds - ran.seconds, flight.seconds / 2)
        return self.landed(self.launched(flight.draft, flight.engine, flight.generated, left))

    def _names_the_nudge(self, flight: Flight, done: EnginePass) -> bool:
        """Whether something is said of the line with a command of ours: in an ordinary run, of the line after it."""
        if not flight.nudged or done.ran.stopped_for is not None:
            return False
        named = any((d.file, d.line) == (self.layout.main, flight.nudged) for d in done.diagnostics)
        if named:
            first = warm.preamble(self.layout.texts(flight.draft)[self.layout.main_path])
            self.loud |= {first} if first is not None else set()
        return named

    def _perhaps_not_its_own(self, ran: Ran) -> bool:
        """Whether a program was killed, or stopped for a limit that others may have reached."""
        if ran.stopped_for == "memory":
            return ran.peak_kib < self.limits.memory_mb << 9  # else it held more than half of it
        return ran.stopped_for not in ("time", "output") and (ran.signal is not None or ran.stopped_for is not None)

    def abandon(self, flight: Flight) -> None:
        """Stop a pass that nobody waits for any more."""
        flight.run.stop()
        self.drop(flight.folder)

    def seen(
        self,
        draft: Draft,
        engine: Engine,
        folder: str,
        ran: Ran,
        generated: Mapping[str, bytes],
        seconds: float,
        warm: bool = False,
    ) -> EnginePass:
        """What a pass that has ended did."""
        job, within = self.layout.job, self.layout.within(folder)
        reports = self.box.fetch((f"{job}.log", f"{job}.fls"), within)
        log, fls = clipped(reports.get(f"{job}.log", b"")), reports.get(f"{job}.fls", b"")[:_LARGEST_LOG]
        if not log and b"format file" in ran.output:
            raise engines.missing(engine.name)  # the program is there, LaTeX for it is not
        record = recorded(fls, job)
        self.read.update(map(self.layout.outside, record.read))
        pages = f"{job}{engine.output}"
        others = {f"{job}.log", f"{job}.fls", pages}
        own = [name for name in record.written if name not in others and not name.startswith(("/", "../"))]
        written = self.box.fetch(own[:_MOST_FILES], within)

        sources = self.layout.sources(draft)
        report = diagnose(log, sources=sources, generated={**generated, **written}, recorder=fls)
        errors = list(report.errors)
        errors += verdict.faults(engine.name, "tex", ran, self.limits, seconds, bool(errors))
        if not errors and pages not in record.written:
            errors.append(Diagnostic("error", "error", "No pages of output", code="no-pages"))
        return EnginePass(
            folder=folder,
            ran=ran,
            log=log,
            recorded=record,
            before=generated,
            written=written,
            diagnostics=tuple(self.layout.translated(d) for d in (*errors, *report.warnings)),
            passes=(Pass(engine.name, ran.seconds, ran.exit_status, warm, ran.stopped_for),),
        )

    def tool(self, draft: Draft, job: tools.Job, folder: str, seconds: float) -> ToolRun:
        """Run a program that stands between two passes, in the folder of the one before."""
        if seconds <= 0:
            return passes.late_tool(job.program)
        within = self.layout.within(folder)
        ran = self._start(job.command, within, seconds, variables=job.variables).wait()
        files = self.box.fetch((*job.makes, job.report), within)
        report = clipped(files.pop(job.report, b""))
        return self._tool_run(draft, job.program, report or ran.output, ran, seconds, files)

    def early(self, draft: Draft, aux: bytes, job: tools.Job, seconds: float) -> ToolRun:
        """Run bibtex on an .aux file that no pass has written."""
        texts = {path: data for path, data in self.layout.texts(draft).items() if path.endswith((".bib", ".bst"))}
        folder = self.laid(texts)
        self.box.put({f"{self.layout.job}.aux": aux}, self.layout.within(folder))
        run = self.tool(draft, job, folder, seconds)
        self.drop(folder)
        return run

    def driving(self, engine: Engine, folder: str, seconds: float) -> Run:
        """The driver at work on the pages of a pass."""
        command = (*engine.driver, "-o", f"{self.layout.job}.pdf", f"{self.layout.job}{engine.output}")
        return self._start(command, self.layout.within(folder), seconds)

    def driven(self, draft: Draft, engine: Engine, folder: str, run: Run | None, seconds: float) -> ToolRun:
        """The PDF of a pass, made by `run` if its engine has not; it is among what was made if it is whole."""
        name = f"{self.layout.job}.pdf"
        done = ToolRun(None)
        if run is not None:
            ran = run.wait()
            done = self._tool_run(draft, engine.driver[0], ran.output, ran, seconds, {})
        data = self.box.fetch((name,), self.layout.within(folder)).get(name, b"")
        if done.failed:
            return done
        if not verdict.whole_pdf(data):
            return replace(done, diagnostics=(verdict.no_pdf(), *done.diagnostics))
        return replace(done, made={name: data})

    def pages(self, engine: Engine, folder: str) -> bytes | None:
        """What a pass wrote for the driver."""
        name = f"{self.layout.job}{engine.output}"
        return self.box.fetch((name,), self.layout.within(folder)).get(name)

    def drop(self, folder: str) -> None:
        """Remove a pass's folder."""
        if folder:
            self.box.drop(folder)

    def _tool_run(
        self, draft: Draft, program: str, report: bytes, ran: Ran, seconds: float, files: Mapping[str, bytes]
    ) -> ToolRun:
        read = diagnose(report, sources=self.layout.sources(draft))
        name = engines.TOOLS[program]
        found = [verdict.of_tool(d, name, ran) for d in read.diagnostics]
        found += verdict.faults(program, name, ran, self.limits, seconds, bool(read.errors))
        passed = Pass(program, ran.seconds, ran.exit_status, stopped_for=ran.stopped_for)
        return ToolRun(passed, tuple(map(self.layout.translated, found)), files)

    def _start(
        self,
        command: tuple[str, ...],
        within: str,
        seconds: float,
        warm: str | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> Run:
        self._fresh = False
        try:
            return self.box.start(
                command, within, seconds=seconds, warm=warm, variables={**self._reads, **(variables or {})}
            )
        except EngineMissing as error:
            raise engines.missing(command[0]) from error


def clipped(report: bytes) -> bytes:
    """A log of which a flood in the middle is left out: what matters stands at its beginning and its end."""
    if len(report) <= _LARGEST_LOG:
        return report
    half = _LARGEST_LOG // 2
    start, end = report[:half], report[-half:]
    return start[: start.rfind(b"\n") + 1] + end[end.find(b"\n") + 1 :]
