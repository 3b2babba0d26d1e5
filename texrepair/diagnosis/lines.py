"""The physical lines of a log, and which of them TeX itself broke.

TeX breaks what it prints after `max_print_line` units: pdfTeX counts bytes, XeTeX code points, LuaTeX bytes but never
inside a character, so that its lines may be a little shorter (tex.web section 58, print_char; texfileio.c of LuaTeX).
A line of exactly that width is not always a broken one; whoever joins must see what the next line is.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

AHEAD = 600
"""Lines that a reader may look ahead."""
LONGEST = 1 << 16
"""Bytes of a line that are kept."""

_CHUNK = 1 << 20
_KEEP = 4 * AHEAD
_SAMPLE = 4 * AHEAD
# Written past print_char and never broken: the banner and some of the statistics.
_UNBROKEN = re.compile(
    rb"This is |\*\*|.*(?:stack positions|multiletter control sequences|words of node|PDF statistics)"
)
_CONTEXT = (b" ", b"l.", b"<", b"\\")
_CARET = re.compile(rb"(?:\^\^[89a-f][0-9a-f])+")


class Lines:
    """A window over the lines of a log that moves forward only; `at(k)` is the k-th line from the current one."""

    def __init__(self, log: bytes | str | BinaryIO) -> None:
        self._chunks = _lines(log)
        self.buffer: list[bytes] = []
        self.position = 0
        self.ended = False
        self.fill()

    def fill(self) -> None:
        """Make sure that AHEAD lines are there from the current position on, or the rest of the log."""
        if self.position > _KEEP:
            del self.buffer[: self.position]
            self.position = 0
        while not self.ended and len(self.buffer) - self.position < _KEEP:
            chunk = next(self._chunks, None)
            if chunk is None:
                self.ended = True
            else:
                self.buffer += chunk

    def more(self) -> bool:
        """Is there a current line? Reads on where the window runs low."""
        if not self.ended and len(self.buffer) - self.position < AHEAD:
            self.fill()
        return self.position < len(self.buffer)

    def at(self, offset: int = 0) -> bytes | None:
        """A line ahead, or None where the log has ended or AHEAD is exceeded."""
        index = self.position + offset
        return self.buffer[index] if index < len(self.buffer) and offset < AHEAD else None

    @property
    def sample(self) -> list[bytes]:
        """The next lines, up to the next banner: enough to see how they are broken."""
        end = min(len(self.buffer), self.position + _SAMPLE)
        for index in range(self.position + 1, end):
            if self.buffer[index].startswith(b"This is "):
                end = index
                break
        return self.buffer[self.position : end]


class Widths:
    """Which lines are full, for one run of one engine."""

    def __init__(self, engine: str, sample: list[bytes]) -> None:
        self.codepoints = "xe" in engine or engine == "tectonic"
        self.lua = "lua" in engine
        self.lenient = not engine
        """The engine is not known, so the indentation of contexts proves little."""
        self.least, self.most = 79, 79
        counted = [(self.of(line), line) for line in sample if len(line) > 78 and not _UNBROKEN.match(line)]
        widest = max((width for width, _ in counted), default=79)
        # Contexts end at one column too, but that is error_line's.
        slack = 1 if self.lua else 0
        same = {line for width, line in counted if width >= widest - slack and not line.startswith(_CONTEXT)}
        if self.lua and widest <= 80:
            self.least, self.most = 77, 80
        elif widest == 80 and same:
            self.least = self.most = 80
        elif widest > 80:
            # Either nothing was broken, or max_print_line is larger: then several different lines end at that column.
            cut = sum(not line.endswith((b".", b"!", b")", b">")) for line in same)
            self.least = self.most = widest if len(same) > 2 and cut * 2 > len(same) else LONGEST + 1
            self.least -= 3 * slack

        elif not counted:
            self._narrow(sample)

    def _narrow(self, sample: list[bytes]) -> None:
        """Where no line is as long as usual, max_print_line may be smaller: then many lines end at one column."""
        lines = {line for line in sample if 40 < len(line) < 79 and not line.startswith(_CONTEXT)}
        widest = max(map(self.of, lines), default=0)
        same = [line for line in lines if self.of(line) == widest]
        if len(same) > 4 and sum(not line.endswith((b".", b"!", b")", b">")) for line in same) * 2 > len(same):
            self.least = self.most = widest

    def of(self, line: bytes) -> int:
        """The width in the engine's own units."""
        return len(line.decode("utf-8", "replace")) if self.codepoints and not line.isascii() else len(line)

    def full(self, line: bytes, following: bytes | None) -> bool:
        """Might TeX have broken the line at its end? `following` is the next line."""
        if len(line) < self.least:
            return False
        width = self.of(line)
        if width > self.most:
            if not _UNBROKEN.match(line) and width > self.most + 2:
                self.least = self.most = LONGEST + 1
            return False
        if not self.lua or width >= self.most - 1:
            return width >= self.least
        # LuaTeX breaks before a character of several bytes that would not fit.
        return following is not None and len(following) > 0 and following[0] >= 0xC0


def text(raw: bytes) -> str:
    """What a person reads: UTF-8, or Latin-1 where the bytes hold no UTF-8 at all; TeX's ^^e9 for a byte is undone."""
    if b"^^" in raw:
        raw = _CARET.sub(lambda found: bytes.fromhex(found[0].replace(b"^^", b"").decode("ascii")), raw)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        kept = raw.decode("utf-8", "ignore")
        return raw.decode("utf-8", "replace") if not kept.isascii() else raw.decode("cp1252", "replace")


def _lines(log: bytes | str | BinaryIO) -> Iterator[list[bytes]]:
    """The log's lines in chunks, without line ends, none longer than LONGEST."""
    rest = b""
    for data in _blocks(log):
        parts = (rest + data).split(b"\n")
        rest = parts.pop()[: LONGEST + 1]
        yield [_cut(part) for part in parts]
    if rest:
        yield [_cut(rest)]


def _cut(line: bytes) -> bytes:
    return (line[:-1] if line.endswith(b"\r") else line)[:LONGEST]


def _blocks(log: bytes | str | BinaryIO) -> Iterator[bytes]:
    if isinstance(log, str):
        log = log.encode("utf-8", "surrogateescape" if _only_escapes(log) else "surrogatepass")
    if isinstance(log, bytes):
        starts = range(0, len(log), _CHUNK)
        blocks: Iterator[bytes] = (log[start : start + _CHUNK] for start in starts)
    else:
        blocks = iter(lambda: log.read(_CHUNK), b"")
    first = next(blocks, b"")
    if first[:2] in (b"\xff\xfe", b"\xfe\xff"):
        codec = "utf-16-le" if first[0] == 0xFF else "utf-16-be"
        yield from _from_utf16(first[2:], blocks, codec)
        return
    yield first.removeprefix(b"\xef\xbb\xbf")
    yield from blocks


def _from_utf16(first: bytes, blocks: Iterator[bytes], codec: str) -> Iterator[bytes]:
    """PowerShell writes what it redirects as UTF-16."""
    decoder = codecs.getincrementaldecoder(codec)("replace")
    for block in chain((first,), blocks):
        yield decoder.decode(block).encode("utf-8", "replace")


def _only_escapes(log: str) -> bool:
    """Are all surrogates in the text escaped bytes, as surrogateescape makes them?"""
    return not re.search("[\ud800-\udc7f\udd00-\udfff]", log)
