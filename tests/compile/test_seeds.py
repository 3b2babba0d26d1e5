"""What engines know of fonts is kept for the next session, if nothing but a document of ours has made it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from texrepair.cache import Cache
from texrepair.compile import seeds
from texrepair.compile.engines import ENGINES
from texrepair.compile.seeds import lay, learn
from texrepair.compile.session import Session
from texrepair.project import Draft, Project
from texrepair.sandboxes import SANDBOXES, Box, Limits, Ran, Sandbox
from texrepair.sandboxes.scripted import Scene, Scripted
from texrepair.settings import Settings

FOLDER = "scratch/home/texmf-var"
NAMES = "luatex-cache/generic/names/luaotfload-names.luc.gz"
LEFT = Scene(
    Ran(0, output=f"./{NAMES}\n./x/font.luc\n./x/luaotfload-lookup-cache.luc\n./x/font.lua\n".encode()), program="find"
)


@pytest.mark.tex
def test_the_next_session_has_it(sandbox: Sandbox, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    for fresh in (True, False):
        box = sandbox.open({}, Limits())
        request.addfinalizer(box.close)
        lay(box, "lualatex", Cache(tmp_path), fresh)
        assert box.fetch([NAMES], FOLDER)
    assert len(list(tmp_path.iterdir())) == 1


def scripted(*scenes: Scene, files: dict[str, bytes]) -> Box:
    box = Scripted(*scenes).open({}, Limits())
    box.put(files, FOLDER)
    return box


def test_only_what_luaotfload_makes_is_kept(tmp_path: Path) -> None:
    files = {NAMES: b"names", "x/font.luc": b"tables", "x/luaotfload-lookup-cache.luc": b"-", "x/font.lua": b"-"}
    lay(scripted(Scene(program="env"), LEFT, files=files), "lualatex", Cache(tmp_path), fresh=True)
    box = scripted(files={})
    lay(box, "lualatex", Cache(tmp_path), fresh=False)
    assert box.fetch(files, FOLDER) == {NAMES: b"names", "x/font.luc": b"tables"}


def test_where_something_has_run_nothing_is_kept(tmp_path: Path) -> None:
    lay(scripted(files={NAMES: b"names"}), "lualatex", Cache(tmp_path), fresh=False)
    assert list(tmp_path.iterdir()) == []


def test_without_a_cache_nothing_is_laid() -> None:
    lay(scripted(files={}), "lualatex", None, fresh=True)


# fontconfig's

Taught = Callable[[dict[str, bytes]], tuple[Scripted, dict[str, bytes]]]
FONTCONFIG = "scratch/home/cache/fontconfig"
PAGE = '\\documentclass{article}\n\\begin{document}\n\\font\\own="Own Sans" \\own Text.\n\\end{document}\n'


@pytest.fixture(params=[pytest.param("bwrap", marks=pytest.mark.bwrap), "landlock", "none"])
def local(request: pytest.FixtureRequest) -> Sandbox:
    found = SANDBOXES[request.param]
    if trouble := found.trouble():
        pytest.skip(trouble)
    return found


@pytest.fixture
def own_fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """The names of two fonts in a home folder, in either place where users keep them."""
    asked = subprocess.run(["kpsewhich", "lmsans10-regular.otf"], capture_output=True, text=True)
    if not asked.stdout:
        pytest.skip("Latin Modern is not installed")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    for place in (".fonts/one.otf", ".local/share/fonts/below & beside/two.otf"):
        font = tmp_path / "home" / place
        font.parent.mkdir(parents=True)
        shutil.copy(asked.stdout.strip(), font)
    yield [b"one.otf", b"two.otf"]


def opened_by_fontconfig(box: Box) -> bytes:
    """What fontconfig says of the fonts that it opens in a pass."""
    box.put({"main.tex": PAGE.encode()}, "work")
    run = box.start(ENGINES["xelatex"].command("main.tex"), "work", variables={"FC_DEBUG": "128"})
    return b"\n".join(line for line in run.wait().output.splitlines() if b"canning file" in line)


@pytest.mark.tex
def test_fontconfig_opens_the_users_fonts_once(local: Sandbox, own_fonts: list[bytes], tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    (tmp_path / "cache").mkdir()
    with closing(local.open({}, Limits())) as first:
        said = opened_by_fontconfig(first)
        assert all(name in said for name in own_fonts)
        assert opened_by_fontconfig(first) == b""
        learn(first, local, cache)
    with closing(local.open({}, Limits())) as second:
        lay(second, "xelatex", cache, True)
        assert opened_by_fontconfig(second) == b""


@pytest.mark.tex
def test_so_it_is_under_a_date_of_the_source(
    sandbox: Sandbox, own_fonts: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000")
    cache = Cache(tmp_path / "cache")
    (tmp_path / "cache").mkdir()
    with closing(sandbox.open({}, Limits())) as first:
        assert opened_by_fontconfig(first)
        learn(first, sandbox, cache)
    with closing(sandbox.open({}, Limits())) as second:
        lay(second, "xelatex", cache, True)
        assert opened_by_fontconfig(second) == b""


@pytest.mark.tex
def test_a_session_keeps_it(local: Sandbox, own_fonts: list[bytes], own_cache: Path) -> None:
    project = Project("main.tex", Draft({"main.tex": PAGE}), {}, "xelatex")
    with Session(project, Settings(), sandbox=local) as session:
        session.check(project.draft)
    assert len(list(own_cache.glob("texrepair/fontconfig-*"))) == 1


@pytest.mark.tex
def test_without_a_cache_a_session_keeps_nothing(local: Sandbox, own_fonts: list[bytes], own_cache: Path) -> None:
    project = Project("main.tex", Draft({"main.tex": PAGE}), {}, "xelatex")
    with Session(project, Settings(cache=False), sandbox=local) as session:
        session.check(project.draft)
    assert list(own_cache.iterdir()) == []


@pytest.fixture
def taught(tmp_path: Path) -> Taught:
    """Let a cache learn from a box with these files; what the next box then gets, and the sandbox."""

    def teach(files: dict[str, bytes]) -> tuple[Scripted, dict[str, bytes]]:
        found = Ran(0, output=b"./CACHEDIR.TAG\n./aa-le64.cache-8\n./bb-le64.cache-8.TMP-x\n./rest\n")
        made = {"CACHEDIR.TAG": b"tag", "aa-le64.cache-8": b"ours", "bb-le64.cache-8.TMP-x": b"half", "rest": b""}
        sandbox = Scripted(Scene(program="env"), Scene(found, made, program="find"))
        box = Scripted().open({}, Limits())
        box.put(files, FONTCONFIG)
        learn(box, sandbox, Cache(tmp_path))
        following = Scripted().open({}, Limits())
        lay(following, "xelatex", Cache(tmp_path), True)
        return sandbox, following.folders.get(FONTCONFIG, {})

    return teach


def test_what_a_document_left_for_fontconfig_is_not_kept(taught: Taught) -> None:
    left = {"CACHEDIR.TAG": b"tag", "aa-le64.cache-8": b"theirs", "cc-le64.cache-8": b"theirs"}
    sandbox, given = taught(left)
    assert given == {"aa-le64.cache-8": b"ours"}
    assert [box.closed for box in sandbox.boxes] == [True]


def test_it_is_made_once(taught: Taught) -> None:
    assert len(taught({"CACHEDIR.TAG": b"tag"})[0].boxes) == 1
    again, given = taught({"CACHEDIR.TAG": b"tag"})
    assert again.boxes == []
    assert given == {"aa-le64.cache-8": b"ours"}


def test_where_the_systems_cache_is_enough_none_is_made(
    taught: Taught,
) -> None:
    sandbox, given = taught({})
    assert (sandbox.boxes, given) == ([], {})


@pytest.mark.tex
def test_what_helps_later_sessions_is_learnt_before_the_box_is_closed(
    opened: Callable[..., Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[dict[str, bytes]] = []

    def learning(box: Box, sandbox: Sandbox, cache: Cache | None) -> None:
        box.put({"here": b"yes"}, "aside")
        seen.append(box.fetch(("here",), "aside"))

    monkeypatch.setattr(seeds, "learn", learning)
    with opened({"main.tex": "\\documentclass{article}\n\\begin{document}x\\end{document}\n"}) as session:
        assert session.compile(session.project.draft).ok
        session.release()
    assert seen == [{"here": b"yes"}]
