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
from texrepair.loading.load import load
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
    assert result.delivered["run_log"] == tmp_path / "new/out/run.json"


def test_failure_leaves_a_package_and_no_pdf(project: Project, bad: BuildResult, tmp_path: Path) -> None:
    result = deliver(bad, project, SETTINGS, log="the log", output=tmp_path / "out")
    assert result.pdf is None
    assert "article-export.zip" in tree(tmp_path / "out")
    assert not list((tmp_path / "in").rglob("*.pdf"))


def test_a_zip_or_standard_input_is_delivered_to_the_current_folder(
    good: BuildResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    piped = load("-", stdin=BytesIO(PAGE.encode()))
    deliver(replace(good, sources={}, diff=""), piped, SETTINGS)
    assert set(tree(tmp_path / "here")) == {"document.pdf", "document.texrepair/run.json"}


def test_what_an_earlier_build_left_goes_with_the_next(
    project: Project, good: BuildResult, bad: BuildResult, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    deliver(good, project, SETTINGS, output=out)
    (out / "added.sty").write_text("edited by the user")
    (out / "own.tex").write_text("the user's own")
    deliver(replace(bad, sources={"article.tex": b"other"}, diff=""), project, SETTINGS, output=out)
    assert set(tree(out)) == {"article.tex", "article-export.zip", "run.json", "added.sty", "own.tex"}
    deliver(replace(good, sources={}, diff=""), project, SETTINGS, output=out)
    assert set(tree(out)) == {"article.pdf", "run.json", "added.sty", "own.tex"}


def test_a_file_that_no_build_wrote_is_kept_beside(project: Project, good: BuildResult, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    strange = {"article.tex": b"another article", "article.pdf": b"%PDF of another", "run.json": b'{"pace": 5}'}
    for name, data in strange.items():
        (out / name).write_bytes(data)
    (out / "article.tex").chmod(0o600)
    (out / "article.diff").write_text("a diff\n")
    result = deliver(good, project, SETTINGS, output=out)
    for name, data in strange.items():
        assert (out / f"{name}.orig").read_bytes() == data
        assert result.delivered[f"kept:{name}"] == out / f"{name}.orig"
    assert (out / "article.tex.orig").stat().st_mode & 0o777 == 0o600
    assert (out / "article.tex").read_bytes() == b"new"
    assert not (out / "article.diff.orig").exists()
    before = set(tree(out))
    deliver(replace(good, sources={**good.sources, "article.tex": b"newer"}), project, SETTINGS, output=out)
    assert set(tree(out)) == before


def test_what_the_user_edited_in_our_folder_is_kept_beside(project: Project, good: BuildResult, tmp_path: Path) -> None:
    deliver(good, project, SETTINGS)
    (tmp_path / "in/article.texrepair/article.tex").write_text("new, and edited by hand")
    (tmp_path / "in/article.pdf").write_bytes(b"%PDF of latexmk")
    deliver(good, project, SETTINGS)
    files = tree(tmp_path / "in")
    assert files["article.texrepair/article.tex"] == b"new"
    assert files["article.texrepair/article.tex.orig"] == b"new, and edited by hand"
    assert "article.pdf.orig" not in files


def test_the_pdf_of_a_zip_replaces_no_other(
    good: BuildResult, bad: BuildResult, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("document.pdf").write_bytes(b"%PDF of another")
    piped = load("-", stdin=BytesIO(PAGE.encode()))
    for number, result in enumerate((good, bad, good)):
        (tmp_path / "session.pdf").write_bytes(f"%PDF {number}".encode())
        deliver(result, piped, SETTINGS)
    kept = {name: data for name, data in tree(tmp_path / "here").items() if ".orig" in name}
    assert kept == {"document.pdf.orig": b"%PDF of another"}


def test_a_run_log_of_a_strangers_removes_nothing_outside(project: Project, good: BuildResult, tmp_path: Path) -> None:
    digest = sha256(b"one").hexdigest()
    told = {"texrepair": "0", "files": {"ch/one.tex": digest, "../ch/one.tex": digest, "/etc/hostname": digest, "x": 1}}
    place = tmp_path / "in/article.texrepair"
    place.mkdir()
    (place / "run.json").write_text(json.dumps(told, indent=1))
    deliver(replace(good, sources={}), project, SETTINGS)
    assert (tmp_path / "in/ch/one.tex").read_text() == "one"


def test_nothing_is_written_through_a_link(project: Project, good: BuildResult, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "file").write_text("safe")
    (tmp_path / "in/article.pdf").symlink_to(victim / "file")
    deliver(good, project, SETTINGS)
    assert not (tmp_path / "in/article.pdf").is_symlink()
    (tmp_path / "out").mkdir()
    (tmp_path / "out/ch").symlink_to(victim)
    with pytest.raises(TexrepairError, match="cannot be written"):
        deliver(good, project, SETTINGS, output=tmp_path / "out")
    other = replace(project, name="linked")
    (tmp_path / "in/linked.texrepair").symlink_to(victim)
    with pytest.raises(TexrepairError, match="cannot be written"):
        deliver(good, other, SETTINGS)
    assert tree(victim) == {"file": b"safe"}


def test_in_place_keeps_the_old_files(project: Project, good: BuildResult, tmp_path: Path) -> None:
    (tmp_path / "in/article.tex").chmod(0o640)
    result = deliver(good, project, SETTINGS, in_place=True)
    files = tree(tmp_path / "in")
    assert (tmp_path / "in/article.tex.orig").stat().st_mode & 0o777 == 0o640
    assert (files["article.tex"], files["article.tex.orig"]) == (b"new", PAGE.encode())
    assert (files["ch/one.tex"], files["ch/one.tex.orig"]) == (b"new one", b"one")
    assert files["added.sty"] == b"added"
    assert "article.texrepair/article.tex" not in files
    assert result.delivered["source:article.tex"] == tmp_path / "in/article.tex"
    assert (tmp_path / "in/article.tex").stat().st_mode & 0o777 == 0o640


def test_in_place_is_only_for_success(project: Project, bad: BuildResult, tmp_path: Path) -> None:
    deliver(bad, project, SETTINGS, in_place=True)
    assert (tmp_path / "in/article.tex").read_text() == PAGE


def test_an_orig_of_an_earlier_time_is_never_lost(project: Project, tmp_path: Path) -> None:
    (tmp_path / "in/article.tex.orig").write_text("the very first")
    write_back(project, {"article.tex": b"new"})
    assert (tmp_path / "in/article.tex.orig").read_text() == "the very first"
    assert (tmp_path / "in/article.tex.orig2").read_text() == PAGE


def test_a_file_that_changed_meanwhile_is_left_alone(project: Project, good: BuildResult, tmp_path: Path) -> None:
    (tmp_path / "in/ch/one.tex").write_text("written by the user just now")
    before = tree(tmp_path / "in")
    with pytest.raises(ChangedMeanwhile):
        write_back(project, good.sources)
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
        with pytest.raises(SettingsError, match=f"cannot be written to by user {os.getuid()}: .*docker run --user"):
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
