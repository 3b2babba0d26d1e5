"""The earlier result of an unchanged build: when it is the same build, and how its result is kept.

Only results are kept that nothing but the input and this machine decided: the document compiles, no model was asked, no
rules of the user's own were at work, and the engines were this system's. Everything that could change such a result is
either part of the key (the project's files by content, settings, texrepair itself, the environment of the programs, the
day, since \\today prints it) or is kept beside the result and looked at by date and size (the files of TeX Live that
were read, the programs, the databases in which they are looked up, the folders of fonts).
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import texrepair
from texrepair.cache import Cache, of_user, packed, unpacked
from texrepair.deliver.views import plain
from texrepair.files import Folder
from texrepair.generated import Generated, hashed
from texrepair.project import Project
from texrepair.result import BuildResult, Check, Diagnostic, Fix, Pass, Place, Status, Step
from texrepair.settings import Settings

_ASSET_BYTES = 1024 * 1024 * 1024
# Those of Debian and those of TeX Live's installer beside which they lie (texmf.cnf, TEXMFLOCAL).
_TREES = ("/usr/share/texmf", "/usr/local/share/texmf", "/var/lib/texmf")
_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts")
"""Folders that change when a font comes or goes."""
_FOREIGN = frozenset({"docker"})
"""Sandboxes whose TeX is not this system's."""
_MOST_FILES = 20_000
_VARIABLES = ("PATH", "HOME", "TEXMFHOME", "SOURCE_DATE_EPOCH")
"""What the environment of a session is made from (sandboxes/places.py)."""
_OWN = ("texmf", ".fonts", ".local/share/fonts")
"""Where a user's own packages and fonts may come to lie, below the home folder."""

Ground = dict[str, list[int] | None]
"""Date (in nanoseconds) and size of files that are not the project's; None for one that is not there."""


@dataclass(frozen=True)
class Found:
    """An earlier result that would come out the same today."""

    result: BuildResult
    pdf: bytes

    @contextmanager
    def laid(self) -> Iterator[Path]:
        """The PDF as a file, for a while."""
        with tempfile.TemporaryDirectory(prefix="texrepair-") as folder:
            path = Path(folder, "earlier.pdf")
            path.write_bytes(self.pdf)
            yield path


@dataclass(frozen=True)
class Earlier:
    """What earlier builds left of a project that is to be built with these settings."""

    cache: Cache
    project: Project
    settings: Settings
    key: str
    """What names the build."""
    generated: Generated
    """The generated files that earlier builds left."""

    def recall(self) -> Found | None:
        """The earlier result, if it would come out the same today."""
        data = self.cache.get(self.key)
        if data is None:
            return None
        head, blobs = unpacked(data)
        if any(_status(path) != was for path, was in head["ground"].items()):
            return None
        pdf = blobs.pop("")
        return Found(replace(_result(head["result"]), sources=blobs), pdf)

    def remember(self, result: BuildResult, pdf: bytes, installed: Iterable[str]) -> None:
        """Keep a result, if nothing but the input and this machine decided it.

        `installed` are the files outside of the project that the programs have read.
        """
        if not result.ok or result.rounds or result.sandbox in _FOREIGN:
            return
        assets = _digests(self.project)
        if assets is None or _key(self.project, self.settings, assets) != self.key:
            return  # a figure changed meanwhile, or midnight came
        ground = {path: _status(path) for path in _grounds(result, installed)}
        if len(ground) > _MOST_FILES:
            return
        head = {"ground": ground, "result": plain(replace(result, pdf=None, sources={}, delivered={}))}
        self.cache.put(self.key, packed(head, {"": pdf, **result.sources}))


def opened(project: Project, settings: Settings) -> Earlier | None:
    """What earlier builds left; None where nothing may be kept: the settings say so, rules of the user's own are at
    work, or there is no cache here."""
    if not settings.cache or settings.rules is not None:
        return None
    cache, assets = of_user(), _digests(project)
    if cache is None or assets is None:
        return None
    return Earlier(cache, project, settings, _key(project, settings, assets), Generated(cache, project, assets))


