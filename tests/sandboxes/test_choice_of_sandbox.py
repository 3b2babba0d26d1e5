"""Which sandbox is taken: the one asked for, or none that protects less than was asked for."""

from __future__ import annotations

import pytest

from texrepair.errors import SandboxError
from texrepair.sandboxes import SANDBOXES, Limits, bubblewrap, chosen, places, sandboxes


def test_none_is_taken_by_name_only_and_warns() -> None:
    assert chosen("none").name == "none"
    assert chosen("none").warning


def test_auto_protects_or_refuses() -> None:
    try:
        sandbox = chosen()
    except SandboxError as error:
        assert error.exit_code == 69
    else:
        assert sandbox.warning is None


def test_without_bubblewrap_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert SANDBOXES["bwrap"].trouble() == "bubblewrap is not installed: apt-get install bubblewrap"
    with pytest.raises(SandboxError, match="apt-get install bubblewrap"):
        chosen("bwrap")
    with pytest.raises(SandboxError, match="apt-get install bubblewrap"):
        SANDBOXES["bwrap"].open({}, Limits())


def test_an_image_that_is_not_there_is_named_with_its_cure() -> None:
    trouble = sandboxes("no-such-image")["docker"].trouble()
    assert trouble is not None
    assert trouble.endswith(("docker pull no-such-image", "apt-get install docker.io", "systemctl start docker"))
    with pytest.raises(SandboxError):
        chosen("docker", "no-such-image")


def test_auto_refuses_with_the_cure_for_the_first_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    if bubblewrap.contained() and SANDBOXES["landlock"].trouble() is None:
        assert chosen().name == "landlock"
        return
    with pytest.raises(SandboxError, match=r"^No sandbox works here\. Bubblewrap is not installed: apt-get install"):
        chosen()


def test_a_cure_is_one_command() -> None:
    assert bubblewrap.cure().startswith(("start the container", "sudo sysctl -w ", "allow unprivileged"))


def test_the_supervisors_python_is_outside_any_virtual_environment() -> None:
    python = places.interpreter()
    assert python.is_file()
    assert not (python.parent.parent / "pyvenv.cfg").exists()


def test_what_is_shown_exists_once() -> None:
    shown = places.shown()
    assert all(path.exists() for path in shown)
    assert not any(other in path.parents for path in shown for other in shown)
