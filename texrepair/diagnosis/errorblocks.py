"""The errors in a TeX log: first line, further lines, context, help (tex.web section 72 ff., error and its callers)."""

from __future__ import annotations

import re

from texrepair.diagnosis.contexts import Context
from texrepair.diagnosis.found import Found
from texrepair.diagnosis.keeper import MESSAGE, Keeper
from texrepair.diagnosis.lines import text
from texrepair.diagnosis.names import clean
from texrepair.diagnosis.reader import Reader
from texrepair.diagnosis.shapes import (
    CONTINUED,
    FATAL,
    FILE,
    HELP,
    LUA,
    NUMBERED,
    OK,
    PLACED,
    PLAIN,
    STARTS,
)
from texrepair.result import Place

_FRAME = re.compile(rb"\t(?P<chunk>.+?:\d+): in ")
_LUA_FILE = re.compile(r"(?P<file>[^\[\]:]+\.lua):(?P<line>\d{1,9}): ")
_READ = re.compile(rb"\\(?:input|include)\s*\{?(?P<name>[^{}\\]+?)(?:\.tex)?\}?\s*$")
_HELP_LINES = (b"(See", b"(If", b"(That", b"(Acc", b"(int", b"(\\d", b"(Ple", b"[Wiz")
"""The help texts of TeX that begin with a bracket."""


