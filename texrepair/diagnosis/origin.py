"""Where the cause of a report probably stands, if TeX was elsewhere when it noticed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from texrepair.diagnosis.found import Found
from texrepair.result import Place

_GENERATED = (
    ".aux",
    ".toc",
    ".lof",
    ".lot",
    ".lol",
    ".loa",
    ".out",
    ".bbl",
    ".ind",
    ".gls",
    ".acr",
    ".nav",
    ".snm",
    ".vrb",
)
_WORD = re.compile(r"\\[A-Za-z@]+|\\.|\w{2,}")
_BIB_KEY = re.compile(r"\\bibitem\s*(?:\[(?:[^\[\]{}]|\{[^{}]*\})*\])?\s*\{([^{}]+)\}|\\entry\{([^{}]+)\}")
"""What begins an entry of a .bbl: natbib and the kernel, biblatex."""
_OWN_WORDS = frozenset(
    """\\contentsline \\numberline \\protect \\relax \\newlabel \\@writefile \\BOOKMARK \\item \\bibitem \\newblock
    \\entry \\field \\gdef \\begin \\end section subsection subsubsection chapter figure table toc lof lot document
    """.split()
)
"""What LaTeX and BibTeX write around the author's words."""
_COMMENT = re.compile(r"(?<!\\)%.*")
_MOST = 200
"""Reports of one log that are traced by their words."""
_DEFINITION = (
    r"\\(?:(?:re)?newcommand|providecommand|(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand|"
    r"DeclareRobustCommand|[gex]?def|let)\*?\s*\{?\s*"
)
_SPACE = re.compile(r"(\\[A-Za-z@]+) ")
_MACRO = re.compile(r"(\\[^\s#\->]+)\s*(?:#|->|\.\.\.)")


class Texts:
    """The project's text files, as evidence of where something was written, and what was generated from them."""

    def __init__(self, sources: Mapping[str, str], generated: Mapping[str, bytes]) -> None:
        self._sources = sources
        self._generated = generated

    @cached_property
    def lines(self) -> Mapping[str, list[str]]:
        """The lines of every file that an author writes."""
        return {path: text.split("\n") for path, text in self._sources.items() if not path.endswith(_GENERATED)}

    @cached_property
    def _index(self) -> Mapping[str, list[tuple[str, int]]]:
        index: dict[str, list[tuple[str, int]]] = {}
        for path, lines in self.lines.items():
            for number, line in enumerate(lines, 1):
                for word in set(_WORD.findall(_COMMENT.sub("", line))):
                    index.setdefault(word, []).append((path, number))
        return index

    def likeliest(self, text: str, token: str | None, may: Callable[[str, int], bool]) -> Place | None:
        """The line, of those that may be it, that shares most with a text; words count more that stand in few lines."""
        wanted = {word for word in _WORD.findall(text) if word not in _OWN_WORDS}
        if token:
            wanted.add(token)
        scores: Counter[tuple[str, int]] = Counter()
        for word in wanted:
            places = [place for place in self._index.get(word, ()) if may(*place)]
            for place in places:
                scores[place] += 2 if word == token else 1 / len(places)  # type: ignore[assignment]
        best = max(scores.items(), key=lambda item: item[1], default=None)
        return Place(*best[0]) if best else None

    def entry(self, key: str) -> Place | None:
        """Where the .bib entry of that key begins."""
        opening = re.compile(r"\s*@\w+\s*[{(]\s*" + re.escape(key) + r"\s*(?:,|$)", re.IGNORECASE)
        for path, lines in self.lines.items():
            if path.endswith(".bib"):
                for number, line in enumerate(lines, 1):
                    if opening.match(line):
                        return Place(path, number)
        return None

    def field(self, key: str, text: str, token: str | None) -> Place | None:
        """The line of that key's .bib entry that shares most with a text; its first line where none shares anything."""
        begin = self.entry(key)
        if begin is None or begin.line is None:
            return None
        lines = self.lines[begin.file]
        end = next(
            (n for n, line in enumerate(lines[begin.line :], begin.line + 1) if line.startswith("@")), len(lines) + 1
        )
        inside = range(begin.line, end)
        return self.likeliest(text, token, lambda path, line: path == begin.file and line in inside) or begin

    def upto(self, path: str, number: int) -> list[str]:
        """The lines of a generated file up to that one; none where the file is not known or does not have so many."""
        given = self._generated.get(path)
        text = self._sources.get(path) if given is None else given.decode("utf-8", "replace")
        lines = text.split("\n") if text is not None else []
        return lines[:number] if 0 < number <= len(lines) else []

    def in_order(self, first: str | None) -> Iterator[tuple[str, str]]:
        """Every file but the bibliography, that one first."""
        if first in self._sources and first is not None:
            yield first, self._sources[first]
        for path, text in self._sources.items():
            if path != first and not path.endswith((".bib", *_GENERATED)):
                yield path, text


