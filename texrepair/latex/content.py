"""What must survive an edit: the words, numbers, symbols, keys and pictures that a file prints, in units such as a table row.

Only live text counts. What is free stays free because it leaves no trace here: spaces, line ends, groups, fonts,
environments, escaping, math shifts, packages, keys and lengths. A symbol has one spelling (see symbols).
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from texrepair.latex import symbols, vocabulary
from texrepair.latex.hidden import Hidden, find_hidden
from texrepair.latex.lexer import lex
from texrepair.latex.source import Command, Mode, Part, Source

CELL = "&&"
"""The token between two cells of a table."""

_LETTER = r"[^\W\d_²³¹⁰-₉\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]"
_WITHIN = r"[\u0300-\u036f\x00-\x06\x0e-\x1f\x7f\xad\u200b-\u200f\u2060\ufeff]"
"""Marks above a letter, and what is invisible inside a word."""
_CJK = r"[\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]"
_NUMBER = r"\d+(?:\.\d+)*|[²³¹⁰⁴-⁹₀-₉]+"
_SCAN = re.compile(
    rf"(?P<link>\b(?:https?|ftp)://(?:[^\s{{}}<>\"\\]|\\[%#&_~])+)"
    rf"|(?P<word>(?:{_LETTER}{_WITHIN}*|{symbols.ACCENTED})+|{_CJK})|(?P<number>{_NUMBER})"
    r"|(?P<entity>\\?&(?:[A-Za-z]{2,8}|\\?\#\d+);)|\\(?P<command>[A-Za-z@]+)|\\(?P<escaped>.)"
    r"|(?P<dash>[-‐‑‒–—―−]+)|(?P<symbol>[^\s\w])",
    re.DOTALL,
)
_RAW = re.compile(rf"(?P<word>(?:{_LETTER}{_WITHIN}*)+|{_CJK})|(?P<number>{_NUMBER})|(?P<dash>-+)|(?P<symbol>[^\s\w])")
_UNDECODED = re.compile("[\udc80-\udcff]")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\r\n]*", re.MULTILINE)
_READS = re.compile(r"\\(?:@@?input|input|include|subfile|primitiveinput)\b[^#}]*#1")
_CLASS_LINE = re.compile(r"^[ \t]*\\documentclass", re.MULTILINE)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)
_ENTRY = re.compile(r"^[ \t]*@", re.MULTILINE)
_LINE = re.compile(r"^", re.MULTILINE)
_ITEM = re.compile(r"[^\s,][^,]*")
_CAPTION_KEY = re.compile(r"(?:caption|title)\s*=\s*(?P<value>\{(?:[^{}]|\{[^{}]*\})*\}|[^,\]]*)")

_KEYS = {
    **{name: "citation" for name, signature in vocabulary.COMMANDS.items() if signature == "*OOa"},
    "nocite": "citation",
    "label": "label",
    **dict.fromkeys(
        """ref pageref eqref vref Vref cref Cref cpageref Cpageref labelcref labelcpageref nameref autoref subref fref
        Fref vpageref hyperref hyperlink""".split(),
        "reference",
    ),
    "hypertarget": "label",
    "bibitem": "bibliography entry",
    "includegraphics": "picture",
    "includesvg": "picture",
    "includepdf": "picture",
    "lstinputlisting": "listing file",
    "inputminted": "listing file",
    "verbatiminput": "listing file",
    "VerbatimInput": "listing file",
    **dict.fromkeys(
        "gls Gls GLS glspl Glspl GLSpl ac Ac acs acl acf acrshort acrlong acrfull".split(), "glossary term"
    ),
}
"""Commands whose argument is a key, and what the key is."""

_INPUTS = frozenset("input include subfile import subimport InputIfFileExists @input".split())
_FILES = _INPUTS | {"bibliography", "addbibresource", "loadglsentries", "includefrom"} | vocabulary.PACKAGE_LOADERS
_PRINTED_ARGUMENTS = frozenset(
    """num si SI ang qty unit numrange SIrange qtyrange SIlist numlist qtylist ce cee chemfig complexnum complexqty url
    nolinkurl path href index""".split()
)
"""Commands whose ARGUMENT is printed nevertheless."""
_ACTIONS = {
    **{
        name: name
        for name in "maketitle tableofcontents listoffigures listoftables printindex lstlistoflistings".split()
    },
    **dict.fromkeys(("bibliography", "printbibliography", "thebibliography"), "bibliography"),
    **dict.fromkeys(("printglossary", "printglossaries"), "glossary"),
}
"""Commands that print something made elsewhere."""

_UNITS = {
    **dict.fromkeys(vocabulary.SECTIONING, "section title"),
    **dict.fromkeys("title subtitle frametitle framesubtitle".split(), "title"),
    **dict.fromkeys(
        "author date institute affiliation affil address email thanks keywords subject".split(), "title page entry"
    ),
    "caption": "caption",
    "captionof": "caption",
    "footnote": "footnote",
    "footnotetext": "footnote",
}
_BREAKS = frozenset({"item", "par", "begin", "end", "bibitem"} | set(_UNITS))


_UNPRINTED = frozenset(vocabulary.COMMANDS) | vocabulary.DECLARATIONS | _BREAKS | set(_ACTIONS)
"""Commands that print nothing of their own."""


class Unit(NamedTuple):
    """A piece of the document that a person would name: a paragraph, a table row, a section title."""

    kind: str
    start: int
    end: int
    tokens: tuple[str, ...]
    places: tuple[int, ...]
    """Where each token stands."""


class Input(NamedTuple):
    """A file that this one reads."""

    command: str
    path: str


def kind_of(token: str) -> str:
    """What a token is: word, number, symbol, cell, macro, or the kind of a key."""
    if token == CELL:
        return "cell"
    head, colon, _ = token.partition(":")
    if colon and head:
        return head
    if token[0].isdigit():
        return "number"
    if token[0] == "\\" and token[1:].isalpha():
        return "macro"
    return "word" if token[0].isalpha() else "symbol"


def shown(token: str) -> str:
    """The token as a person would write it."""
    return token.partition(":")[2] if ":" in token[1:] else token


def unit_key(unit: Unit) -> tuple[str, tuple[str, ...]]:
    """What makes two units the same: a table row stays one, otherwise only the tokens count."""
    return "table row" if unit.kind == "table row" else "", unit.tokens


@dataclass(frozen=True)
class Content:
    """The content of one file."""

    text: str
    units: tuple[Unit, ...]
    faint: Counter[str]
    """Tokens that are printed invisibly: white, or of no size."""
    soft: Counter[str]
    """Punctuation in text, which is not in the units."""
    defined: Counter[str]
    """Words in the bodies of definitions."""
    stray: Counter[str]
    """Words of the preamble that belong to none of its known entries."""
    commands: Counter[str]
    """Names of the commands and environments in use."""
    arguments: Counter[str]
    """Words that are read but not printed: names, keys, options."""
    definitions: frozenset[str]
    inputs: tuple[Input, ...]
    include_only: frozenset[str] | None

    @cached_property
    def counts(self) -> Counter[tuple[str, tuple[str, ...]]]:
        return Counter(unit_key(unit) for unit in self.units)

    @cached_property
    def raw(self) -> Counter[str]:
        """All words and numbers of the text, live or not."""
        return raw_words(self.text)


def raw_words(text: str) -> Counter[str]:
    """The words and numbers of any text, read without knowing TeX."""
    return Counter(symbols.word(m[0]) for m in _RAW.finditer(text) if m.lastgroup in ("word", "number"))


@lru_cache(maxsize=64)
def content(text: str, part: Part = "main") -> Content:
    """The content of one file. Never raises, whatever the text."""
    if _UNDECODED.search(text):
        text = _UNDECODED.sub(lambda m: bytes([ord(m[0]) - 0xDC00]).decode("cp1252", "replace"), text)
    return _Reader(lex(text, part)).read()


@lru_cache(maxsize=64)
def data_content(text: str, bibliography: bool) -> Content:
    """The content of a file that TeX does not read as a document: the entries of a .bib, else the lines."""
    reader = _Reader(lex("", "body"))
    reader.text = text
    reader.defined = set()
    reader._scan(0, len(text), math=False)
    edges = [m.start() for m in (_ENTRY if bibliography else _LINE).finditer(text)]
    units = []
    at, found = 0, [item for item in reader.found if item[1] != CELL]
    for start, end in zip([0, *edges], [*edges, len(text)], strict=True):
        first = at
        while at < len(found) and found[at][0] < end:
            at += 1
        if at > first:
            places, tokens = zip(*found[first:at], strict=True)
            units.append(Unit("bibliography entry" if bibliography else "line", start, end, tokens, places))
    empty: Counter[str] = Counter()
    return Content(text, tuple(units), empty, reader.soft, empty, empty, empty, empty, frozenset(), (), None)


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.found: list[tuple[int, str]] = []
        self.soft: Counter[str] = Counter()
        self.arguments: Counter[str] = Counter()
        self.hidden: Hidden = find_hidden(source)
        self.defined = _defined(source)
        """Where commands stand that are named because they are defined."""

    def read(self) -> Content:
        source = self.source
        start = self._start()
        fences = [m.span() for m in _FENCE.finditer(self.text) if source.mode(m.start()) is not Mode.VERBATIM]
        for span in source.spans:
            if span.end <= start or span.mode in (Mode.COMMENT, Mode.DEAD):
                continue
            low = max(span.start, start)
            if span.mode is Mode.VERBATIM:
                self._scan_raw(low, span.end)
            elif span.mode is Mode.ARGUMENT:
                self.arguments.update(
                    symbols.word(m[0]) if m.lastgroup in ("word", "number") else symbols.symbol(m[0])
                    for m in _RAW.finditer(self.text, low, span.end)
                )
            else:
                self._scan(low, span.end, span.mode is not Mode.TEXT)
        inputs, include_only = self._commands(start)
        self.found.sort(key=lambda item: item[0])
        faint: Counter[str] = Counter()
        defined: Counter[str] = Counter()
        visible: list[tuple[int, str]] = []
        fence = iter([*fences, (len(self.text) + 1, 0)])
        fence_start, fence_end = next(fence)
        for place, token in self.found:
            while place >= fence_start and place >= fence_end:
                fence_start, fence_end = next(fence)
            if fence_start <= place < fence_end or self.hidden.is_hidden(place):
                continue
            if self.hidden.is_faint(place):
                faint[token] += 1
            elif source.in_definition(place):
                defined[token] += 1
            else:
                visible.append((place, token))
        if source.part == "style":
            units, rest = [], [token for _, token in visible]
        else:
            units, rest = self._units(visible)
        commands = Counter(c.name for c in source.commands)
        commands.update(e.name for e in source.environments)
        return Content(
            text=self.text,
            units=tuple(units),
            faint=faint,
            soft=self.soft,
            defined=defined,
            stray=Counter(rest),
            commands=commands,
            arguments=self.arguments,
            definitions=frozenset(source.definitions),
            inputs=tuple(inputs),
            include_only=include_only,
        )

    def _start(self) -> int:
        """What stands before \\documentclass is chat, not content; chat that only mentions it does not begin a line."""
        if self.source.part != "main":
            return 0
        found = list(self.source.command_named("documentclass"))
        at_line_start = (c.start for c in found if not self.text[: c.start].rpartition("\n")[2].strip("\ufeff \t"))
        return next(at_line_start, found[0].start if found else 0)

    def _scan(self, start: int, end: int, math: bool) -> None:
        text, found, soft = self.text, self.found, self.soft
        for match in _SCAN.finditer(text, start, end):
            kind = match.lastgroup
            if kind == "word":
                token = symbols.word(match[0])
                if not token:
                    continue
            elif kind == "number":
                token = symbols.word(match[0])
                if len(token) < 3 and not math and _is_mark(text, match.start(), match.end()):
                    token = "mark:" + token
            elif kind == "link":
                token = "link:" + _link(match[0])
            elif kind == "command":
                name = match[0][1:]
                token = symbols.command(name)
                if not token:
                    if name in _UNPRINTED or match.start() in self.defined:
                        continue
                    token = "\\" + name
            elif kind == "entity":
                token = symbols.symbol(html.unescape(match[0].replace("\\", "")))
                if not token or token in symbols.SOFT:
                    continue
            elif kind == "escaped":
                token = match[0][1:]
                if token == "\\" or token in "()[],;:!>/-@' \r\n\t_{}" or token.isspace():
                    continue
                if token == "|":
                    token = "‖"
            else:
                character = match[0]
                if character in "$#&%＄＃＆％" and text[match.start() - 1 : match.start()] != "\\":
                    if character in "&＆":
                        found.append((match.start(), CELL))
                    continue
                token = symbols.symbol(character)
                if not token:
                    continue
                if kind == "dash" and not math and _is_sign(text, match.start(), match.end()):
                    found.append((match.start(), "-"))
                    continue
                if token in symbols.SOFT and not math:
                    soft[token] += 1
                    continue
            found.append((match.start(), token))

    def _scan_raw(self, start: int, end: int) -> None:
        for match in _RAW.finditer(self.text, start, end):
            if match.lastgroup in ("word", "number"):
                self.found.append((match.start(), symbols.word(match[0])))
            elif token := symbols.symbol(match[0]):
                if token in symbols.SOFT:
                    self.soft[token] += 1
                else:
                    self.found.append((match.start(), token))

    def _commands(self, start: int) -> tuple[list[Input], frozenset[str] | None]:
        """Keys, printed arguments, files."""
        source, found = self.source, self.found
        inputs: list[Input] = []
        include_only: frozenset[str] | None = None
        reading = _reading_macros(source)
        for command in source.commands:
            name = command.name
            if name in reading:
                inputs += [Input("input", source.inner(a).strip()) for a in source.arguments(command, 1)]
            if name not in _INTERESTING or command.start < start:
                continue
            if name in _ACTIONS:
                found.append((command.start, f"command:{_ACTIONS[name]}"))
            if name in _KEYS:
                self._keys(command, _KEYS[name])
            if name in _PRINTED_ARGUMENTS:
                self._printed(command)
            if name in _FILES:
                inputs += self._inputs(command)
            if name == "includeonly":
                for argument in source.arguments(command, 1):
                    include_only = frozenset(item[0].strip() for item in _ITEM.finditer(source.inner(argument)))
            if name == "begin":
                self._options(command)
        return inputs, include_only

    def _keys(self, command: Command, kind: str) -> None:
        source = self.source
        arguments = [a for a in source.arguments(command, 4) if not a.optional or command.name == "hyperref"]
        if command.name == "inputminted":
            arguments = arguments[1:]
        if not arguments:
            return
        argument = arguments[0]
        for item in _ITEM.finditer(source.inner(argument)):
            self.found.append((argument.start + 1 + item.start(), f"{kind}:{_key(item[0], kind)}"))

    def _printed(self, command: Command) -> None:
        arguments = self.source.arguments(command, 4)
        if command.name == "href":
            arguments = tuple(a for a in arguments if not a.optional)[:1]
        for argument in arguments:
            if argument.optional and command.name not in ("SI",):
                continue
            if self.source.mode(argument.start) is not Mode.ARGUMENT:
                continue
            text = self.text[argument.start : argument.end]
            if command.name in ("num", "SI", "qty", "ang") and "." in text and "," in text:
                for match in re.finditer(r"[\d.,]+|[^\d.,]+", text):
                    if match[0][0].isdigit():
                        self.found.append((argument.start + match.start(), match[0].replace(",", "").rstrip(".")))
                continue
            self._scan(argument.start, argument.end, math=False)

    def _inputs(self, command: Command) -> Iterator[Input]:
        source = self.source
        arguments = [a for a in source.arguments(command, 4) if not a.optional]
        if command.name in ("import", "subimport", "includefrom"):
            if len(arguments) > 1:
                yield Input("input", source.inner(arguments[0]).strip() + source.inner(arguments[1]).strip())
            return
        if not arguments and command.name == "input":
            match = re.match(r"[ \t]+([^\s{}\\%]+)", self.text[command.end : command.end + 200])
            if match is not None:
                yield Input("input", match[1])
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
                    self._scan(match.start("value"), match.end("value"), math=False)

    def _units(self, visible: list[tuple[int, str]]) -> tuple[list[Unit], list[str]]:
        """Cut the tokens into units. Second: the words of the preamble that stand in none of its known entries."""
        text, source = self.text, self.source
        edges = self._edges()
        document = source.document[0] if source.document is not None and source.part == "main" else 0
        units: list[Unit] = []
        rest: list[str] = []
        at, count = 0, len(visible)
        for index, (start, kind) in enumerate(edges):
            end = edges[index + 1][0] if index + 1 < len(edges) else len(text)
            first = at
            while at < count and visible[at][0] < end:
                at += 1
            if at == first:
                continue
            chosen = visible[first:at]
            if kind != "table row":
                chosen = [item for item in chosen if item[1] != CELL]
            if kind == "paragraph" and start < document:
                rest += [token for _, token in chosen]
            elif chosen:
                places, tokens = zip(*chosen, strict=True)
                units.append(Unit(kind, start, end, tokens, places))
        return units, rest

    def _edges(self) -> list[tuple[int, str]]:
        """Where units begin, and of what kind they are, in order."""
        source, text = self.source, self.text
        ranges: list[tuple[int, int, str]] = []
        breaks: list[int] = list(source.paragraph_starts)
        if source.document is not None:
            breaks += source.document
        tables: dict[int, int] = {}
        for environment in source.environments:
            if environment.name in vocabulary.TABULAR_ENVIRONMENTS:
                ranges.append((environment.begin_end, environment.until, "table row"))
                tables[environment.begin] = environment.until
            elif environment.name in vocabulary.VERBATIM_ENVIRONMENTS:
                ranges.append((environment.begin_end, environment.until, "listing"))
        for command in source.commands:
            if command.name in _BREAKS:
                breaks.append(command.start)
                if command.name in _UNITS:
                    for argument in source.arguments(command, 3):
                        ranges.append((argument.start, argument.end, _UNITS[command.name]))
            elif command.name == "\\" and tables:
                around = source.environments_at(command.start)
                if around and around[-1].begin in tables:
                    breaks.append(command.end)
        for formula in source.math:
            if formula.display:
                ranges.append((formula.start, formula.end, "formula"))
        breaks += [place for start, end, _ in ranges for place in (start, end)]
        ranges.sort(key=lambda r: (r[0], -r[1]))
        edges: list[tuple[int, str]] = []
        stack: list[tuple[int, str]] = []
        at = 0
        for place in sorted(set(breaks) | {0}):
            while at < len(ranges) and ranges[at][0] <= place:
                stack.append((ranges[at][1], ranges[at][2]))
                at += 1
            while stack and stack[-1][0] <= place:
                stack.pop()
            live = [kind for end, kind in stack if end > place] if stack else []
            if place < len(text):
                edges.append((place, live[-1] if live else "paragraph"))
        return edges


def _reading_macros(source: Source) -> set[str]:
    """Macros of the file that read the file they are given."""
    places = sorted((place, name) for name, place in source.definitions.items())
    found = set()
    for start, end in source.bodies:
        if _READS.search(source.text, start, end):
            found |= {name for place, name in places if start - 80 < place < start}
    return found


def _defined(source: Source) -> set[int]:
    found: set[int] = set()
    defining = False
    for command in source.commands:
        if defining:
            found.add(command.start)
        defining = command.name in vocabulary.OPENS_DEFINITION
    return found


def _is_sign(text: str, start: int, end: int) -> bool:
    """A minus before a number, not a range, a hyphen or a dash between words."""
    return text[end : end + 1].isdigit() and not (start and (text[start - 1].isalnum() or text[start - 1] in "}-)]"))


def _is_mark(text: str, start: int, end: int) -> bool:
    """A number that a list was numbered with by hand: "3. " or "3) " at the start of a line."""
    if text[end : end + 1] not in (".", ")") or text[end + 1 : end + 2] not in (" ", "\t"):
        return False
    return not text[max(0, start - 12) : start].rpartition("\n")[2].strip()


def _link(address: str) -> str:
    return re.sub(r"\\", "", address).rstrip(".,;:)!?'").partition("://")[2].casefold()


def file_key(path: str) -> str:
    """What is compared of a picture's name: not its folder, ending, case and punctuation, which repairs correct."""
    name = path.replace("\\", "/").rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    return re.sub(r"[\W_]+", "", (stem if dot else name).casefold())


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


def _key(key: str, kind: str) -> str:
    key = re.sub(r"\\([_%#&])", r"\1", re.sub(r"\s+", " ", key.strip().strip('"{}')))
    if kind in ("picture", "listing file"):
        return file_key(key)
    return key


_INTERESTING: Mapping[str, None] = dict.fromkeys(
    [*_KEYS, *_ACTIONS, *_PRINTED_ARGUMENTS, *_FILES, "includeonly", "begin"]
)
