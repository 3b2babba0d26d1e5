"""A zip as it came, read into memory after its names, links, number and sizes were checked."""

from __future__ import annotations

import errno
import io
import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import PurePosixPath

from texrepair.errors import ProjectError
from texrepair.files import Entry

# Text and figures shrink by 20 at most in real projects; a bomb shrinks by a thousand.
_RATIO = 200
_RATIO_FROM = 20 * 1024 * 1024
# An operating system takes no longer paths, and no document lies deeper.
_LONGEST, _DEEPEST = 1000, 64
_ENCRYPTED = 0x1
_UTF8_NAME = 0x800
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    OSError,
    EOFError,
    NotImplementedError,
    ValueError,
)


class Archive:
    """Files held in memory, looked at in the same way as a Folder."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = dict(files)
        self._folders = {str(parent) for path in self._files for parent in PurePosixPath(path).parents} - {"."}

    def look(self, path: str) -> Entry | None:
        """What lies there, or None where nothing does."""
        if path in self._files:
            return Entry(path, "file", len(self._files[path]))
        return Entry(path, "folder") if path in self._folders else None

    def head(self, path: str, size: int) -> bytes | None:
        """The first bytes of a file, or None where there is none."""
        data = self._files.get(path)
        return None if data is None else data[:size]

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a file. Raises OSError where there is none or it has over `limit` bytes."""
        data = self._files.get(path)
        if data is None:
            raise FileNotFoundError(errno.ENOENT, "no such file")
        if len(data) > limit:
            raise OSError(errno.EFBIG, f"larger than {limit // (1024 * 1024)} MiB")
        return data

    def walk(self, start: str, skip: Callable[[str, frozenset[str]], bool], most: int) -> Iterator[Entry]:
        """All files below `start`, nearest first; at most `most` of them. See Folder.walk."""
        names: dict[str, set[str]] = {}
        for path in self._files | dict.fromkeys(self._folders):
            folder, _, name = path.rpartition("/")
            names.setdefault(folder, set()).add(name)
        skipped = {folder for folder in self._folders if skip(folder, frozenset(names[folder]))}
        skipped -= {start, *(str(parent) for parent in PurePosixPath(start).parents)}
        kept = [
            path
            for path in self._files
            if path.startswith(f"{start}/" if start else "")
            and skipped.isdisjoint(str(parent) for parent in PurePosixPath(path).parents)
        ]
        for path in sorted(kept, key=lambda path: (path.count("/"), path))[:most]:
            yield Entry(path, "file", len(self._files[path]))

    def asset(self, path: str) -> bytes:
        """What the file holds."""
        return self._files[path]


def unpack(data: bytes, name: str, max_files: int, max_bytes: int) -> Archive:
    """The files of a zip. `name` is what messages call it.

    Raises ProjectError where it is broken or encrypted, holds a name that leads out of it, a link or the like, or is
    larger than the limits; sizes are counted while reading, whatever the headers say.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            entries = [entry for entry in packed.infolist() if not entry.is_dir()]
            if not entries:
                raise ProjectError(f"{name} is an empty zip: pack the document's files into it")
            if len(entries) > max_files:
                raise ProjectError(f"{name} holds {len(entries)} files; at most {max_files} are taken (max_files)")
            if sum(entry.file_size for entry in entries) > max_bytes:
                raise _too_large(name, max_bytes)
            files: dict[str, bytes] = {}
            left = max_bytes
            for entry in entries:
                path = _path(entry, name)
                if path in files:
                    raise ProjectError(f"{name} holds two files called {path}: pack it anew")
                files[path] = _content(packed, entry, name, left, max_bytes)
                left -= len(files[path])
                read = max_bytes - left
                if read > _RATIO_FROM and read > _RATIO * len(data):
                    raise ProjectError(f"{name} unpacks to more than {_RATIO} times its size, which no document does")
    except _BROKEN as broken:
        raise ProjectError(f"{name} is a broken zip ({broken}): pack or download it again") from broken
    archive = Archive(files)
    for path in files:
        above = next((str(p) for p in PurePosixPath(path).parents if str(p) in files), None)
        if above is not None:
            raise ProjectError(f"{name} holds {above} both as a file and as a folder: pack it anew")
    return archive


def _content(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str, left: int, max_bytes: int) -> bytes:
    if entry.flag_bits & _ENCRYPTED:
        raise ProjectError(f"{name} is encrypted: unpack it and name the folder")
    with packed.open(entry) as file:
        content = file.read(left + 1)
    if len(content) > left:
        raise _too_large(name, max_bytes)
    return content


def _path(entry: zipfile.ZipInfo, name: str) -> str:
    """The entry's path. Raises ProjectError for one that leads out of the zip or is no plain file."""
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise ProjectError(f"{name} holds {entry.filename!r}, which is a link or no plain file: pack it without")
    path = entry.filename
    if not entry.flag_bits & _UTF8_NAME:
        # Without the flag zipfile reads code page 437; many packers write UTF-8 all the same.
        with suppress(UnicodeError):
            path = path.encode("cp437").decode("utf-8")
    # Some packers on Windows write backslashes.
    path = path.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts or path[1:2] == ":" or not parts:
        raise ProjectError(f"{name} holds {entry.filename!r}, a name that leads out of the zip: pack it without")
    if len(path) > _LONGEST or len(parts) > _DEEPEST:
        raise ProjectError(f"{name} holds a file {len(parts) - 1} folders deep, with a name of {len(path)} characters")
    return "/".join(parts)


def _too_large(name: str, max_bytes: int) -> ProjectError:
    return ProjectError(
        f"{name} unpacks to more than {max_bytes // (1024 * 1024)} MiB: take out what the document does not need, "
        "or raise max_project_mb"
    )
