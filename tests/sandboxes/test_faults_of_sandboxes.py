"""What breaks: a supervisor or a program killed, a full disk, no memory, a jumping clock, many sessions at once."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from texrepair.errors import SandboxError
from texrepair.sandboxes import Box, Limits, Sandbox

LIMITS = Limits(seconds=20, memory_mb=512, file_mb=4, disk_mb=16)


@pytest.fixture
def box(sandbox: Sandbox) -> Iterator[Box]:
    opened = sandbox.open({"main.tex": b"x"}, LIMITS)
    yield opened
    opened.close()


def processes(word: str) -> dict[int, str]:
    """Processes, in any namespace that can be seen from here, that have this word in their command line."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            line = (process / "cmdline").read_bytes().decode("utf-8", "replace")
            if word in line and int(process.name) != os.getpid():
                found[int(process.name)] = line
    return found


def gone(pids: Iterator[int], until: float | None = None) -> bool:
    """Whether all these end by that time of time.monotonic, or ever; waits for the kernel to say so."""
    for pid in pids:
        with suppress(ProcessLookupError):
            descriptor = os.pidfd_open(pid)
            poll = select.poll()
            poll.register(descriptor, select.POLLIN)
            ended = poll.poll(None if until is None else max(0.0, until - time.monotonic()) * 1000)
            os.close(descriptor)
            if not ended:
                return False
    return True


def test_a_supervisor_that_is_killed_is_an_error_and_leaves_nothing(sandbox: Sandbox) -> None:
    mark = f"mark-{os.urandom(8).hex()}"
    box = sandbox.open({}, LIMITS)
    within = f"sh -c ': {mark}; sleep 300; :' & : {mark}; wait"
    run = box.start(("sh", "-c", within), "work")
    inside = processes(mark)
    while not any(line.startswith("sh\0-c\0: mark") for line in inside.values()):
        inside = processes(mark)
    if sandbox.name == "docker":
        named = ("docker", "ps", "--quiet", "--filter", f"name=^texrepair-{os.getpid()}-")
        ids = subprocess.run(named, capture_output=True, text=True, check=True).stdout.split()
        subprocess.run(["docker", "kill", *ids], capture_output=True, check=True)
    else:
        for pid in parents(next(iter(inside))):
            os.kill(pid, signal.SIGKILL)
            break
    with pytest.raises(SandboxError):
        run.wait()
    box.close()
    assert gone(iter(inside))


def parents(pid: int) -> Iterator[int]:
    """The process above, and so on, below our own."""
    while True:
        pid = int(Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[1])
        if pid in (0, 1, os.getpid()):
            return
        yield pid


def test_a_program_that_is_killed_is_told_and_the_session_goes_on(box: Box) -> None:
    run = box.start(("sh", "-c", "kill -KILL $$"), "work")
    assert run.wait().signal == signal.SIGKILL
    assert box.start(("echo", "well"), "work").wait().output == b"well\n"


def test_a_full_disk_is_told_and_the_session_goes_on(box: Box) -> None:
    fill = "i=0; while [ $i -lt 30 ]; do head -c 3000000 /dev/zero > f$i || exit 1; i=$((i+1)); done; sleep 60"
    assert box.start(("sh", "-c", fill), "work").wait().stopped_for == "disk"
    box.drop("work")
    box.put({"new": b"x" * 1_000_000}, "work")
    assert box.fetch(["new"], "work") == {"new": b"x" * 1_000_000}


def test_a_put_that_does_not_fit_is_an_error_and_the_session_goes_on(sandbox: Sandbox) -> None:
    if sandbox.name in ("landlock", "none"):
        pytest.skip("what we put ourselves is not bounded there")
    with closing(sandbox.open({}, replace(LIMITS, disk_mb=2))) as box:
        with pytest.raises(SandboxError, match="No space left"):
            box.put({"large": b"x" * 9_000_000})
        assert box.start(("echo", "well"), "work").wait().ok


def test_no_memory_is_told_and_the_session_goes_on(box: Box) -> None:
    assert box.start(("perl", "-e", '$x = "x" x (1 << 30)'), "work").wait().stopped_for == "memory"
    assert box.start(("echo", "well"), "work").wait().output == b"well\n"


