"""What a document's sources tell of its generated files, in the order in which TeX meets it.

The headings, captions, labels and citations are found without running TeX, so that what is found is a guess: what
macros write is missing, and numbers are those of LaTeX's own classes. Nothing may rest on it that a pass does not
verify.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from texrepair.compile.numbering import Numbers
from texrepair.latex.comments import uncommented

# Bounds keep the search linear where brackets and braces are never closed.
_COMMAND = re.compile(
    r"\\(?:(?P<read>input|include|subfile)(?:\s*\{(?P<file>[^{}]*)\}|\s+(?P<bare>[^\s{}\\]+))"
    r"|(?P<named>bibliography|bibliographystyle)\s*\{(?P<names>[^{}]*)\}"
    r"|(?:no|foot|full|paren|text|auto)?[cC]ite(?!style|text|name|index)[A-Za-z]*\*?\s*(?:\[[^\]]{0,500}\]\s*){0,2}"
    r"\{(?P<keys>[^{}]{0,2000})\}"
    r"|(?P<edge>begin|end)\s*\{(?P<environment>[A-Za-z]{1,40}\*?)\}"
    r"|label\s*\{(?P<label>[^{}]{1,200})\}"
    r"|(?P<heading>part|chapter|(?:sub){0,2}section|paragraph)(?![A-Za-z@])(?P<unnumbered>\*?)"
    r"|caption(?:of\s*\{(?P<float>figure|table)\})?(?![A-Za-z@])(?P<silent>\*?)"
    r"|(?P<list>tableofcontents|listoffigures|listoftables)(?![A-Za-z@])"
    r"|addcontentsline\s*\{(?P<into>toc|lof|lot)\}\s*\{(?P<level>[a-z]{1,20})\}"
    r"|(?P<matter>appendix|frontmatter|mainmatter|backmatter)(?![A-Za-z@])"
    r"|newtheorem\s*\{(?P<theorem>[A-Za-z]{1,40})\}\s*(?:\[(?P<like>[A-Za-z]{1,40})\]\s*)?\{[^{}]{0,200}\}"
    r"(?:\s*\[(?P<within>[a-z]{1,20})\])?"
    r"|(?P<item>bibitem)(?![A-Za-z@])"
    r"|(?P<skipped>iffalse)(?![A-Za-z@])"
    r"|(?:verb|lstinline)\*?(?P<mark>[^\sA-Za-z*\[{])"
    r"|(?P<defines>(?:(?:re)?new|provide)command|DeclareRobustCommand|(?:re)?newenvironment|[egx]?def)(?![A-Za-z@]))"
)
_VERBATIM = re.compile(r"(?:verbatim|Verbatim|lstlisting|minted|comment)\*?\Z")
_FLOATS = re.compile(r"(?:(?:wrap|sideways)?(?P<kind>figure|table)|longtable)\*?\Z")
_EQUATIONS = re.compile(r"(?:equation|align|gather|multline|eqnarray|alignat|flalign)\Z")
_PART_OF_FLOAT = re.compile(r"sub(?:figure|table)\Z")
_BRACKET = re.compile(r"(?<!\\)[{}\]]")
_BLANKS = re.compile(r"[ \t\n]*")
_FI = re.compile(r"\\(?:fi|else)(?![A-Za-z@])")
_HEAD = re.compile(r"\*?\s*(?:\{\s*\\?[A-Za-z@]{1,60}\*?\s*\}|\\[A-Za-z@]{1,60})(?:\s*\[[^\[\]{}]{0,200}\]|#[1-9])*")
"""Of a definition, what stands before its text: the name, the number of arguments and what they are by default."""

_REFERS = re.compile(r"\\[A-Za-z@]*[rR]ef")

_ELSEWHERE = re.compile(
    r"biblatex|addbibresource|newcites|bibunit|chapterbib|multibbl|splitbib|apacite|jurabib|amsrefs"
)
"""Packages with .aux files, or words for bibtex, of their own."""

_LISTS = {"tableofcontents": "toc", "listoffigures": "lof", "listoftables": "lot"}
_MOST_FILES = 300
_MOST_COMMANDS = 20_000
_MOST_TEXT = 2_000_000
"""Characters that are read of all sources together."""

_LONGEST_ARGUMENT = 800
_LONGEST_DEFINITION = 2_000
_MOST_BRACKETS = 60
"""Braces and brackets in one argument."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents or of another list."""

    list: str
    """The suffix of the list's file: toc, lof, lot."""
    kind: str
    """What LaTeX calls it: section, figure …"""
    number: str
    """Empty where it has none."""
    title: str
    """Its source."""


