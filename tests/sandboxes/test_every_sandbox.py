"""What every sandbox promises, asked of each that works on this machine."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from texrepair.errors import EngineMissing, SandboxError
from texrepair.sandboxes import Box, Limits, Ran, Sandbox, places

LIMITS = Limits(seconds=20, memory_mb=512, file_mb=4, disk_mb=64, fetch_mb=8, output_kib=64)

Opened = Callable[..., Box]


@pytest.fixture
def opened(sandbox: Sandbox) -> Iterator[Opened]:
    boxes: list[Box] = []

    def open_box(files: dict[str, bytes | Path] | None = None, limits: Limits = LIMITS) -> Box:
        boxes.append(sandbox.open(files or {}, limits))
        return boxes[-1]

    yield open_box
    for box in boxes:
        box.close()


@pytest.fixture
def box(opened: Opened) -> Box:
    return opened()


def shell(box: Box, script: str, seconds: float | None = None) -> Ran:
    return box.start(("sh", "-c", script), "work", seconds=seconds).wait()


# how a program ends


def test_exit_status_and_output_come_back(box: Box) -> None:
    ran = shell(box, "echo out; echo err >&2; exit 7")
    assert (ran.exit_status, ran.signal, ran.stopped_for) == (7, None, None)
    assert sorted(ran.output.split()) == [b"err", b"out"]
    assert not ran.ok


def test_a_signal_is_named(box: Box) -> None:
    ran = shell(box, "kill -SEGV $$")
    assert (ran.exit_status, ran.signal) == (None, signal.SIGSEGV)


def test_seconds_and_peak_memory_are_measured(box: Box) -> None:
    ran = box.start(("perl", "-e", '$x = "a" x (64 << 20); select undef, undef, undef, 0.2'), "work").wait()
    assert ran.ok
    assert ran.seconds >= 0.2
    assert ran.peak_kib > 64 * 1024


def test_an_absent_program_is_named(box: Box) -> None:
    with pytest.raises(EngineMissing, match="no-such-program"):
        box.start(("no-such-program",), "work")


def test_a_program_is_found_by_name_only(box: Box) -> None:
    with pytest.raises(EngineMissing):
        box.start(("/bin/sh", "-c", "true"), "work")


# limits


def test_a_time_limit_interrupts_first(box: Box) -> None:
    ran = shell(box, "trap 'echo interrupted; exit 3' INT; while :; do :; done", seconds=0.3)
    assert ran.stopped_for == "time"
    assert ran.exit_status == 3
    assert b"interrupted" in ran.output


def test_a_time_limit_kills_what_does_not_listen(box: Box) -> None:
    ran = shell(box, "trap '' INT; while :; do :; done", seconds=0.2)
    assert ran.stopped_for == "time"
    assert ran.signal == signal.SIGKILL


def test_a_memory_limit_holds(box: Box) -> None:
    ran = box.start(("perl", "-e", '$x = "a" x (1 << 30)'), "work").wait()
    assert ran.stopped_for == "memory"
    assert ran.peak_kib < 512 * 1024


def test_a_file_has_a_largest_size(box: Box) -> None:
    ran = shell(box, "exec head -c 9000000 /dev/zero > large")
    assert ran.stopped_for == "output"
    assert len(box.fetch(["large"], "work").get("large", b"")) <= 4 << 20


def test_output_is_capped_in_the_middle(box: Box) -> None:
    ran = shell(box, "echo first; head -c 1000000 /dev/zero | tr '\\0' x; echo; echo last")
    assert ran.ok
    assert len(ran.output) < 66 * 1024
    assert ran.output.startswith(b"first")
    assert ran.output.endswith(b"last\n")


def test_endless_output_is_stopped(box: Box) -> None:
    ran = shell(box, "exec yes")
    assert ran.stopped_for == "output"


def test_a_session_has_a_largest_size(opened: Opened) -> None:
    # Where the supervisor weighs the folder, it takes a second or so.
    ran = shell(opened(), "for i in $(seq 40); do head -c 3000000 /dev/zero > $i || exit 1; done; sleep 100")
    assert ran.stopped_for == "disk"


def test_files_without_a_name_count_too(opened: Opened) -> None:
    write = (
        'for my $n (1..40) { open(my $f, ">", $n) or exit 1; unlink $n; print $f "x" x 3000000 or exit 1; push @f, $f }'
    )
    ran = opened().start(("perl", "-e", f"$| = 1; {write} sleep 100"), "work").wait()
    assert ran.stopped_for == "disk" or ran.exit_status == 1


def test_programs_together_have_a_largest_memory(opened: Opened) -> None:
    eater = "$x = 'a' x (150 << 20); sleep 60"
    ran = shell(opened(), f'for i in 1 2 3 4; do perl -e "{eater}" & done; wait; sleep 60'.replace("$x", "\\$x"))
    assert ran.stopped_for == "memory"


def test_processes_are_bounded(opened: Opened) -> None:
    box = opened(limits=replace(LIMITS, processes=30, seconds=20))
    ran = shell(box, "i=0; while [ $i -lt 200 ]; do sleep 30 & i=$((i+1)); done; wait")
    assert not ran.ok
    assert shell(box, "echo alive").output == b"alive\n"


# what can be reached


def test_the_environment_is_ours_alone(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret-canary")
    monkeypatch.setenv("TEXINPUTS", "/somewhere//")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    ran = shell(opened(), "env")
    assert b"canary" not in ran.output
    assert b"TEXINPUTS" not in ran.output
    for line in (
        b"openin_any=p",
        b"openout_any=p",
        b"LANG=C.UTF-8",
        b"SOURCE_DATE_EPOCH=1700000000",
        b"error_line=254",
    ):
        assert line in ran.output.splitlines()


def test_a_program_may_have_variables_of_its_own(box: Box) -> None:
    run = box.start(("sh", "-c", "echo $openin_any $openout_any"), "work", variables={"openin_any": "a"})
    assert run.wait().output == b"a p\n"


def test_the_callers_environment_cannot_be_read_from_its_process(
    opened: Opened, protecting: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_CANARY", "secret-canary")
    ran = shell(opened(), f"cat /proc/{os.getpid()}/environ /proc/[0-9]*/environ")
    assert b"canary" not in ran.output


def test_no_file_outside_is_read(opened: Opened, protecting: Sandbox, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    canary.write_text("secret-canary")
    ran = shell(opened(), f"cat {canary} /etc/shadow; ls {tmp_path} /root")
    assert b"canary" not in ran.output.replace(bytes(canary), b"")
    if protecting.name != "docker":  # the image has one of its own
        assert b"root:x:" not in shell(opened(), "cat /etc/passwd").output


def test_the_users_own_fonts_and_packages_are_read(
    opened: Opened, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sandbox.name == "docker":
        pytest.skip("nothing of the user's is mounted there")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("TEXMFHOME", raising=False)
    for name in (".fonts/a.otf", ".local/share/fonts/b.otf", "texmf/tex/latex/c.sty", ".ssh/secret", "texmf.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("canary")
    box = opened()
    fonts = [tmp_path / ".fonts/a.otf", tmp_path / ".local/share/fonts/b.otf"]
    assert shell(box, f'cat {fonts[0]} {fonts[1]} "$(kpsewhich c.sty)"').output == b"canary" * 3
    settings = shell(box, "cat $XDG_CONFIG_HOME/fontconfig/fonts.conf").output
    assert all(b"<dir>%b</dir>" % bytes(folder) in settings for folder in (fonts[0].parent, fonts[1].parent))


@pytest.mark.parametrize("tree", ["{home}", "/", "{home}/..", "{home}/absent"])
def test_a_tree_that_holds_more_than_packages_is_not_shown(
    tree: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "tex").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TEXMFHOME", tree.format(home=tmp_path / "home"))
    assert places.personal() == {}


def test_no_file_outside_is_written(opened: Opened, protecting: Sandbox, tmp_path: Path) -> None:
    ran = shell(opened(), f"echo x > {tmp_path}/new; echo x > /usr/new; echo x > /etc/new; echo x > /var/tmp/new")
    assert not ran.ok
    assert not (tmp_path / "new").exists()
    assert not any(Path(place, "new").exists() for place in ("/usr", "/etc", "/var/tmp"))


def test_there_is_no_network(opened: Opened, protecting: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"""
            socket(S, 2, 1, 0) or die "no socket: $!\\n";
            connect(S, pack("S n C4 x8", 2, {port}, 127, 0, 0, 1)) or die "no connection: $!\\n";
            print "connected\\n";
        """
        ran = opened().start(("perl", "-e", script), "work").wait()
        assert b"connected" not in ran.output
        assert b"no socket" in ran.output or b"no connection" in ran.output


def test_the_input_is_not_written(opened: Opened, protecting: Sandbox, tmp_path: Path) -> None:
    figure = tmp_path / "figure.png"
    figure.write_bytes(b"x" * 500_000)
    box = opened({"figure.png": figure, "small.png": b"small"})
    box.copy("project", "work")
    shell(box, "echo y > figure.png; echo y > small.png; rm -f figure.png; ln -s /etc/passwd figure.png")
    assert figure.read_bytes() == b"x" * 500_000
    box.copy("project", "again")
    fetched = box.fetch(["figure.png", "small.png"], "again")
    assert fetched == {"figure.png": b"x" * 500_000, "small.png": b"small"}


def test_what_a_program_started_ends_with_it(opened: Opened) -> None:
    box = opened()
    ran = shell(
        box, "(trap '' HUP; sleep 1000) & (setsid sh -c 'sleep 1000 & echo $! >&3; wait' 3> stray &) ; sleep 0.2"
    )
    assert ran.ok
    stray = int(box.fetch(["stray"], "work")["stray"])
    assert any(not shell(box, f"kill -0 {stray}").ok for _ in range(100))


# files


def test_only_regular_files_go_in(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/hostname")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", "."):
        with pytest.raises(SandboxError, match="cannot be taken along"):
            opened({"input": tmp_path / name})


@pytest.mark.parametrize("name", ["../up", "/abs", "a/../../up", "", "a//b", "./a", "nul\0"])
def test_names_stay_below_the_folder(box: Box, name: str) -> None:
    with pytest.raises(SandboxError):
        box.put({name: b"x"})


@pytest.mark.parametrize("name", ["fig (1).png", "图 一.tex", "-n", "a b/c'd\"$(e).tex", "line\nbreak", "\udcff"])
def test_odd_names_come_through(box: Box, name: str) -> None:
    box.put({name: b"held"})
    box.copy("project", "work")
    assert box.fetch([name], "work") == {name: b"held"}


def test_only_regular_files_come_out(box: Box) -> None:
    shell(box, "ln -s /etc/hostname link; ln -s /usr linked; mkfifo pipe; mkdir folder; echo x > file; ln file hard")
    names = ["link", "linked/lib/os-release", "pipe", "folder", "absent", "hard"]
    assert box.fetch(names, "work") == {"hard": b"x\n"}


def test_a_fetch_has_a_largest_size(box: Box) -> None:
    shell(box, "for i in 1 2 3; do head -c 3500000 /dev/zero > $i; done")
    assert set(box.fetch(["1", "2", "3"], "work")) == {"1", "2"}


def test_a_link_left_in_the_way_is_replaced_not_followed(box: Box) -> None:
    shell(box, "ln -s ../project/kept target; mkdir sub; ln -s ../project sub/elsewhere")
    box.put({"kept": b"kept"})
    box.put({"target": b"new"}, "work")
    assert box.fetch(["kept"], "project") == {"kept": b"kept"}
    with pytest.raises(SandboxError):
        box.put({"sub/elsewhere/kept": b"new"}, "work")


def test_a_dropped_folder_is_gone(box: Box) -> None:
    shell(box, "mkdir -p a/b/c; chmod 0 a/b; echo x > d; ln -s /usr e")
    box.drop("work")
    box.drop("work")
    assert shell(box, "ls -A").output == b""


# warm runs


def test_a_fed_file_is_read_as_it_comes(box: Box) -> None:
    run = box.start(("sh", "-c", "cat main.tex; echo; cat main.tex"), "work", warm="main.tex")
    run.feed(b"one ")
    run.feed(b"two ")
    run.finish(b"three", whole=b"all of it")
    assert run.wait().output == b"one two three\nall of it"


def test_more_than_a_pipe_holds_is_fed(box: Box) -> None:
    run = box.start(("wc", "-c", "main.tex"), "work", warm="main.tex")
    run.feed(b"x" * 1_000_000)
    run.finish(b"y" * 1_000_000, whole=b"")
    assert run.wait().output.split()[0] == b"2000000"


def test_waiting_does_not_count_as_time(box: Box) -> None:
    run = box.start(("cat", "main.tex"), "work", warm="main.tex", seconds=0.3)
    run.feed(b"x")
    assert shell(box, "sleep 0.6").ok
    run.finish(b"y", whole=b"")
    ran = run.wait()
    assert ran.ok
    assert ran.seconds < 0.6


def test_a_warm_run_may_be_given_less_time_at_its_end(box: Box) -> None:
    run = box.start(("sh", "-c", "cat main.tex; sleep 60"), "work", warm="main.tex", seconds=50)
    run.feed(b"x")
    run.finish(b"y", whole=b"", seconds=0.3)
    assert run.wait().stopped_for == "time"


def test_a_program_that_never_reads_its_file_ends_all_the_same(box: Box) -> None:
    run = box.start(("true",), "work", warm="main.tex")
    run.feed(b"x" * 1_000_000)
    run.finish(b"y", whole=b"whole")
    assert run.wait().ok


def test_a_waiting_program_can_be_stopped(box: Box) -> None:
    run = box.start(("cat", "main.tex"), "work", warm="main.tex")
    run.feed(b"x")
    run.stop()
    assert shell(box, "echo next").output == b"next\n"


def test_programs_run_side_by_side(box: Box) -> None:
    first = box.start(("sh", "-c", "while [ ! -e go ]; do sleep 0.01; done; echo first"), "work")
    second = box.start(("sh", "-c", "touch go; echo second"), "work")
    assert first.wait().output == b"first\n"
    assert second.wait().output == b"second\n"


# the box


def test_two_boxes_do_not_see_each_other(opened: Opened) -> None:
    one, two = opened({"main.tex": b"one"}), opened({"main.tex": b"two"})
    assert one.fetch(["main.tex"], "project") == {"main.tex": b"one"}
    assert two.fetch(["main.tex"], "project") == {"main.tex": b"two"}


def test_a_closed_box_says_so(opened: Opened) -> None:
    box = opened()
    box.close()
    box.close()
    with pytest.raises(SandboxError, match="closed"):
        box.put({"a": b""})
