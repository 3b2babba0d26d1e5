"""The engine that waits: it has read a preamble and takes the rest of the next draft that begins so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from texrepair.compile import engines, warm
from texrepair.compile.engines import Engine
from texrepair.compile.passes import EnginePass
from texrepair.compile.runner import Runner
from texrepair.project import Draft
from texrepair.sandboxes import Run


@dataclass(frozen=True, slots=True)
class Waiting:
    """An engine that has read a preamble."""

    engine: Engine
    run: Run
    folder: str
    preamble: bytes
    texts: Mapping[str, bytes]
    """What lies in its folder, the main file apart."""
    read: frozenset[str]
    """Which of these the preamble reads."""


class Ahead:
    """At most one engine that waits for the next draft."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._waiting: Waiting | None = None

    def start(self, draft: Draft, engine: Engine, done: EnginePass) -> None:
        """Let an engine read the preamble of a draft that failed in its body, if the next one may begin the same.

        `done` is the draft's pass: it tells which files the preamble reads.
        """
        if self._waiting is not None or not done.folder or done.ran.stopped_for is not None:
            return
        layout = self._runner.layout
        texts = layout.texts(draft)
        main = texts.pop(layout.main_path)
        cut = warm.cut(main, layout.main_name, layout.job)
        read = frozenset(path for path in texts if layout.inside(path) in done.recorded.preamble)
        if cut is None or warm.reads_job({path: texts[path] for path in read}):
            return
        if not done.recorded.preamble.isdisjoint(done.recorded.written):
            return
        first = next((d for d in done.diagnostics if d.is_error), None)
        if first is not None and first.file is not None and first.line is not None:
            in_main = first.file == layout.main and first.line <= cut.preamble.count(b"\n")
            if in_main or first.file in read:
                return  # what cures this error will change the preamble
        folder = self._runner.laid(texts)
        run = self._runner.started(engine, folder, self._runner.limits.seconds, warm=layout.main_name)
        mark = b"" if cut.preamble.startswith(engines.BOM) else engine.mark
        run.feed(mark + cut.preamble)
        self._waiting = Waiting(engine, run, folder, cut.preamble, texts, read)

    def check(self, draft: Draft, engine: Engine, seconds: float) -> EnginePass | None:
        """One pass of the waiting engine, if it has read just what this draft begins with; else it is thrown away."""
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return None
        runner = self._runner
        texts = runner.layout.texts(draft)
        main = texts.pop(runner.layout.main_path)
        cut = warm.cut(main, runner.layout.main_name, runner.layout.job)
        if (
            waiting.engine == engine
            and cut is not None
            and cut.preamble == waiting.preamble
            and waiting.texts.keys() == texts.keys()
            and all(waiting.texts[path] == texts[path] for path in waiting.read)
        ):
            changed = {path: data for path, data in texts.items() if waiting.texts[path] != data}
            runner.box.put(changed, waiting.folder)
            waiting.run.finish(cut.body, main, seconds)
            ran = waiting.run.wait()
            if ran.signal is None and ran.stopped_for in (None, "time"):
                return runner.seen(draft, engine, waiting.folder, ran, {}, seconds, warm=True)
            # Perhaps it was killed while it waited, for what another program did.
        else:
            waiting.run.stop()
        runner.drop(waiting.folder)
        return None
