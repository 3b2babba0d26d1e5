"""What LuaTeX knows of fonts is kept for the next session, if nothing but a document of ours has made it."""

from __future__ import annotations

from pathlib import Path

import pytest

from texrepair.cache import Cache
from texrepair.compile.seeds import lay
from texrepair.sandboxes import Box, Limits, Ran, Sandbox
from texrepair.sandboxes.scripted import Scene, Scripted

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
        lay(box, Cache(tmp_path), fresh)
        assert box.fetch([NAMES], FOLDER)
    assert len(list(tmp_path.iterdir())) == 1


def scripted(*scenes: Scene, files: dict[str, bytes]) -> Box:
    box = Scripted(*scenes).open({}, Limits())
    box.put(files, FOLDER)
    return box


def test_only_what_luaotfload_makes_is_kept(tmp_path: Path) -> None:
    files = {NAMES: b"names", "x/font.luc": b"tables", "x/luaotfload-lookup-cache.luc": b"-", "x/font.lua": b"-"}
    lay(scripted(Scene(program="lualatex"), LEFT, files=files), Cache(tmp_path), fresh=True)
    box = scripted(files={})
    lay(box, Cache(tmp_path), fresh=False)
    assert box.fetch(files, FOLDER) == {NAMES: b"names", "x/font.luc": b"tables"}


def test_where_something_has_run_nothing_is_kept(tmp_path: Path) -> None:
    lay(scripted(files={NAMES: b"names"}), Cache(tmp_path), fresh=False)
    assert list(tmp_path.iterdir()) == []


def test_without_a_cache_nothing_is_laid() -> None:
    lay(scripted(files={}), None, fresh=True)
