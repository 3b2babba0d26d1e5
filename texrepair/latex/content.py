"""What must survive an edit: what a file prints, in units such as a table row; see units for the words used here.

Only live text counts. What is free stays free because it leaves no trace here: spaces, line ends, groups, fonts,
environments, escaping, math shifts, packages, keys and lengths. A symbol has one spelling (see symbols).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache

from texrepair.latex import scanning, vocabulary
from texrepair.latex.hidden import find_hidden, swallowing_macros
from texrepair.latex.lexer import lex
from texrepair.latex.printing import ACTIONS, BREAKS, FILES, KEYS, NAMED_UNITS, PRINTED_ARGUMENTS, PROSE, UNPRINTED
from texrepair.latex.source import Command, Mode, Part, Source
from texrepair.latex.units import CELL, Content, Input, Unit, file_key

_UNDECODED = re.compile("[\udc80-\udcff]")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\r\n]*", re.MULTILINE)
_READS = re.compile(r"\\(?:@@?input|input|include|subfile|primitiveinput)\b[^#}]*#1")
_CLASS_LINE = re.compile(r"^[ \t]*\\documentclass", re.MULTILINE)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_SMALL = 100_000
"""Characters; the content of a larger text takes many megabytes."""
_ENTRY = re.compile(r"^[ \t]*@", re.MULTILINE)
_LINE = re.compile(r"^", re.MULTILINE)
_ITEM = re.compile(r"[^\s,][^,]*")
_QUANTITY = re.compile(r"\d[\d.,]*|e")
_BETWEEN_THOUSANDS = re.compile(r"(?<=\d)(?:'|’|\\,|\u202f|\u2009)(?=\d{3})")
_POWER_OF_TEN = re.compile(r"\s*(?:\\times|\\cdot|×|·|\*)\s*10\s*\^\s*(?:\{\s*([-+]?\d+)\s*\}|([-+]?\d+))")
_BARE_INPUT = re.compile(r"[ \t]+([^\s{}\\%]{1,200})")
_CAPTION_KEY = re.compile(r"(?:caption|title)\s*=\s*(?P<value>\{(?:[^{}]|\{[^{}]*\})*\}|[^,\]]*)")


def content(text: str, part: Part = "main") -> Content:
    """The content of one file. Never raises, whatever the text. The last ones are remembered: of a draft that is
    compared again and again, only the file that changed is read anew."""
    return _content_of_small(text, part) if len(text) < _SMALL else _content_of_large(text, part)


def _content(text: str, part: Part) -> Content:
    if _UNDECODED.search(text):
        text = _UNDECODED.sub(lambda m: bytes([ord(m[0]) - 0xDC00]).decode("cp1252", "replace"), text)
    return _Reader(lex(text, part)).read()


_content_of_small = lru_cache(maxsize=256)(_content)
_content_of_large = lru_cache(maxsize=6)(_content)


@lru_cache(maxsize=64)
def data_content(text: str, bibliography: bool) -> Content:
    """The content of a file that TeX does not read as a document: the entries of a .bib, else the lines."""
    soft: Counter[str] = Counter()
    found = list(scanning.tex(text, 0, len(text), False, soft, UNPRINTED, ()))
    edges = [m.start() for m in (_ENTRY if bibliography else _LINE).finditer(text)]
    kind = "bibliography entry" if bibliography else "line"
    units: list[Unit] = []
    at, found = 0, [item for item in found if item[1] != scanning.AMPERSAND]
    for start, end in zip([0, *edges], [*edges, len(text)], strict=True):
        first = at
        while at < len(found) and found[at][0] < end:
            at += 1
        if at > first:
            places, tokens = zip(*found[first:at], strict=True)
            units.append(Unit(kind, start, end, tokens, places))
    none: Counter[str] = Counter()
    return Content(
        text=text,
        units=tuple(units),
        faint=none,
        conditional=none,
        soft=soft,
        defined=none,
        stray=none,
        commands=none,
        arguments=none,
        definitions=frozenset(),
        swallowing=frozenset(),
        open_conditionals=0,
        inputs=(),
        include_only=None,
    )


def unwrapped(text: str) -> str:
    """The document in a file that holds it as a JSON string (a tool call that was written to disk); else the text."""
    if "\\\\documentclass" not in text or _CLASS_LINE.search(text):
        return text
    held = [m[1] for m in _STRING.finditer(text) if "\\\\documentclass" in m[1]]
    return _ESCAPE.sub(_unescaped, held[0]) if len(held) == 1 else text


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}.get(match[0][1], match[0][1])


class _Reader:
    """Collects the tokens of one file and cuts them into units."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.found: list[scanning.Found] = []
        self.soft: Counter[str] = Counter()
        self.arguments: Counter[str] = Counter()
        self.named = _named(source)
        self.inputs: list[Input] = []
        self.include_only: frozenset[str] | None = None

    def read(self) -> Content:
        source = self.source
        start = self._start()
        self._scan_spans(start)
        self._look_at_commands(start)
        self.found.sort(key=lambda item: item[0])
        hidden = find_hidden(source)
        fenced = _within([m.span() for m in _FENCE.finditer(self.text) if source.mode(m.start()) is not Mode.VERBATIM])
        faint: Counter[str] = Counter()
        conditional: Counter[str] = Counter()
        defined: Counter[str] = Counter()
        visible: list[scanning.Found] = []
        for place, token in self.found:
            if hidden.is_hidden(place) or fenced(place):
                continue
            if hidden.is_faint(place):
                faint[token] += 1
            elif source.in_definition(place):
                defined[token] += 1
            else:
                visible.append((place, token))
                if (conditions := hidden.conditions(place)) > 0:
                    conditional[token] += conditions
        units: list[Unit] = []
        if source.part == "style":
            rest = [token for _, token in visible]
        else:
            units, rest = self._units(visible)
        commands = Counter(c.name for c in source.commands)
        commands.update(e.name for e in source.environments)
        return Content(
            text=self.text,
            units=tuple(units),
            faint=faint,
            conditional=conditional,
            soft=self.soft,
            defined=defined,
            stray=Counter(rest),
            commands=commands,
            arguments=self.arguments,
            definitions=frozenset(source.definitions),
            swallowing=frozenset(swallowing_macros(source, redefined=True)),
            open_conditionals=hidden.open_conditionals,
            inputs=tuple(self.inputs),
            include_only=self.include_only,
        )

    def _start(self) -> int:
        """What stands before \\documentclass is chat, not content; chat that only mentions it does not begin a line."""
        if self.source.part != "main":
            return 0
        found = list(self.source.command_named("documentclass"))
        for command in found:
            if not self.text[self.text.rfind("\n", 0, command.start) + 1 : command.start].strip("\ufeff \t"):
                return command.start
        return found[0].start if found else 0

    def _scan_spans(self, start: int) -> None:
        for span in self.source.spans:
            low = max(span.start, start)
            if span.end <= low or span.mode in (Mode.COMMENT, Mode.DEAD):
                continue
            if span.mode is Mode.VERBATIM:
                self.found += scanning.raw(self.text, low, span.end, self.soft)
            elif span.mode is Mode.ARGUMENT:
                self.arguments.update(t for _, t in scanning.raw(self.text, low, span.end, self.arguments))
            else:
                self._scan(low, span.end, span.mode is not Mode.TEXT)

    def _scan(self, start: int, end: int, math: bool = False) -> None:
        self.found += scanning.tex(self.text, start, end, math, self.soft, UNPRINTED, self.named)

    def _look_at_commands(self, start: int) -> None:
        """Keys, arguments that are printed nevertheless, files that are read."""
        source = self.source
        reading = _reading_macros(source)
        for command in source.commands:
            name = command.name
            if command.start < start or (name not in _INTERESTING and name not in reading):
                continue
            if name in ACTIONS:
                self.found.append((command.start, f"command:{ACTIONS[name]}"))
            if name in KEYS:
                self._keys(command, KEYS[name])
            if name in PRINTED_ARGUMENTS:
                self._printed(command)
            if name in FILES:
                self.inputs += self._files(command)
            if name in reading:
                self.inputs += [Input("input", source.inner(a).strip()) for a in source.arguments(command, 1)]
            if name == "includeonly":
                names = [source.inner(argument) for argument in source.arguments(command, 1)]
                self.include_only = frozenset(item[0].strip() for n in names for item in _ITEM.finditer(n))
            if name == "begin":
                self._options(command)

    def _keys(self, command: Command, kind: str) -> None:
        source = self.source
        arguments = [a for a in source.arguments(command, 4) if not a.optional or command.name == "hyperref"]
        if command.name == "inputminted":
            arguments = arguments[1:]
        for argument in arguments[:1]:
            inner = source.inner(argument)
            whole = kind in ("link", "index entry")
            for item in [re.match(r"(?s).*", inner)] if whole else _ITEM.finditer(inner):
                if item is not None:
                    self.found.append((argument.start + 1 + item.start(), f"{kind}:{_key(item[0], kind)}"))

    def _printed(self, command: Command) -> None:
        for argument in self.source.arguments(command, 4):
            if argument.optional and command.name != "SI":
                continue
            if self.source.mode(argument.start) is not Mode.ARGUMENT:
                continue
            text = self.text[argument.start : argument.end]
            plain = _plain_number(text) if command.name in ("num", "SI", "qty", "ang") else text
            if plain != text:
                self.found += [(argument.start + m.start(), m[0]) for m in _QUANTITY.finditer(plain)]
            else:
                self._scan(argument.start, argument.end)

    def _files(self, command: Command) -> Iterator[Input]:
        source = self.source
        arguments = [a for a in source.arguments(command, 4) if not a.optional]
        if command.name in ("import", "subimport", "includefrom"):
            if len(arguments) > 1:
                yield Input("input", source.inner(arguments[0]).strip() + source.inner(arguments[1]).strip())
            return
        bare = _BARE_INPUT.match(self.text, command.end)
        if not arguments and command.name == "input" and bare is not None:
            yield Input("input", bare[1])
        for argument in arguments[:1]:
            for item in _ITEM.finditer(source.inner(argument)):
                yield Input(command.name, item[0].strip().strip('"'))

    def _options(self, command: Command) -> None:
        """The caption among the options of a listing, which the lexer does not read as text."""
        arguments = self.source.arguments_at(command.end, 3)
        if len(arguments) > 1 and self.source.inner(arguments[0]) in ("lstlisting", "Verbatim", "minted", "tcblisting"):
            for argument in arguments[1:]:
                match = _CAPTION_KEY.search(self.text, argument.start, argument.end)
                if match is not None and self.source.mode(match.start("value")) is Mode.ARGUMENT:
                    self._scan(match.start("value"), match.end("value"))

    def _units(self, visible: list[scanning.Found]) -> tuple[list[Unit], list[str]]:
        """Cut the tokens into units. Second: the tokens of the preamble that stand in none of its known entries."""
        edges = self._edges()
        document = self.source.document
        body = document[0] if document is not None and self.source.part == "main" else 0
        units: list[Unit] = []
        rest: list[str] = []
        at = 0
        for index, (start, kind) in enumerate(edges):
            end = edges[index + 1][0] if index + 1 < len(edges) else len(self.text)
            chosen = []
            while at < len(visible) and visible[at][0] < end:
                place, token = visible[at]
                at += 1
                if token == scanning.AMPERSAND:
                    token = self._ampersand(place, kind)
                if token:
                    chosen.append((place, token))
            if kind == "paragraph" and start < body:
                rest += [token for _, token in chosen]
            elif chosen:
                places, tokens = zip(*chosen, strict=True)
                units.append(Unit(kind, start, end, tokens, places))
        return units, rest

    def _ampersand(self, place: int, kind: str) -> str:
        if kind == "table row":
            return CELL
        around = self.source.environments_at(place)
        if self.source.mode(place) is Mode.TEXT and all(environment.name in PROSE for environment in around):
            return "&"
        self.soft["&"] += 1
        return ""

    def _edges(self) -> list[tuple[int, str]]:
        """Where units begin, and of what kind they are, in order."""
        source = self.source
        ranges: list[tuple[int, int, str]] = [(m.start, m.end, "formula") for m in source.math if m.display]
        breaks: list[int] = [*source.paragraph_starts, *(source.document or ())]
        tables: set[int] = set()
        for environment in source.environments:
            if environment.name in vocabulary.TABULAR_ENVIRONMENTS:
                ranges.append((environment.begin_end, environment.until, "table row"))
                tables.add(environment.begin)
            elif environment.name in vocabulary.VERBATIM_ENVIRONMENTS:
                ranges.append((environment.begin_end, environment.until, "listing"))
        for command in source.commands:
            if command.name in BREAKS:
                breaks.append(command.start)
                if command.name in NAMED_UNITS:
                    kind = NAMED_UNITS[command.name]
                    ranges += [(a.start, a.end, kind) for a in source.arguments(command, 3)]
            elif command.name == "\\" and tables:
                around = source.environments_at(command.start)
                if around and around[-1].begin in tables:
                    breaks.append(command.end)
        breaks += [place for start, end, _ in ranges for place in (start, end)]
        ranges.sort(key=lambda r: (r[0], -r[1]))
        edges: list[tuple[int, str]] = []
        stack: list[tuple[int, str]] = []
        at = 0
        for place in sorted({0, *breaks}):
            while at < len(ranges) and ranges[at][0] <= place:
                stack.append((ranges[at][1], ranges[at][2]))
                at += 1
            while stack and stack[-1][0] <= place:
                stack.pop()
            if place < len(self.text):
                edges.append((place, stack[-1][1] if stack else "paragraph"))
        return edges


