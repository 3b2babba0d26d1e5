"""Where results go, and what of the user's is never touched."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from texrepair.deliver import check_places, deliver, write_back
from texrepair.errors import ChangedMeanwhile, SettingsError, TexrepairError
from texrepair.load import load
from texrepair.project import Project
from texrepair.result import BuildResult, Status
from texrepair.settings import Settings

PAGE = "\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n"
SETTINGS = Settings(
    api_key="KEY-123", base_url="https://me:PASS-123@host/v1?key=QUERY-123", model="cmd:ask --key CMD-123"
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "in"
    (folder / "ch").mkdir(parents=True)
    (folder / "article.tex").write_text(PAGE)
    (folder / "ch/one.tex").write_text("one")
    return load(folder / "article.tex")


@pytest.fixture
def good(tmp_path: Path) -> BuildResult:
    (tmp_path / "session.pdf").write_bytes(b"%PDF-1")
    sources = {"article.tex": b"new", "ch/one.tex": b"new one", "added.sty": b"added"}
    return BuildResult(
        Status.SUCCESS,
        "Rules repaired it.",
        "article.tex",
        "xelatex",
        tmp_path / "session.pdf",
        sources,
        diff="a diff\n",
    )


@pytest.fixture
def bad(good: BuildResult) -> BuildResult:
    return replace(good, status=Status.ESCALATE, pdf=None)


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_pdf_goes_beside_the_input_and_all_else_into_a_folder_of_its_own(
    project: Project, good: BuildResult, tmp_path: Path
) -> None:
    result = deliver(good, project, SETTINGS)
    files = tree(tmp_path / "in")
    files.pop("article.texrepair/run.json")
    assert files == {
        "article.tex": PAGE.encode(),
        "ch/one.tex": b"one",
        "article.pdf": b"%PDF-1",
        "article.texrepair/article.tex": b"new",
        "article.texrepair/ch/one.tex": b"new one",
        "article.texrepair/added.sty": b"added",
        "article.texrepair/article.diff": b"a diff\n",
    }
    assert result.pdf == result.delivered["pdf"] == tmp_path / "in/article.pdf"
    assert result.delivered["source:ch/one.tex"] == tmp_path / "in/article.texrepair/ch/one.tex"


def test_output_takes_everything(project: Project, good: BuildResult, tmp_path: Path) -> None:
    before = tree(tmp_path / "in")
    result = deliver(good, project, SETTINGS, output=tmp_path / "new/out")
    everything = {"article.pdf", "article.tex", "ch/one.tex", "added.sty", "article.diff", "run.json"}
    assert set(tree(tmp_path / "new/out")) == everything
    assert tree(tmp_path / "in") == before
    result = deliver(good, project, SETTINGS, in_place=True)
    assert "changed while texrepair was at work" in result.objections[0]
    files = tree(tmp_path / "in")
    assert files["article.tex"] == PAGE.encode()
    assert files["article.texrepair/article.tex"] == b"new"


def test_an_added_file_never_replaces_one_of_the_users(project: Project, tmp_path: Path) -> None:
    (tmp_path / "in/added.sty").write_text("the user's own")
    with pytest.raises(ChangedMeanwhile):
        write_back(project, {"added.sty": b"added"})


def test_places_are_checked_before_anything_is_done(project: Project, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    check_places(project, None)
    check_places(project, tmp_path / "not/yet/there")
    for output, says in ((tmp_path / "file", "is a file"), (tmp_path / "in", "the input's own folder")):
        with pytest.raises(SettingsError, match=says):
            check_places(project, output)
    with pytest.raises(SettingsError, match="--in-place needs"):
        check_places(replace(project, root=None), None, in_place=True)
    if os.geteuid() != 0:
        (tmp_path / "in").chmod(0o500)
        with pytest.raises(SettingsError, match="cannot be written to"):
            check_places(project, None)


def test_the_run_log_holds_no_secret(project: Project, good: BuildResult, tmp_path: Path) -> None:
    deliver(good, project, SETTINGS, output=tmp_path / "out")
    said = (tmp_path / "out/run.json").read_text()
    for secret in ("KEY-123", "PASS-123", "QUERY-123", "CMD-123"):
        assert secret not in said
    told = json.loads(said)
    assert told["settings"]["model"] == "cmd:ask"
    assert told["settings"]["base_url"] == "https://host/v1"
    assert told["status"] == "SUCCESS"
    assert told["input"]["texts"] == ["article.tex", "ch/one.tex"]


def test_what_was_delivered_is_no_part_of_the_next_build(project: Project, good: BuildResult, tmp_path: Path) -> None:
    deliver(good, project, SETTINGS)
    deliver(good, project, SETTINGS, output=tmp_path / "in/results")
    again = load(tmp_path / "in/article.tex")
    assert ({*again.draft}, {*again.assets}) == ({"article.tex", "ch/one.tex"}, set())
