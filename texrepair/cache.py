"""What is kept between runs: files of bytes by key, in a folder of the user's, whole or not there.

An entry is written beside its place and then renamed, and begins with its own SHA-256. So there are no locks: of two
processes that write the same key the later one stays, and a damaged entry is as good as none.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from texrepair.files import Folder

MOST = 512 * 1024 * 1024
"""Bytes that all entries together may have. What lies in folders beside them is not counted."""
_MAGIC = b"texrepair cache 1\n"
_HEAD = len(_MAGIC) + hashlib.sha256().digest_size


class Cache:
    """Entries in one folder. Keys are file names. Nothing here raises OSError: a cache that does not work is empty."""

    def __init__(self, folder: Path, most: int = MOST) -> None:
        self._folder = Folder(folder)
        self._most = most

    @property
    def empty(self) -> bool:
        """Whether nothing was kept so far."""
        with suppress(OSError), os.scandir(self._folder.root) as listing:
            return next(listing, None) is None
        return True

    def get(self, key: str) -> bytes | None:
        """What was kept under that key, byte for byte, or None."""
        try:
            data = self._folder.read(key, self._most)
            # The time tells what was used last: the rest has to go first.
            os.utime(self._folder.root / key, follow_symlinks=False)
        except OSError:
            return None
        body = data[_HEAD:]
        return body if data[:_HEAD] == _MAGIC + hashlib.sha256(body).digest() else None

    def put(self, key: str, data: bytes) -> None:
        """Keep that, in the place of what was there. What would fill a sixteenth of the cache alone is not kept."""
        if len(data) > self._most // 16:
            return
        with suppress(OSError):
            self._folder.write(key, _MAGIC + hashlib.sha256(data).digest() + data)
            self._evict()

    def _evict(self) -> None:
        """Remove what was used longest ago until a quarter is free, if there is too much."""
        with os.scandir(self._folder.root) as listing:
            files = (item for item in listing if item.is_file(follow_symlinks=False))
            found = [(item.stat(follow_symlinks=False), item.name) for item in files]
        total = sum(status.st_size for status, _ in found)
        if total <= self._most:
            return
        for status, name in sorted(found, key=lambda one: (one[0].st_mtime_ns, one[1])):
            # Another process may remove it at the same time.
            with suppress(FileNotFoundError):
                self._folder.remove(name)
            total -= status.st_size
            if total <= self._most * 3 // 4:
                return


def packed(head: Mapping[str, Any], blobs: Mapping[str, bytes]) -> bytes:
    """What json.dumps takes, and bytes by name, in one."""
    told = json.dumps({**head, "sizes": [[name, len(data)] for name, data in blobs.items()]}).encode("ascii")
    return b"".join([b"%d\n" % len(told), told, *blobs.values()])


def unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What `packed` has packed."""
    length, _, rest = data.partition(b"\n")
    at = int(length)
    head = json.loads(rest[:at])
    blobs = {}
    for name, size in head.pop("sizes"):
        blobs[name] = rest[at : at + size]
        at += size
    return head, blobs


def of_user() -> Cache | None:
    """The user's cache, which nobody else can read or write; None where there can be none."""
    folder = user_folder()
    return None if folder is None else Cache(folder)


def user_folder(make: bool = True) -> Path | None:
    """The folder of the user's cache, which is made if it is not there; None where there can be none for the user
    alone, or there is none and none is to be made."""
    from platformdirs import user_cache_path

    folder = user_cache_path("texrepair")
    try:
        if make:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return None
        if stat.S_IMODE(found.st_mode) != 0o700:
            folder.chmod(0o700)
    except (OSError, RuntimeError):
        # RuntimeError: a user that the system does not know, as in a container, has no home.
        return None
    return folder
