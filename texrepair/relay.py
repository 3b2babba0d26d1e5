"""One session for documents that are built one after the other.

A session belongs to one project, and what a stranger's project does in it is nobody else's matter. It goes on to the
next project only if that one runs the same code on the same files and sets other words (likeness.py): it could do there
itself whatever was done. An engine that has read the preamble waits for it then.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType

from texrepair.compile.course import Left
from texrepair.compile.session import Session
from texrepair.project import Project
from texrepair.settings import Settings


class Relay:
    """Opens sessions, one at a time. Use it as a context manager."""

    def __init__(self) -> None:
        self.followed = False
        """Whether the next project is likely to run the same code as this one."""
        self._waiting: tuple[str, Session] | None = None

    def __enter__(self) -> Relay:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._waiting is not None:
            self._waiting[1].close()
            self._waiting = None

    @contextmanager
    def session(
        self, code: str | None, project: Project, settings: Settings, cores: int | None, start: Left | None
    ) -> Iterator[Session]:
        """A session for the project; the one that waits if it is good for that.

        `code` names the project's code (Generated.code); None where the session is nobody else's. The rest is as for a
        new session. If it has not been released in the end, it waits for the next project, unless something was raised.
        """
        session = self._taken(code, settings)
        if session is None:
            session = Session(project, settings, cores=cores, start=start)
        else:
            session.go_on(project, start)
        with ExitStack() as stack:
            stack.enter_context(session)
            yield session
            if code is not None and not session.released:
                stack.pop_all()
                self._waiting = code, session

    def _taken(self, code: str | None, settings: Settings) -> Session | None:
        """The session that waits, if it has the same code and settings; else it is closed."""
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            return None
        of, session = waiting
        if (of, session.settings) == (code, settings):
            return session
        with session:
            return None
