"""A program inside that wants out: everything that one may try against its supervisor, the session and the machine."""

from __future__ import annotations

import os
import platform
import resource
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from texrepair.errors import SandboxError
from texrepair.sandboxes import Box, Limits, Ran, Sandbox
from texrepair.sandboxes.supervisor import HEAD

LIMITS = Limits(seconds=20, memory_mb=512, file_mb=4, disk_mb=32, fetch_mb=8, output_kib=64)

# A process above ours: the supervisor, or what started it.
ABOVE = "P=1; [ -r /proc/$PPID/stat ] && P=$PPID; "


@pytest.fixture
def box(protecting: Sandbox) -> Iterator[Box]:
    opened = protecting.open({"main.tex": b"kept"}, LIMITS)
    yield opened
    opened.close()


def shell(box: Box, script: str, seconds: float | None = None) -> Ran:
    return box.start(("sh", "-c", script), "work", seconds=seconds).wait()


def perl(box: Box, script: str) -> Ran:
    return box.start(("perl", "-e", script), "work").wait()


def answers(box: Box) -> bool:
    """Whether the supervisor is alive and well."""
    return shell(box, "echo well").output == b"well\n" and box.fetch(["main.tex"], "project") == {"main.tex": b"kept"}


@pytest.mark.parametrize("signal", ["KILL", "STOP", "TERM", "INT", "SEGV", "USR1"])
def test_the_supervisor_is_not_signalled(box: Box, signal: str) -> None:
    shell(box, f"{ABOVE} kill -{signal} $P; kill -{signal} 1; kill -{signal} -1")
    assert answers(box)


def test_the_supervisors_pipes_are_not_opened(box: Box) -> None:
    forged = HEAD.pack(2**31, 2**31) + b"{}"
    box.put({"forged": forged}, "work")
    ran = shell(box, f"{ABOVE} for fd in 0 1 2 3 4 5 6 7 8; do cat forged > /proc/$P/fd/$fd; cat /proc/$P/fd/$fd; done")
    assert ran.stopped_for is None
    assert answers(box)


def test_the_supervisors_memory_is_not_read(box: Box) -> None:
    ran = shell(box, f"{ABOVE} cat /proc/$P/mem /proc/$P/maps /proc/$P/environ /proc/$P/auxv; true")
    assert b"supervisor" not in ran.output.replace(b"/run/supervisor.py", b"")
    traced = perl(box, f"print syscall({101 if os.uname().machine == 'x86_64' else 117}, 16, getppid(), 0, 0)")
    assert traced.output == b"-1"


def test_a_program_inherits_nothing_open(box: Box) -> None:
    listed = shell(box, "ls -l /proc/self/fd").output.decode()
    numbers = [line.split(" -> ")[0].split()[-1] for line in listed.splitlines() if " -> " in line]
    assert set(numbers) <= {"0", "1", "2", "3"}  # 3 is the listing itself


def test_what_looks_like_an_answer_is_output(box: Box) -> None:
    text = b'{"id": 3, "files": [["main.tex", 1]]}'
    box.put({"forged": HEAD.pack(len(text), 1) + text + b"x"}, "work")
    ran = shell(box, "cat forged forged forged; cat forged >&2")
    assert ran.ok
    assert ran.output.count(text) == 4
    assert answers(box)


def test_a_daemon_ends_with_its_program(box: Box) -> None:
    ran = perl(
        box,
        "use POSIX; for (1..3) { if (!fork) { POSIX::setsid(); if (!fork) { $0 = 'left'; $SIG{HUP} = $SIG{TERM} ="
        " 'IGNORE';"
        " open F, '>', 'pid'.$$; print F $$; close F; sleep 1000 } exit } } sleep 1",
    )
    assert ran.ok
    alive = 'for f in pid*; do [ -e "$f" ] && kill -0 "$(cat "$f")" && echo alive; done; true'
    assert any(b"alive" not in shell(box, alive).output for _ in range(100))


def test_a_stopped_program_is_ended_in_time(box: Box) -> None:
    assert shell(box, "kill -STOP $$; sleep 100", seconds=0.3).stopped_for == "time"


