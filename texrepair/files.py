"""The door to the user's folders: regular files are read and written, and no link below the folder is ever followed."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Opening a FIFO for reading waits for a writer unless O_NONBLOCK is given; for a regular file it changes nothing.
_REGULAR = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

Kind = Literal["file", "folder", "link", "special", "unreadable"]


@dataclass(frozen=True, slots=True)
class Entry:
    """What lies at a path below a folder."""

    path: str
    """Relative to the folder, with forward slashes."""
    kind: Kind
    size: int = 0
    """In bytes; 0 for all but regular files."""


class Folder:
    """A folder of the user's. Paths are relative to it, with forward slashes, and may not climb out of it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def look(self, path: str) -> Entry | None:
        """What lies there, or None where nothing does."""
        try:
            with self._folder(path.rpartition("/")[0]) as folder:
                return _entry(path, os.lstat(path.rpartition("/")[2], dir_fd=folder))
        except (FileNotFoundError, ValueError):
            return None
        except OSError:
            # A link or a file where a folder should be, or no permission to look.
            return Entry(path, "unreadable")

    def head(self, path: str, size: int) -> bytes | None:
        """The first bytes of a regular file, or None where none lies there that may be read."""
        try:
            with self._file(path) as file:
                return file.read(size)
        except (OSError, ValueError):
            return None

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a regular file. Raises OSError where it is none, cannot be read, or has over `limit` bytes."""
        with self._file(path) as file:
            data = file.read(limit + 1)
        if len(data) > limit:
            raise OSError(errno.EFBIG, f"larger than {limit // (1024 * 1024)} MiB")
        return data

    def walk(self, start: str, skip: Callable[[str, frozenset[str]], bool], most: int) -> Iterator[Entry]:
        """What lies below the folder `start`, nearest first, each folder's entries by name; at most `most` of them.

        `skip(path, names)` tells whether to leave a folder below `start` out, by its path and the names in it.
        """
        waiting = [start]
        seen = 0
        for path in waiting:
            try:
                with self._folder(path) as folder, os.scandir(folder) as listing:
                    found = sorted((item.name, item.stat(follow_symlinks=False)) for item in listing)
            except OSError:
                yield Entry(path, "unreadable")
                continue
            if path != start and skip(path, frozenset(name for name, _ in found)):
                continue
            for name, status in found:
                entry = _entry(f"{path}/{name}" if path else name, status)
                seen += 1
                if seen > most:
                    return
                if entry.kind == "folder":
                    waiting.append(entry.path)
                yield entry

    def asset(self, path: str) -> Path:
        """Where the file lies."""
        return self.root / path

    def write(self, path: str, data: bytes, like: str | None = None) -> Path:
        """Put a file there, whole or not at all, in place of what was there; folders on the way are made.

        It takes over the permissions of a regular file that it replaces, or of the one named `like` in the same folder.
        Returns where it lies.
        Raises OSError, also where a folder on the way is a link.
        """
        parent, _, name = path.rpartition("/")
        with self._folder(parent, make=True) as folder:
            # A link at `path` itself is replaced, not followed: that is what rename(2) does.
            beside = f".{name[:100]}.{os.urandom(6).hex()}"
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666, dir_fd=folder)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                    with suppress(FileNotFoundError):
                        old = os.lstat(like or name, dir_fd=folder)
                        if stat.S_ISREG(old.st_mode):
                            os.fchmod(descriptor, stat.S_IMODE(old.st_mode) & 0o777)
                os.replace(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                os.unlink(beside, dir_fd=folder)
                raise
        return self.root / path

    def remove(self, path: str) -> None:
        """Take the file away that lies there. Raises OSError."""
        with self._folder(path.rpartition("/")[0]) as folder:
            os.unlink(path.rpartition("/")[2], dir_fd=folder)

    @contextmanager
    def _file(self, path: str) -> Iterator[BinaryIO]:
        with self._folder(path.rpartition("/")[0]) as folder:
            descriptor = os.open(path.rpartition("/")[2], _REGULAR, dir_fd=folder)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(errno.EINVAL, "not a regular file")
            yield file

    @contextmanager
    def _folder(self, path: str, make: bool = False) -> Iterator[int]:
        """A descriptor of the folder at `path`, opened step by step without following a link."""
        parts = path.split("/") if path else []
        if any(part in ("", ".", "..") for part in parts):
            raise ValueError(f"{path!r} is no path below a folder")
        if make:
            self.root.mkdir(parents=True, exist_ok=True)
        # The root is what the user named: it may itself be reached through a link.
        current = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for part in parts:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(part, dir_fd=current)
                below = os.open(part, _DIRECTORY, dir_fd=current)
                os.close(current)
                current = below
            yield current
        finally:
            os.close(current)


def _entry(path: str, status: os.stat_result) -> Entry:
    mode = status.st_mode
    if stat.S_ISREG(mode):
        return Entry(path, "file", status.st_size)
    if stat.S_ISDIR(mode):
        return Entry(path, "folder")
    return Entry(path, "link" if stat.S_ISLNK(mode) else "special")
