"""The generated files of clean compiles (.aux, .toc …), from which later ones start and settle in fewer passes.

Generated files are code that a document wrote. So they go to the same project, if it is an edit of what was compiled
then: another document of the same name in the same place, as in a folder that a service uses again and again, does not
get them. Or they go to one that runs the same code and sets other words (likeness.py).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import texrepair
from texrepair.cache import Cache, packed, unpacked
from texrepair.likeness import code
from texrepair.project import Project

if TYPE_CHECKING:
    from texrepair.compile.course import Left

_JOB = "*"
"""What stands for the name of any document's job."""


@dataclass(frozen=True)
class Generated:
    """What is kept of generated files for a project."""

    cache: Cache
    project: Project
    assets: Mapping[str, str]
    """The digests of the project's other files, by path."""

    def left(self) -> Left | None:
        """What a last clean compile left from which this one may start; None where there is nothing."""
        from texrepair.compile.course import Left

        place = self._place
        data = None if place is None else self.cache.get(place)
        if data is not None:
            head, generated = unpacked(data)
            lines = set(head["lines"])
            if 2 * len(lines & _lines(self.project)) >= len(lines):
                return Left(head["engine"], head["ground"], generated)
        data = self.cache.get(self._like)
        if data is None:
            return None
        head, generated = unpacked(data)
        return Left(head["engine"], head["ground"], {self._own(name): text for name, text in generated.items()})

    def leave(self, left: Left, read: Container[str], asked: bool) -> None:
        """Keep what a clean compile left, for the next one. `read` are the files of the project that were read.

        Only the project itself gets it where other code has run than it holds: a model was `asked`, or another document
        that lies beside it was read.
        """
        head = {"engine": left.engine, "ground": left.ground}
        if self._place is not None:
            self.cache.put(self._place, packed({**head, "lines": sorted(_lines(self.project))}, left.generated))
        if not asked and not any(path in read for path in self.assets if _is_tex(path)):
            named = {self._anyones(name): data for name, data in left.generated.items()}
            self.cache.put(self._like, packed(head, named))

    @cached_property
    def code(self) -> str:
        """What names the code of the project, with all its files and their names."""
        return _named(self._like, self.project.main, self.assets)

    @property
    def _place(self) -> str | None:
        project = self.project
        return None if project.root is None else _named(str(project.root), project.main, project.engine)

    @cached_property
    def _like(self) -> str:
        others = {path: digest for path, digest in self.assets.items() if not _is_tex(path)}
        return _named(others, self.project.engine, code(self.project.draft, self.project.main))

    def _anyones(self, name: str) -> str:
        """The name of a generated file, that of the job left out."""
        return _JOB + name.removeprefix(self._job) if name.startswith(f"{self._job}.") else name

    def _own(self, name: str) -> str:
        """That name with this job's."""
        return self._job + name.removeprefix(_JOB) if name.startswith(_JOB) else name

    @cached_property
    def _job(self) -> str:
        from texrepair.compile.layout import layout

        return layout(self.project).job


def hashed(told: object) -> str:
    """The digest of a value that JSON can tell."""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode("ascii")).hexdigest()


def _named(*told: object) -> str:
    """What names the generated files of documents of which that holds."""
    return f"left-{hashed([texrepair.__version__, *told])}"


def _lines(project: Project) -> set[str]:
    """The lines of the document's bodies, hashed."""
    bodies = (text.rpartition("\\begin{document}")[2] for path, text in project.draft.texts.items() if _is_tex(path))
    lines = {line.strip() for body in bodies for line in body.splitlines()} - {""}
    return {hashlib.sha256(line.encode("utf-8", "surrogatepass")).hexdigest()[:16] for line in lines}


def _is_tex(path: str) -> bool:
    return path.endswith((".tex", ".ltx"))
