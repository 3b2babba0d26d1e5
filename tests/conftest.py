"""For all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from texrepair.sandboxes import SANDBOXES, Sandbox


def pytest_configure(config: pytest.Config) -> None:
    """Let SIGINT reach what tests start: a shell ignores it for what it runs in the background, and so do children."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(
    params=[
        pytest.param("bwrap", marks=pytest.mark.bwrap),
        pytest.param("docker", marks=pytest.mark.docker),
        "landlock",
        "none",
    ],
    scope="module",
)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    """Each sandbox in turn; one that does not work here is skipped and says why."""
    found = SANDBOXES[request.param]
    if trouble := found.trouble():
        pytest.skip(trouble)
    return found


@pytest.fixture(scope="module")
def protecting(sandbox: Sandbox) -> Sandbox:
    """Each sandbox in turn but those that stop nothing."""
    if sandbox.warning:
        pytest.skip(sandbox.warning)
    return sandbox


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder for each test: what one has built is news to the next, and the user's own is left alone."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings from the environment."""
    for name in os.environ:
        if name.startswith("TEXREPAIR_"):
            monkeypatch.delenv(name)


@pytest.fixture
def alone(unset: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of its own as the current one, without settings from outside."""
    monkeypatch.chdir(tmp_path)
