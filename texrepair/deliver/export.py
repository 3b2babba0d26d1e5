"""The package that a person can go on with, here or on Overleaf: the same input gives the same bytes."""

from __future__ import annotations

import hashlib
import io
import os
import re
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

import texrepair
from texrepair.files import Folder
from texrepair.loading.belongs import oddity
from texrepair.project import Project
from texrepair.result import Diagnostic, Fix

_ASSET_BYTES = 1024 * 1024 * 1024
# The zip format counts years from 1980 to 2107 (APPNOTE 4.4.6).
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_LATEST = 4_354_819_199
# The first line of a log ends with the time of the run (tex.web, section 536).
_LOG_TIME = re.compile(r"\A(This is [^\n]*?)[ \t]+\d{1,2} [A-Z]{3} \d{4} \d\d:\d\d")


def export_zip(
    project: Project,
    reason: str,
    *,
    engine: str = "",
    sources: Mapping[str, bytes] | None = None,
    diagnostics: Sequence[Diagnostic] = (),
    fixes: Sequence[Fix] = (),
    log: str = "",
    generated: Mapping[str, bytes] | None = None,
) -> bytes:
    """A zip of the project with `sources` over it, the generated files (.bbl …), the last log and a README.txt.

    Files lie as in the project, so that its main file is at the root unless the document refers to folders above it.
    The README says how it stands (`reason`), what is still wrong and which fixes were made. The zip's comment seals it:
    `untouched` tells by it that nobody has changed it since.
    """
    files = dict(_generated(project, log, generated or {}))
    files |= dict(_given(project))
    files |= sources or {}
    readme = "README.txt" if "README.txt" not in files else "README-texrepair.txt"
    said = _readme(project, reason, engine or project.engine, diagnostics, fixes)
    files[readme] = said.encode("utf-8", "backslashreplace")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, _time())
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix: the mode below counts
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[path])
    bare = packed.getvalue()
    seal = _seal(bare)
    return bare[:-2] + len(seal).to_bytes(2, "little") + seal


def untouched(data: bytes) -> bool:
    """Whether a file holds what `export_zip` once gave, to the byte."""
    size = len(_seal(b""))
    return data[-size:] == _seal(data[: -size - 2] + bytes(2))


def _seal(bare: bytes) -> bytes:
    """The comment of a zip that has none. A zip ends with its comment and, before that, its length (APPNOTE 4.3.16)."""
    return b"packed by texrepair " + hashlib.sha256(bare).hexdigest().encode()


def _generated(project: Project, log: str, generated: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    stem = PurePosixPath(project.main).with_suffix("")
    fit = {name: data for name, data in generated.items() if _leads_nowhere(name)}
    endings = [PurePosixPath(name).suffix for name in fit]
    for name, data in fit.items():
        # The engine was given a job name of ours; what it wrote is called after the main file again.
        ending = PurePosixPath(name).suffix
        yield (f"{stem}{ending}" if endings.count(ending) == 1 else str(stem.parent / name)), data
    if log:
        yield f"{stem}.log", _LOG_TIME.sub(r"\1", log).encode("utf-8", "backslashreplace")


def _leads_nowhere(name: str) -> bool:
    """Whether a name that the document chose stays in the folder where the zip is unpacked, on Windows too."""
    return oddity(name) is None and ":" not in name and not name.startswith("/") and ".." not in name.split("/")


def _given(project: Project) -> Iterator[tuple[str, bytes]]:
    for path in project.draft:
        yield path, project.draft.encoded(path)
    for path, asset in project.assets.items():
        if isinstance(asset, Path):
            # What is no longer there, or became a link meanwhile, is left out.
            with suppress(OSError):
                yield path, Folder(asset.parent).read(asset.name, _ASSET_BYTES)
        else:
            yield path, asset


def _readme(project: Project, reason: str, engine: str, diagnostics: Sequence[Diagnostic], fixes: Sequence[Fix]) -> str:
    stem = PurePosixPath(project.main).stem
    parts = [
        f"{stem}: a LaTeX project, packed by texrepair {texrepair.__version__}.",
        reason,
        f"Main file: {project.main}. Engine: {engine}. Log of the last run: {stem}.log.\n"
        f"To go on, run {engine} on the main file; or upload this zip to Overleaf and choose {engine} in its menu.",
    ]
    errors = [_error(one) for one in diagnostics if one.is_error]
    if errors:
        parts.append("\n".join(["What is still wrong, in the order of the log:", *errors]))
    changes = [f"  {fix.file}:{fix.line}: {fix.why or fix.rule}" for fix in fixes if fix.kept]
    if changes:
        parts.append("\n".join(["What texrepair changed:", *changes]))
    return "\n\n".join(parts) + "\n"


def _error(error: Diagnostic) -> str:
    place = error.place
    where = "" if place is None else f"{place.file}:{place.line}: " if place.line else f"{place.file}: "
    said = f"  {where}{error.headline}"
    return f"{said}\n      {error.explanation}" if error.explanation else said


def _time() -> tuple[int, int, int, int, int, int]:
    """SOURCE_DATE_EPOCH, else the earliest time that a zip can tell."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = time.gmtime(min(int(epoch), _LATEST))[:6] if epoch.isdecimal() else _EARLIEST
    return max(moment, _EARLIEST)
