"""Compiling on every save, with an engine that waits with the preamble loaded. Nothing of the user's is ever changed.

The document is compiled as it is: what a rule would cure is said, and left to the one who is writing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from texrepair.compile.session import Session
from texrepair.deliver import place_beside
from texrepair.errors import SettingsError, TexrepairError
from texrepair.files import Folder
from texrepair.loading.belongs import hidden
from texrepair.project import Project
from texrepair.result import Diagnostic
from texrepair.settings import Settings

Changes = Callable[[frozenset[Path]], Iterator[object]]
"""From folders to what yields whenever something in them may have changed: for the first time as soon as it watches."""

_SOON_MS = 50
"""How long after one change others are taken for the same save."""
_AT_FIRST_MS = 500
"""When to look again after the watch has begun, for what was saved before."""


@dataclass(frozen=True)
class Screen:
    """Where watch says what it found."""

    tell: Callable[[str], None]
    show: Callable[[Sequence[Diagnostic], Mapping[str, str]], None]
    """Takes errors and the texts that they are about."""


def watch(
    source: str | Path,
    settings: Settings,
    screen: Screen,
    *,
    changes: Changes | None = None,
    clock: Callable[[], float] = time.time,
) -> None:
    """Compile the project of a .tex file or a folder, and again whenever a file of it is saved, until interrupted.

    Errors are shown as soon as they are known; the PDF beside the main file is replaced when there is a new one, whole.
    Ends when `changes` does. `clock` is that of the files' times, in seconds. Raises TexrepairError where there is no
    project at the start.
    """
    changes = changes or _changes
    project = Project.load(source, settings=settings)
    if project.root is None:
        raise SettingsError("watch needs a file or a folder on the disk, and this is a zip or standard input")
    watched: frozenset[Path] = frozenset()
    ticks: Iterator[object] = iter(())
    with _Desk(settings, screen, clock) as desk:
        while True:
            desk.build(project)
            while True:
                if (folders := _folders(project)) != watched:
                    watched, ticks = folders, changes(folders)
                try:
                    next(ticks)
                except StopIteration:
                    return
                try:
                    project = Project.load(source, settings=settings)
                except TexrepairError as wrong:
                    # An editor may be between two steps of saving; if not, the user has to know.
                    screen.tell(f"{wrong}")
                    continue
                if desk.is_new(project):
                    break


@dataclass
class _Desk:
    """The session at work, and what it has built last."""

    settings: Settings
    screen: Screen
    clock: Callable[[], float]
    _stack: ExitStack = field(default_factory=ExitStack)
    _session: Session | None = None
    _laid: object = None
    """What the session's box holds beside the texts."""
    _built: object = None
    _saved: float | None = None
    _began: float = 0.0
    """When what is being built was asked for."""
    _event: str = ""
    """What asked for it."""

    def __enter__(self) -> _Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def is_new(self, project: Project) -> bool:
        return _identity(project) != self._built

    def build(self, project: Project) -> None:
        """Compile it, say what is wrong, and put its PDF in place."""
        saved, before = _saved(project), self._saved
        self._began, self._event = self.clock(), "start" if before is None else "change"
        if before is not None and saved > before:  # not the first time, and nothing was only taken away
            self._began, self._event = saved, "save"
        self._built, self._saved = _identity(project), saved
        session = self._opened(project)
        draft = project.draft
        result = session.check(draft, project.engine)
        if not result.errors:
            self.screen.tell(f"{project.main}: no errors in the first pass ({self._since})")
            result = session.compile(draft, project.engine)
        if result.errors:
            self.screen.show(result.errors, draft.texts)
            count = len(result.errors)
            self.screen.tell(f"{project.main}: {count} error{'s' if count > 1 else ''} ({self._since})")
        for objection in result.objections:
            self.screen.tell(f"{project.main}: {objection}")
        if result.pdf is not None:
            folder = Folder(place_beside(project))
            try:
                place = folder.write(f"{project.name}.pdf", result.pdf.read_bytes())
            except OSError as refused:
                raise TexrepairError(f"the PDF cannot be written: {refused}") from refused
            self.screen.tell(f"{place} ({self._since})")
        session.expect(draft, project.engine)

    def _opened(self, project: Project) -> Session:
        """The session, opened anew where other files than the draft's have changed."""
        laid = (project.main, project.name, _times(project, project.assets))
        if self._session is None or laid != self._laid:
            self._stack.close()
            self._session = self._stack.enter_context(Session(project, self.settings))
            self._laid = laid
        return self._session

    @property
    def _since(self) -> str:
        return f"{max(self.clock() - self._began, 0):.1f} s after the {self._event}"


def _identity(project: Project) -> object:
    return project.main, project.engine, project.draft.digest, _times(project, project.assets)


def _times(project: Project, paths: Mapping[str, object]) -> Mapping[str, tuple[int, int] | None]:
    """Date and size of files of the project; None for what is gone."""
    return {path: _status(project, path) for path in paths}


def _status(project: Project, path: str) -> tuple[int, int] | None:
    assert project.root is not None
    try:
        found = (project.root / path).lstat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _saved(project: Project) -> float:
    """When a file of the project was saved last."""
    every = (_status(project, path) for path in (*project.draft, *project.assets))
    return max((found[0] for found in every if found is not None), default=0) / 1e9


def _folders(project: Project) -> frozenset[Path]:
    """The folders that hold the project's files: an editor that saves puts a new file into the old one's place."""
    assert project.root is not None
    paths = (project.main, *project.draft, *project.assets)
    return frozenset(project.root / PurePosixPath(path).parent for path in paths)


def _changes(folders: frozenset[Path]) -> Iterator[object]:
    """Whenever something is saved in the folders, as the system tells."""
    from watchfiles import watch as notified

    def counts(_: object, path: str) -> bool:
        return not hidden(Path(path).name)

    ticks = notified(
        *folders,
        watch_filter=counts,
        step=_SOON_MS,
        rust_timeout=_AT_FIRST_MS,
        yield_on_timeout=True,
        recursive=False,
    )
    yield next(ticks)
    for found in ticks:
        if found:
            yield found
