"""When a compile is done: passes until what a pass wrote is what it read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from texrepair.compile import verdict
from texrepair.compile.recorder import Recorded
from texrepair.result import Diagnostic, Pass
from texrepair.sandboxes import Ran

_NEVER_READ = tuple(
    ".log .fls .pdf .xdv .dvi .gz .idx .glo .acn .slo .nlo .bcf .xml .blg .ilg .glg .alg .ist .snm".split()
)
"""Suffixes of what TeX writes for other programs and never reads."""

_LABEL = re.compile(r"^\\newlabel\{([^{}]*)\}(.*)", re.M)

_IGNORED = ".run.xml"
"""The suffix of what biblatex compares with its own new words, and never typesets (logreq)."""

_NOTHING_IN_AUX = re.compile(rb"(?:\\relax\s*|\\gdef\s*\\@abspage@last\{\d+\}\s*)*\Z")
"""What LaTeX writes into every .aux file: as good as no file."""

_FOR_A_LIST = re.compile(rb"^\\@writefile\{(toc|lof|lot)\}\{.*\}\r?\n", re.M)
"""What \\tableofcontents and the like would read. Without them \\@writefile does nothing (latex.ltx)."""


@dataclass(frozen=True)
class EnginePass:
    """One pass of an engine and what it left."""

    folder: str
    """Where it ran, in the box."""
    ran: Ran
    log: bytes
    recorded: Recorded
    before: Mapping[str, bytes]
    """The generated files that it found."""
    written: Mapping[str, bytes]
    """What it wrote, the log and the pages apart."""
    diagnostics: tuple[Diagnostic, ...] = ()
    passes: tuple[Pass, ...] = ()
    objections: tuple[str, ...] = ()
    pdf: bytes | None = None
    """The PDF that was made of it."""
    guessed: frozenset[str] = frozenset()
    """The names of the generated files that it found and no pass had written."""

    @property
    def clean(self) -> bool:
        """It ended by itself with status 0 and reported no error."""
        return self.ran.ok and not any(d.is_error for d in self.diagnostics)

    @property
    def kept(self) -> dict[str, bytes]:
        """The generated files that it read and did not write anew: filecontents leaves alone what is there."""
        kept = set(self.recorded.read) - self.guessed
        return {name: data for name, data in self.before.items() if name in kept}

    def with_tool(self, run: ToolRun) -> EnginePass:
        """This pass with what a tool reported after it."""
        passes = self.passes if run.passed is None else (*self.passes, run.passed)
        return replace(self, diagnostics=(*self.diagnostics, *run.diagnostics), passes=passes)

    def following(self, earlier: EnginePass) -> EnginePass:
        """This pass as the next one: the engine's own messages are new, those of tools still hold."""
        kept = tuple(d for d in earlier.diagnostics if d.tool != "tex")
        return replace(self, diagnostics=(*self.diagnostics, *kept), passes=earlier.passes + self.passes)


@dataclass(frozen=True)
class ToolRun:
    """One run of another program and what it left."""

    passed: Pass | None
    """None where nothing had to run."""
    diagnostics: tuple[Diagnostic, ...] = ()
    made: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        return any(d.is_error for d in self.diagnostics)


def late(program: str) -> EnginePass:
    """A pass that was not begun since the time had ended."""
    ran = Ran(None, stopped_for="time")
    passed = (verdict.late_pass(program),)
    return EnginePass("", ran, b"", Recorded(), {}, {}, (verdict.late(program),), passed)


def late_tool(program: str) -> ToolRun:
    """A run that was not begun since the time had ended."""
    return ToolRun(verdict.late_pass(program), (verdict.late(program),))


def changed(done: EnginePass, now: Mapping[str, bytes]) -> tuple[str, ...]:
    """The generated files that another pass would read differently, sorted. None: the output is stable."""
    lists = frozenset(name.rpartition(".")[2].encode("utf-8", "replace") for name in done.recorded.written)
    return tuple(
        sorted(
            name
            for name in {*done.before, *now}
            if _matters(name, done) and _content(name, done.before, lists) != _content(name, now, lists)
        )
    )


def unsettled(done: EnginePass, now: Mapping[str, bytes], again: tuple[str, ...]) -> str:
    """The objection to a document whose passes go in a circle, with the labels that change."""
    labels = sorted({label for label, _ in _labels(done.before) ^ _labels(now)})
    which = f" (label {', '.join(labels)})" if labels else ""
    return f"The output never settles: every pass changes {', '.join(again)}{which} again."


def _labels(files: Mapping[str, bytes]) -> set[tuple[str, str]]:
    texts = (data.decode("utf-8", "replace") for name, data in files.items() if name.endswith(".aux"))
    return {(found[1], found[2]) for text in texts for found in _LABEL.finditer(text)}


def _matters(name: str, done: EnginePass) -> bool:
    """Whether the next pass may read that file: this one did, or could not since it was not there."""
    if name.endswith(_IGNORED):
        return False
    return name in done.recorded.read or (name not in done.before and not name.endswith(_NEVER_READ))


def _content(name: str, files: Mapping[str, bytes], lists: frozenset[bytes]) -> bytes:
    """What the next pass finds in a file; `lists` are the suffixes of the files that were written."""
    data = files.get(name, b"")
    if not name.endswith(".aux"):
        return data
    rest = _FOR_A_LIST.sub(lambda line: line[0] if line[1] in lists else b"", data)
    return b"" if _NOTHING_IN_AUX.match(rest) else data
