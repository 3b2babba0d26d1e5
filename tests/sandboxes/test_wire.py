"""What comes out of a sandbox is data: whatever it sends, nothing but a SandboxError happens outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from texrepair.errors import SandboxError
from texrepair.sandboxes import Limits, Ran, Sandbox
from texrepair.sandboxes.scripted import Scripted
from texrepair.sandboxes.supervisor import HEAD
from texrepair.sandboxes.wire import SupervisedBox

SAYING = ("sh", "-c", 'cat "$0"; exec cat > /dev/null 2>&1')
"""A supervisor that says what a file holds, and listens to nothing."""


def frame(head: object, data: bytes = b"") -> bytes:
    text = json.dumps(head).encode()
    return HEAD.pack(len(text), len(data)) + text + data


def open_on(answers: bytes, tmp_path: Path) -> None:
    """Open a box on a supervisor that says this, whatever it is asked."""
    said = tmp_path / "answers"
    said.write_bytes(answers)
    box = SupervisedBox([*SAYING, str(said)], root="/", files={}, limits=Limits(fetch_mb=1), environment={}, links={})
    box.close()


@pytest.mark.parametrize(
    "answers",
    [
        b"",
        b"\0\0",
        HEAD.pack(2**32 - 1, 0),
        HEAD.pack(2, 2**32 - 1) + b"{}",
        frame([]),
        frame("text"),
        frame({"id": "one"}),
        frame({"ended": 1, "exit_status": 0}),
        HEAD.pack(3, 0) + b"\xff\xfe{",
        HEAD.pack(200_000, 0) + b"[" * 200_000,
    ],
    ids=lambda answers: repr(answers[:30]),
)
def test_answers_that_make_no_sense(answers: bytes, tmp_path: Path) -> None:
    with pytest.raises(SandboxError):
        open_on(answers, tmp_path)


@given(st.binary(max_size=300) | st.dictionaries(st.text(max_size=5), st.none() | st.integers()).map(frame))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_answer(tmp_path: Path, answers: bytes) -> None:
    with pytest.raises(SandboxError):
        open_on(answers, tmp_path)


@pytest.mark.parametrize("files", [[["a", -1]], [["a", 99]], [["b", 1]], [[1, 1]], [["a"]], "a", None, [["a", 1.5]]])
def test_a_fetch_that_lies(files: object, tmp_path: Path) -> None:
    said = tmp_path / "answers"
    said.write_bytes(frame({"id": 1}) + frame({"id": 2}) + frame({"id": 3, "files": files}, b"x"))
    box = SupervisedBox([*SAYING, str(said)], root="/", files={}, limits=Limits(), environment={}, links={})
    with closing(box), pytest.raises(SandboxError):
        box.fetch(["a"], "project")


def test_a_supervisor_that_dies_is_named(tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="no space on the moon"):
        SupervisedBox(
            ["sh", "-c", "echo no space on the moon >&2; exit 1"],
            root="/",
            files={},
            limits=Limits(),
            environment={},
            links={},
        )


PARENT = """
import sys, time
from texrepair.sandboxes import SANDBOXES, Limits
box = SANDBOXES[sys.argv[1]].open({}, Limits())
box.start(("sh", "-c", "sleep 300 & setsid sleep 300 & echo $$ > pid; sleep 300"), "work")
box.start(("cat", "main.tex"), "work", warm="main.tex").feed(b"x")
while not box.fetch(["pid"], "work").get("pid"):
    pass
print(box._process.pid, flush=True)
time.sleep(300)
"""


@pytest.fixture
def below(sandbox: Sandbox) -> str:
    """The name of a sandbox whose processes are below ours."""
    if sandbox.name == "docker":
        pytest.skip("a container's processes are its engine's")
    return sandbox.name


def living(group_leader: int) -> list[str]:
    """Processes of the session that a box's first process leads, and what it started."""
    found = subprocess.run(["ps", "-eo", "pid,ppid,sid,args"], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 3) for line in found.splitlines()[1:]]
    family = {str(group_leader)}
    while more := {row[0] for row in rows if row[1] in family or row[2] in family} - family:
        family |= more
    return [row[3] for row in rows if row[0] in family and "<defunct>" not in row[3]]


HELD_OPEN = """
import os, sys, time
from texrepair.sandboxes import SANDBOXES, Limits
box = SANDBOXES[sys.argv[1]].open({}, Limits())
box.start(("sleep", "300"), "work")
if os.fork() == 0:
    time.sleep(60)
print(box._process.pid, flush=True)
time.sleep(300)
"""


@pytest.mark.parametrize("script", [PARENT, HELD_OPEN], ids=["alone", "with a child that holds the pipe"])
def test_nothing_outlives_a_parent_that_is_killed(below: str, script: str, tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", script, below],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        start_new_session=True,
    )
    assert parent.stdout is not None
    leader = int(parent.stdout.readline())
    assert len(living(leader)) >= 2
    parent.kill()
    parent.wait()
    assert any(not living(leader) for _ in range(200))
    with suppress(ProcessLookupError):
        os.killpg(parent.pid, signal.SIGKILL)
    parent.stdout.close()


INTERRUPTED = """
import sys
from contextlib import closing, suppress
from texrepair.sandboxes import SANDBOXES, Limits
with closing(SANDBOXES[sys.argv[1]].open({}, Limits())) as box:
    run = box.start(("sh", "-c", "sleep 300 & setsid sleep 300 & sleep 300"), "work")
    print(box._process.pid, flush=True)
    run.wait()
"""


def test_ctrl_c_ends_what_runs(below: str, tmp_path: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    parent = subprocess.Popen(
        [sys.executable, str(script), below],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        start_new_session=True,
    )
    assert parent.stdout is not None
    leader = int(parent.stdout.readline())
    os.killpg(parent.pid, signal.SIGINT)
    _, errors = parent.communicate(timeout=60)
    assert b"KeyboardInterrupt" in errors
    assert any(not living(leader) for _ in range(200))
    assert not list(tmp_path.glob("texrepair-*"))


def test_the_fake_is_a_sandbox() -> None:
    fake: Sandbox = Scripted()
    with pytest.raises(SandboxError, match="not in the script"):
        fake.open({}, Limits()).start(("xelatex",), "1")
    assert Ran(0).ok
