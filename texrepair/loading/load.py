"""From what the user named to a Project: the main file, its engine, and everything that belongs to it."""

from __future__ import annotations

import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from texrepair.encoding import decode
from texrepair.errors import InputNotFound, ProjectError, SettingsError
from texrepair.files import Folder
from texrepair.loading.archive import Archive, unpack
from texrepair.loading.belongs import RUN_LOG_HEAD, hidden
from texrepair.loading.intake import SOURCES, TEXT_BYTES, Intake, Tree, binary
from texrepair.loading.main_file import ENGINES, engine_for, magic, main_files
from texrepair.project import Project
from texrepair.settings import Settings, read_settings

_ZIP_HEADS = (b"PK\x03\x04", b"PK\x05\x06")


@dataclass(frozen=True)
class _Input:
    """What the user named."""

    tree: Tree
    title: str
    """What messages call it."""
    main: str | None = None
    """The main file's path in the tree, where the user named it."""
    folder: Path | None = None
    """Where the tree lies on the disk."""


def load(
    path: str | Path,
    *,
    engine: str | None = None,
    settings: Settings | None = None,
    output: Path | None = None,
    stdin: BinaryIO | None = None,
) -> Project:
    """The project that a .tex file, a folder, a .zip or `-` (standard input: a document or a zip) holds.

    What lies in `output`, where results go, does not belong to it. Nothing is written and no link is followed.
    Raises InputNotFound, ProjectError, and SettingsError for an engine that texrepair does not know.
    """
    settings = settings or read_settings()
    engine = engine or settings.engine
    if engine is not None and engine not in ENGINES:
        raise SettingsError(f"no engine is called {engine}: choose one of {', '.join(ENGINES)}")
    given = _opened(path, settings, stdin)
    named = given.main or _found(given, _skips(given.tree, given.folder, output), settings)
    tree, folder, main, refused = _followed(given, named)
    text = _latex(tree, main, given.title if folder is None else main)
    home = main.rpartition("/")[0]
    listing = None
    if folder is None or not _holds_everything(folder / home):
        listing = list(tree.walk(home, _skips(tree, folder, output), 10 * settings.max_files))
    intake = Intake(tree, main, listing, settings)
    if refused:
        intake.report(main, "outside-project", refused)
    intake.refer()
    intake.sweep()
    return intake.project(
        engine=engine or engine_for(text), engine_named=engine is not None, folder=folder, name=PurePosixPath(main).stem
    )


def _opened(path: str | Path, settings: Settings, stdin: BinaryIO | None) -> _Input:
    """The tree that the user's words lead to."""
    limit = settings.max_project_mb * 1024 * 1024
    if str(path) == "-":
        data = (stdin or sys.stdin.buffer).read(limit + 1)
        if len(data) > limit:
            raise ProjectError(f"standard input is larger than {settings.max_project_mb} MiB (max_project_mb)")
        if data.startswith(_ZIP_HEADS):
            return _Input(unpack(data, "standard input", settings.max_files, limit), "the zip on standard input")
        return _Input(Archive({"document.tex": data}), "standard input", main="document.tex")
    path = Path(path)
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode) and path.is_dir():
            mode = stat.S_IFDIR
        real = path.resolve(strict=True) if stat.S_ISDIR(mode) else path.parent.resolve(strict=True) / path.name
    except (FileNotFoundError, NotADirectoryError, ValueError) as absent:
        raise InputNotFound(f"{path}: no such file or folder") from absent
    except OSError as refused:
        raise InputNotFound(f"{path} cannot be read: {refused.strerror}") from refused
    if stat.S_ISDIR(mode):
        if _holds_everything(real):
            raise ProjectError(f"{path} holds more than one document's files: name the document's own file or folder")
        return _Input(Folder(real), str(path), folder=real)
    if stat.S_ISLNK(mode):
        raise ProjectError(f"{path} is a link, and links are not followed: name the file that it leads to")
    if not stat.S_ISREG(mode):
        raise ProjectError(f"{path} is not a regular file: name a file, or pipe the document in and name it -")
    tree = Folder(real.parent)
    try:
        if tree.head(real.name, 4) in _ZIP_HEADS:
            data = tree.read(real.name, limit)
            return _Input(unpack(data, str(path), settings.max_files, limit), str(path))
    except OSError as refused:
        raise InputNotFound(f"{path} cannot be read: {refused.strerror}") from refused
    if path.suffix.lower() == ".zip":
        raise ProjectError(f"{path} is no zip, or a broken one: pack or download it again")
    return _Input(tree, str(path), main=real.name, folder=real.parent)


