"""Keeps what one TeX run reports, and finds the file of each report once that is certain."""

from __future__ import annotations

from texrepair.diagnosis import contexts
from texrepair.diagnosis.causes import causes, classified
from texrepair.diagnosis.contexts import Context
from texrepair.diagnosis.found import Found, Report
from texrepair.diagnosis.lines import text
from texrepair.diagnosis.stack import Stack

MESSAGE = 4000
"""Bytes of a message that are kept."""


class Keeper:
    """The run's report and its stack of files."""

    def __init__(self, report: Report, stack: Stack) -> None:
        self.report = report
        self.stack = stack
        self.runaway: tuple[str, ...] = ()
        """The text of a Runaway that belongs to the next error."""
        self._unplaced: list[Found] = []

    def error(
        self, message: bytes, context: Context | None = None, file: str | None = None, line: int | None = None
    ) -> Found:
        """Keep an error; without a file it stands in the one that TeX reads now."""
        runaway, self.runaway = self.runaway, ()
        if not self.report.room("error"):
            return Found("error", "error", "", file=file, line=line)
        shown = " ".join(text(message[:MESSAGE]).split()).removesuffix(".").rstrip()
        cause = classified(shown)
        token = cause.token
        before = after = ""
        levels: tuple[str, ...] = ()
        if context is not None and not context.cut:
            before, after = contexts.halves(context)
            levels = contexts.levels(context)
            if token is None and cause.code == "undefined-control-sequence":
                token = contexts.last_token(context)
        code = cause.code
        if code == "file-not-found" and "\\includegraphics" in before:
            code = "image-not-found"
        found = Found(
            "error", "error", shown, code, file, line, token, before, after, runaway + levels,
            explanation=causes()[code].explanation, detail=cause.detail,
        )  # fmt: skip
        self._add(found)
        return found

    def warn(self, found: Found) -> None:
        """Keep a warning of the file that TeX reads now."""
        self._add(found)

    def _add(self, found: Found) -> None:
        certain = found.file is not None or not self.stack.split
        if found.file is None and certain:
            found.file = self.stack.current()
        if self.report.add(found, certain) and not certain:
            self.place_later(found)

    def place_later(self, found: Found) -> None:
        """Its file is the one that is on top here, as soon as it is certain which that is."""
        self._unplaced.append(found)
        self.stack.place()

    def same_place(self, found: Found, as_of: Found) -> None:
        """A report without a place of its own stands where the other one does."""
        found.file, found.line = as_of.file, as_of.line
        if any(one is as_of for one in self._unplaced):
            self.place_later(found)

    def settle(self, at_end: bool = False) -> None:
        """Give files to what waits for them, if the readings of the stack agree or the run has ended."""
        if self._unplaced and (at_end or not self.stack.split):
            for found, file in zip(self._unplaced, self.stack.placed(), strict=True):
                found.file = file
            self._unplaced = []
