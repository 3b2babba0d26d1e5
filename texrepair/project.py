"""Project and Draft: what was given, and an immutable snapshot of its editable text files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from texrepair.result import Diagnostic

if TYPE_CHECKING:
    from texrepair.settings import Settings


@dataclass(frozen=True)
class Draft:
    """An immutable snapshot of the project's editable text files; an edit makes a new draft.

    Text is decoded exactly: line ends and a byte-order mark stay in it, so that an untouched file is written back byte
    for byte.
    """

    texts: Mapping[str, str]
    """Text by path, relative to the project's root, with forward slashes."""
    encodings: Mapping[str, str] = field(default_factory=dict)
    """Codec by path where it is not UTF-8. What UTF-8 cannot decode is kept as surrogates (surrogateescape)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "texts", MappingProxyType(dict(self.texts)))
        object.__setattr__(self, "encodings", MappingProxyType(dict(self.encodings)))

    def __contains__(self, path: object) -> bool:
        return path in self.texts

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def text(self, path: str) -> str:
        """The text of one file. Raises KeyError."""
        return self.texts[path]

    def replace(self, path: str, text: str) -> Draft:
        """A draft in which that file has that text; the file is added where it is not there."""
        if self.texts.get(path) == text:
            return self
        return Draft({**self.texts, path: text}, self.encodings)

    def recoded(self, path: str) -> Draft:
        """A draft in which that file is UTF-8; the text stays."""
        return Draft(self.texts, {other: codec for other, codec in self.encodings.items() if other != path})

    def encoded(self, path: str) -> bytes:
        """The file's bytes. Raises UnicodeEncodeError where its own encoding lacks a character."""
        codec = self.encodings.get(path, "utf-8")
        return self.texts[path].encode(codec, "surrogateescape" if codec == "utf-8" else "strict")

    @cached_property
    def digest(self) -> str:
        """A hash of all paths, texts and encodings, in hexadecimal."""
        total = hashlib.sha256()
        for path in sorted(self.texts):
            for part in (path, self.texts[path], self.encodings.get(path, "")):
                data = part.encode("utf-8", "surrogatepass")
                total.update(len(data).to_bytes(8, "big") + data)
        return total.hexdigest()

    def changed_from(self, other: Draft) -> tuple[str, ...]:
        """The paths whose text or bytes differ from the other draft's, sorted; added ones included."""
        return tuple(sorted(path for path in self.texts if self._differs(path, other)))

    def _differs(self, path: str, other: Draft) -> bool:
        text = self.texts[path]
        if other.texts.get(path) != text:
            return True
        codecs = {draft.encodings.get(path, "utf-8") for draft in (self, other)}
        return len({text.encode(codec, "replace") for codec in codecs}) > 1


@dataclass(frozen=True)
class Project:
    """The input: a main file and everything beside it that it needs."""

    main: str
    """The main file's path in the draft."""
    draft: Draft
    assets: Mapping[str, Path | bytes] = field(default_factory=dict)
    """The other files (figures, fonts, data) by path in the project: where they lie, or what they hold."""
    engine: str = "xelatex"
    engine_named: bool = False
    """True where the caller named the engine: then it is never switched."""
    root: Path | None = None
    """The folder that paths are relative to; None for a zip or standard input. TeX runs in the main file's folder."""
    name: str = "document"
    """What results are called: the main file's stem, or `document` for standard input."""
    findings: tuple[Diagnostic, ...] = ()
    """What was found while loading: bytes that could not be decoded, files left out."""

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        engine: str | None = None,
        settings: Settings | None = None,
        output: Path | None = None,
    ) -> Project:
        """The project in a .tex file, a folder, a .zip or `-` (standard input). See texrepair.loading.load.load."""
        from texrepair.loading.load import load

        return load(path, engine=engine, settings=settings, output=output)
