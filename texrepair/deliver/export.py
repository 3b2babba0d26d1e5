"""The package that a person can go on with, here or on Overleaf: the same input gives the same bytes."""

from __future__ import annotations

import io
import os
import re
import time
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

import texrepair
from texrepair.files import Folder
from texrepair.project import Project
from texrepair.result import BuildResult, Diagnostic

_EARLIEST = (1980, 1, 1, 0, 0, 0)  # The zip format knows no earlier time (APPNOTE 4.4.6).
# The first line of a log ends with the time of the run (tex.web, section 536).
_LOG_TIME = re.compile(r"\A(This is [^\n]*?)[ \t]+\d{1,2} [A-Z]{3} \d{4} \d\d:\d\d")


def export_zip(
    result: BuildResult, project: Project, log: str = "", generated: Mapping[str, bytes] | None = None
) -> bytes:
    """A zip of the best draft, all other files of the project, the generated files (.bbl …), the last log and a README.

    Files lie as in the project, the main file's folder at the root wherever nothing lies above it.
    """
    files = dict(_files(result, project, log, generated or {}))
    readme = "README.txt" if "README.txt" not in files else "README-texrepair.txt"
    files[readme] = _readme(result, project).encode("utf-8", "backslashreplace")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, _time())
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix: the mode below counts
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[path])
    return packed.getvalue()


def _files(
    result: BuildResult, project: Project, log: str, generated: Mapping[str, bytes]
) -> Iterator[tuple[str, bytes]]:
    stem = PurePosixPath(project.main).with_suffix("")
    endings = [PurePosixPath(name).suffix for name in generated]
    for name, data in generated.items():
        # The engine was given a job name of ours; what it wrote is called after the main file again.
        ending = PurePosixPath(name).suffix
        yield (str(stem) + ending if endings.count(ending) == 1 else str(stem.parent / name)), data
    if log:
        yield f"{stem}.log", _LOG_TIME.sub(r"\1", log).encode("utf-8", "backslashreplace")
    for path in project.draft:
        yield path, project.draft.encoded(path)
    for path, asset in project.assets.items():
        if isinstance(asset, Path):
            try:
                yield path, Folder(asset.parent).read(asset.name, asset.stat().st_size)
            except OSError:
                continue
        else:
            yield path, asset
    yield from result.sources.items()


def _readme(result: BuildResult, project: Project) -> str:
    errors = [one for one in result.diagnostics if one.is_error]
    stem = PurePosixPath(project.main).stem
    parts = [
        f"{stem}: a LaTeX project, packed by texrepair {texrepair.__version__}",
        f"{result.status.sentence} {result.reason}".strip(),
        f"Main file: {project.main}. Engine: {result.engine}. The last log: {stem}.log.\n"
        f"To go on: run {result.engine} on the main file, or give this zip to Overleaf and choose the compiler there.",
    ]
    if errors:
        parts.append("What is still wrong, first error first:\n" + "\n".join(_error(one) for one in errors))
    if result.kept:
        changes = (f"  {fix.file}:{fix.line}: {fix.why or fix.rule}" for fix in result.kept)
        parts.append("What texrepair changed:\n" + "\n".join(changes))
    if result.objections:
        parts.append("Noticed:\n" + "\n".join(f"  {one}" for one in result.objections))
    return "\n\n".join(parts) + "\n"


def _error(error: Diagnostic) -> str:
    place = error.place
    where = "" if place is None else f"{place.file}:{place.line}: " if place.line else f"{place.file}: "
    said = f"  {where}{error.message}"
    return f"{said}\n      {error.explanation}" if error.explanation else said


def _time() -> tuple[int, int, int, int, int, int]:
    """SOURCE_DATE_EPOCH, else the earliest time that a zip can tell."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = time.gmtime(int(epoch))[:6] if epoch.isdecimal() else _EARLIEST
    return max(moment, _EARLIEST)
