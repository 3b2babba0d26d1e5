"""Engines that wait: each has read a preamble and takes the rest of the next pass or draft that begins so.

An engine is started in a folder of its own before the generated files are known, and perhaps before the draft is. That
is the same as an ordinary run if the preamble reads nothing that is different at the end. Two things show it: the
recorder file, to which every file that was opened is written at once, and files with the names of what LaTeX generates,
which lie in the folder while the preamble is read, so that a preamble that only looks whether they exist is seen too.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from texrepair.compile import engines, warm
from texrepair.compile.engines import Engine
from texrepair.compile.flight import Flight
from texrepair.compile.passes import EnginePass
from texrepair.compile.recorder import recorded
from texrepair.compile.runner import Runner
from texrepair.errors import EngineMissing
from texrepair.project import Draft
from texrepair.sandboxes import Run

MOST = 2
"""Engines that wait at the same time. Each holds about 175 MiB (xelatex), 110 (lualatex) or 35 (pdflatex)."""

_LONGEST = 4 << 20
"""Bytes of a recorder file that is read while its engine waits."""

HELD = tuple(
    ".aux .toc .lof .lot .loa .lol .loe .los .lor .out .bbl .nav .snm .vrb .ind .gls .acr .nls .glsdefs .thm .tdo .brf "
    ".xref .ent .mtc .maf .bmt .ptc .stc .upa .upb .cut .ver .pgf .sta .xwm .cb .cb2 .sym .run.xml .bcf .fff "
    ".ttt".split()
)
"""Suffixes of what LaTeX and its packages read again in the next pass."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An engine that has read a preamble, or is about to."""

    engine: Engine
    run: Run
    folder: str
    preamble: bytes
    texts: Mapping[str, bytes]
    """What lies in its folder, the main file apart."""
    held: frozenset[str]
    """The names that are held for generated files."""
    day: str
    fed: bytes
    """What it has been given of the main file."""
    nudged: int
    """The line with a command that is not the file's; 0: none."""
    generated: Mapping[str, bytes] | None = None
    """The generated files that it has read, if it was given more than the preamble."""

    def fits(self, engine: Engine, main: bytes, texts: Mapping[str, bytes]) -> bool:
        """Whether it may take a draft with this main file and these others."""
        return self.engine == engine and main.startswith(self.fed) and self.texts.keys() == texts.keys()


