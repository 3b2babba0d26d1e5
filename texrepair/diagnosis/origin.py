"""Where the cause of a report probably stands, if TeX was elsewhere when it noticed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
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
_WORD = re.compile(r"\\[A-Za-z@]+|\w{2,}")
_OWN_WORDS = frozenset(
    """\\contentsline \\numberline \\protect \\relax \\newlabel \\@writefile \\BOOKMARK \\item \\bibitem \\newblock
    \\entry \\field \\gdef \\begin \\end section subsection subsubsection chapter figure table toc lof lot document
    """.split()
)
"""What LaTeX and BibTeX write around the author's words."""
_MOST = 200
"""Reports of one log that are traced by their words."""
_DEFINITION = (
    r"\\(?:(?:re)?newcommand|providecommand|(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand|"
    r"DeclareRobustCommand|[gex]?def|let)\*?\s*\{?\s*"
)
_SPACE = re.compile(r"(\\[A-Za-z@]+) ")
_MACRO = re.compile(r"(\\[^\s#\->]+)\s*(?:#|->|\.\.\.)")


class Texts:
    """The project's text files, as evidence of where something was written."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources

    @cached_property
    def lines(self) -> Mapping[str, list[str]]:
        """The lines of every file that an author writes."""
        return {path: text.split("\n") for path, text in self._sources.items() if not path.endswith(_GENERATED)}

    @cached_property
    def _index(self) -> Mapping[str, list[tuple[str, int]]]:
        index: dict[str, list[tuple[str, int]]] = {}
        for path, lines in self.lines.items():
            for number, line in enumerate(lines, 1):
                for word in set(_WORD.findall(line.partition("%")[0])):
                    index.setdefault(word, []).append((path, number))
        return index

    def likeliest(self, text: str, token: str | None, bibliography: bool) -> Place | None:
        """The line that shares most with a text; words count more that stand in few lines."""
        wanted = {word for word in _WORD.findall(text) if word not in _OWN_WORDS}
        if token:
            wanted.add(token)
        scores: Counter[tuple[str, int]] = Counter()
        for word in wanted:
            places = [p for p in self._index.get(word, ()) if p[0].endswith(".bib") == bibliography]
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

    def text(self, path: str) -> str | None:
        """One file's text."""
        return self._sources.get(path)

    def in_order(self, first: str | None) -> Iterator[tuple[str, str]]:
        """Every file but the bibliography, that one first."""
        if first in self._sources and first is not None:
            yield first, self._sources[first]
        for path, text in self._sources.items():
            if path != first and not path.endswith((".bib", *_GENERATED)):
                yield path, text


def trace(found: list[Found], sources: Mapping[str, str]) -> None:
    """Give, in place, an origin to the reports whose cause is elsewhere and can be found."""
    texts = Texts(sources)
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
        line = f"{error.before}{error.after}".replace("...", " ")
        whole = texts.text(error.file)
        if whole is not None and error.line is not None:
            line = "".join(whole.split("\n")[error.line - 1 : error.line])
        return texts.likeliest(line, error.token, error.file.endswith(".bbl"))
    if error.context and error.token:
        return _in_definition(error, texts)
    return None


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
