"""What reading a log gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from texrepair.result import Diagnostic

LIMIT = 10_000
"""Diagnostics that are kept of one log; what comes later is only counted."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What one log, or the last run in it, reports."""

    errors: tuple[Diagnostic, ...] = ()
    """In the order of the log."""
    warnings: tuple[Diagnostic, ...] = ()
    engine: str = ""
    """Who wrote it: pdflatex, xelatex, lualatex (or tex, pdftex …), bibtex, biber, makeindex, makeglossaries, xindy,
    xdvipdfmx; "" if that is unknown."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many of each kind (`error`, `overfull` …) the log holds, those beyond the limit included."""
    finished: bool = False
    """True where the program said that it wrote its output."""
    pages: int | None = None
    """Pages of the output; 0 where TeX said that there are none, None where it said nothing."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Errors, then warnings."""
        return self.errors + self.warnings

    @property
    def first(self) -> Diagnostic | None:
        """The first error that stands on its own, else the first error."""
        return next((d for d in self.errors if d.independent), self.errors[0] if self.errors else None)