@dataclass(frozen=True, slots=True)
class Label:
    """Something that can be referred to."""

    key: str
    kind: str
    number: str
    title: str = ""
    """The source of the title of what it stands in."""


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a bibliography."""

    key: str
    label: str | None
    """The source of what is printed for it; None for its number."""


@dataclass(frozen=True, slots=True)
class Outline:
    """What was found."""

    citations: tuple[str, ...] = ()
    """The keys, each once."""
    data: tuple[str, ...] = ()
    """The arguments of \\bibliography."""
    styles: tuple[str, ...] = ()
    """Those of \\bibliographystyle."""
    bibtex: bool = True
    """Whether bibtex does nothing but what LaTeX's own commands ask for, as far as can be told."""
    lists: frozenset[str] = frozenset()
    """The lists that are printed, by their files' suffixes."""
    entries: tuple[Entry, ...] = ()
    labels: tuple[Label, ...] = ()
    """None where nothing refers to any."""
    items: tuple[Item, ...] = ()


def outline(sources: Mapping[str, str], main: str) -> Outline:
    """What the sources tell. They are texts by the names under which programs call them."""
    found = _Found(Numbers(any("\\chapter" in text for text in sources.values())))
    reading = _Reading(sources)
    for text, command in reading.commands(main):
        found.take(text, command)
    return Outline(
        tuple(found.citations),
        tuple(found.data),
        tuple(found.styles),
        not reading.beyond,
        frozenset(found.lists),
        tuple(found.entries),
        tuple(found.labels.values()) if any(map(_REFERS.search, sources.values())) else (),
        tuple(found.items),
    )


def items(text: str) -> tuple[Item, ...]:
    """The entries of a bibliography, as in a .bbl file."""
    matches = islice(_COMMAND.finditer(uncommented(text[:_MOST_TEXT])), _MOST_COMMANDS)
    found = (_item(match.string, match.end()) for match in matches if match["item"])
    return tuple(item for item in found if item is not None)


@dataclass
class _Found:
    """What was found up to here."""

    numbers: Numbers
    citations: dict[str, None] = field(default_factory=dict)
    data: list[str] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)
    lists: set[str] = field(default_factory=set)
    entries: list[Entry] = field(default_factory=list)
    labels: dict[str, Label] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    around: list[tuple[str, tuple[str, str, str]]] = field(default_factory=list)
    """The environments that are open and have numbers, each with what a label before it refers to."""

    def take(self, text: str, found: re.Match[str]) -> None:
        """Take a command in."""
        numbers = self.numbers
        if found["named"]:
            (self.data if found["named"] == "bibliography" else self.styles).append("".join(found["names"].split()))
        elif found["keys"] is not None:
            self.citations.update(dict.fromkeys(key.strip() for key in found["keys"].split(",")))
        elif found["edge"] == "begin" and found["environment"] == "document":
            # What stood before are the definitions of commands.
            self.lists.clear()
            self.entries.clear()
            self.labels.clear()
            numbers.restart()
        elif found["edge"] == "begin":
            self._open(found["environment"])
        elif found["edge"]:
            self._close(found["environment"])
        elif found["label"]:
            self.labels.setdefault(found["label"], Label(found["label"], *numbers.current))
        elif found["heading"]:
            kind = found["heading"]
            title = _title(text, found.end())
            if not found["unnumbered"] and title is not None:
                self.entries.append(Entry("toc", kind, numbers.heading(kind, title), title))
        elif found["list"]:
            self.lists.add(_LISTS[found["list"]])
        elif found["into"]:
            title, _ = _argument(text, found.end(), "{}")
            self.entries.append(Entry(found["into"], found["level"], "", title or ""))
        elif found["matter"] == "appendix":
            numbers.appendix()
        elif found["matter"]:
            numbers.main_matter = found["matter"] == "mainmatter"
        elif found["theorem"]:
            numbers.theorem(found["theorem"], found["like"], found["within"])
        elif found["item"]:
            item = _item(text, found.end())
            self.items += [item] if item is not None else []
        elif found["silent"] == "":
            self._caption(found["float"], _title(text, found.end()))

    def _open(self, name: str) -> None:
        numbers = self.numbers
        if _EQUATIONS.match(name) or numbers.is_theorem(name):
            kind = name if numbers.is_theorem(name) else "equation"
            self.around.append((name, numbers.current))
            numbers.current = (kind, numbers.numbered(kind), numbers.current[2])
        elif _FLOATS.match(name) or _PART_OF_FLOAT.match(name):
            self.around.append((name, numbers.current))

    def _close(self, name: str) -> None:
        if self.around and self.around[-1][0] == name:
            self.numbers.current = self.around.pop()[1]

    def _caption(self, named: str | None, title: str | None) -> None:
        inside = self.around[-1][0] if self.around else ""
        if title is None or _PART_OF_FLOAT.match(inside):
            return
        floating = _FLOATS.match(inside)
        kind = named or (floating["kind"] or "table" if floating else None)
        if kind is not None:
            number = self.numbers.numbered(kind)
            self.numbers.current = (kind, number, title)
            self.entries.append(Entry("lof" if kind == "figure" else "lot", kind, number, title))