def test_what_tries_again_and_again_for_memory_is_stopped(sandbox: Sandbox) -> None:
    again = "local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(4000000) .. #t end) end"
    with closing(sandbox.open({"again.lua": again.encode()}, LIMITS)) as box:
        box.copy("project", "work")
        assert box.start(("texlua", "again.lua"), "work").wait().stopped_for == "memory"


HOLDING = """
vec($x, 300 << 20, 8) = 1;
open F, "main.tex";
print <F>;
until (-e "go") { select(undef, undef, undef, 0.01) }
"""


def test_what_waits_gives_way_to_what_works(sandbox: Sandbox) -> None:
    with closing(sandbox.open({}, LIMITS)) as box:
        waiting = box.start(("perl", "-e", HOLDING), "waiting", warm="main.tex")
        waiting.feed(b"x")
        box.put({"main.tex": b"read"}, "work")
        working = box.start(("perl", "-e", HOLDING), "work")
        assert waiting.wait().stopped_for == "memory"
        box.put({"go": b""}, "work")
        ran = working.wait()
        assert (ran.ok, ran.output) == (True, b"read")


def test_a_clock_that_jumps_ends_nothing(box: Box) -> None:
    """What counts is a clock that nobody sets: `date` in a program, or the files' times, change nothing."""
    script = "touch -d '2000-01-01' old; touch -d '2099-01-01' new; sleep 0.3; date"
    ran = box.start(("sh", "-c", script), "work", seconds=20).wait()
    assert ran.ok
    assert 0.3 <= ran.seconds < 20
    for module in ("wire", "supervisor"):
        text = Path(sys.modules[f"texrepair.sandboxes.{module}"].__file__ or "").read_text()
        assert "time.time(" not in text


def test_sixty_four_sessions_at_once(sandbox: Sandbox) -> None:
    def session(number: int) -> bytes:
        with closing(sandbox.open({"number": str(number).encode()}, LIMITS)) as box:
            box.copy("project", "work")
            return box.start(("cat", "number"), "work").wait().output

    with ThreadPoolExecutor(64 if sandbox.name != "docker" else 16) as pool:
        assert list(pool.map(session, range(64))) == [str(number).encode() for number in range(64)]


PARENT = """
import os, sys
from texrepair.sandboxes import SANDBOXES, Limits
name, mark, held = sys.argv[1:]
box = SANDBOXES[name].open({}, Limits())
deaf = "trap : HUP INT TERM; while :; do sleep 300; done"
box.start(("sh", "-c", f": {mark}; (setsid sh -c ': {mark}; {deaf}' &) ; {deaf}"), "work")
box.start(("sh", "-c", f": {mark}; cat main.tex; :"), "work", warm="main.tex").feed(b"x")
if held != "held" or os.fork():
    print("started", flush=True)
sys.stdin.read()
"""
PROMISED = 2.0
"""Seconds after which nothing runs any more of a session whose parent was killed."""


@pytest.mark.parametrize("held", ["alone", "held"])
def test_nothing_outlives_a_parent_that_is_killed_anywhere(sandbox: Sandbox, held: str, tmp_path: Path) -> None:
    """Not even where another process of its own holds the supervisor's input open."""
    mark = f"mark-{os.urandom(8).hex()}"
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, sandbox.name, mark, held],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert parent.stdin is not None and parent.stdout is not None
    assert parent.stdout.readline() == b"started\n"
    inside: list[int] = []
    while len(inside) < 3:  # one of them has left its parent and its session
        inside = [pid for pid, line in processes(mark).items() if not line.startswith(sys.executable)]
    parent.kill()
    until = time.monotonic() + PROMISED
    assert gone(iter(inside), until)
    parent.wait()
    parent.stdin.close()
    parent.stdout.close()
    assert gone(iter(processes(mark)))
    while list(tmp_path.iterdir()):  # no folder is left either, though that may take longer
        pass
    if sandbox.name == "docker":
        named = ("docker", "ps", "--all", "--quiet", "--filter", f"name=^texrepair-{parent.pid}-")
        while subprocess.run(named, capture_output=True, check=True).stdout.split():
            pass
