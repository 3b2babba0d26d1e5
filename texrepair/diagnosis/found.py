"""A diagnostic while its log is still being read: its file may not be certain yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from texrepair.diagnosis.model import LIMIT
from texrepair.result import Diagnostic, Place, Severity, Tool


@dataclass(slots=True)
class Found:
    """The fields of a Diagnostic, still open to change."""

    severity: Severity
    kind: str
    message: str
    code: str = ""
    file: str | None = None
    line: int | None = None
    token: str | None = None
    before: str = ""
    after: str = ""
    context: tuple[str, ...] = ()
    tool: Tool = "tex"
    origin: Place | None = None
    key: str | None = None
    independent: bool = True
    explanation: str = ""
    detail: Mapping[str, str | int | float] = field(default_factory=dict)

    def diagnostic(self) -> Diagnostic:
        """The finished diagnostic."""
        return Diagnostic(
            self.severity,
            self.kind,
            self.message,
            self.code or self.kind,
            self.file,
            self.line,
            self.token,
            self.before,
            self.after,
            self.context,
            self.tool,
            self.origin,
            self.key,
            self.independent,
            self.explanation,
            self.detail,
        )


class Report:
    """What one run of one program reports, while it is read."""

    def __init__(self, engine: str = "") -> None:
        self.engine = engine
        self.errors: list[Found] = []
        self.warnings: list[Found] = []
        self.counts: Counter[str] = Counter()
        self.finished = False
        """The program said that it wrote its output."""
        self.stopped = False
        """A fatal error ended the run."""
        self.pages: int | None = None
        self._seen: set[tuple[object, ...]] = set()

    def room(self, kind: str) -> bool:
        """Is there room for one more of this kind? Where there is none it is counted at once."""
        if len(self.errors) < LIMIT and (kind == "error" or len(self.errors) + len(self.warnings) < LIMIT):
            return True
        self.counts[kind] += 1
        return False

    def add(self, found: Found, certain: bool = True) -> bool:
        """Count it, and keep it where it is new and there is room; an error takes the place of the last warning.

        `certain`: its file is known already, so that it can be told whether it is new.
        """
        self.counts[found.kind] += 1
        key = (found.kind, found.file, found.line, found.message, found.key, found.token)
        if certain and key in self._seen:
            self.counts[found.kind] -= 1
            return False
        if len(self.errors) + len(self.warnings) >= LIMIT:
            if found.severity != "error" or not self.warnings:
                return False
            self.warnings.pop()
        if certain:
            self._seen.add(key)
        (self.errors if found.severity == "error" else self.warnings).append(found)
        return True


def merged(found: list[Found]) -> list[Found]:
    """The same message at the same place once, however often it was printed."""
    seen: set[tuple[object, ...]] = set()
    out = []
    for one in found:
        key = (one.kind, one.file, one.line, one.message.casefold(), one.key, one.token)
        if key not in seen:
            seen.add(key)
            out.append(one)
    return out
