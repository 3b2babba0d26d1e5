"""Sessions on small projects, with real engines in whichever sandbox works here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from texrepair.compile import Session
from texrepair.errors import SandboxError
from texrepair.project import Draft, Project
from texrepair.sandboxes import Sandbox, chosen
from texrepair.settings import Settings

Opened = Callable[..., Session]


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    try:
        return chosen("auto")
    except SandboxError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The user's cache is not the tests'."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def opened(sandbox: Sandbox) -> Iterator[Opened]:
    """Open a session on files by name; the first is the main one."""
    sessions: list[Session] = []

    def open_session(
        files: dict[str, str],
        assets: dict[str, bytes] | None = None,
        engine: str = "xelatex",
        cores: int | None = None,
        **settings: object,
    ) -> Session:
        project = Project(next(iter(files)), Draft(files), assets or {}, engine)
        sessions.append(Session(project, Settings(**settings), sandbox=sandbox, cores=cores))
        return sessions[-1]

    yield open_session
    for session in sessions:
        session.close()
