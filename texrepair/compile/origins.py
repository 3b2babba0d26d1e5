"""Where the words of a generated file came from: what TeX trips over in a .toc or .bbl was written elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from texrepair.result import Diagnostic, Place

_WORD = re.compile(r"\\[A-Za-z@]+|\\.|\w{2,}")
_BIB_KEY = re.compile(r"\\bibitem\s*(?:\[(?:[^\[\]{}]|\{[^{}]*\})*\])?\s*\{([^{}]+)\}|\\entry\{([^{}]+)\}")
_WRAPPING = frozenset(
    {"\\contentsline", "\\numberline", "\\protect", "\\relax", "\\newlabel", "\\@writefile", "\\BOOKMARK", "\\item"}
    | {
        "\\bibitem",
        "\\newblock",
        "\\entry",
        "\\field",
        "\\gdef",
        "section",
        "subsection",
        "chapter",
        "toc",
        "lof",
        "lot",
    }
)
"""What LaTeX and BibTeX write around the author's words."""


def traced(error: Diagnostic, generated: Mapping[str, bytes], sources: Mapping[str, str]) -> Place | None:
    """The source line that most likely wrote the line of a generated file at which an error was met; None if unknown.

    Names are those by which the programs call the files.
    """
    if error.file is None or error.line is None or error.file in sources or error.file not in generated:
        return None
    lines = generated[error.file].decode("utf-8", "replace").splitlines()
    if not 0 < error.line <= len(lines):
        return None
    line = lines[error.line - 1]
    if error.file.endswith(".bbl"):
        return _entry(lines[: error.line], line, error.token, sources)
    texts = {path: text for path, text in sources.items() if not path.endswith(".bib")}
    return _likeliest(line, error.token, texts)


def _entry(above: list[str], line: str, token: str | None, sources: Mapping[str, str]) -> Place | None:
    """The place in a .bib file of the entry whose text the .bbl holds, at the field that has its words."""
    found = next(filter(None, map(_BIB_KEY.search, reversed(above))), None)
    if found is None:
        return None
    opening = re.compile(r"@\w+\s*[{(]\s*" + re.escape(found[1] or found[2]) + r"\s*,")
    for path, text in sources.items():
        at = opening.search(text) if path.endswith(".bib") else None
        if at is not None:
            end = text.find("\n@", at.end())
            first = text.count("\n", 0, at.start()) + 1
            place = _likeliest(line, token, {path: text[at.start() : end if end >= 0 else len(text)]})
            return Place(path, first if place is None or place.line is None else first + place.line - 1)
    return None


def _likeliest(line: str, token: str | None, texts: Mapping[str, str]) -> Place | None:
    """The line of the sources that shares most with a line; those words count more that stand in few lines."""
    wanted = {word for word in _WORD.findall(line) if word not in _WRAPPING}
    if token:
        wanted.add(token)
    places = [
        (path, number, wanted.intersection(_WORD.findall(text)))
        for path, whole in texts.items()
        for number, text in enumerate(whole.splitlines(), 1)
        if not text.lstrip().startswith("%")
    ]
    often = Counter(word for _, _, words in places for word in words)
    best: tuple[float, Place] | None = None
    for path, number, words in places:
        score = sum(1 / often[word] for word in words) + (1 if token in words else 0)
        if words and (best is None or score > best[0]):
            best = (score, Place(path, number))
    return None if best is None else best[1]
