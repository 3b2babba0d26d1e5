"""Many documents, built by worker processes that start with what every build needs already loaded.

A document that fails, or a worker that dies, never stops the others. Workers are forked from a process without threads.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, NoReturn

from texrepair import pipeline, rules
from texrepair.compile.session import Session
from texrepair.deliver.views import as_json, failure
from texrepair.errors import SettingsError, TexrepairError
from texrepair.guard import guard
from texrepair.relay import Relay
from texrepair.result import BuildResult
from texrepair.sanitize import sanitize
from texrepair.settings import Settings
from texrepair.turns import Turns

WORST = (1, 69, 64, 66, 65, 5, 4, 3, 2)
"""Exit statuses, worst first: texrepair's own fault, what kept it from trying, then what a build came to."""

PRELOADED = (Session, guard, sanitize)
"""What every build imports on its way: workers have it from their start, like the static rules. What mends is imported
by those workers that need it: all cores would wait for it."""

_PATIENCE = 10.0
_LONGEST_PREAMBLE = 1 << 16
# prctl(2)
_PR_SET_PDEATHSIG = 1

OnFault = Callable[[type[BaseException], BaseException, TracebackType | None], None]


@dataclass(frozen=True, slots=True)
class Document:
    """What is built, and where the results go."""

    source: Path
    output: Path
    apart: bool
    """Whether all but the PDF goes into NAME.texrepair, since another document's results lie in the same folder."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a document fared."""

    source: Path
    result: BuildResult | None
    """None where there was nothing to build, or texrepair itself failed."""
    exit_code: int
    reason: str

    @property
    def line(self) -> str:
        """It in one line."""
        if self.result is None:
            return f"{self.source}: {self.reason}"
        said = f"{self.source}: {self.result.status.value}. {self.reason} ({self.result.seconds:.1f} s)"
        return (
            f"{said}; to go on with: {self.result.delivered['export']}" if "export" in self.result.delivered else said
        )

    def as_json(self) -> dict[str, Any]:
        """As `build --json` tells it, with the input's name."""
        told = failure(self.exit_code, self.reason) if self.result is None else as_json(self.result)
        return {"input": str(self.source), **told}


def documents(sources: Sequence[Path], output: Path) -> tuple[Document, ...]:
    """Where the results of each go: below `output` as the inputs lie below their common folder.

    A zip counts as a folder of its name. Raises SettingsError where two would be written to the same place.
    """
    homes = [_home(source) for source in sources]
    common = os.path.commonpath(homes)
    sharing: dict[Path, list[Path]] = {}
    for source, home in zip(sources, homes, strict=True):
        sharing.setdefault(home, []).append(source)
    for group in sharing.values():
        # What a folder or a zip holds, and so how its results are called, is not known yet.
        if len(group) > 1 and (len({one.stem for one in group}) < len(group) or not all(map(_is_file, group))):
            names = " and ".join(map(str, group[:5]))
            raise SettingsError(f"the results of {names} would lie in the same place: name one, or build one by itself")
    return tuple(
        Document(source, Path(os.path.normpath(output / os.path.relpath(home, common))), len(sharing[home]) > 1)
        for source, home in zip(sources, homes, strict=True)
    )


