"""Taking a project's files in: first what the main file refers to, then files of known kinds from below its folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Protocol

from texrepair.encoding import declared, decode, first_undecoded
from texrepair.files import Entry
from texrepair.latex.comments import uncommented
from texrepair.loading.belongs import (
    EDITABLE,
    GENERATED,
    KNOWN,
    RUN_COMMANDS,
    SHIPPED_BIBLIOGRAPHIES,
    Reference,
    bibliographies,
    ending,
    hidden,
    oddity,
    own_output,
    references,
)
from texrepair.loading.main_file import PARTS, document_class
from texrepair.project import Draft, Project
from texrepair.result import Diagnostic
from texrepair.settings import Settings

SOURCES = (".tex", ".ltx", ".latex")
"""Endings of files that may be a document."""
TEXT_BYTES = 8 * 1024 * 1024
"""Largest text file that is edited; a larger one is data."""

# Most findings of one load; a last one counts the rest.
_FINDINGS = 20
_WHY_NOT = {
    "link": "it is a link, and links are not followed",
    "special": "it is no regular file",
    "unreadable": "it cannot be read, or lies behind a link",
}
_BINARY_HEADS = {
    b"%PDF-": "a PDF",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"PK\x03\x04": "a zip or an office document",
    b"\x1f\x8b": "a gzip archive",
    b"\x7fELF": "a program",
}
# JSON makes control characters of \b \t \n \v \f \r \a: a damaged document may hold many of those.
_STRANGE = bytes({*range(32), 127} - set(b"\a\b\t\n\v\f\r\x1b"))


class Tree(Protocol):
    """Where files come from: a Folder on the disk or an Archive in memory. Paths are relative to it."""

    def look(self, path: str) -> Entry | None: ...
    def head(self, path: str, size: int) -> bytes | None: ...
    def read(self, path: str, limit: int) -> bytes: ...
    def walk(self, start: str, skip: Callable[[str, frozenset[str]], bool], most: int) -> Iterator[Entry]: ...
    def asset(self, path: str) -> Path | bytes: ...


def binary(data: bytes) -> str | None:
    """What a file is that is no text, in words, or None for text."""
    for head, words in _BINARY_HEADS.items():
        if data.startswith(head):
            return words
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return None
    head = data[:8192]
    strange = len(head) - len(head.translate(None, _STRANGE))
    return "a binary file" if strange > max(3, len(head) // 50) else None


class Intake:
    """A project while its files are taken in. All paths are relative to the tree until `project` is called."""

    def __init__(self, tree: Tree, main: str, listing: Sequence[Entry] | None, settings: Settings) -> None:
        """`listing` is all that lies below the main file's folder, nearest first; None where that is not known.

        Raises OSError where the main file cannot be read.
        """
        self._tree = tree
        self._main = main
        self._home = _folder(main)
        self._listing = None if listing is None else {entry.path: entry for entry in listing}
        self._settings = settings
        self._files_left = settings.max_files
        self._bytes_left = settings.max_project_mb * 1024 * 1024
        self._texts: dict[str, str] = {}
        self._encodings: dict[str, str] = {}
        self._assets: dict[str, Path | bytes] = {}
        self._findings: dict[tuple[str, str], tuple[str, int | None]] = {}
        self._beyond = 0
        data = tree.read(main, TEXT_BYTES)
        self._codec = declared(decode(data)[0])
        self._keep(main, data)

    def __contains__(self, path: object) -> bool:
        return path in self._texts or path in self._assets

    def refer(self) -> None:
        """Take in what the main file refers to, what those files refer to, and so on."""
        bibliography: set[str] = set()
        read: set[str] = set()
        while waiting := [path for path in self._texts if path not in read]:
            for path in waiting:
                read.add(path)
                text = uncommented(self._texts[path])
                bibliography |= {_name(one) for one in bibliographies(text)}
                for reference in references(text):
                    self._find(path, reference)
        # A .bbl is generated from the .bib: only where that did not come along is it a source.
        bbl = self._look(str(PurePosixPath(self._main).with_suffix(".bbl")))
        if bbl is not None and bibliography - {_name(path) for path in self._texts} - SHIPPED_BIBLIOGRAPHIES:
            self._take(bbl, code=True)

    def sweep(self) -> None:
        """Take in the files of known kinds that lie below the main file's folder.

        A subfolder with another document in it is left out as a whole, where nothing points there; so is the PDF that
        texrepair made of another document, which has its NAME.texrepair beside it.
        """
        foreign = self._foreign()
        listing = self._listing or {}
        for path, entry in listing.items():
            if not foreign.isdisjoint(self._folders(path)):
                continue
            if _name(path) in RUN_COMMANDS:
                self._leave_out(path, "it would steer a program of the build")
            kind = ending(path)
            made = own_output(path, self._main) or f"{path.removesuffix('.pdf')}.texrepair" in listing
            known = kind in KNOWN and kind not in GENERATED and not made
            if known and entry.kind != "folder" and not hidden(path):
                self._take(entry, swept=True)

    def project(self, *, engine: str, engine_named: bool, folder: Path | None, name: str) -> Project:
        """What was taken in. `folder` is where the tree lies on the disk.

        The root is the main file's folder, or the nearest one above that holds all that the document refers to.
        """
        outside = [_folder(path) for path in (*self._texts, *self._assets) if not _below(self._home, path)]
        root = self._home
        while not all(_below(root, f"{one}/x") for one in outside):
            root = _folder(root)
        cut = len(root) + 1 if root else 0
        if self._beyond:
            limits = f"{self._settings.max_files} files or {self._settings.max_project_mb} MiB"
            message = f"{self._beyond} files beyond {limits} were left out; raise max_files or max_project_mb"
            self._findings[self._main, "left-out"] = (message, None)
        return Project(
            main=self._main[cut:],
            draft=Draft(
                {path[cut:]: text for path, text in self._texts.items()},
                {path[cut:]: codec for path, codec in self._encodings.items()},
            ),
            assets={path[cut:]: asset for path, asset in self._assets.items()},
            engine=engine,
            engine_named=engine_named,
            root=None if folder is None else folder / root,
            name=name,
            findings=tuple(self._diagnostics(cut)),
        )

    def _foreign(self) -> frozenset[str]:
        """Folders with a document of their own of which nothing was taken in and whose name no text writes."""
        holding: set[str] = set()
        for path, entry in (self._listing or {}).items():
            folders = self._folders(path)
            new = entry.kind == "file" and path not in self and not holding.issuperset(folders)
            if new and path.lower().endswith(SOURCES) and self._is_document(path):
                holding |= folders
        used = {folder for path in (*self._texts, *self._assets) for folder in self._folders(path)}
        texts = [uncommented(text) for text in self._texts.values()] if holding - used else []
        return frozenset(one for one in holding - used if not any(f"{_name(one)}/" in text for text in texts))

    def _is_document(self, path: str) -> bool:
        with suppress(OSError):
            name = document_class(decode(self._tree.read(path, TEXT_BYTES))[0])
            return name is not None and name not in PARTS
        return False

    def _folders(self, path: str) -> frozenset[str]:
        """The folders on the way from the main file's folder to that file."""
        return frozenset(one for parent in PurePosixPath(path).parents if _below(self._home, one := str(parent))) - {
            "."
        }

    def _diagnostics(self, cut: int) -> Iterator[Diagnostic]:
        for number, ((path, code), (message, line)) in enumerate(self._findings.items()):
            if number == _FINDINGS:
                message = f"{len(self._findings) - number} more files were left out or could not be decoded"
                yield Diagnostic("warning", "other", message, code="left-out", tool="texrepair")
                return
            yield Diagnostic("warning", "other", message, code=code, file=path[cut:], line=line, tool="texrepair")

    def _find(self, path: str, reference: Reference) -> None:
        """Take in the first file that the reference can mean: from the main file's folder, else from the file's own."""
        climbing = ""
        for base in dict.fromkeys((self._home, _folder(path))):
            for name in reference.names:
                target = _joined(base, name)
                if target is None:
                    climbing = climbing or name
                    continue
                entry = self._look(target)
                if entry is not None and entry.kind != "folder":
                    self._take(entry, code=reference.code)
                    return
        if climbing and reference.certain:
            why = "it lies outside the project's folder; give texrepair the folder that holds both"
            self._leave_out(climbing, why, "outside-project")

    def _look(self, path: str) -> Entry | None:
        if self._listing is not None and _below(self._home, path):
            return self._listing.get(path)
        return self._tree.look(path)

    def _take(self, entry: Entry, code: bool = False, swept: bool = False) -> None:
        """Take a file in, unless it is there or may not be taken. `code`: TeX reads it as code, whatever its ending."""
        path, kind = entry.path, ending(entry.path)
        if path in self:
            return
        if entry.kind != "file":
            self._leave_out(path, _WHY_NOT[entry.kind])
        elif hidden(path):
            self._leave_out(path, "it is hidden")
        elif strange := oddity(path):
            self._leave_out(path, strange)
        elif kind in GENERATED - {"bbl"} and PurePosixPath(path).stem == PurePosixPath(self._main).stem:
            return
        elif self._files_left == 0 or entry.size > self._bytes_left:
            self._beyond += 1
        elif self._tree.head(path, 0) is None:
            self._leave_out(path, _WHY_NOT["unreadable"])
        else:
            self._files_left -= 1
            self._bytes_left -= entry.size
            if (code or kind in EDITABLE) and entry.size <= TEXT_BYTES:
                data = self._tree.read(path, TEXT_BYTES)
                # Another document beside this one is not this one's to repair.
                if binary(data) is None and not (swept and document_class(decode(data)[0]) is not None):
                    self._keep(path, data, swept)
                    return
            self._assets[path] = self._tree.asset(path)

    def _keep(self, path: str, data: bytes, swept: bool = False) -> None:
        text, codec = decode(data, self._codec)
        self._texts[path] = text
        if codec is not None:
            self._encodings[path] = codec
        line = first_undecoded(text)
        # Bytes that the document may never read are nobody's trouble.
        if line is not None and not swept:
            message = "the file is neither UTF-8 nor in the encoding that the document declares; save it as UTF-8"
            self._findings[path, "invalid-bytes"] = (message, line)

    def report(self, path: str, code: str, message: str) -> None:
        """Let the project tell of something about that file."""
        self._findings[path, code] = (message, None)

    def _leave_out(self, path: str, why: str, code: str = "left-out") -> None:
        self._findings.setdefault((path, code), (f"{_name(path)} was left out: {why}", None))


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _below(folder: str, path: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _joined(base: str, name: str) -> str | None:
    """The path of a name that a file in the folder `base` uses; None where it leads out of the tree."""
    if name.startswith(("/", "~")) or "\0" in name:
        return None
    path = os.path.normpath(f"{base}/{name}" if base else name)
    return None if path == ".." or path.startswith("../") else path
