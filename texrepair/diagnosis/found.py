"""A diagnostic while its log is still being read: its file may not be certain yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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


def merged(found: list[Found]) -> list[Found]:
    """The same message at the same place once, however often it was printed."""
    seen: set[tuple[object, ...]] = set()
    out = []
    for one in found:
        key = (one.severity, one.kind, one.file, one.line, one.message.casefold(), one.key)
        if key not in seen:
            seen.add(key)
            out.append(one)
    return out
