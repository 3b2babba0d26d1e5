"""The protocol under fire from both sides: a program inside that mangles its session, and answers that are wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mangling import mangle

from texrepair.errors import SandboxError
from texrepair.sandboxes import Limits, Sandbox, places, starting
from texrepair.sandboxes.supervisor import HEAD
from texrepair.sandboxes.wire import SupervisedBox

SHARED = [HealthCheck.function_scoped_fixture]  # one folder for all examples will do
SAYING = ("sh", "-c", 'cat "$0"; exec cat > /dev/null 2>&1')

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
RIGHT: dict[str, Any] = {
    "ended": 3,
    "exit_status": 0,
    "signal": None,
    "stopped_for": None,
    "seconds": 0.5,
    "peak_kib": 100,
}
KEYS = st.sampled_from([*RIGHT, "id", "files", "error", "missing"])


def frame(head: object, data: bytes = b"") -> bytes:
    text = json.dumps(head).encode()
    return HEAD.pack(len(text), len(data)) + text + data


@pytest.mark.parametrize("seed", range(3))
def test_a_mangled_session_stays_a_session(protecting: Sandbox, seed: int, tmp_path: Path) -> None:
    (tmp_path / "canary").write_bytes(b"KNRY-secret")
    mangle(protecting, seed, 60, tmp_path / "canary")


@given(st.dictionaries(KEYS, VALUES, max_size=4), st.binary(max_size=40), st.booleans())
@settings(max_examples=60, deadline=None, suppress_health_check=SHARED)
def test_an_answer_that_is_almost_right(tmp_path: Path, changes: dict[str, Any], data: bytes, as_end: bool) -> None:
    """Whatever stands in the answer to a fetch, or in the report of a run: a result, or a SandboxError."""
    head = {**(RIGHT if as_end else {"id": 4, "files": [["a", len(data)]]}), **changes}
    said = tmp_path / "answers"
    said.write_bytes(frame({"id": 1}) + frame({"id": 2}) + frame({"id": 5}) + frame(head, data))
    box = SupervisedBox([*SAYING, str(said)], root="/", files={}, limits=Limits(), environment={}, links={})
    with closing(box), suppress(SandboxError):
        box._count = 3
        found = box.fetch(["a"], "work") if not as_end else {"a": box.ended(3, 0.0).output}
        assert set(found) <= {"a"}
        assert all(isinstance(body, bytes) and len(body) <= len(data) for body in found.values())


@given(st.binary(max_size=400), st.integers(0, 200))
@settings(max_examples=60, deadline=None, suppress_health_check=SHARED)
def test_a_stream_that_breaks_anywhere(tmp_path: Path, noise: bytes, at: int) -> None:
    """Bytes thrown into a right stream, or the end of it, at any place."""
    right = frame({"id": 1}) + frame({"id": 2}) + frame({"id": 3, "files": [["a", 3]]}, b"abc")
    said = tmp_path / "answers"
    said.write_bytes(right[:at] + noise)
    try:
        box = SupervisedBox([*SAYING, str(said)], root="/", files={}, limits=Limits(), environment={}, links={})
    except SandboxError:
        return
    with closing(box), suppress(SandboxError):
        assert set(box.fetch(["a"], "work")) <= {"a"}


REQUESTS = st.one_of(
    st.binary(max_size=60),
    st.builds(
        frame,
        st.fixed_dictionaries(
            {
                "id": st.integers(0, 9),
                "do": st.sampled_from(["put", "copy", "drop", "fetch", "start", "stop", "x", "end"]),
            },
            optional={
                "folder": st.sampled_from(["1", "../x", "", "a\0b", "/"]) | VALUES,
                "files": st.just([["a", 1], ["../b", 1]]) | VALUES,
                "names": st.just(["a", "../../etc/passwd"]) | VALUES,
                "source": VALUES,
                "target": VALUES,
                "command": st.just(["true"]) | st.just(["/bin/sh"]) | VALUES,
                "run": VALUES,
            },
        ),
        st.binary(max_size=20),
    ),
)


@given(st.lists(REQUESTS, max_size=6))
@settings(max_examples=40, deadline=None, suppress_health_check=SHARED)
def test_a_supervisor_ends_whatever_it_is_asked(tmp_path_factory: pytest.TempPathFactory, asked: list[bytes]) -> None:
    """It answers or ends, writes nowhere but in its folder, and removes that."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "work").mkdir()
    hello = {
        "id": 0,
        "do": "hello",
        "root": str(outside / "work"),
        "limits": {**{"seconds": 5, "processes": 20}, **dict.fromkeys(
            ("memory_mb", "file_mb", "disk_mb", "fetch_mb", "open_files", "output_kib"), 64)},
        "environment": {"PATH": "/usr/bin:/bin"},
        "links": {},
        "others": 5000,
        "heaviest": 1 << 30,
        "confine": None,
        "filter": 0,
    }  # fmt: skip
    command = [str(places.interpreter()), *starting.arguments(), str(outside / "work")]
    said = starting.preamble() + frame(hello) + b"".join(asked)
    ran = subprocess.run(command, input=said, capture_output=True, timeout=60)
    assert ran.stdout.startswith(frame({"id": 0}))
    assert list(outside.rglob("*")) == []
    assert sys.getsizeof(ran.stdout) < 1 << 20
