"""Writing results: beside the input and into NAME.texrepair, into the folder that -o names, or over the input."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from texrepair.deliver.export import export_zip, untouched
from texrepair.deliver.views import run_log
from texrepair.errors import ChangedMeanwhile, SettingsError, TexrepairError
from texrepair.files import Folder
from texrepair.loading.belongs import RUN_LOG_HEAD
from texrepair.project import Project
from texrepair.result import BuildResult

if TYPE_CHECKING:
    from texrepair.settings import Settings

_LOG_BYTES = 64 * 1024 * 1024


def check_places(project: Project, output: Path | None, in_place: bool = False) -> None:
    """Raises SettingsError, before anything is done, where results could not be written or would meet the input."""
    if in_place and project.root is None:
        raise SettingsError("--in-place needs an input on the disk, and this one is a zip or standard input")
    folder = place_beside(project) if output is None else output
    if output is not None and output.exists() and not output.is_dir():
        raise SettingsError(f"-o {output} is a file: name a folder")
    if output is not None and project.root is not None and output.resolve() in (project.root, place_beside(project)):
        raise SettingsError(f"-o {output} is the input's own folder: name another one, or use --in-place")
    nearest = next((one for one in (folder, *folder.absolute().parents) if one.exists()), folder)
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise SettingsError(
            f"{nearest} cannot be written to by user {os.getuid()}: name another folder with -o "
            '(in a container: docker run --user "$(id -u):$(id -g)")'
        )


def deliver(
    result: BuildResult,
    project: Project,
    settings: Settings,
    *,
    log: str = "",
    generated: Mapping[str, bytes] | None = None,
    output: Path | None = None,
    apart: bool = False,
    in_place: bool = False,
) -> BuildResult:
    """Write all that the user gets; the result with `pdf` and `delivered` set to where it lies.

    `result.pdf` is the session's PDF; `log` and `generated` are the last compile's. With `apart`, all but the PDF goes
    into NAME.texrepair in `output`, as it does beside the input. What an earlier build left in the
    same folder is taken away where this one has nothing in its stead. Any other file in the way, or one of ours that
    was edited since, is kept beside as NAME.orig; only NAME.pdf beside NAME.tex is replaced, as latexmk would do.
    Raises TexrepairError where it cannot be written.
    """
    name, home = project.name, Folder(place_beside(project))
    folder = home if output is None else Folder(output)
    below = f"{name}.texrepair/" if output is None or apart else ""
    files: dict[str, tuple[str, bytes]] = {}
    objections = result.objections
    written: dict[str, Path] = {}
    try:
        earlier = _earlier(folder, below)
        if result.ok and in_place and result.sources:
            try:
                written |= {f"source:{path}": place for path, place in write_back(project, result.sources).items()}
            except ChangedMeanwhile as changed:
                objections = (*objections, f"{changed} The repaired one lies in {folder.root / below}.")
        if not written:
            files |= {f"source:{path}": (below + path, data) for path, data in result.sources.items()}
        if result.diff:
            files["diff"] = (f"{below}{name}.diff", result.diff.encode("utf-8", "surrogateescape"))
        if not result.ok:
            packed = export_zip(
                project,
                result.reason or result.status.sentence,
                engine=result.engine,
                sources=result.sources,
                diagnostics=result.diagnostics,
                fixes=result.fixes,
                log=log,
                generated=generated,
            )
            files["export"] = (f"{below}{name}-export.zip", packed)
        if result.ok and result.pdf is not None:
            data = result.pdf.read_bytes()
            if output is None and project.root is not None:
                written["pdf"] = home.write(f"{name}.pdf", data)
            else:
                files["pdf"] = (f"{name}.pdf", data)
        for kind, (path, data) in files.items():
            written |= _keep_strangers(folder, path, data, partial(_is, earlier.get(path)))
            written[kind] = folder.write(path, data)
        if (folder.head(f"{below}run.json", len(RUN_LOG_HEAD)) or RUN_LOG_HEAD) != RUN_LOG_HEAD:
            written |= _keep_strangers(folder, f"{below}run.json", b"", partial(_is, None))
        told_in = folder.root / f"{below}run.json"
        result = replace(
            result, pdf=written.get("pdf"), objections=objections, delivered={**written, "run_log": told_in}
        )
        own = {path: hashlib.sha256(data).hexdigest() for path, data in files.values()}
        # The PDF of a zip lies outside `below`: it stays, and stays ours, when this build has none.
        if below and f"{name}.pdf" in earlier:
            own.setdefault(f"{name}.pdf", earlier[f"{name}.pdf"])
        told = {**run_log(result, project, settings), "files": own}
        folder.write(
            f"{below}run.json", json.dumps(told, indent=1, ensure_ascii=False).encode("utf-8", "backslashreplace")
        )
        _take_away(folder, below, {path: digest for path, digest in earlier.items() if path not in own})
    except OSError as refused:
        raise TexrepairError(f"the results cannot be written: {refused}; name another folder with -o") from refused
    return result


def write_export(place: Path, packed: bytes) -> dict[str, Path]:
    """Put an export zip at `place`: where it lies as "export", and as `kept:NAME` where the file lies that was there.

    An earlier export is replaced if nobody has changed it; any other file is kept beside as NAME.orig. Raises OSError.
    """
    folder = Folder(place.parent)
    kept = _keep_strangers(folder, place.name, packed, untouched)
    return {**kept, "export": folder.write(place.name, packed)}


def write_back(project: Project, sources: Mapping[str, bytes]) -> dict[str, Path]:
    """Write repaired sources over the input, each old one kept beside as NAME.tex.orig; where they lie, by path.

    An .orig of an earlier time is never lost: the next one is called .orig2 and so on. Raises ChangedMeanwhile, with
    nothing written, where a file is not what was loaded; OSError.
    """
    assert project.root is not None
    folder = Folder(project.root)
    for path in sources:
        now = folder.look(path)
        same = now is None if path not in project.draft else now is not None and now.kind == "file"
        if same and path in project.draft:
            loaded = project.draft.encoded(path)
            same = folder.read(path, max(len(loaded), now.size if now else 0)) == loaded
        if not same:
            raise ChangedMeanwhile(f"{path} changed while texrepair was at work and was left alone.")
    written = {}
    for path, data in sources.items():
        if path in project.draft:
            _keep_old(folder, path, project.draft.encoded(path))
        written[path] = folder.write(path, data)
    return written


def _keep_old(folder: Folder, path: str, old: bytes) -> str:
    number = 1
    while True:
        kept = f"{path}.orig" if number == 1 else f"{path}.orig{number}"
        there = folder.look(kept)
        if there is None:
            folder.write(kept, old, like=PurePosixPath(path).name)
            return kept
        if there.kind == "file" and there.size == len(old) and folder.read(kept, len(old)) == old:
            return kept
        number += 1


def _keep_strangers(folder: Folder, path: str, data: bytes, ours: Callable[[bytes], bool]) -> dict[str, Path]:
    """Keep a file that `data` would replace, unless it is the same or one of `ours`; where it lies now."""
    entry = folder.look(path)
    if entry is None or entry.kind != "file":
        return {}
    old = folder.read(path, entry.size)
    if old == data or ours(old):
        return {}
    return {f"kept:{path}": folder.root / _keep_old(folder, path, old)}


def _is(digest: str | None, data: bytes) -> bool:
    return hashlib.sha256(data).hexdigest() == digest


def place_beside(project: Project) -> Path:
    """Where latexmk would put the PDF: beside the main file; the current folder for a zip or standard input."""
    return Path.cwd() if project.root is None else project.root / PurePosixPath(project.main).parent


def _earlier(folder: Folder, below: str) -> dict[str, str]:
    """What an earlier build wrote into this folder, by path, with the SHA-256 of each file."""
    entry = folder.look(f"{below}run.json")
    if entry is None or entry.kind != "file" or entry.size > _LOG_BYTES:
        return {}
    data = folder.read(entry.path, _LOG_BYTES)
    if not data.startswith(RUN_LOG_HEAD):
        return {}
    try:
        files = json.loads(data).get("files")
    except ValueError:
        return {}
    return files if isinstance(files, dict) else {}


def _take_away(folder: Folder, below: str, files: Mapping[str, str]) -> None:
    """Remove files that are still byte for byte what the run log says that we wrote."""
    for path, digest in files.items():
        entry = folder.look(path) if path.startswith(below) else None
        if entry is None or entry.kind != "file":
            continue
        # Another build of the same project may have been quicker.
        with suppress(FileNotFoundError):
            if _is(digest, folder.read(path, entry.size)):
                folder.remove(path)