def _digests(project: Project) -> dict[str, str] | None:
    """The digests of a project's assets, by path; None where one cannot be read."""
    try:
        return {path: _digest(asset) for path, asset in sorted(project.assets.items())}
    except OSError:
        return None


def _key(project: Project, settings: Settings, assets: Mapping[str, str]) -> str:
    """What names the build of that project with these settings."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    told = [
        _itself(),
        project.main,
        project.name,
        project.engine,
        project.engine_named,
        project.draft.digest,
        assets,
        plain(project.findings),
        {name: value for name, value in settings.told.items() if name != "cache"},
        {name: os.environ.get(name) for name in _VARIABLES},
        None if epoch.isdecimal() else time.strftime("%Y-%m-%d", time.gmtime()),
    ]
    return f"result-{hashed(told)}"


def _digest(asset: Path | bytes) -> str:
    data = Folder(asset.parent).read(asset.name, _ASSET_BYTES) if isinstance(asset, Path) else asset
    return hashlib.sha256(data).hexdigest()


@cache
def _itself() -> list[Any]:
    """Which texrepair this process runs: a checkout changes without its version."""
    own = [Path(__file__).parent]
    for name in ("texrepair.sanitizers", "texrepair.templates"):
        found = find_spec(name)
        own += [Path(place) for place in (found.submodule_search_locations or ())] if found else []
    files = sorted((path, _status(path)) for path in _below(own) if not path.endswith(".pyc"))
    return [texrepair.__version__, sys.version, files]


def _grounds(result: BuildResult, installed: Iterable[str]) -> Iterator[str]:
    """The files that are not the project's and that decided the result, and what programs look them up in."""
    from texrepair.sandboxes import places

    read = frozenset(installed)
    yield from read
    # Which file a name means: kpathsea looks it up in the databases of its trees, made anew with every package.
    trees = {*_TREES, *_above(read)}
    yield from (f"{tree}/ls-R" for tree in trees if tree in _TREES or Path(tree, "ls-R").exists())
    path = places.environment("/scratch")["PATH"]
    for program in {done.program for done in result.passes}:
        found = shutil.which(program, path=path)
        yield from (found, os.path.realpath(found)) if found else ()
    for top in (*_FONTS, *map(str, places.personal().values())):
        yield from (folder for folder, _, _ in os.walk(top))
    yield from _below(places.personal().values())
    yield from (f"{os.environ.get('HOME', '')}/{name}" for name in _OWN)
    yield f"{os.environ.get('TEXMFHOME', '')}/tex"


def _above(paths: Iterable[str]) -> set[str]:
    """All folders above these files."""
    found: set[str] = set()
    for path in paths:
        while (path := posixpath.dirname(path)) not in found:
            found.add(path)
    return found


def _below(folders: Iterable[Path]) -> Iterator[str]:
    for folder in folders:
        for top, _, names in os.walk(folder):
            yield from (f"{top}/{name}" for name in names)


def _status(path: str) -> list[int] | None:
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return [found.st_mtime_ns, found.st_size]


def _result(told: Mapping[str, Any]) -> BuildResult:
    """The result that `plain` has told."""
    return BuildResult(
        **{
            **told,
            "status": Status[told["status"]],
            "fixes": tuple(Fix(**one) for one in told["fixes"]),
            "rounds": (),
            "diagnostics": tuple(map(_diagnostic, told["diagnostics"])),
            "checks": tuple(Check(**one) for one in told["checks"]),
            "passes": tuple(Pass(**one) for one in told["passes"]),
            "steps": tuple(Step(**one) for one in told["steps"]),
            "objections": tuple(told["objections"]),
        }
    )


def _diagnostic(told: Mapping[str, Any]) -> Diagnostic:
    origin = told["origin"]
    return Diagnostic(
        **{**told, "context": tuple(told["context"]), "origin": None if origin is None else Place(**origin)}
    )