class Ahead:
    """The engines that wait for the next pass."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._waiting: list[Waiting] = []
        self._unfit: set[tuple[str, bytes]] = set()

    def begin(self, draft: Draft, engine: Engine) -> None:
        """Let an engine read the draft's preamble, unless one waits that has, or it would not be the same."""
        layout = self._runner.layout
        texts = layout.texts(draft)
        main = texts.pop(layout.main_path)
        cut = warm.cut(main)
        if cut is None or (engine.name, cut.preamble) in self._unfit:
            return
        if any(one.generated is None and one.fits(engine, main, texts) for one in self._waiting):
            return
        while len(self._waiting) >= MOST:
            self._stop(self._waiting[0])
        held = frozenset(layout.job + suffix for suffix in HELD) - layout.given(draft)
        folder = self._runner.laid(texts)
        self._runner.box.put(dict.fromkeys(held, b""), layout.within(folder))
        with suppress(EngineMissing):  # whoever needs it will miss it
            run = self._runner.started(engine, folder, self._runner.limits.seconds, warm=layout.main_name)
            nudge = None if cut.preamble in self._runner.loud else warm.nudged(cut.preamble)
            text, line = nudge or (cut.preamble, 0)
            run.feed((b"" if cut.preamble.startswith(engines.BOM) else engine.mark) + text)
            self._waiting.append(Waiting(engine, run, folder, cut.preamble, texts, held, _today(), cut.preamble, line))

    def deepen(self, draft: Draft, engine: Engine, generated: Mapping[str, bytes], end: int) -> None:
        """Let the engine that has read the draft's preamble read on, up to that offset of its main file.

        The next draft is expected to begin so, and its pass to find these generated files.
        """
        layout = self._runner.layout
        texts = layout.texts(draft)
        main = texts.pop(layout.main_path)
        fit = (one for one in self._waiting if one.generated is None and one.fits(engine, main, texts))
        one = next(fit, None)
        if one is None or end <= len(one.fed):
            return
        if not self._supplied(one, texts, generated):
            self._stop(one)
            return
        one.run.feed(main[len(one.fed) : end])
        deep = replace(one, fed=main[:end], generated=dict(generated), texts=texts)
        self._waiting[self._waiting.index(one)] = deep

    def take(self, draft: Draft, engine: Engine, generated: Mapping[str, bytes], seconds: float) -> Flight | None:
        """A pass of an engine that has read just what this draft begins with, if there is one."""
        layout = self._runner.layout
        texts = layout.texts(draft)
        main = texts.pop(layout.main_path)
        cut = warm.cut(main)
        if cut is None:
            return None
        for one in sorted(self._waiting, key=lambda one: -len(one.fed)):
            if one.preamble != cut.preamble or not one.fits(engine, main, texts):
                continue
            if one.day == _today() and (
                self._supplied(one, texts, generated)
                if one.generated is None
                else one.generated == generated and self._unmoved(one, texts)
            ):
                self._waiting.remove(one)
                one.run.finish(main[len(one.fed) :], main, seconds)
                return Flight(draft, engine, generated, one.folder, one.run, seconds, warm=True, nudged=one.nudged)
            self._stop(one)
        return None

    def learn(self, draft: Draft, engine: Engine, done: EnginePass) -> bool:
        """Learn from a pass that failed whether the next draft may begin as this one, and tell.

        It will not if the preamble holds the first error, or did not come to its end: what has read it is stopped.
        """
        layout = self._runner.layout
        texts = layout.texts(draft)
        first = warm.preamble(texts.pop(layout.main_path))
        error = next((d for d in done.diagnostics if d.is_error), None)
        bad = done.ran.stopped_for is not None
        if first is not None and error is not None and error.file is not None and error.line is not None:
            read = {path for path in texts if layout.inside(path) in done.recorded.preamble}
            bad |= error.file in read or (error.file == layout.main and error.line <= first.count(b"\n"))
        if not bad:
            self.begin(draft, engine)
            return True
        for one in [one for one in self._waiting if one.engine == engine and one.preamble == first]:
            self._stop(one)
        return False

    def _supplied(self, one: Waiting, texts: Mapping[str, bytes], generated: Mapping[str, bytes]) -> bool:
        """Lay what has changed and what was generated, and tell whether the preamble read none of it."""
        layout, box = self._runner.layout, self._runner.box
        within = layout.within(one.folder)
        changed = {path: data for path, data in texts.items() if one.texts[path] != data}
        _, wrote = self._record(within)
        if not wrote.isdisjoint(map(layout.inside, changed)):
            return False
        # What the preamble itself writes, it has just written: filecontents, or the stream of an index.
        new = {name: data for name, data in generated.items() if name not in wrote}
        box.put(changed, one.folder)
        box.put(new, within, absent=one.held - generated.keys() - wrote)
        read, now = self._record(within)
        if not read.keys().isdisjoint(map(layout.inside, changed)):
            return False
        ours = {layout.job + suffix for suffix in (".log", ".fls")}
        own = {name for name in wrote if _by_filecontents(name, one.preamble)}
        touched = read.keys() & ((one.held | generated.keys() | ours) - own)
        local = [one.preamble, *(data for path, data in texts.items() if layout.inside(path) in read)]
        unseen = {_called(name, layout.job) for name in new if name not in one.held}
        if (
            touched
            or read[layout.main_name] > 1
            or any(map(warm.reads_build, local[1:]))
            or any(warm.may_read(text, unseen) for text in local)
        ):
            self._unfit.add((one.engine.name, one.preamble))
            return False
        return now - ours == wrote - ours  # the log is begun with the first line, perhaps between the two looks

    def _unmoved(self, one: Waiting, texts: Mapping[str, bytes]) -> bool:
        """Lay what has changed, and tell whether an engine in the body has read none of it, nor its own main file."""
        layout = self._runner.layout
        within = layout.within(one.folder)
        changed = {path: data for path, data in texts.items() if one.texts[path] != data}
        self._runner.box.put(changed, one.folder)
        read, wrote = self._record(within)
        names = {layout.inside(path) for path in changed}
        return read[layout.main_name] == 1 and names.isdisjoint(read) and names.isdisjoint(wrote)

    def _record(self, within: str) -> tuple[Counter[str], frozenset[str]]:
        """The files that an engine has read, with their number, and those that it has written so far."""
        layout, name = self._runner.layout, f"{self._runner.layout.job}.fls"
        data = self._runner.box.fetch((name,), within).get(name, b"")
        if len(data) > _LONGEST:
            return Counter({layout.main_name: 2}), frozenset()  # whatever it says, nobody shall wait for it
        told = recorded(data, layout.job)
        return Counter(told.opened), frozenset(told.written)

    def _stop(self, one: Waiting) -> None:
        self._waiting.remove(one)
        one.run.stop()
        self._runner.drop(one.folder)


def _called(name: str, job: str) -> bytes:
    """What a preamble that reads that file is sure to hold: its name without the suffix, unless that is the job's."""
    base = name.rpartition("/")[2]
    stem = base.partition(".")[0]
    return (base if stem == job else stem).encode("utf-8", "surrogateescape")


def _by_filecontents(name: str, preamble: bytes) -> bool:
    """Whether a preamble writes a file that it leaves alone when it is there (latex.ltx, filecontents)."""
    return b"{filecontents" in preamble and b"{" + name.removesuffix(".tex").encode() in preamble


def _today() -> str:
    """The day that \\today prints: TZ is UTC in every sandbox."""
    return time.strftime("%Y-%m-%d", time.gmtime())