class _Reading:
    """The sources, read in TeX's order."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.beyond = False
        """Whether bibtex serves packages that are beyond us, or more stands there than is read."""
        self._sources = sources
        self._opened: set[str] = set()
        self._commands = _MOST_COMMANDS
        self._text = _MOST_TEXT

    def commands(self, name: str, main: bool = True) -> Iterator[tuple[str, re.Match[str]]]:
        """The commands of interest in a file, and in those that it reads, each with its text."""
        self._opened.add(name)
        source = self._sources[name]
        text = uncommented(source[: self._text])
        self.beyond |= len(source) > self._text or len(self._opened) > _MOST_FILES or bool(_ELSEWHERE.search(text))
        self._text -= len(text)
        at = 0
        endless: set[str] = set()
        while len(self._opened) <= _MOST_FILES and (found := _COMMAND.search(text, at)) is not None:
            if self._commands == 0:
                self.beyond = True
                return
            self._commands -= 1
            at = found.end()
            if found["environment"] == "document":
                if found["edge"] == "end":
                    return
                if main:
                    yield text, found
            elif found["read"]:
                other = self._file((found["file"] or found["bare"] or "").strip())
                if other is not None:
                    yield from self.commands(other, main=False)
            elif (end := _end_of_what_is_no_text(text, found, endless)) is not None:
                at = end
            else:
                yield text, found

    def _file(self, named: str) -> str | None:
        """The file that a command reads; None where it is not there, or was read before."""
        name = posixpath.normpath(named)
        other = next((path for path in (f"{name}.tex", name) if path in self._sources), None)
        return None if other in self._opened else other


def _end_of_what_is_no_text(text: str, found: re.Match[str], endless: set[str]) -> int | None:
    """Where what is not typeset, or as it stands, ends, if the command begins such a thing: definitions, verbatim.

    `endless` are those that end nowhere in this text. It grows.
    """
    at = found.end()
    if found["mark"]:
        end = text.find(found["mark"], at, at + _LONGEST_ARGUMENT)
        return None if end < 0 or "\n" in text[at:end] else end + 1
    if found["defines"]:
        head = _HEAD.match(text, at)
        end = at if head is None else _argument(text, head.end(), "{}", _LONGEST_DEFINITION)[1]
        return _argument(text, end, "{}", _LONGEST_DEFINITION)[1] if "environment" in found["defines"] else end
    name = "\\iffalse" if found["skipped"] else found["environment"] if found["edge"] == "begin" else None
    if name is None or name in endless or not (found["skipped"] or _VERBATIM.match(name)):
        return None
    last = _FI.search(text, at) if found["skipped"] else re.compile(re.escape(f"\\end{{{name}}}")).search(text, at)
    if last is None:
        endless.add(name)
        return None
    return last.end()


def _title(text: str, at: int) -> str | None:
    """The argument of a heading or a caption, or the short form that lists get; None where there is none."""
    short, at = _argument(text, at, "[]")
    title, _ = _argument(text, at, "{}")
    return title if short is None else short


def _item(text: str, at: int) -> Item | None:
    label, at = _argument(text, at, "[]")
    key, _ = _argument(text, at, "{}")
    return None if not key else Item(key.strip(), label)


def _argument(text: str, at: int, pair: str, longest: int = _LONGEST_ARGUMENT) -> tuple[str | None, int]:
    """What stands between a pair of brackets or braces that begins there, blanks apart, and where it ends."""
    start = _after_blanks(text, at)
    if text[start : start + 1] != pair[0]:
        return None, at
    depth = 0
    for found in islice(_BRACKET.finditer(text, start + 1, start + longest), _MOST_BRACKETS):
        if depth == 0 and found[0] == pair[1]:
            return text[start + 1 : found.start()], found.end()
        depth += (found[0] == "{") - (found[0] == "}")
    return None, at


def _after_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return at if blanks is None else blanks.end()
