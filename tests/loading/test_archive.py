"""Zips as input: whatever is in them, they load or are refused with a sentence, and nothing is written."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from texrepair.errors import ProjectError
from texrepair.loading.archive import unpack
from texrepair.loading.load import load
from texrepair.settings import Settings

PAGE = "\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n"
MIB = 1024 * 1024


def packed(*files: tuple[str | zipfile.ZipInfo, str | bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in files:
            archive.writestr(entry, content)
    return data.getvalue()


def entry(name: str, mode: int = 0o100644) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def refusal(data: bytes, max_files: int = 100, max_bytes: int = MIB) -> str:
    with pytest.raises(ProjectError) as caught:
        unpack(data, "a.zip", max_files, max_bytes)
    assert caught.value.exit_code == 65
    return str(caught.value)


def test_a_zip_is_a_project(tmp_path: Path) -> None:
    place = tmp_path / "paper.zip"
    place.write_bytes(
        packed(
            ("paper/main.tex", PAGE.replace("Text", "\\includegraphics{fig/a}")),
            ("paper/fig/a.png", b"\x89PNG"),
            ("__MACOSX/paper/._main.tex", b"\0"),
            ("paper/.DS_Store", b"\0"),
        )
    )
    project = load(place)
    assert (project.main, project.name, project.root) == ("main.tex", "main", None)
    assert dict(project.assets) == {"fig/a.png": b"\x89PNG"}


def test_a_zip_may_come_through_standard_input() -> None:
    project = load("-", stdin=io.BytesIO(packed(("main.tex", PAGE))))
    assert (project.main, project.name) == ("main.tex", "main")


def test_a_zip_is_known_by_what_it_holds_not_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "download").write_bytes(packed(("main.tex", PAGE)))
    assert load(tmp_path / "download").main == "main.tex"
    (tmp_path / "false.zip").write_text(PAGE)
    with pytest.raises(ProjectError, match="is no zip"):
        load(tmp_path / "false.zip")


def test_backslashes_are_slashes() -> None:
    assert unpack(packed(("sub\\main.tex", PAGE)), "a.zip", 10, MIB).look("sub/main.tex") is not None


def test_names_in_utf8_are_read_without_the_flag_that_says_so() -> None:
    data = bytearray(packed(("café.tex", PAGE)))
    for signature, at in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        data[data.index(signature) + at] &= ~0x08
    assert unpack(bytes(data), "a.zip", 10, MIB).look("café.tex") is not None


@pytest.mark.parametrize(
    "name", ["../x.tex", "a/../../x.tex", "/etc/x.tex", "C:\\x.tex", "..\\x.tex", "\\\\host\\x.tex"]
)
def test_names_that_lead_out_are_refused(name: str) -> None:
    assert "leads out of the zip" in refusal(packed(("main.tex", PAGE), (entry(name), "x")))


@pytest.mark.parametrize("mode", [0o120777, 0o010644, 0o020644, 0o140644])
def test_links_and_special_files_are_refused(mode: int) -> None:
    assert "a link or no plain file" in refusal(packed(("main.tex", PAGE), (entry("x.tex", mode), "/etc/passwd")))


def test_number_and_size_are_bounded() -> None:
    assert "holds 11 files" in refusal(packed(*((f"{n}.tex", PAGE) for n in range(11))), max_files=10)
    assert "unpacks to more than 1 MiB" in refusal(packed(("main.tex", PAGE), ("x.csv", b"x" * 2 * MIB)))


def test_sizes_are_counted_and_not_believed() -> None:
    data = bytearray(packed(("x.csv", b"0" * 2 * MIB)))
    size = struct.pack("<I", 2 * MIB)
    assert data.count(size) == 2
    lying = bytes(data).replace(size, struct.pack("<I", 10))
    assert "a.zip" in refusal(lying)


def test_a_bomb_is_refused() -> None:
    assert "which no document does" in refusal(packed(("x.csv", b"\0" * 60 * MIB)), max_bytes=100 * MIB)


def test_a_file_cannot_be_a_folder_too() -> None:
    assert "both as a file and as a folder" in refusal(packed(("a", "x"), ("a/b.tex", PAGE)))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_of_one_name_are_refused() -> None:
    assert "two files called a.tex" in refusal(packed(("a.tex", "x"), ("./a.tex", "y")))


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18, packed(("a.tex", PAGE))[:-30]])
def test_a_broken_or_empty_zip(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(ProjectError, match=r"(broken|empty) zip"):
        load(tmp_path / "a.zip")


def test_an_encrypted_zip() -> None:
    data = bytearray(packed(("a.tex", PAGE)))
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + at] |= 1
    assert "is encrypted" in refusal(bytes(data))


def test_a_zip_without_a_main_file() -> None:
    with pytest.raises(ProjectError, match="name the document's main file"):
        load("-", stdin=io.BytesIO(packed(("notes.txt", "x"))))


NAMES = st.text(alphabet="ab./\\:~ é\u202e\n", min_size=1, max_size=12)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@hypothesis_settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(NAMES, st.binary(max_size=20)), max_size=5))
def test_no_name_ever_leads_out(files: list[tuple[str, bytes]]) -> None:
    data = packed(("main.tex", PAGE), *((entry(name), content) for name, content in files))
    try:
        project = load("-", stdin=io.BytesIO(data))
    except ProjectError:
        return
    for path in (*project.draft, *project.assets):
        assert not path.startswith("/")
        assert not {"", ".", ".."} & set(path.split("/"))


@hypothesis_settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_zip_loads_or_is_refused(data: st.DataObject) -> None:
    whole = packed(("main.tex", PAGE * 20), ("a/b.png", b"\x89PNG" * 50))
    broken = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    for _ in range(data.draw(st.integers(0, 6))):
        if broken:
            broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    try:
        load("-", settings=Settings(max_project_mb=1), stdin=io.BytesIO(bytes(broken)))
    except ProjectError:
        return