def trace(found: list[Found], sources: Mapping[str, str], generated: Mapping[str, bytes]) -> None:
    """Give, in place, an origin to the reports whose cause is elsewhere and can be found."""
    texts = Texts(sources, generated)
    worded = 0
    for one in found:
        if one.origin is not None:
            continue
        begun = one.detail.get("begun")
        if one.code == "incomplete-conditional" and one.line is None and begun is not None and one.file is not None:
            one.origin = Place(one.file, int(begun))
        elif not sources:
            continue
        elif one.tool in ("bibtex", "biber"):
            if one.key and (one.file is None or not one.file.endswith(".bib") or one.line is None):
                one.origin = texts.entry(one.key)
        elif one.severity == "error" and worded < _MOST:
            worded += 1
            one.origin = _of_error(one, texts)
        elif one.code == "missing-character" and one.token and one.line is None:
            one.origin = _of_character(one, texts)


def _of_error(error: Found, texts: Texts) -> Place | None:
    if error.code == "runaway-argument":
        return _began(error, texts)
    if error.file is not None and error.file.endswith(_GENERATED):
        return _of_generated(error, error.file, texts)
    if error.context and error.token:
        return _in_definition(error, texts)
    return None


def _of_generated(error: Found, file: str, texts: Texts) -> Place | None:
    """The source line that most likely wrote the line of a generated file."""
    lines = texts.upto(file, error.line or 0)
    line = lines[-1] if lines else f"{error.before}{error.after}".replace("...", " ")
    if not file.endswith(".bbl"):
        return texts.likeliest(line, error.token, lambda path, _: not path.endswith(".bib"))
    key = next(filter(None, map(_BIB_KEY.search, reversed(lines))), None)
    if key is not None:
        return texts.field(key[1] or key[2], line, error.token)
    return texts.likeliest(line, error.token, lambda path, _: path.endswith(".bib"))


def _began(error: Found, texts: Texts) -> Place | None:
    """Where the argument began that never ended: by its first words, which TeX shows, or by its macro."""
    shown = next((line for i, line in enumerate(error.context[1:2]) if error.context[0].startswith("Runaway")), "")
    pattern = _words(shown)
    best: Place | None = None
    for path, text in texts.in_order(error.file):
        limit = len(text)
        if path == error.file and error.line is not None:
            limit = _offset(text, error.line + 1)
        if pattern is not None:
            hits = [match.start() for match in pattern.finditer(text) if match.start() < limit]
        elif error.token and path == error.file:
            hits = [
                m.start() for m in re.finditer(re.escape(error.token) + r"(?![A-Za-z@])", text) if m.start() < limit
            ]
        else:
            hits = []
        if hits:
            best = Place(path, text.count("\n", 0, hits[-1]) + 1)
            break
    return None if best == Place(error.file or "", error.line) else best


def _words(shown: str) -> re.Pattern[str] | None:
    """The beginning of a runaway text as it may stand in the source; None where it is too short to tell."""
    body = _SPACE.sub(r"\1", shown.removesuffix("\\ETC.").replace("##", "#"))[:40].rstrip()
    body = body.partition("\\par")[0].rstrip()
    if len(body.strip("{ ")) < 3:
        return None
    parts = [re.escape(part) for part in body.split()]
    return re.compile(r"\s*".join(parts))


def _in_definition(error: Found, texts: Texts) -> Place | None:
    """Where the macro is defined in which TeX met the error, if that is not the line that it reports."""
    name = _MACRO.match(error.context[0])
    if name is None or error.token is None:
        return None
    opening = re.compile(_DEFINITION + re.escape(name[1]) + r"(?![A-Za-z@])")
    for path, text in texts.in_order(error.file):
        start = next((match.start() for match in opening.finditer(text)), None)
        if start is None:
            continue
        inside = text.find(error.token, start)
        if 0 <= inside < start + 4000:
            start = inside
        place = Place(path, text.count("\n", 0, start) + 1)
        return None if place == Place(error.file or "", error.line) else place
    return None


def _of_character(one: Found, texts: Texts) -> Place | None:
    for path, text in texts.in_order(one.file):
        at = text.find(one.token or "")
        if at >= 0:
            return Place(path, text.count("\n", 0, at) + 1)
    return None


def _offset(text: str, line: int) -> int:
    """Where a 1-based line begins."""
    offset = 0
    for _ in range(line - 1):
        offset = text.find("\n", offset) + 1
        if offset == 0:
            return len(text)
    return offset
