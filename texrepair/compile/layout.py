"""How a project lies in the box: safe names, what is taken along, and the way back to the user's names."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from texrepair.project import Draft, Project
from texrepair.result import Diagnostic, Place

SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\Z")
"""What may stand on a command line."""

GENERATED = frozenset(
    ".acn .acr .alg .aux .bbl .bcf .blg .dvi .fdb_latexmk .fls .glg .glo .gls .glsdefs .idx .ilg .ind .ist .loa .lof "
    ".log .lol .lot .nav .nlo .nls .out .pdf .run.xml .snm .synctex.gz .thm .toc .vrb .xdv".split()
)
"""Suffixes of what a build writes beside the main file."""

LEFT_OUT = frozenset(
    {"biber.conf", "latexmkrc", ".latexmkrc", "texmf.cnf", "dvipdfmx.cfg", "xdvipdfmx.cfg", "pdftex.cfg"}
)
"""Files that would give orders to the programs of the chain."""

_NAMED_BIB = re.compile(r"\\(?:bibliography|addbibresource)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")


@dataclass(frozen=True)
class Layout:
    """The names of one project in the box."""

    main: str
    """The user's main file, relative to the project's root."""
    job: str
    suffix: str
    """The main file's suffix in the box."""
    folder: str
    """The folder of the main file, "" for the root: passes run in it."""
    others: frozenset[str] = frozenset()
    """The paths of the project's assets."""

    @property
    def main_name(self) -> str:
        """The main file as it is called on the command line."""
        return self.job + self.suffix

    @property
    def main_path(self) -> str:
        """The main file, relative to the root."""
        return posixpath.join(self.folder, self.main_name)

    def within(self, run: str) -> str:
        """The folder in which a pass runs."""
        return posixpath.join(run, self.folder) if self.folder else run

    def texts(self, draft: Draft) -> dict[str, bytes]:
        """The draft's files as they are laid. Raises UnicodeEncodeError."""
        return {self._laid(path): draft.encoded(path) for path in draft if self._wanted(path, draft.texts)}

    def given(self, draft: Draft) -> frozenset[str]:
        """The names of all files that are laid, as programs call them."""
        return frozenset(self.inside(path) for path in (*draft, *self.others) if self._wanted(path, draft.texts))

    def sources(self, draft: Draft) -> dict[str, str]:
        """The draft's texts under the names by which programs call them."""
        return {self.inside(path): text for path, text in draft.texts.items()}

    def assets(self, project: Project) -> dict[str, bytes | Path]:
        """The other files that are laid."""
        texts = project.draft.texts
        return {self._laid(path): data for path, data in project.assets.items() if self._wanted(path, texts)}

    def inside(self, path: str) -> str:
        """The name by which programs call a file of the project."""
        path = self._laid(path)
        return posixpath.relpath(path, self.folder) if self.folder else path

    def outside(self, name: str) -> str:
        """The user's path of a file that a program named."""
        if posixpath.isabs(name):
            return name
        path = posixpath.normpath(posixpath.join(self.folder, name))
        return {self.main_path: self.main, f"{self._stem}.bbl": f"{self._own}.bbl"}.get(path, path)

    def translated(self, diagnostic: Diagnostic) -> Diagnostic:
        """The diagnostic with the user's names."""
        origin = diagnostic.origin
        return replace(
            diagnostic,
            file=None if diagnostic.file is None else self.outside(diagnostic.file),
            origin=None if origin is None else Place(self.outside(origin.file), origin.line),
        )

    @property
    def _own(self) -> str:
        """The main file's path without its suffix, in the project."""
        return posixpath.splitext(self.main)[0]

    @property
    def _stem(self) -> str:
        """The same in the box."""
        return posixpath.join(self.folder, self.job)

    def _laid(self, path: str) -> str:
        """Where a file of the project lies in the box: the main file and its .bbl have our name for it."""
        if path == self.main:
            return self.main_path
        return f"{self._stem}.bbl" if path == f"{self._own}.bbl" else path

    def _wanted(self, path: str, texts: Mapping[str, str]) -> bool:
        """Whether a file that came with the input is used. A .bbl whose .bib is not there is a source."""
        if path == self.main:
            return True
        name = posixpath.basename(path)
        if name in LEFT_OUT or name.endswith(".aux") or path == self.main_path:
            return False
        if path == f"{self._own}.bbl":
            return not self._has_bib(texts)
        beside = (path[len(stem) :] for stem in {self._own, self._stem} if path.startswith(stem + "."))
        return not any(suffix in GENERATED for suffix in beside)

    def _has_bib(self, texts: Mapping[str, str]) -> bool:
        """Whether every .bib file that the texts name is there."""
        named = {
            name.strip().removesuffix(".bib") + ".bib"
            for text in texts.values()
            for found in _NAMED_BIB.finditer(text)
            for name in found[1].split(",")
            if name.strip()
        }
        there = self.others | set(texts)
        return bool(named) and all(posixpath.normpath(posixpath.join(self.folder, name)) in there for name in named)


def layout(project: Project) -> Layout:
    """How the project lies in the box. Its main file keeps its name if that may stand on a command line."""
    folder, name = posixpath.split(project.main)
    stem, suffix = posixpath.splitext(name)
    suffix = suffix if suffix in (".tex", ".ltx", ".latex") else ".tex"
    job = stem
    if not SAFE.match(stem):
        taken = {posixpath.splitext(posixpath.basename(path))[0] for path in (*project.draft, *project.assets)}
        job = next(name for name in ("document", *(f"document-{n}" for n in range(2, 10_000))) if name not in taken)
    return Layout(project.main, job, suffix, folder, frozenset(project.assets))