def _within(ranges: list[tuple[int, int]]) -> Callable[[int], bool]:
    """A test for places that are asked in rising order."""
    waiting = iter([*ranges, (1 << 60, 1 << 60)])
    start, end = next(waiting)

    def inside(place: int) -> bool:
        nonlocal start, end
        while place >= end:
            start, end = next(waiting)
        return start <= place

    return inside


def _reading_macros(source: Source) -> set[str]:
    """Macros of the file that read the file they are given."""
    found = set()
    for start, end in source.bodies:
        if _READS.search(source.text, start, end):
            found |= {name for name, place in source.definitions.items() if start - 80 < place < start}
    return found


def _named(source: Source) -> set[int]:
    """Where commands stand that are named because they are defined."""
    found: set[int] = set()
    defining = False
    for command in source.commands:
        if defining:
            found.add(command.start)
        defining = command.name in vocabulary.OPENS_DEFINITION
    return found


def _plain_number(text: str) -> str:
    """A number of siunitx's as siunitx reads it: without separators of thousands, its power of ten behind an e."""
    text = _POWER_OF_TEN.sub(lambda m: "e" + (m[1] or m[2]), _BETWEEN_THOUSANDS.sub("", text))
    return text.replace(",", "") if "." in text and "," in text else text


def _key(key: str, kind: str) -> str:
    key = re.sub(r"\\([_%#&~])", r"\1", re.sub(r"\s+", " ", key.strip().strip('"{}')))
    if kind in ("picture", "listing file"):
        return file_key(key)
    return scanning.link("x://" + key.partition("://")[2]).partition(":")[2] if kind == "link" and "://" in key else key


_INTERESTING = frozenset([*KEYS, *ACTIONS, *PRINTED_ARGUMENTS, *FILES, "includeonly", "begin"])
