"""The context under an error: pairs of lines, broken where TeX had read to, down to `l.N` (tex.web section 311 ff.).

The second line of a pair begins under the place where the first one ends. In LuaTeX it is indented less: what stands
before the text (`<argument> `, the digits of `l.12 `) is not counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from texrepair.diagnosis.lines import Widths, text

At = Callable[[int], bytes | None]

_BOTTOM = re.compile(rb"(?:l\.(?P<line>\d{1,9})|<\*>|<read [^<>]{1,6}>|<insert>)(?: |$)")
# A macro's name has no backslash where \escapechar is negative. That the second line fits decides in the end.
_LEVEL = re.compile(
    rb"<(?:XeTeXinterchartoks|end_local|[a-z][a-z ]{2,20})>(?: |$)| \.\.\.(?: |$)|[^\s(].{0,300}?(?:->|\.\.\.)", re.S
)
_OMITTED = b"..."
# What cannot stand between an error's first line and its context.
_STOP = re.compile(
    rb"! |(?:LaTeX|Package|Class|Module) (?:\S+ )?(?:Warning|Info): |(?:Over|Under)full \\|> |\[\d|Runaway |"
    rb"\(\"?(?:\.{0,2}/|[A-Z]:)|Output written on |Here is how much of |Missing character: |No pages of|\\openout|### |"
    rb"LaTeX Font (?:Info|Warning): |This is \S*TeX"
)
_STOP_FIRST = frozenset(b"!LPCMOU(>[HN\\R#T")
_PLACED = re.compile(rb"(?:\.{0,2}/|[A-Za-z]:[\\/])?[^\n\t:]{1,400}\.[A-Za-z]\w{0,9}:\d{1,9}: ")
_LUA_PREFIX = re.compile(rb"<[^<>]*> ?|l\.\d+ ?")
_TOKEN = re.compile(r"(\\(?:[^\W\d_]|[@_:*])+|\\.|\S)\s*$")


@dataclass(slots=True)
class Context:
    """One error's context."""

    line: int | None = None
    """Of the innermost file; None for a `<*>` context."""
    before: bytes = b""
    after: bytes = b""
    levels: list[tuple[bytes, bytes]] = field(default_factory=list)
    """The pairs above the last, innermost first."""
    start: int = 0
    """Offset of its first line …"""
    end: int = 0
    """… and of the first line after it."""
    terminal: bool = False
    """`<*>`: TeX had left all files."""
    cut: bool = False
    """The log ends before the context: what there is of it is the rest."""


def find(at: At, start: int, widths: Widths, trimmed: bool, boxed: bool = False) -> Context | None:
    """The context that belongs to the error whose message begins before the line `start`; None where there is none.

    `trimmed`: the log has lost the blanks at its line ends. `boxed`: an old expl3 message, all whose lines begin
    with an exclamation mark.
    """
    level = None
    traced = 0
    for offset in range(start, start + 120):
        line = at(offset)
        if line is None:
            end = offset if level is None else level
            return Context(start=end, end=offset, cut=True)
        if not line:
            continue
        if line.startswith((b"stack traceback:", b"!!!!!!!!")):
            traced += 1
            if traced > 1 or (boxed and offset > start):
                return None
        if starts(line):
            found = read(at, offset, widths, trimmed)
            if found is not None:
                return found
            level = offset if level is None else level
        elif line[0] in _STOP_FIRST and _STOP.match(line):
            if not (boxed and line.startswith(b"!")):
                return None
        elif b": " in line and _PLACED.match(line):
            return None
    return None


def starts(line: bytes | None) -> bool:
    """Might a context begin with this line?"""
    if not line:
        return False
    if line.startswith((b"l.", b"<")) and _BOTTOM.match(line):
        return True
    return (line[0] == 60 or b"->" in line or b"..." in line) and _LEVEL.match(line) is not None


def read(at: At, offset: int, widths: Widths, trimmed: bool) -> Context | None:
    """The context that begins with this very line; None where these lines are none."""
    context = Context(start=offset)
    complete = False
    while True:
        line = at(offset)
        if line is None:
            break
        if line == _OMITTED and not complete:
            offset += 1
            continue
        bottom = _BOTTOM.match(line)
        if bottom is None and ((complete and line.startswith(b" ...")) or not _LEVEL.match(line)):
            break
        pair = _pair(at, offset, widths, trimmed)
        if pair is None:
            break
        first, second, offset = pair
        if at(offset) == b"" and widths.full(at(offset - 1) or b"", b"") and starts(at(offset + 1)):
            # The pair ended at the very edge, and TeX begins a macro's level with a line end of its own.
            offset += 1
        if bottom is None:
            context.levels.append((first, second))
            continue
        # \scantokens has an l.N of its own above that of the file; the last one counts.
        if complete:
            context.levels.append((b"l.%d " % context.line if context.line else b"", context.after))
            context.levels[-1] = (context.levels[-1][0] + context.before, context.after)
        complete = True
        context.line = int(bottom["line"]) if bottom["line"] else None
        context.terminal = line.startswith(b"<*>")
        context.before, context.after = first[bottom.end() :], second
    if not complete:
        return None
    context.end = offset
    return context


def _pair(at: At, offset: int, widths: Widths, trimmed: bool) -> tuple[bytes, bytes, int] | None:
    """Both halves, the second without its indentation, and the offset after them."""
    # Only where error_line was set above max_print_line is a context itself broken into lines.
    first, offset = _joined(at, offset, widths)
    second = at(offset)
    if second is None:
        return None
    if len(first) > 50 and not second.endswith(b"..."):
        second, offset = _joined(at, offset, widths)
    else:
        offset += 1
    shown = first.decode("utf-8", "replace")
    indent = len(shown)
    if widths.lua:
        prefix = _LUA_PREFIX.match(first)
        if prefix:
            indent += (2 if first.startswith(b"l.") else 0) - prefix.end()
    blank = len(second) - len(second.lstrip(b" "))
    if blank < indent:
        if not (trimmed and not second.strip()) and not (widths.lenient and blank > 1):
            return None
        return first, second.lstrip(b" "), offset
    wide = blank if widths.lua else indent if widths.codepoints else len(first)
    return first, second[min(blank, wide) :], offset


def _joined(at: At, offset: int, widths: Widths) -> tuple[bytes, int]:
    line = whole = at(offset) or b""
    offset += 1
    while (following := at(offset)) and widths.full(line, following):
        line = following
        whole += line
        offset += 1
    return whole, offset


def halves(context: Context) -> tuple[str, str]:
    """What TeX had read of the line, and what it had not, as text; TeX's mark of a line end is dropped."""
    return text(context.before).rstrip(" "), text(context.after).removesuffix("^^M")


def levels(context: Context) -> tuple[str, ...]:
    """The levels above the line, one string each; LaTeX's dots that only hide its own macros are left out."""
    out = []
    for first, second in context.levels:
        if first.strip(b" .") or second.strip():
            shown = text(first).rstrip()
            rest = text(second).strip()
            out.append(f"{shown} {rest}" if rest else shown)
    return tuple(out[:40])


def last_token(context: Context) -> str | None:
    """The token that TeX had just read: the end of the innermost first half."""
    first = context.levels[0][0] if context.levels else context.before
    if context.levels and not first.strip(b" ."):
        first = context.before
    found = _TOKEN.search(text(first)[-400:])
    return found[1] if found else None
