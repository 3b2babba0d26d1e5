"""What is kept between runs: whole or not there, whatever happens to the files, and never more than the bound."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.cache import Cache, of_user

WRITER = """
import sys
from pathlib import Path
from texrepair.cache import Cache
cache = Cache(Path(sys.argv[1]), 1 << 20)
for n in range(200):
    cache.put("shared", sys.argv[2].encode() * 20_000)
    cache.put(f"{sys.argv[2]}-{n}", bytes(20_000))
"""


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def test_what_was_put_comes_back(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "new")
    assert cache.get("a") is None
    cache.put("a", b"")
    cache.put("b", b"one")
    cache.put("b", b"two")
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (b"", b"two", None)


@settings(max_examples=60, deadline=None)
@given(data=st.binary(max_size=60), where=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
def test_an_entry_damaged_at_any_byte_is_none(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, where: float, flip: int
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    cache = Cache(folder)
    cache.put("a", data)
    whole = (folder / "a").read_bytes()
    at = int(where * len(whole))
    for damaged in (
        whole[:at] + bytes([whole[at] ^ flip]) + whole[at + 1 :],
        whole[:at],
        whole + bytes([flip]),
        whole[:at] + whole[at + 1 :],
    ):
        (folder / "a").write_bytes(damaged)
        assert cache.get("a") is None
    cache.put("a", data)
    assert cache.get("a") == data


def test_what_was_used_longest_ago_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most=10_000)
    for n in range(16):
        cache.put(f"{n}", bytes(500))
        os.utime(tmp_path / f"{n}", (n, n))
    assert cache.get("0") is not None
    for n in range(16, 20):
        cache.put(f"{n}", bytes(500))
    assert size(tmp_path) <= 10_000
    kept = {path.name for path in tmp_path.iterdir()}
    assert {"0", "19"} <= kept
    assert not {"1", "2"} & kept
    cache.put("huge", bytes(1_000))
    assert cache.get("huge") is None


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), letter]) for letter in "ab"]
    cache = Cache(tmp_path, 1 << 20)
    seen = set()
    while any(writer.poll() is None for writer in writers):
        seen.add(cache.get("shared"))
    assert [writer.returncode for writer in writers] == [0, 0]
    assert seen <= {None, b"a" * 20_000, b"b" * 20_000}
    cache.put("last", b"x")
    assert size(tmp_path) <= 1 << 20
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_link_in_the_place_of_an_entry_is_not_followed(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    cache.put("a", b"mine")
    other = tmp_path / "other"
    (tmp_path / "cache/a").rename(other)
    (tmp_path / "cache/a").symlink_to(other)
    assert cache.get("a") is None
    before = other.read_bytes()
    cache.put("a", b"new")
    assert (cache.get("a"), other.read_bytes()) == (b"new", before)


def test_the_users_cache_is_for_the_user_alone(own_cache: Path) -> None:
    (own_cache / "texrepair").mkdir(mode=0o755)
    cache = of_user()
    assert cache is not None
    assert (own_cache / "texrepair").stat().st_mode & 0o777 == 0o700
    cache.put("a", b"1")
    again = of_user()
    assert again is not None
    assert again.get("a") == b"1"


@pytest.mark.parametrize("kind", ["file", "link", "another's"])
def test_where_there_can_be_no_cache_there_is_none(own_cache: Path, tmp_path: Path, kind: str) -> None:
    place = own_cache / "texrepair"
    if kind == "file":
        place.write_text("")
    elif kind == "link":
        place.symlink_to(tmp_path)
    else:
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder away")
        place.mkdir()
        os.chown(place, 12345, 12345)
    assert of_user() is None
