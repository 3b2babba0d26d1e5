"""File names as TeX prints them: not quoted (TeX Live), with nothing behind them that says where they end."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from texrepair.diagnosis.lines import text

_KNOWN = (
    rb"(?i:tex|ltx|sty|cls|clo|def|cfg|fd|aux|toc|lo[a-z]|out|bbl|ind|gls|acr|nls|bst|nav|snm|vrb|ldf|enc|map|tikz|pgf|"
    rb"mkii|mkiv|mkxl|lco|[bcdl]bx|dtx|ins|fdd|hyp|lua|csv|dat|txt|trsl|code|minted|pyg\w*|latex|inc|ent|mld|mlf|glo|"
    rb"idx|pdf_tex|pdf_t|eps_tex|pstex_t|w18|soc|thm|xwm|brf|4ht|tmp|dict|ist|ldb|fmt|ini|tec|tcp|md)"
)
STRONG = re.compile(rb"\.{1,2}/|/|~/|[A-Za-z]:[\\/]")
_ENDING = re.compile(rb"\." + _KNOWN + rb"(?![\w.-])|\." + _KNOWN + rb"(?=\.(?:\s|\)|$))")
_ANY_ENDING = re.compile(rb"\.[A-Za-z]\w{0,9}(?![\w.-])")
_WORD = re.compile(rb"[^\s()<>\[\]{}]+")
_SPLIT = re.compile(rb" ?\((?:\.{1,2}/|/|[A-Z]:[\\/])")
_TEXT = re.compile(rb"[\s(){}<>\[\]=,;]")
"""What hardly stands in a name that is printed without a folder."""
_AFTER = (b"", b" ", b")", b"(", b"[", b"{", b"<")
_NO_TEXT = re.compile(rb"[ )]*(?:$|\(|\[\d)")
_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class FileName:
    """A file name in a line."""

    name: str
    end: int
    """Offset behind it."""
    doubt: float | None
    """Cost of taking it for mere text; None where there is no doubt."""


class FileNames:
    """Finds file names, with the names that are known from elsewhere as evidence."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known: dict[bytes, str] = {}
        for name in known:
            self.learn(name)
        self.relative = False
        """True where this log names its main file without `./` (MiKTeX, Tectonic)."""
        self._first = True

    def learn(self, name: str) -> None:
        """A file of this name exists."""
        if len(self._known) < 10_000:
            self._known[name.encode("utf-8", "surrogateescape")] = name

    def at(self, line: bytes, start: int, joins: frozenset[int] = frozenset()) -> FileName | None:
        """The file name that begins at this offset, just behind a `(`; None where there is none."""
        if line[start : start + 1] == b'"':
            end = line.find(b'"', start + 1)
            return FileName(clean(line[start + 1 : end]), end + 1, 7.0) if end > start + 1 else None
        strong = STRONG.match(line, start)
        if self._first:
            self.relative, self._first = strong is None, False
        rest = line[start : start + _LONGEST]
        found = self._by_evidence(rest)
        if found:
            return FileName(clean(rest[:found]), start + found, None)
        stop = _SPLIT.search(rest, 1)
        if stop:
            rest = rest[: stop.start()]
        ends = {offset - start for offset in joins if start < offset <= start + len(rest)}
        length = _ends_at(rest, _ENDING, ends)
        if strong is None:
            if not length or _TEXT.search(rest[:length]):
                return None
            return FileName(clean(rest[:length]), start + length, 3.0 if self.relative else 0.6)
        if not length:
            length = _ends_at(rest, _ANY_ENDING, ends)
        if not length:
            word = _WORD.match(rest)
            length = word.end() if word else 0
        if not length:
            return None
        # A name that fills its line is a file; one in running text may be part of that.
        alone = _NO_TEXT.match(line, start + length, start + length + 100)
        return FileName(clean(rest[:length]), start + length, 7.0 if alone else 3.0)

    def _by_evidence(self, rest: bytes) -> int:
        """Length of the longest known name that stands here."""
        if not self._known or (b" " not in rest and b"(" not in rest):
            return 0
        dot = 2 if rest.startswith(b"./") else 0
        ends = (dot + len(name) for name in self._known if rest.startswith(name, dot))
        return max((end for end in ends if rest[end : end + 1] in _AFTER), default=0)


def _ends_at(rest: bytes, ending: re.Pattern[bytes], joins: set[int]) -> int:
    """The length up to the first ending at which the parentheses before it are balanced; 0 where there is none."""
    fallback = 0
    for found in ending.finditer(rest):
        before = rest[: found.end()]
        depth = low = 0
        for byte in before:
            if byte == 40:
                depth += 1
            elif byte == 41:
                depth -= 1
                low = min(low, depth)
        if low < 0:
            # The closing parenthesis belongs to the name only if what stands before it is no whole name.
            if not fallback and not _ANY_ENDING.search(before[: before.index(b")")]):
                fallback = found.end()
            break
        if depth == 0:
            return found.end()
        if not fallback:
            fallback = found.end()
    if fallback:
        return fallback
    for join in sorted(joins):
        cut = ending.search(rest[:join])
        if cut and cut.end() == join:
            return join
    return 0


def recorded(recorder: bytes | str) -> tuple[str, ...]:
    """The files that a run read, by its recorder file (.fls), as the log names them."""
    data = recorder if isinstance(recorder, bytes) else recorder.encode("utf-8", "surrogateescape")
    names: dict[str, None] = {}
    folder = b""
    for line in data.splitlines():
        kind, _, name = line.partition(b" ")
        if kind == b"PWD":
            folder = name.rstrip(b"/") + b"/"
        elif kind == b"INPUT" and name:
            names[clean(name.removeprefix(folder) if folder else name)] = None
    return tuple(names)


@lru_cache(maxsize=4096)
def clean(name: bytes) -> str:
    """The name as text, relative to the folder: without quotes and `./`."""
    shown = text(name).replace('"', "").replace("\\", "/").strip()
    return posixpath.normpath(shown) if shown else shown