class ErrorBlocks:
    """Takes in errors at the current line."""

    def __init__(self, reader: Reader, keeper: Keeper) -> None:
        self._reader = reader
        self._keeper = keeper
        self._waiting: Found | None = None
        """A report without a place of its own; the Emergency stop that follows has it."""

    def bang(self, line: bytes) -> bool:
        """A line that begins with an exclamation mark. False where it is no report."""
        reader, keeper = self._reader, self._keeper
        if FATAL.match(line):
            keeper.report.stopped = True
            whole, count, _ = reader.logical()
            if not keeper.report.errors:
                keeper.error(whole.lstrip(b"! "))
            reader.skip(count)
            return True
        if PLAIN.match(line):
            keeper.report.stopped = True
            whole, count, _ = reader.logical()
            keeper.error(whole[1:].lstrip())
            reader.skip(count)
            return True
        if line.startswith(b"!!!!!!!!"):
            return self._boxed()
        if not line.startswith(b"! "):
            return False
        whole, count, _ = reader.logical()
        context = reader.context(count)
        if OK.match(whole):
            reader.skip(count)
            if context is not None and not context.cut:
                self.skip_help(context, count)
            return True
        if (context is None or context.cut) and self._without_place(whole, count):
            return True
        if context is None:
            return False
        self._take(whole[2:], count, context, None, None)
        return True

    def _without_place(self, whole: bytes, count: int) -> bool:
        """``! LaTeX Error: File `x' not found.`` is a \\typeout: the Emergency stop after it knows the line."""
        for offset in range(count, count + 6):
            line = self._reader.at(offset) or b""
            if line.startswith((b"Type X to quit", b"Enter file name:")):
                self._reader.skip(offset)
                self._waiting = self._keeper.error(whole[2:])
                return True
        return False

    def placed(self, whole: bytes, count: int) -> bool:
        """`file:line: message` of -file-line-error. False where it is none."""
        if not NUMBERED.search(whole):
            return False
        placed = PLACED.match(whole)
        if placed is None or not FILE.match(placed["file"]) or STARTS.match(whole) or LUA.match(whole):
            return False
        if FATAL.match(placed["message"].lstrip()):
            self._keeper.report.stopped = True
            self._reader.skip(count)
            return True
        context = self._reader.context(count)
        if context is None:
            return False
        if OK.match(whole):
            self._reader.skip(count)
            if not context.cut:
                self.skip_help(context, count)
            return True
        self._take(placed["message"], count, context, clean(placed["file"]), int(placed["line"]))
        return True

    def _boxed(self) -> bool:
        """A message of expl3 before 2021: a box made of exclamation marks."""
        context = self._reader.context(1, boxed=True)
        if context is None or context.cut:
            return False
        parts = []
        for offset in range(1, context.start):
            part = (self._reader.at(offset) or b"").removeprefix(b"!").strip(b" !")
            if part.startswith(b"....") or HELP.match(part):
                break
            if part:
                parts.append(part)
        self._finish(b" ".join(parts), context, None, None)
        return True

    def _take(self, message: bytes, count: int, context: Context, file: str | None, line: int | None) -> None:
        """An error whose first line is `count` physical lines long and whose context is known."""
        at = self._reader.at
        parts = [message]
        offset = count
        plain = not any(HELP.match(at(i) or b"") for i in range(count, context.start))
        while offset < context.start:
            following = at(offset) or b""
            if not following and plain:
                offset += 1
                continue
            if not following or HELP.match(following):
                break
            following, used, _ = self._reader.logical(offset)
            continued = CONTINUED.match(following)
            parts.append(following[continued.end() :] if continued else following)
            offset += max(1, min(used, context.start - offset))
        joined = b" ".join(part.strip(b" \t") for part in parts if part.strip(b" \t"))
        self._finish(joined, context, file, line)

    def lua(self, whole: bytes, count: int) -> bool:
        """A Lua error: it begins with its chunk, perhaps glued to what stands before it. False where it is none."""
        at = self._reader.at
        following = at(count) or b""
        traced = following.startswith((b"stack traceback:", b"\t"))
        found = LUA.search(whole)
        if not traced and found is None:
            return False
        context = self._reader.context(count)
        if context is None or context.cut:
            return False
        offset, parts = count, []
        while offset < context.start and not (at(offset) or b"").startswith(b"stack traceback:"):
            parts.append((at(offset) or b"").strip(b"\t "))
            offset += 1
        if parts and not traced:
            return False
        frames = (_FRAME.match(at(i) or b"") for i in range(offset + 1, context.start))
        chunks = [frame["chunk"] + b": " for frame in frames if frame]
        start = next((whole.rfind(chunk) for chunk in chunks if chunk in whole), found.start() if found else 0)
        if start > 0:
            self._keeper.stack.flow(whole[:start])
        error = self._finish(b" ".join([whole[start:], *parts]), context, None, None)
        error.code = "lua-error"
        place = _LUA_FILE.match(error.message)
        if place:
            error.origin = Place(clean(place["file"].encode()), int(place["line"]))
        return True

    def runaway(self, line: bytes) -> None:
        """`Runaway argument?` and the text under it."""
        reader = self._reader
        reader.skip(1)
        whole, count, _ = reader.logical()
        placed = PLACED.match(whole)
        if not whole or whole.startswith(b"! ") or (placed and FILE.match(placed["file"])):
            # The argument was still empty.
            self._keeper.runaway = (text(line),)
            return
        reader.skip(count)
        self._keeper.runaway = (text(line), text(whole[:MESSAGE]))

    def _finish(self, message: bytes, context: Context, file: str | None, line: int | None) -> Found:
        keeper = self._keeper
        reason = self.skip_help(context, 0)
        if file is not None:
            keeper.stack.in_file(file)
        elif context.terminal:
            keeper.stack.at_terminal()
        number = context.line if line is None else line
        if number is not None:
            keeper.stack.at_line(number)
        read = _READ.search(context.before) if message.startswith(b"File ended") and keeper.stack.split else None
        if read is not None:
            keeper.stack.just_closed(clean(read["name"]))
        error = keeper.error(message, context, file, number)
        if reason:
            error.detail = {**error.detail, "reason": reason}
        if message.startswith(b"Emergency stop"):
            keeper.report.stopped = True
            if self._waiting is not None:
                keeper.same_place(self._waiting, error)
        self._waiting = None
        return error

    def skip_help(self, context: Context, passed: int) -> str:
        """Go past a context and the help under it, which ends with an empty line; returns TeX's `***` reason.

        `passed`: how many lines the position has moved since the context was found.
        """
        reader = self._reader
        reader.skip(context.end - passed)
        reason = ""
        for _ in range(0 if reader.terminal else 80):
            line = reader.at(0)
            if not line:
                break
            if not line.startswith(_HELP_LINES) and (line[:1] in (b"(", b")", b"[", b"!", b"?") or STARTS.match(line)):
                break
            if line.startswith(b"*** ") and not reason:
                reason = text(line[4:]).strip("()")
            reader.skip(1)
        return reason
