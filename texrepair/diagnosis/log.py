"""The logs of TeX engines, in any form: broken at any width or not at all, with or without `file:line:`, cut off.

One pass over the lines. What is known is taken in whole, so that its parentheses mean nothing; only the rest may open
and close files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from texrepair.diagnosis.causes import causes
from texrepair.diagnosis.driver import MESSAGE as DRIVER
from texrepair.diagnosis.driver import driver_message
from texrepair.diagnosis.errorblocks import ErrorBlocks
from texrepair.diagnosis.found import Found, Report
from texrepair.diagnosis.keeper import MESSAGE, Keeper
from texrepair.diagnosis.lines import Lines, text
from texrepair.diagnosis.names import FileNames
from texrepair.diagnosis.notices import box, missing, warning
from texrepair.diagnosis.programs import begins, engine_of
from texrepair.diagnosis.reader import Reader
from texrepair.diagnosis.shapes import (
    ALLOCATED,
    BOX,
    CONTINUED,
    DRIVER_FAILED,
    ENDED,
    ENGINE_WARNING,
    FATAL,
    INFO,
    LOOSE,
    MISSING,
    NO_FORMAT,
    NUMBERED,
    REPLACED,
    RUNAWAY,
    STARTS,
    TRACE,
    WARNING,
)
from texrepair.diagnosis.stack import Stack

_AT_LINE = re.compile(rb" on input line (\d{1,9})\.?$")
_PAGES = re.compile(rb"\((\d{1,9}) pages?")
_BOX_LINE = (b".", b"\\hbox(", b"\\vbox(", b"\\glue", b"\\penalty", b"\\rule(", b"\\kern")


def read_tex(lines: Lines, known: Iterable[str] = (), line_counts: Mapping[str, int] | None = None) -> Report:
    """What one run of an engine reports, up to the end of the log or the next program's banner.

    `known` are names of files that exist, `line_counts` their lengths; they make the stack of files surer.
    """
    return _Run(lines, known, line_counts or {}).read()


class _Run:
    def __init__(self, lines: Lines, known: Iterable[str], line_counts: Mapping[str, int]) -> None:
        engine = engine_of(lines.at() or b"") or ""
        names = FileNames(known)
        self._lines = lines
        self._report = Report(engine)
        self._reader = Reader(lines, engine, names)
        self._stack = Stack(names, line_counts)
        self._keeper = Keeper(self._report, self._stack)
        self._errors = ErrorBlocks(self._reader, self._keeper)
        self._over = False
        """The statistics at the end have begun: no file is opened or closed any more."""
        self._column = 0
        """Where the terminal's line stands; infos go to the log alone and leave it where it is."""
        self._adjacent = False
        """The line before ended with a file or a page, behind which TeX begins no line of itself."""

    def read(self) -> Report:
        lines = self._lines
        if self._report.engine:
            lines.position += 1
        while lines.more():
            line = lines.buffer[lines.position]
            if not line:
                lines.position += 1
                self._adjacent = False
            elif line[0] in b"TmI[" and begins(line):
                break
            else:
                if line.startswith((b"? ! ", b"? (", b"? )")):
                    # What follows the prompt of an interactive run, whose answer was not echoed.
                    line = lines.buffer[lines.position] = line[2:]
                self._line(line)
        if not self._report.stopped:
            self._stack.finish()
        self._keeper.settle(at_end=True)
        return self._report

    def _line(self, line: bytes) -> None:
        """Take in what begins with the current line."""
        column, self._column = self._column, 0
        adjacent, self._adjacent = self._adjacent, False
        first = line[0]
        if first == 33 and self._errors.bang(line):  # !
            return
        if line.startswith((b"Overfull", b"Underfull", b"Loose", b"Tight")) and self._box():
            return
        if first == 82 and RUNAWAY.match(line):  # R
            self._errors.runaway(line)
            return
        if first == 62 and self._shown(line):  # >
            return
        whole, count, joins = self._reader.logical()
        if NUMBERED.search(whole) and (self._errors.placed(whole, count) or self._errors.lua(whole, count)):
            return
        if (self._reader.at(count) or b"").startswith(b"stack traceback:") and self._errors.lua(whole, count):
            return
        self._reader.skip(count)
        if self._known(whole, first):
            if INFO.match(whole) or ALLOCATED.match(whole):
                self._column = column
            return
        if not self._over and (b"(" in whole or b")" in whole):
            if self._stack.flow(whole, joins, column if adjacent else None) and count == len(joins) + 1:
                self._adjacent = True
                self._column = len(whole) - (joins[-1] if joins else 0) + (0 if first == 40 else column)
            self._keeper.settle()

    def _known(self, whole: bytes, first: int) -> bool:
        """A message that is known, its first line already passed. True where it was taken in."""
        if first == 92:  # \
            return bool(ALLOCATED.match(whole) or TRACE.match(whole))
        if first in b"{#@~":
            return bool(TRACE.match(whole))
        if first in b"LPCMDFS" and self._message(whole):
            return True
        if first == 40:  # (
            return self._group(whole)
        return self._rare(whole)

    def _message(self, whole: bytes) -> bool:
        if whole.startswith(b"Missing character: ") and (found := MISSING.match(whole)):
            for _ in range(4):
                following = self._reader.at(0)
                if whole.endswith(b"!") or not following or STARTS.match(following):
                    break
                whole += following
                self._reader.skip(1)
            self._keeper.warn(missing(found, whole))
            return True
        warned = WARNING.match(whole)
        if warned:
            self._warning(warned, whole)
            return True
        if INFO.match(whole):
            while (line := self._reader.at(0)) and CONTINUED.match(line):
                whole, count, _ = self._reader.logical()
                self._reader.skip(count)
            place = _AT_LINE.search(whole, max(0, len(whole) - 40))
            if place:
                self._stack.at_line(int(place[1]))
            return True
        return False

    def _warning(self, match: re.Match[bytes], whole: bytes) -> None:
        """A warning of LaTeX, a package or a class, which ends with an empty line or a full stop."""
        parts = [whole[match.end() :]]
        while len(parts) < 60 and (following := self._reader.at(0)):
            continued = CONTINUED.match(following)
            if continued is None and (
                parts[-1].endswith((b".", b"!"))
                or following[:1] in (b"(", b")", b"[", b"!")
                or len(parts) > 12
                or STARTS.match(following)
            ):
                break
            joined, count, _ = self._reader.logical()
            parts.append(joined[continued.end() :] if continued else joined)
            self._reader.skip(count)
        message = " ".join(text(b" ".join(parts)[:MESSAGE]).split())
        found = warning(text(match["who"]), text(match["name"] or b""), message)
        if found.line is not None:
            self._stack.at_line(found.line)
        self._keeper.warn(found)

    def _group(self, whole: bytes) -> bool:
        """TeX's notes at the end: `(\\end occurred inside a group at level 1)`, `(That makes 100 errors…)`."""
        if whole.startswith(b"(\\end occurred "):
            code = "end-inside-group" if b"inside a group" in whole else "incomplete-conditional"
            self._keeper.warn(Found("warning", "other", text(whole).strip("()"), code))
            return True
        return whole.startswith((b"(That makes 100 errors", b"(see the transcript file"))

    def _rare(self, whole: bytes) -> bool:
        if ENDED.match(whole):
            self._end(whole)
        elif ENGINE_WARNING.match(whole):
            self._engine_warning(whole)
        elif replaced := REPLACED.match(whole):
            line = int(replaced[1])
            self._stack.at_line(line)
            self._keeper.warn(Found("warning", "other", text(whole).rstrip("."), "invalid-character", line=line))
        elif DRIVER.match(whole):
            found = driver_message(whole)
            if found is not None:
                self._report.add(found)
        elif DRIVER_FAILED.match(whole):
            following = self._reader.at(0) or b""
            if following.startswith(b"file "):
                self._reader.skip(1)
                whole += b" " + following
            failed = self._keeper.error(whole)
            failed.tool, failed.code = "driver", "driver-error"
            failed.explanation = causes()["driver-error"].explanation
        elif FATAL.match(whole):
            self._report.stopped = True
        elif NO_FORMAT.match(whole):
            self._keeper.error(whole)
        else:
            return whole.startswith((b"### ", b"**", b"No file "))
        return True

    def _engine_warning(self, whole: bytes) -> None:
        if whole.endswith(b"no pages of output."):
            self._report.pages = 0
            return
        context = self._reader.context_here()
        if context is not None:
            self._reader.skip(context.end)
        line = context.line if context else None
        self._keeper.warn(Found("warning", "other", text(whole[:MESSAGE]).rstrip("."), "engine-warning", line=line))

    def _end(self, whole: bytes) -> None:
        self._over = True
        report = self._report
        if whole.startswith(b"Output written on "):
            report.finished = True
            pages = _PAGES.search(whole)
            report.pages = int(pages[1]) if pages else None
        elif whole.startswith(b"No pages"):
            report.pages = 0

    def _box(self) -> bool:
        """An over- or underfull box and its picture."""
        whole, count, _ = self._reader.logical()
        found = BOX.match(whole)
        if found is None and not LOOSE.match(whole):
            return False
        self._reader.skip(count)
        if found is not None:
            last = found["last"] or found["line"]
            if last:
                self._stack.at_line(int(last))
            if self._report.room("overfull" if found["how"] == b"Over" else "underfull"):
                self._keeper.warn(box(found))
        if not whole.endswith(b" []"):
            self._skip_dump(b"vbox" in whole[:16])
        return True

    def _skip_dump(self, vertical: bool) -> None:
        """The picture of the box: one long line of text, then (in a log) the box itself, most often a bare ` []`."""
        reader = self._reader
        for offset in range(200):
            line = reader.at(offset)
            if not line:
                if line is not None and reader.at(offset + 1) == b" []":
                    continue
                break
            if line in (b" []", b" [] "):
                offset += 1
                while reader.at(offset) == b" []":
                    offset += 1
                reader.skip(offset)
                return
            if offset > 2 and STARTS.match(line):
                break
        # No end in sight (a terminal's output, or \showboxdepth): the text alone, then the lines of a box.
        line = reader.at(0)
        if line and not vertical and not STARTS.match(line):
            reader.skip(reader.logical()[1])
        while (line := reader.at(0)) and line.startswith(_BOX_LINE):
            reader.skip(1)

    def _shown(self, line: bytes) -> bool:
        """What \\show and its kin print; their context is no error's."""
        lines = self._lines
        if line.startswith(b"> \\box"):
            lines.position += 1
            while lines.more():
                line = lines.at() or b""
                if line.startswith((b"! ", b"> ", b"This is ")) or NUMBERED.search(line):
                    break
                lines.position += 1
            return True
        context = self._reader.context(1)
        if context is None or context.cut:
            return False
        self._errors.skip_help(context, 0)
        return True