def run(
    planned: Iterable[Document],
    settings: Settings,
    jobs: int,
    *,
    on_end: Callable[[Outcome], None],
    on_fault: OnFault,
) -> tuple[Outcome, ...]:
    """Build all, so many at the same time; how each fared, in the order given.

    `on_end` hears of each when it ends, `on_fault` (in the worker) of what was texrepair's own fault. Has to be called
    from a process without other threads. No worker is left behind, whatever is raised.
    """
    rules.shipped(static=True)
    cores = max(1, len(os.sched_getaffinity(0)) // jobs)
    given = tuple(planned)
    turns = Turns([_preamble(document.source) for document in given])
    done: dict[int, Outcome] = {}
    busy: dict[_Worker, int] = {}
    idle: list[_Worker] = []
    try:
        while len(done) < len(given):
            while len(busy) < jobs and (number := turns.take(idle[-1].last if idle else None)) is not None:
                while idle and not idle[-1].alive:
                    idle.pop().end()
                worker = idle.pop() if idle else _Worker(settings, cores, on_fault)
                busy[worker] = worker.last = number
                with suppress(BrokenPipeError, ConnectionResetError):  # found to have ended below
                    worker.pipe.send((given[number], turns.followed(number)))
            ended = set(wait([worker.pipe for worker in busy]))
            for worker in [worker for worker in busy if worker.pipe in ended]:
                number = busy.pop(worker)
                try:
                    outcome = worker.pipe.recv()
                    idle.append(worker)
                except (EOFError, ConnectionResetError):
                    worker.end()
                    outcome = Outcome(given[number].source, None, 1, "texrepair itself failed: its process ended")
                done[number] = outcome
                turns.built(number, 0.0 if outcome.result is None else outcome.result.seconds)
                on_end(outcome)
    finally:
        for worker in (*idle, *busy):
            worker.end()
    return tuple(done[number] for number in range(len(given)))


def exit_code(outcomes: Iterable[Outcome]) -> int:
    """0 where all are 0, else the worst."""
    return min((one.exit_code for one in outcomes if one.exit_code), key=WORST.index, default=0)


class _Worker:
    """A process that builds one document after the other."""

    def __init__(self, settings: Settings, cores: int, on_fault: OnFault) -> None:
        context = multiprocessing.get_context("fork")
        self.pipe, inner = context.Pipe()
        self.last: int | None = None
        """The number of what it built last, or builds."""
        self._process: ForkProcess = context.Process(target=_work, args=(inner, settings, cores, on_fault, os.getpid()))
        self._process.start()
        inner.close()

    @property
    def alive(self) -> bool:
        return self._process.is_alive()

    def end(self) -> None:
        """Let it close its session and end; if it does not, kill it. May be called twice."""
        self.pipe.close()
        if self.alive:
            self._process.terminate()
        self._process.join(_PATIENCE)
        if self.alive:
            self._process.kill()
            self._process.join()


def _work(pipe: Connection, settings: Settings, cores: int, on_fault: OnFault, parent: int) -> None:
    # Ctrl-C reaches the whole process group: the parent ends us then, once.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        return
    with _Reported(on_fault), Relay() as relay:
        while True:
            document, relay.followed = pipe.recv()
            pipe.send(_built(document, settings, cores, relay))


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


class _Reported:
    """Ends the process: quietly where it was told to end, else with a report."""

    def __init__(self, on_fault: OnFault) -> None:
        self._on_fault = on_fault

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> NoReturn:
        if kind is None or error is None or issubclass(kind, (KeyboardInterrupt, EOFError, BrokenPipeError)):
            raise SystemExit(0)
        self._on_fault(kind, error, trace)
        raise SystemExit(1)


def _built(document: Document, settings: Settings, cores: int, relay: Relay) -> Outcome:
    try:
        result = pipeline.build(
            document.source, settings=settings, output=document.output, apart=document.apart, cores=cores, relay=relay
        )
    except TexrepairError as error:
        return Outcome(document.source, None, error.exit_code, str(error))
    return Outcome(document.source, result, result.exit_code, result.reason or result.status.sentence)


def _preamble(source: Path) -> bytes:
    """What documents of a series have in common: the preamble. For what is no file, or no document, its name."""
    text = b""
    if source.is_file() and source.suffix.lower() != ".zip":
        with suppress(OSError), source.open("rb") as file:
            text = file.read(_LONGEST_PREAMBLE)
    preamble, mark, _ = text.partition(b"\\begin{document}")
    return preamble if mark else os.fsencode(source)


def _home(source: Path) -> Path:
    """The folder that the results of an input go by; a zip counts as a folder of its name."""
    path = Path(os.path.normpath(Path.cwd() / source))
    if path.suffix.lower() == ".zip":
        return path.with_suffix("")
    return path if path.is_dir() else path.parent


def _is_file(source: Path) -> bool:
    return source.suffix.lower() != ".zip" and not source.is_dir()