def test_limits_are_not_lifted(box: Box) -> None:
    ran = shell(box, "ulimit -v unlimited; ulimit -f unlimited; ulimit -n 100000; ulimit -u unlimited; ulimit -a")
    assert ran.output.count(b"unlimited") <= 12
    assert b"Illegal" in ran.output or b"limit" in ran.output
    assert shell(box, "ulimit -H -n").output.strip() == b"256"


def test_no_terminal_is_reached(box: Box) -> None:
    assert b"x" not in shell(box, "echo x > /dev/tty").output.replace(b"nxio", b"").split(b":")[0]
    # TIOCSTI would type into it.
    assert b"typed" not in perl(box, "for (0..2) { open F, '<&=', $_; ioctl(F, 0x5412, 'x') and print 'typed' }").output


@pytest.mark.parametrize(
    ("name", "x86_64", "aarch64"),
    [
        ("socket", 41, 198),
        ("unshare", 272, 97),
        ("shmget", 29, 194),
        ("msgget", 68, 186),
        ("memfd_create", 319, 279),
        ("io_uring_setup", 425, 425),
        ("userfaultfd", 323, 282),
        ("bpf", 321, 280),
        ("keyctl", 250, 219),
        ("perf_event_open", 298, 241),
        ("mount", 165, 40),
    ],
)
def test_calls_that_escapes_need_are_refused(box: Box, name: str, x86_64: int, aarch64: int) -> None:
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    ran = perl(box, f"$! = 0; my $r = syscall({number}, 2, 1, 0, 0, 0); print $r, ' ', $! + 0")
    assert ran.output == b"-1 1"  # EPERM


