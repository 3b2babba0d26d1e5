"""LaTeX's formats, decompressed once for a user.

TeX Live compresses them, and an engine takes a quarter of its start to undo that, in every pass (zlib's gzread, with
which engines read a format, takes plain files as they are: zlib.h). What is kept is made here from the system's own
files, shown to programs for reading alone, and used as long as those are what they were, by date and size.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from texrepair.files import Folder
from texrepair.sandboxes import places

SHOWN = "/run/formats"
"""Where they are shown in a sandbox with a file system of its own."""
_PROGRAMS = {"xelatex": "xetex", "pdflatex": "pdftex", "lualatex": "luahbtex"}
_ORIGINS = "origins.json"
_LARGEST = 256 << 20
_GZIP = b"\x1f\x8b"


def folder() -> Path | None:
    """The folder with the decompressed formats of this system; None where there are none of today."""
    place = _place()
    origins = None if place is None else _origins(place)
    if not origins or any(_status(path) != (date, size) for path, date, size in origins.values()):
        return None
    return place


def make(engine: str) -> None:
    """Decompress the format of an engine, if that has not been done. Where it does not work, nothing happens.

    Which file it is, kpathsea says here, outside of any session: what a recorder file names, a document may have said.
    """
    place, program = _place(make=True), shutil.which("kpsewhich")
    if place is None or program is None:
        return
    origins = _origins(place) if folder() is not None else {}
    name = f"{engine}.fmt"
    if name in origins:
        return
    asked = subprocess.run(
        [program, f"-engine={_PROGRAMS[engine]}", name],
        cwd="/",
        env=places.environment("/nonexistent"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
    )
    path = os.fsdecode(asked.stdout.strip())
    status = _status(path)
    if status is None:
        return
    with suppress(OSError, zlib.error), Path(path).open("rb") as file:
        magic = file.read(len(_GZIP))
        if magic != _GZIP:
            return
        undo = zlib.decompressobj(zlib.MAX_WBITS | 16)
        plain = undo.decompress(magic + file.read(), _LARGEST)
        if undo.eof and _status(path) == status:
            place.mkdir(mode=0o700, exist_ok=True)
            Folder(place).write(name, plain)
            Folder(place).write(_ORIGINS, json.dumps({**origins, name: (path, *status)}).encode())


def originals(paths: Iterable[str]) -> frozenset[str]:
    """The files that engines have read, with the system's own formats in the place of ours."""
    place = _place()
    origins = {} if place is None else _origins(place)
    ours = {f"{shown}/{name}": origin[0] for name, origin in origins.items() for shown in (SHOWN, str(place))}
    return frozenset(ours.get(path, path) for path in paths)


def _place(make: bool = False) -> Path | None:
    from texrepair.cache import user_folder

    found = user_folder(make)
    return None if found is None else found / "formats"


def _origins(place: Path) -> dict[str, tuple[str, int, int]]:
    """Path, date in nanoseconds and size of the system's format, by name."""
    with suppress(OSError, ValueError, TypeError):
        told = json.loads(Folder(place).read(_ORIGINS, 1 << 16))
        return {name: (path, date, size) for name, (path, date, size) in dict(told).items()}
    return {}


def _status(path: str) -> tuple[int, int] | None:
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size
