"""The lines of a TeX log as TeX meant them: broken lines joined, and the contexts of errors found."""

from __future__ import annotations

import re

from texrepair.diagnosis import contexts
from texrepair.diagnosis.contexts import Context
from texrepair.diagnosis.lines import Lines, Widths
from texrepair.diagnosis.names import STRONG, FileNames
from texrepair.diagnosis.shapes import CONTINUED, FATAL, FILE, NUMBERED, PLACED, PLAIN, STARTS

_MOST = 1 << 17
_CLOSES = re.compile(rb"\)[ )]*(?:$|\(|\[\d)")
_TERMINAL = re.compile(rb"This is .*format=[^()]*\)$")
"""In a log the date follows (tex.web section 536)."""


def _whole(first: bytes, parts: list[bytes]) -> bool:
    """Has a message that TeX ends with its line no parenthesis open? Then one that follows closes a file."""
    if not STARTS.match(first):
        return False
    return sum(part.count(b"(") - part.count(b")") for part in parts) <= 0


class Reader:
    """A position in one run's log. Offsets count physical lines from there."""

    def __init__(self, lines: Lines, engine: str, names: FileNames) -> None:
        self.lines = lines
        self.at = lines.at
        self.widths = Widths(engine, lines.sample)
        self.terminal = bool(_TERMINAL.match(lines.at() or b""))
        """This is what an engine printed on the terminal, where no help stands under an error."""
        self._names = names
        self._trimmed = not any(line.endswith(b" ") for line in lines.sample)

    def skip(self, count: int) -> None:
        """Go on by so many physical lines."""
        self.lines.position += count

    def logical(self, offset: int = 0) -> tuple[bytes, int, list[int]]:
        """The line as it was before TeX broke it, how many physical lines that is, and where they were joined.

        A full line is joined with the next only if nothing known begins there.
        """
        line = self.at(offset) or b""
        widths = self.widths
        if len(line) < widths.least - 2 or not widths.full(line, self.at(offset + 1)):
            return line, 1, []
        joins: list[int] = []
        parts, size, count, last = [line], len(line), 1, line
        while size < _MOST:
            following = self.at(offset + count)
            if following is None or not widths.full(last, following):
                break
            if following == b"":
                # The text ended at the very edge: this is its own line end.
                count += 1
                break
            if self._starts(offset + count):
                break
            if _CLOSES.match(following) and _whole(line, parts):
                after = self.at(offset + count + 1)
                if not (after and CONTINUED.match(after)):
                    break
            joins.append(size)
            parts.append(following)
            size += len(following)
            count += 1
            last = following
        return b"".join(parts), count, joins

    def _starts(self, offset: int) -> bool:
        """Does a message begin with this line, so that the full line before it is not continued?"""
        line = self.at(offset) or b""
        if STARTS.match(line):
            return True
        if line.startswith(b"!"):
            return bool(FATAL.match(line) or PLAIN.match(line)) or self.context(offset + 1) is not None
        joined, end = line, offset + 1
        while end < offset + 5 and self.widths.full(self.at(end - 1) or b"", self.at(end)):
            joined += self.at(end) or b""
            end += 1
        placed = PLACED.match(joined) if NUMBERED.search(joined) else None
        if placed is None or not FILE.match(placed["file"]):
            return False
        # `.tex:2: Undefined` is the rest of a name, where this log writes names with their folder.
        if not self._names.relative and not STRONG.match(joined):
            return False
        return self.context(end) is not None

    def context(self, offset: int, boxed: bool = False) -> Context | None:
        """The context of the error whose first line ends before `offset`; None where that line is no error."""
        return contexts.find(self.at, offset, self.widths, self._trimmed, boxed)

    def context_here(self) -> Context | None:
        """The context that begins with the current line, if one does."""
        if not contexts.starts(self.at(0)):
            return None
        return contexts.read(self.at, 0, self.widths, self._trimmed)