def _found(given: _Input, skip: Callable[[str, frozenset[str]], bool], settings: Settings) -> str:
    """The main file of a folder or zip."""
    texts = {}
    left = settings.max_project_mb * 1024 * 1024
    for entry in given.tree.walk("", skip, 10 * settings.max_files):
        if entry.kind == "file" and entry.path.lower().endswith(SOURCES) and not hidden(entry.path):
            left -= entry.size
            if left < 0:
                break
            with suppress(OSError):
                texts[entry.path] = decode(given.tree.read(entry.path, TEXT_BYTES))[0]
    best = main_files(texts, (given.folder or PurePosixPath(given.title)).stem)
    if not best:
        raise ProjectError(f"{given.title}: no .tex file here has \\documentclass; name the document's main file")
    if len(best) > 1:
        raise ProjectError(f"{given.title}: each of {', '.join(best[:5])} could be the main file; name one")
    return best[0]


def _followed(given: _Input, main: str) -> tuple[Tree, Path | None, str, str]:
    """The tree, its folder and the main file at the end of the chain of `% !TEX root` lines; why a line was refused.

    A folder or zip is never left. From a file the tree grows to the folder that holds the whole chain, but never to
    one that holds everything. A loop, a missing file or what is no document ends the chain.
    """
    tree, folder = given.tree, given.folder
    seen = {(folder, main)}
    while True:
        root = magic(decode(_main_bytes(tree, main))[0]).get("root", "")
        if not root:
            return tree, folder, main, ""
        target = os.path.normpath(f"{main}/../{root}")
        wider, place = tree, folder
        if root.startswith("/") or target.startswith("../"):
            absolute = Path(os.path.normpath((folder or Path("/")) / target))
            place = Path(os.path.commonpath((folder or Path("/"), absolute.parent)))
            if root.startswith("/") or given.main is None or folder is None or _holds_everything(place):
                return tree, folder, main, f"% !TEX root = {root} leads out of what was given, and was not followed"
            wider, target = Folder(place), absolute.relative_to(place).as_posix()
        found = next((one for one in (target, f"{target}.tex") if wider.head(one, 0) is not None), None)
        if found is None or (place, found) in seen:
            return tree, folder, main, ""
        if hidden(found) or not _is_document(wider, found):
            return tree, folder, main, f"% !TEX root = {root} names no LaTeX document, and was not followed"
        tree, folder, main = wider, place, found
        seen.add((folder, main))


def _is_document(tree: Tree, path: str) -> bool:
    """Whether a file may be a document, or a part that names its document in turn."""
    with suppress(OSError):
        text = decode(tree.read(path, TEXT_BYTES))[0]
        return bool(magic(text).get("root")) or "\\document" in text or "\\begin{document}" in text
    return False


def _main_bytes(tree: Tree, main: str) -> bytes:
    entry = tree.look(main)
    if entry is not None and entry.size > TEXT_BYTES:
        raise ProjectError(f"{main} is larger than {TEXT_BYTES // (1024 * 1024)} MiB: split it with \\input")
    try:
        return tree.read(main, TEXT_BYTES)
    except OSError as refused:
        raise InputNotFound(f"{main} cannot be read: {refused.strerror}") from refused


def _latex(tree: Tree, main: str, title: str) -> str:
    """The main file's text. Raises ProjectError where it is no LaTeX."""
    data = _main_bytes(tree, main)
    kind = binary(data)
    if kind is not None:
        raise ProjectError(f"{title} is {kind}, not LaTeX source: name the .tex file, its folder or a zip of it")
    text = decode(data)[0]
    if not text.strip("\ufeff\0 \t\r\n\f\v"):
        raise ProjectError(f"{title} is empty: name a file that holds a LaTeX document")
    if re.search(r"\\[A-Za-z]", text) is None:
        raise ProjectError(f"{title} holds no LaTeX command: name a file that holds a LaTeX document")
    return text


def _skips(tree: Tree, folder: Path | None, output: Path | None) -> Callable[[str, frozenset[str]], bool]:
    """Which folders do not belong to a project: hidden ones, version control, and what texrepair itself wrote."""
    results = None if output is None else output.resolve()

    def skip(path: str, names: frozenset[str]) -> bool:
        if hidden(f"{path}/x"):
            return True
        if folder is not None and results == (folder / path).resolve():
            return True
        return "run.json" in names and tree.head(f"{path}/run.json", len(RUN_LOG_HEAD)) == RUN_LOG_HEAD

    return skip


def _holds_everything(folder: Path) -> bool:
    """Whether it is the root, a home folder, a folder of home folders or the place for temporary files."""
    shared = {
        Path(one).resolve() for one in (tempfile.gettempdir(), "/", "/tmp", "/var/tmp", "/home", "/Users", "/root")
    }
    # A user that the system does not know, as in a container, has no home.
    with suppress(RuntimeError):
        home = Path.home().resolve()
        shared |= {home, *home.parents}
    return folder in shared or folder.parent == Path("/home")
