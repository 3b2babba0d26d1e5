"""What a session does with what programs leave, told without running any."""

from __future__ import annotations

import pytest

from texrepair.compile import Session
from texrepair.compile.runner import clipped
from texrepair.errors import EngineMissing
from texrepair.project import Draft, Project
from texrepair.sandboxes import Ran
from texrepair.sandboxes.scripted import Scene, Scripted

TEXT = "\\documentclass{article}\n\\begin{document}\nHi\n\\end{document}\n"
LOG = b"This is XeTeX, Version 3.14\n**main.tex\nOutput written on main.xdv (1 page, 400 bytes).\n"
FLS = b"PWD /session/1\nINPUT main.tex\nOUTPUT main.log\nOUTPUT main.xdv\nOUTPUT main.aux\n"
PAGES = Scene(
    files={"main.log": LOG, "main.fls": FLS, "main.xdv": b"pages", "main.aux": b"\\relax \n"}, program="xelatex"
)
PDF = b"%PDF-1.5\n" + b"x" * 3000 + b"\nstartxref\n3009\n%%EOF\n"


def session(*scenes: Scene) -> Session:
    return Session(Project("main.tex", Draft({"main.tex": TEXT})), sandbox=Scripted(*scenes), cores=1)


def test_a_whole_pdf_is_success() -> None:
    with session(PAGES, Scene(files={"main.pdf": PDF}, program="xdvipdfmx")) as opened:
        result = opened.compile(opened.project.draft)
        assert result.ok
        assert result.pdf is not None
        assert result.pdf.read_bytes() == PDF


def test_after_the_last_compile_no_engine_gets_ready() -> None:
    started = {}
    for last in (True, False):
        driver = Scene(files={"main.pdf": PDF}, program="xdvipdfmx")
        fake = Scripted(PAGES, Scene(), driver, Scene(), Scene())
        with Session(
            Project("main.tex", Draft({"main.tex": TEXT.replace("Hi", "Hi\n\n" * 50)})), sandbox=fake, cores=2
        ) as opened:
            assert opened.compile(opened.project.draft, last=last).ok
            started[last] = len(fake.boxes[0].runs)
    assert started[True] < started[False]


@pytest.mark.parametrize("data", [b"", b"%PDF-1.5\n%\xe4\xf0\xed\xf8\n", PDF[:-4]], ids=["none", "15 bytes", "cut"])
def test_a_pdf_that_is_not_whole_is_a_failure_whatever_the_status(data: bytes) -> None:
    with session(PAGES, Scene(files={"main.pdf": data})) as opened:
        result = opened.compile(opened.project.draft)
        assert not result.ok
        assert result.pdf is None
        assert [error.tool for error in result.errors] == ["driver"]


def test_a_status_without_an_error_in_the_log_is_a_failure() -> None:
    next_engine = Scene()
    with session(Scene(ran=Ran(1, output=b"odd end\n"), files=PAGES.files), next_engine) as opened:
        result = opened.check(opened.project.draft)
        assert not result.ok
        assert "odd end" in result.errors[0].message


@pytest.mark.parametrize("limit", ["time", "memory", "output", "processes", "disk"])
def test_a_limit_is_named(limit: str) -> None:
    with session(Scene(ran=Ran(None, 9, limit))) as opened:  # type: ignore[arg-type]
        result = opened.check(opened.project.draft)
        assert result.passes[0].stopped_for == limit
        assert result.errors[0].detail == {"limit": limit}


def test_a_warm_engine_that_was_killed_says_nothing_of_the_document() -> None:
    failed = {**PAGES.files, "main.log": b"./main.tex:3: Undefined control sequence.\nl.3 \\oops\n"}
    first = Scene(ran=Ran(1), files=failed)
    killed_while_it_waits = Scene(ran=Ran(None, 9, "memory"))
    with session(first, killed_while_it_waits, PAGES) as opened:
        assert not opened.check(opened.project.draft).ok
        assert opened.check(opened.project.draft.replace("main.tex", TEXT + "%")).ok


@pytest.mark.parametrize(
    "own",
    [Ran(None, 9, "time"), Ran(None, 25, "output"), Ran(None, 9, "memory", peak_kib=1700 << 10)],
    ids=["time", "output", "memory"],
)
def test_a_warm_engine_that_reached_a_limit_by_itself_is_not_run_again(own: Ran) -> None:
    failed = {**PAGES.files, "main.log": b"./main.tex:3: Undefined control sequence.\nl.3 \\oops\n"}
    with session(Scene(ran=Ran(1), files=failed), Scene(ran=own), PAGES) as opened:
        assert not opened.check(opened.project.draft).ok
        result = opened.check(opened.project.draft.replace("main.tex", TEXT + "%"))
        assert [p.stopped_for for p in result.passes] == [own.stopped_for]


def test_a_flood_is_left_out_of_a_log() -> None:
    log = b"first line\n" + b"x" * 99 + b"\n" + b"flood\n" * 2_000_000 + b"last line\n"
    short = clipped(log)
    assert len(short) < 5_000_000
    assert short.startswith(b"first line\n")
    assert short.endswith(b"flood\nlast line\n")
    assert set(short.splitlines()) == {b"first line", b"x" * 99, b"flood", b"last line"}


@pytest.mark.parametrize("log", [b"", b"short\n", b"x" * 9_000_000], ids=["none", "short", "one line"])
def test_a_log_of_any_shape_is_clipped(log: bytes) -> None:
    assert len(clipped(log)) <= 4 << 20


def test_an_absent_engine_is_named_with_its_package() -> None:
    with (
        session() as opened,
        pytest.raises(EngineMissing, match="xelatex is not installed: apt-get install texlive-xetex"),
    ):
        opened.check(opened.project.draft)


def test_an_engine_without_latex_is_an_absent_engine() -> None:
    scene = Scene(
        ran=Ran(1, output=b"kpathsea: Running mktexfmt xelatex.fmt\nI can't find the format file `xelatex.fmt'!\n")
    )
    with session(scene) as opened, pytest.raises(EngineMissing, match="texlive-xetex"):
        opened.check(opened.project.draft)


def test_an_absent_tool_is_named_with_its_package() -> None:
    biblatex = Scene(files={**PAGES.files, "main.fls": FLS + b"OUTPUT main.bcf\n", "main.bcf": b"<x/>"})
    with session(biblatex) as opened, pytest.raises(EngineMissing, match="apt-get install biber"):
        opened.compile(opened.project.draft)


def test_closing_ends_the_box() -> None:
    fake = Scripted()
    Session(Project("main.tex", Draft({"main.tex": TEXT})), sandbox=fake).close()
    assert fake.boxes[0].closed
