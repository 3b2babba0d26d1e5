"""The package for a person: complete, at the root, the same bytes for the same input."""

from __future__ import annotations

import io
import stat
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from texrepair.deliver import export_zip
from texrepair.deliver.export import untouched
from texrepair.project import Draft, Project
from texrepair.result import Diagnostic, Fix

LOG = "This is XeTeX, Version 3.14 (preloaded format=xelatex 2026.11.30)  30 NOV 2026 12:34\nmore\n"
ERROR = Diagnostic(
    "error",
    "error",
    "Undefined control sequence",
    file="main.tex",
    line=3,
    token="\\nosuch",
    explanation="No such command.",
)
FIX = Fix("code-fence", "main.tex", 1, "```", "", why="take the fence away")


def project(tmp_path: Path) -> Project:
    (tmp_path / "fig.png").write_bytes(b"\x89PNG")
    draft = Draft({"main.tex": "old", "house.cls": "class", "refs.bib": "bib"}, {"house.cls": "latin_1"})
    return Project("main.tex", draft, {"img/fig.png": tmp_path / "fig.png", "data.csv": b"1,2"}, name="main")


def contents(packed: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_it_holds_all_that_a_person_needs(tmp_path: Path) -> None:
    packed = export_zip(
        project(tmp_path),
        "A person is needed.",
        sources={"main.tex": b"new", "added.sty": b"x"},
        diagnostics=(ERROR, replace(ERROR, severity="warning", message="Overfull")),
        fixes=(FIX, replace(FIX, why="not kept", kept=False)),
        log=LOG,
        generated={"texjob.bbl": b"items", "texjob.ind": b"index"},
    )
    files = contents(packed)
    readme = files.pop("README.txt").decode()
    assert files == {
        "added.sty": b"x",
        "data.csv": b"1,2",
        "house.cls": b"class",
        "img/fig.png": b"\x89PNG",
        "main.bbl": b"items",
        "main.ind": b"index",
        "main.log": b"This is XeTeX, Version 3.14 (preloaded format=xelatex 2026.11.30)\nmore\n",
        "main.tex": b"new",
        "refs.bib": b"bib",
    }
    for words in (
        "A person is needed.",
        "main.tex:3: Undefined control sequence: \\nosuch",
        "No such command.",
        "take the fence",
    ):
        assert words in readme
    assert "Overfull" not in readme
    assert "not kept" not in readme


def test_the_same_input_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    first = export_zip(project(tmp_path), "x", log=LOG)
    assert first == export_zip(project(tmp_path), "x", log=LOG.replace("30 NOV 2026 12:34", "1 DEC 2026 00:01"))
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        entries = archive.infolist()
    assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {stat.filemode(entry.external_attr >> 16) for entry in entries} == {"-rw-r--r--"}


def test_a_change_after_the_packing_is_seen(tmp_path: Path) -> None:
    packed = export_zip(project(tmp_path), "x", log=LOG)
    assert untouched(packed)
    for at in (0, 40, len(packed) // 2, len(packed) - 80, len(packed) - 1):
        assert not untouched(packed[:at] + bytes([packed[at] ^ 1]) + packed[at + 1 :])
    for other in (b"", b"theirs", packed + b"\n", packed[:-1]):
        assert not untouched(other)


@pytest.mark.parametrize(
    ("epoch", "year"), [("1700000000", 2023), ("0", 1980), ("-5", 1980), ("now", 1980), ("9" * 30, 2107)]
)
def test_times_follow_source_date_epoch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, epoch: str, year: int) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with zipfile.ZipFile(io.BytesIO(export_zip(project(tmp_path), "x"))) as archive:
        assert {entry.date_time[0] for entry in archive.infolist()} == {year}


def test_a_readme_of_the_documents_own_is_kept(tmp_path: Path) -> None:
    given = project(tmp_path)
    files = contents(export_zip(replace(given, assets={"README.txt": b"theirs"}), "x"))
    assert files["README.txt"] == b"theirs"
    assert b"packed by texrepair" in files["README-texrepair.txt"]


def test_a_figure_that_went_away_or_became_a_link_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("SECRET")
    (tmp_path / "b.png").symlink_to(tmp_path / "secret")
    given = Project("main.tex", Draft({"main.tex": "x"}), {name: tmp_path / name for name in ("a.png", "b.png")})
    assert set(contents(export_zip(given, "x"))) == {"main.tex", "README.txt"}


def test_a_main_file_in_a_folder_keeps_its_generated_files_beside_it(tmp_path: Path) -> None:
    given = Project("tex/my paper.tex", Draft({"tex/my paper.tex": "x"}))
    files = contents(export_zip(given, "x", log="l", generated={"job.bbl": b"b"}))
    assert set(files) == {"tex/my paper.tex", "tex/my paper.bbl", "tex/my paper.log", "README.txt"}


@pytest.mark.parametrize("name", ["..\\..\\x.bbl", "C:x.bbl", "../x.bbl", "a/../../x.bbl", "/x.bbl", "\x1b[2J.bbl"])
def test_a_generated_file_whose_name_could_lead_elsewhere_is_left_out(name: str, tmp_path: Path) -> None:
    files = contents(export_zip(project(tmp_path), "x", generated={"job.bbl": b"own", name: b"x"}))
    assert files["main.bbl"] == b"own"
    assert b"x" not in files.values()