def test_what_is_known_of_a_file_outside_is_not_changed(box: Box, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("kept")
    before = file.stat()
    script = f"""
        for my $path ('{file}', '{tmp_path}') {{
            chmod 0777, $path; utime 1, 1, $path; chown 1, 1, $path; truncate $path, 0;
        }}
    """
    perl(box, script)
    after = file.stat()
    assert [getattr(after, name) for name in dir(after) if name.startswith("st_") and "atime" not in name] == [
        getattr(before, name) for name in dir(before) if name.startswith("st_") and "atime" not in name
    ]


def test_processes_outside_keep_their_priority_and_limits(box: Box) -> None:
    calls = {"x86_64": (141, 302), "aarch64": (140, 261)}.get(platform.machine())
    if calls is None:
        pytest.skip("the numbers of its calls are not known here")
    before = os.getpriority(os.PRIO_PROCESS, 0), resource.getrlimit(resource.RLIMIT_CORE)
    limit = "my $limit = pack('QQ', 1, 1);"
    perl(box, f"syscall({calls[0]}, 0, {os.getpid()}, 19); {limit} syscall({calls[1]}, {os.getpid()}, 4, $limit, 0);")
    assert (os.getpriority(os.PRIO_PROCESS, 0), resource.getrlimit(resource.RLIMIT_CORE)) == before


def test_a_link_that_changes_under_a_fetch_leads_nowhere(box: Box, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"canary")
    box.put({"there/file": b"own"}, "work")
    swap = f"while :; do mv there real; ln -s {tmp_path} there; rm there; mv real there; done"
    run = box.start(("sh", "-c", swap), "work")
    for _ in range(100):
        assert box.fetch(["there/file"], "work").get("there/file", b"own") == b"own"
    run.stop()


def test_a_link_that_changes_under_a_put_is_not_followed(box: Box, tmp_path: Path) -> None:
    swap = f"while :; do mkdir -p there; rmdir there; ln -s {tmp_path} there; rm -rf there; done"
    run = box.start(("sh", "-c", swap), "work")
    for _ in range(100):
        try:
            box.put({"there/file": b"x"}, "work")
        except SandboxError:
            continue
    run.stop()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_swapped_while_it_is_removed_takes_nothing_along(box: Box, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_bytes(b"x")
    box.put({"a/b/c": b"x"}, "gone")
    run = box.start(("sh", "-c", f"while :; do rm -rf ../gone/a; ln -s {tmp_path} ../gone/a; done"), "work")
    for _ in range(50):
        box.drop("gone")
        with suppress(SandboxError):  # the link may stand there by then, and is not written through
            box.put({"a": b"x"}, "gone")
    run.stop()
    assert kept.read_bytes() == b"x"
    assert list(tmp_path.iterdir()) == [kept]


def test_device_files_and_odd_modes_do_not_come_out(box: Box) -> None:
    shell(box, "mknod null c 1 3; mkfifo pipe; ln -s /dev/zero zero; echo x > unreadable; chmod 0 unreadable; mkdir f")
    found = box.fetch(["null", "pipe", "zero", "f", "f/../pipe", ".", "..", "", "/etc/passwd", "a\0b"], "work")
    assert found == {}
    assert answers(box)


def test_a_session_without_its_folders_goes_on(box: Box) -> None:
    shell(box, "mv ../project ../elsewhere; rm -rf ../scratch; mv ../work ../away; ln -s / ../work")
    assert box.fetch(["etc/passwd", "main.tex"], "work") == {}
    assert box.fetch(["main.tex"], "project") == {}
    box.put({"main.tex": b"kept"})
    assert box.fetch(["main.tex"], "project") == {"main.tex": b"kept"}


def test_a_tree_too_deep_for_a_path_is_removed(box: Box) -> None:
    perl(box, 'for (1..3000) { mkdir "d" x 99 and chdir "d" x 99 or last } chdir "/"')
    box.drop("work")
    assert shell(box, "ls -A").output == b""
    assert answers(box)


def test_files_without_number_are_removed(box: Box) -> None:
    perl(box, 'for (1..20000) { open F, ">", "f$_" or last; close F }')
    box.drop("work")
    assert shell(box, "ls -A").output == b""


def test_names_of_any_bytes_are_removed(box: Box) -> None:
    perl(box, r'for my $n ("\n", "-rf", "\e[2J", "\xff\xfe", "$(x)", "a" x 255, " ") { open F, ">", $n; mkdir "d$n" }')
    box.drop("work")
    assert shell(box, "ls -A").output == b""


@pytest.mark.parametrize(
    "bomb",
    [
        "f() { f | f & }; f; sleep 100",
        "while :; do sleep 100 & done",
        "while :; do (setsid sh -c 'sleep 100 & sleep 100' &) ; done",
    ],
    ids=["exponential", "children", "daemons"],
)
def test_a_bomb_of_processes_is_put_out(protecting: Sandbox, bomb: str) -> None:
    box = protecting.open({"main.tex": b"kept"}, replace(LIMITS, processes=40))
    ran = shell(box, bomb, seconds=15)
    assert not ran.ok
    assert answers(box)
    box.close()


def test_threads_are_counted_as_processes(protecting: Sandbox) -> None:
    box = protecting.open({}, replace(LIMITS, processes=40, memory_mb=1800))
    script = "import threading, time\nfor _ in range(300): threading.Thread(target=time.sleep, args=(30,)).start()"
    try:
        ran = box.start(("python3", "-c", script), "work").wait()
    except SandboxError:
        pytest.skip("no Python is found inside")
    assert not ran.ok
    box.close()


@pytest.mark.parametrize("shared", [False, True], ids=["private", "shared"])
def test_memory_of_many_processes_counts_together(box: Box, shared: bool) -> None:
    hold = "m = mmap.mmap(-1, 200 << 20); m.write(b'x' * (200 << 20))" if shared else "m = b'x' * (200 << 20)"
    script = f"import mmap, os, time\nfor n in range(3):\n if os.fork() == 0: break\n{hold}; time.sleep(60)"
    if shutil.which("python3", path="/usr/bin:/bin") is None:
        pytest.skip("no Python is found inside")
    assert box.start(("python3", "-c", script), "work").wait().stopped_for == "memory"


def test_a_request_of_any_size_is_answered(box: Box) -> None:
    names = [f"file{number}" for number in range(200_000)]
    assert box.fetch([*names, "main.tex"], "project") == {"main.tex": b"kept"}
