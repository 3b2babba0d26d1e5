"""The logs of TeX engines, in any form: broken at any width or not at all, with or without `file:line:`, cut off.

One pass over the lines. What is known is taken in whole, so that its parentheses mean nothing; only the rest may open
and close files. How TeX prints: tex.web parts 5 (print), 6 (errors), 22 (contexts), 29 (files), 49 (boxes).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from texrepair.diagnosis import contexts
from texrepair.diagnosis.causes import classified
from texrepair.diagnosis.contexts import Context
from texrepair.diagnosis.found import Found
from texrepair.diagnosis.lines import Lines, Widths, text
from texrepair.diagnosis.model import LIMIT
from texrepair.diagnosis.names import STRONG, FileNames, clean
from texrepair.diagnosis.notices import BOX, INFO, LOOSE, MISSING, WARNING, box, warning
from texrepair.diagnosis.stack import Stack

BANNER = re.compile(
    rb"This is (?P<engine>[\w-]*TeX\w*|Tectonic)[ ,].{0,200}?(?:\((?:preloaded )?format=(?P<format>[\w.+-]+)|$)"
)
_OTHER = re.compile(
    rb"This is (?:BibTeX|8-bit Big BibTeX|pBibTeX|upBibTeX|makeindex|upmendex|mendex|dvipdfm)|INFO - This is Biber"
)

_PLACED = re.compile(rb"(?P<file>[^\n]{1,1000}?):(?P<line>\d{1,9}): (?P<message>.*)", re.S)
_QUICK = re.compile(rb":\d{1,9}: ")
_FILE = re.compile(rb"(?:\.{0,2}/|[A-Za-z]:[\\/])|.*\.[A-Za-z]\w{0,9}$", re.S)
_OK = re.compile(rb"(?:! |.*:\d+: )OK(?: \(see the transcript file\))?\.$")
_FATAL = re.compile(rb"!? *==> Fatal error occurred")
_PLAIN = re.compile(rb"!(?:(?:pdf|Lua|Xe|LuaHB)?TeX error(?: \([^)]*\))?:|(?: LuaTeX)? error: ? ?\(|pdfTeX error)")
_LUA = re.compile(rb"(?:\[\\?[A-Za-z][^\]\n]{0,80}\]|[^\s:()\[\]][^\n:()\[\]]{0,200}\.lua):\d+: ")
_RUNAWAY = re.compile(rb"Runaway (argument|definition|preamble|text)\?$")
_ALLOCATED = re.compile(
    rb"\\.*=\\(?:count|dimen|skip|muskip|box|toks|read|write|insert|language|mathgroup|marks|catcodetable|attribute|"
    rb"luafunction|XeTeXcharclass|whatsit|char)\s*\d+$|\\openout\d+ = "
)
_TRACE = re.compile(rb"\{[^{}]*\}$|#\d<-|[^\s(]{1,40} ?[^\n]{0,80}->|@")
_STARTS = re.compile(
    rb"(?:LaTeX3?(?: [A-Za-z]\S*)?|(?:Package|Class|Module) \S+) (?:Warning|Info|Message|Note|Error): |"
    rb"\([^()\s][^()]{0,60}\)(?: {3,}|$)|(?:Over|Under)full \\|(?:Loose|Tight) \\|Missing character: |\\openout|"
    rb"\\\S+=\\[a-z]+\d|(?:File|Package|Document Class|Language|Dictionary|Library): \S|l\.\d+ |<\*> |"
    rb"<(?:argument|inserted text|to be read again|recently read|template)> |Runaway [a-z]+\?|Output written on |"
    rb"No pages of output|Here is how much |Transcript written on |### |> \S|No file .*\.$|\((?:\.{1,2}/|/|[A-Z]:[\\/])|"
    rb"pdfTeX warning|\(That makes 100 errors|\(\\end occurred |This is \S*TeX|stack traceback:|Invalid UTF-8 |"
    rb"Here is how much|Enter file name:|Type X to quit|[A-Z][\w ]{1,20}: \S+ \d{4}[/-]\d\d[/-]\d\d| \[\]$"
)
_CONTINUED = re.compile(rb"\((?P<name>[^()\s][^()]{0,60})\) {2,}|\([^()\s][^()]{0,60}\)$| {15}(?=\S)")
_HELP_END = re.compile(
    rb"See the .{1,80} (?:for explanation|for further information|documentation)|Type +H <return>|For immediate help"
)
_ENDED = re.compile(
    rb"Here is how much of \S*TeX's memory|Output written on |No pages of output\.|Transcript written on "
)
_GROUP = re.compile(rb"\(\\end occurred (?:inside a group|when )|Warning: end of file when|warning: .* entered at line")
_NOISE = re.compile(rb"(?:pdfTeX|Lua\w*TeX) warning(?: \([^)]*\))?: |warning  ?\([^)]*\): ")
_UTF8 = re.compile(rb"Invalid UTF-8 byte or sequence at line (\d+) replaced by U\+FFFD")
_DRIVER = re.compile(rb"Error \d+ \(driver return code\) generating output|xdvipdfmx:fatal: ")
_MESSAGE = 4000
"""Bytes of a message that are kept."""

_NAMES = {
    b"pdfTeX": "pdflatex", b"XeTeX": "xelatex", b"LuaTeX": "lualatex", b"LuaHBTeX": "lualatex", b"Tectonic": "tectonic",
    b"TeX": "tex", b"e-TeX": "etex", b"e-pTeX": "platex", b"e-upTeX": "uplatex",
}  # fmt: skip


class Run:
    """One run of one engine: reads from the lines until the log ends or the next program's banner comes."""

    def __init__(self, lines: Lines, known: tuple[str, ...] = (), counts: Mapping[str, int] | None = None) -> None:
        self._lines = lines
        self.engine = engine_of(lines.at() or b"") or ""
        self._widths = Widths(self.engine, lines.sample)
        self._trimmed = not any(line.endswith(b" ") for line in lines.sample)
        self._names = FileNames(known)
        self._stack = Stack(self._names, counts or {})
        self._runaway: tuple[str, ...] = ()
        self._waiting: Found | None = None
        """A report without a place of its own; the Emergency stop that follows has it."""
        self._unplaced: list[Found] = []
        self._seen: set[tuple[str, str, int | None, str | None]] = set()
        self._over = False
        self.errors: list[Found] = []
        self.warnings: list[Found] = []
        self.counts: Counter[str] = Counter()
        self.finished = False
        self.pages: int | None = None
        self.stopped = False
        """A fatal error ended the run."""

    # ------------------------------------------------------------------ reading

    def read(self) -> Run:
        """Take in the whole run."""
        lines = self._lines
        if self.engine:
            lines.position += 1
        while lines.more():
            line = lines.buffer[lines.position]
            if not line:
                lines.position += 1
                continue
            if line.startswith(b"This is ") and (BANNER.match(line) or _OTHER.match(line)):
                break
            if b"INFO - This is Biber" in line:
                break
            self._line(line)
        if not self.stopped:
            self._stack.finish()
        self._place_all()
        return self

    def _line(self, line: bytes) -> None:
        """Take in what begins with the current line."""
        lines = self._lines
        first = line[0]
        if first == 33:  # !
            if self._bang(line):
                return
        elif first == 79 or first == 85 or first == 76 or first == 84:  # O U L T
            if self._box(line):
                return
        elif first == 82 and _RUNAWAY.match(line):  # R
            self._take_runaway(line)
            return
        elif first == 62 and self._shown():  # >
            return
        whole, count, joins = self._logical(0)
        if (b": " in whole) and self._placed(whole, count):
            return
        if self._lua(whole, count):
            return
        lines.position += count
        if self._known(whole, first):
            return
        if not self._over and (b"(" in whole or b")" in whole):
            self._stack.flow(whole, joins)
            if self._unplaced and not self._stack.split:
                self._place_all()

    def _logical(self, offset: int) -> tuple[bytes, int, list[int]]:
        """The line as it was before TeX broke it, how many lines that are, and where they were joined."""
        at, widths = self._lines.at, self._widths
        line = at(offset) or b""
        if len(line) < widths.least - 2 or not widths.full(line, at(offset + 1)):
            return line, 1, []
        joins: list[int] = []
        parts, size, count, last = [line], len(line), 1, line
        while size < 1 << 17:
            following = at(offset + count)
            if following is None or not widths.full(last, following):
                break
            if following == b"":
                # A text that ended at the very edge: this is its own line end.
                count += 1
                break
            if self._starts(offset + count):
                break
            joins.append(size)
            parts.append(following)
            size += len(following)
            count += 1
            last = following
        return b"".join(parts), count, joins

    def _starts(self, offset: int) -> bool:
        """Does a message begin with this line, so that a full line before it is not continued by it?"""
        line = self._lines.at(offset) or b""
        if _STARTS.match(line):
            return True
        if line.startswith(b"!"):
            return bool(_FATAL.match(line) or _PLAIN.match(line)) or self._context(offset + 1) is not None
        joined, end = line, offset + 1
        while end < offset + 5 and self._widths.full(self._lines.at(end - 1) or b"", self._lines.at(end)):
            joined += self._lines.at(end) or b""
            end += 1
        placed = _PLACED.match(joined) if _QUICK.search(joined) else None
        if placed is None or not _FILE.match(placed["file"]):
            return False
        # `.tex:2: Undefined` is the rest of a name, where this log writes names with their folder.
        if not self._names.relative and not STRONG.match(joined):
            return False
        return self._context(end) is not None

    def _context(self, offset: int, boxed: bool = False) -> Context | None:
        return contexts.find(self._lines.at, offset, self._widths, self._trimmed, boxed)

    # ------------------------------------------------------------------ errors

    def _bang(self, line: bytes) -> bool:
        """A line that begins with an exclamation mark. False where it is no report."""
        lines = self._lines
        if _FATAL.match(line):
            self.stopped = True
            if not self.errors:
                self._error(self._logical(0)[0].lstrip(b"! "), None, None, None)
            lines.position += self._logical(0)[1]
            return True
        if _PLAIN.match(line):
            whole, count, _ = self._logical(0)
            self.stopped = True
            self._error(whole[1:].lstrip(), None, None, None)
            lines.position += count
            return True
        if line.startswith(b"!!!!!!!!"):
            return self._boxed()
        if not line.startswith(b"! "):
            return False
        whole, count, _ = self._logical(0)
        context = self._context(count)
        if _OK.match(whole):
            lines.position += count
            if context is not None and not context.cut:
                self._skip_help(context)
            return True
        if context is None:
            return self._unplaceable(whole, count)
        self._take(whole[2:], count, context, None, None)
        return True

    def _unplaceable(self, whole: bytes, count: int) -> bool:
        """``! LaTeX Error: File `x' not found.`` is a \\typeout: the Emergency stop after it knows the line."""
        for offset in range(count, count + 6):
            line = self._lines.at(offset) or b""
            if line.startswith((b"Type X to quit", b"Enter file name:")):
                self._lines.position += offset
                self._waiting = self._error(whole[2:], None, None, None)
                return True
        return False

    def _placed(self, whole: bytes, count: int) -> bool:
        """`file:line: message` of -file-line-error."""
        if not _QUICK.search(whole):
            return False
        placed = _PLACED.match(whole)
        if placed is None or not _FILE.match(placed["file"]) or _STARTS.match(whole):
            return False
        context = self._context(count)
        if context is None:
            return False
        if _LUA.match(whole):
            return False
        if _OK.match(whole):
            self._lines.position += count
            if not context.cut:
                self._skip_help(context)
            return True
        self._take(placed["message"], count, context, clean(placed["file"]), int(placed["line"]))
        return True

    def _boxed(self) -> bool:
        """A message of expl3 before 2021: a box made of exclamation marks."""
        context = self._context(1, boxed=True)
        if context is None or context.cut:
            return False
        parts = []
        for offset in range(1, context.start):
            part = (self._lines.at(offset) or b"").removeprefix(b"!").strip(b" !")
            if part.startswith(b"....") or _HELP_END.match(part):
                break
            if part:
                parts.append(part)
        self._finish_error(b" ".join(parts), context, None, None)
        return True

    def _take(self, message: bytes, count: int, context: Context, file: str | None, line: int | None) -> None:
        """An error whose first line is `count` lines long and whose context is known."""
        at = self._lines.at
        parts = [message]
        offset = count
        plain = not any(_HELP_END.match(at(i) or b"") for i in range(count, context.start))
        while offset < context.start:
            following = at(offset) or b""
            if not following:
                if not plain:
                    break
                offset += 1
                continue
            if _HELP_END.match(following):
                break
            following, used, _ = self._logical(offset)
            continued = _CONTINUED.match(following)
            parts.append(following[continued.end() :] if continued else following)
            offset += min(used, context.start - offset) or 1
        joined = b" ".join(part.strip(b" \t") for part in parts if part.strip(b" \t"))
        self._finish_error(joined, context, file, line)

    def _finish_error(self, message: bytes, context: Context, file: str | None, line: int | None) -> None:
        reason = self._skip_help(context)
        if file is not None:
            self._stack.in_file(file)
        elif context.terminal:
            self._stack.at_terminal()
        number = context.line if line is None else line
        if number is not None and file is None:
            self._stack.at_line(number)
        found = self._error(message, context, file, number)
        if found is not None and reason:
            found.detail = {**found.detail, "reason": reason}
        if message.startswith(b"Emergency stop"):
            self.stopped = True
            if self._waiting is not None:
                self._waiting.file, self._waiting.line = (found.file if found else None), number
                if found is not None and found in self._unplaced:
                    self._unplaced.append(self._waiting)
                    self._stack.place()
        self._waiting = None

    def _skip_help(self, context: Context) -> str:
        """Go past a context and the help under it, which ends with an empty line; returns TeX's `***` reason."""
        lines = self._lines
        lines.position += context.end
        reason = ""
        for _ in range(60):
            line = lines.at()
            if not line or (
                line[0] in b"()[!" and not line.startswith((b"(See", b"(If", b"(That", b"(Acc", b"(int", b"(\\d"))
            ):
                break
            if _STARTS.match(line) and not line.startswith(b"l."):
                break
            if line.startswith(b"*** ") and not reason:
                reason = text(line[4:]).strip("()")
            elif not reason and self.terminal_form:
                break
            lines.position += 1
        return reason

    @property
    def terminal_form(self) -> bool:
        """Is this what an engine printed on the terminal? There no help follows an error."""
        return False

    def _take_runaway(self, line: bytes) -> None:
        self._lines.position += 1
        whole, count, _ = self._logical(0)
        if whole.startswith(b"! ") or not whole:
            self._runaway = (text(line),)
            return
        self._lines.position += count
        self._runaway = (text(line), text(whole[:_MESSAGE]))

    def _lua(self, whole: bytes, count: int) -> bool:
        """A Lua error: it begins with its chunk, perhaps glued to what stands before it."""
        at = self._lines.at
        following = at(count) or b""
        traced = False
        if following.startswith((b"stack traceback:", b"\t")):
            traced = True
        elif not _LUA.search(whole):
            return False
        context = self._context(count)
        if context is None or context.cut:
            return False
        offset, parts, chunks = count, [], []
        while offset < context.start and not (at(offset) or b"").startswith(b"stack traceback:"):
            parts.append((at(offset) or b"").strip(b"\t "))
            offset += 1
        if parts and not traced:
            return False
        for frame in range(offset + 1, context.start):
            chunk = re.match(rb"\t(.+?:\d+): in ", at(frame) or b"")
            if chunk:
                chunks.append(chunk[1] + b": ")
        start = next((whole.rfind(chunk) for chunk in chunks if chunk in whole), -1)
        if start < 0:
            match = _LUA.search(whole)
            start = match.start() if match else 0
        if start > 0:
            self._stack.flow(whole[:start])
        message = b" ".join([whole[start:], *parts])
        self._finish_error(message, context, None, None)
        return True

    def _shown(self) -> bool:
        """What \\show and its kin print; their context is no error's."""
        lines = self._lines
        if (lines.at() or b"").startswith(b"> \\box"):
            lines.position += 1
            while lines.more():
                line = lines.at() or b""
                if line.startswith((b"! ", b"> ", b"This is ")) or _QUICK.search(line):
                    return True
                lines.position += 1
            return True
        context = self._context(1)
        if context is None or context.cut:
            return False
        self._skip_help(context)
        return True

    def _error(self, message: bytes, context: Context | None, file: str | None, line: int | None) -> Found | None:
        self.counts["error"] += 1
        runaway, self._runaway = self._runaway, ()
        shown = " ".join(text(message[:_MESSAGE]).split()).removesuffix(".")
        place = file if file is not None else (None if self._stack.split else self._stack.current())
        if not self._room(("error", shown, line, place)):
            return None
        cause = classified(shown)
        token = cause.token
        before = after = ""
        levels: tuple[str, ...] = ()
        if context is not None:
            before, after = contexts.halves(context)
            levels = contexts.levels(context)
            if token is None and cause.code == "undefined-control-sequence":
                token = contexts.last_token(context)
        found = Found(
            "error", "error", shown, cause.code, file, line, token, before, after, runaway + levels,
            explanation=cause.explanation, detail=cause.detail,
        )  # fmt: skip
        self.errors.append(found)
        if file is None:
            self._set_file(found)
        return found

    # ------------------------------------------------------------------ warnings

    def _box(self, line: bytes) -> bool:
        lines = self._lines
        if not line.startswith((b"Overfull", b"Underfull", b"Loose", b"Tight")):
            return False
        whole, count, _ = self._logical(0)
        found = BOX.match(whole)
        if found is None and not LOOSE.match(whole):
            return False
        lines.position += count
        if found is not None:
            last = found["last"] or found["line"]
            if last:
                self._stack.at_line(int(last[:9]))
            self.counts["overfull" if found["how"] == b"Over" else "underfull"] += 1
            self._warn(box(found), counted=True)
        if whole.endswith(b" []"):
            return True
        self._skip_dump(whole)
        return True

    def _skip_dump(self, header: bytes) -> None:
        """The picture of the box: one long line of text, then (in a log) the box itself, most often a bare ` []`."""
        lines, at = self._lines, self._lines.at
        for offset in range(200):
            line = at(offset)
            if line is None or line == b"":
                if at(offset + 1) == b" []":
                    continue
                break
            if line.rstrip() == b" []":
                offset += 1
                while at(offset) == b" []":
                    offset += 1
                lines.position += offset
                return
            if offset > 2 and _STARTS.match(line):
                break
        # No end in sight (a terminal's output, or \showboxdepth): the text alone, then box lines.
        if at(0) and not _STARTS.match(at(0) or b"") and b"vbox" not in header[:16]:
            lines.position += self._logical(0)[1]
        while (line := at(0)) and line.startswith((b".", b"\\hbox(", b"\\vbox(", b"\\glue", b"\\penalty")):
            lines.position += 1

    def _known(self, whole: bytes, first: int) -> bool:
        """Messages that are known, their position already behind their first line. True where they were taken in."""
        if first == 92:  # \
            return bool(_ALLOCATED.match(whole)) or bool(_TRACE.match(whole))
        if first == 77 and whole.startswith(b"Missing character: "):
            return self._missing(whole)
        if first == 76 or first == 80 or first == 67 or first == 68 or first == 70 or first == 77:
            found = WARNING.match(whole)
            if found:
                self._warning(found, whole)
                return True
            if INFO.match(whole):
                self._skip_continued()
                return True
        if first == 40 and whole.startswith(b"(\\end occurred "):
            code = "end-inside-group" if b"inside a group" in whole else "incomplete-conditional"
            self._warn(Found("warning", "other", text(whole).strip("()"), code))
            return True
        if first == 123 or first == 35 or first == 64 or first == 126:  # { # @ ~
            return bool(_TRACE.match(whole))
        return self._rare(whole)

    def _rare(self, whole: bytes) -> bool:
        if _ENDED.match(whole):
            self._end(whole)
            return True
        noise = _NOISE.match(whole)
        if noise:
            self._engine_warning(whole)
            return True
        bad = _UTF8.match(whole)
        if bad:
            self._stack.at_line(int(bad[1][:9]))
            self._warn(Found("warning", "other", text(whole).rstrip("."), "invalid-character", line=int(bad[1][:9])))
            return True
        if whole.startswith(b"No file ") and whole.endswith(b"."):
            return True
        if _DRIVER.match(whole):
            following = self._lines.at() or b""
            if following.startswith(b"file "):
                self._lines.position += 1
                whole += b" " + following
            self._error(whole, None, None, None)
            self.errors[-1].tool = "driver"
            return True
        if _FATAL.match(whole):
            self.stopped = True
            return True
        return whole.startswith((b"### ", b"**", b"*** "))

    def _missing(self, whole: bytes) -> bool:
        found = MISSING.match(whole)
        if found is None:
            return False
        for _ in range(4):
            if whole.endswith(b"!"):
                break
            following = self._lines.at()
            if not following or _STARTS.match(following):
                break
            whole += following
            self._lines.position += 1
        font = text(whole[found.end() :].removesuffix(b"!"))
        detail: dict[str, str | int | float] = {"character": text(found["character"]), "font": font}
        if found["code"]:
            detail["codepoint"] = text(found["code"])
        code = "nullfont" if font == "nullfont" else "missing-character"
        self._warn(
            Found("warning", "missing-character", text(whole), code, token=text(found["character"]), detail=detail)
        )
        return True

    def _warning(self, match: re.Match[bytes], whole: bytes) -> None:
        parts = [whole[match.end() :]]
        name = match["name"] or b""
        for _ in range(60):
            following = self._lines.at()
            if not following:
                break
            continued = _CONTINUED.match(following)
            if continued is None:
                if parts[-1].endswith((b".", b"!")) or _STARTS.match(following) or following[:1] in b"()![":
                    break
                if len(parts) > 12:
                    break
            joined, count, _ = self._logical(0)
            parts.append(joined[continued.end() :] if continued else joined)
            self._lines.position += count
        message = " ".join(text(b" ".join(parts)[:_MESSAGE]).split())
        found = warning(text(match["who"]), text(name), message)
        if found.line is not None:
            self._stack.at_line(found.line)
        self._warn(found)

    def _engine_warning(self, whole: bytes) -> None:
        context = None
        if contexts.starts(self._lines.at()):
            context = contexts.read(self._lines.at, 0, self._widths, self._trimmed)
        line = None
        if context is not None:
            line = context.line
            self._lines.position += context.end
        self._warn(Found("warning", "other", text(whole).rstrip("."), line=line))

    def _skip_continued(self) -> None:
        while (line := self._lines.at()) and _CONTINUED.match(line):
            self._lines.position += self._logical(0)[1]

    def _end(self, whole: bytes) -> None:
        self._over = True
        if whole.startswith(b"Output written on "):
            self.finished = True
            pages = re.search(rb"\((\d+) pages?", whole)
            self.pages = int(pages[1][:9]) if pages else None
        elif whole.startswith(b"No pages"):
            self.pages = 0

    # ------------------------------------------------------------------ keeping

    def _warn(self, found: Found, counted: bool = False) -> None:
        if not counted:
            self.counts[found.kind] += 1
        place = None if self._stack.split else self._stack.current()
        if self._room((found.kind, found.message, found.line, place)):
            self.warnings.append(found)
            self._set_file(found)

    def _room(self, key: tuple[str, str, int | None, str | None]) -> bool:
        """Is this new, and is there still room? An error takes the place of the last warning."""
        if len(self.errors) + len(self.warnings) >= LIMIT:
            if key[0] != "error" or not self.warnings:
                return False
            dropped = self.warnings.pop()
            if dropped in self._unplaced:
                self._place_all()
        if self._stack.split:
            return True
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def _set_file(self, found: Found) -> None:
        if self._stack.split:
            self._unplaced.append(found)
            self._stack.place()
        else:
            found.file = self._stack.current()

    def _place_all(self) -> None:
        for found, file in zip(self._unplaced, self._stack.placed(), strict=False):
            found.file = file
        self._unplaced = []


def engine_of(line: bytes) -> str | None:
    """The engine that a banner names: its format where it says so (`pdflatex`), else what it is usually called as."""
    found = BANNER.match(line)
    if found is None:
        return None
    if found["format"]:
        name = text(found["format"]).removesuffix(".fmt")
        return {"pdftex": "pdftex", "latex": "pdflatex"}.get(name, name)
    return _NAMES.get(found["engine"], text(found["engine"]).lower())
