"""When a compile is done: passes until what a pass wrote is what it read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

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
    objections: tuple[str, ...] = field(default=())

    @property
    def clean(self) -> bool:
        """It ended by itself with status 0 and reported no error."""
        return self.ran.ok and not any(d.is_error for d in self.diagnostics)


def changed(done: EnginePass, now: Mapping[str, bytes]) -> tuple[str, ...]:
    """The generated files that another pass would read differently, sorted. None: the output is stable."""
    return tuple(
        sorted(
            name
            for name in {*done.before, *now}
            if _matters(name, done) and _content(name, done.before) != _content(name, now)
        )
    )


def flipping(done: EnginePass, now: Mapping[str, bytes]) -> tuple[str, ...]:
    """The labels that a pass gave another value than it read, sorted."""
    read, wrote = (_labels(files) for files in (done.before, now))
    return tuple(sorted({label for label, _ in read ^ wrote}))


def _labels(files: Mapping[str, bytes]) -> set[tuple[str, str]]:
    texts = (data.decode("utf-8", "replace") for name, data in files.items() if name.endswith(".aux"))
    return {(found[1], found[2]) for text in texts for found in _LABEL.finditer(text)}


def _matters(name: str, done: EnginePass) -> bool:
    """Whether the next pass may read that file: this one did, or could not since it was not there."""
    if name.endswith(_IGNORED):
        return False
    return name in done.recorded.read or (name not in done.before and not name.endswith(_NEVER_READ))


def _content(name: str, files: Mapping[str, bytes]) -> bytes:
    data = files.get(name, b"")
    return b"" if name.endswith(".aux") and _NOTHING_IN_AUX.match(data) else data
