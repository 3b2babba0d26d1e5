"""The command line with real engines: what each command prints and leaves, and what an interruption does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from processes import descendants, engines

from texrepair import cli

pytestmark = [pytest.mark.tex, pytest.mark.usefixtures("alone")]

PAGE = "\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n"
BROKEN = PAGE.replace("Text.", "Text.\n\\thiscommandisnowhere{x}")
FENCED = f"```latex\n{PAGE}```\n"
ENDLESS = PAGE.replace("Text.", "\\def\\x{\\x}\\x")
TEXREPAIR = str(Path(sys.executable).parent / "texrepair")


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli.commands, arguments, input=stdin)


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_right_document_comes_out_untouched(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(PAGE)
    result = run("build", "a.tex", "--no-llm")
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path}/a.pdf\n")
    assert result.stderr.startswith("a.tex: SUCCESS.")
    assert names(tmp_path) == {"a.tex", "a.pdf", "a.texrepair/run.json"}
    assert (tmp_path / "a.tex").read_text() == PAGE


def test_json_is_all_that_is_printed(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(FENCED)
    result = run("build", "a.tex", "--no-llm", "--json", "-o", "out")
    told = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert (told["status"], told["changed"]) == ("SUCCESS", ["a.tex"])
    assert {fix["rule"] for fix in told["fixes"] if fix["kept"]} == {"code-fence"}
    assert names(tmp_path / "out") == {"a.pdf", "a.tex", "a.diff", "run.json"}


def test_in_place(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(FENCED)
    assert run("build", "a.tex", "--no-llm", "--in-place").exit_code == 0
    assert "```" not in (tmp_path / "a.tex").read_text()
    assert (tmp_path / "a.tex.orig").read_text() == FENCED


def test_standard_input_is_built_into_the_current_folder(tmp_path: Path) -> None:
    assert run("build", "-", "--no-llm", stdin=PAGE.encode()).exit_code == 0
    assert names(tmp_path) == {"document.pdf", "document.texrepair/run.json"}


def test_a_document_that_nobody_can_repair_leaves_a_package(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(BROKEN)
    result = run("build", "a.tex", "--no-llm", "--only", "code-fence")
    assert (result.exit_code, result.stdout) == (5, "")
    assert "a.tex: ESCALATE." in result.stderr
    assert "a.tex:4: error: Undefined control sequence" in result.stderr
    with zipfile.ZipFile(tmp_path / "a.texrepair/a-export.zip") as archive:
        assert set(archive.namelist()) == {"a.tex", "a.log", "README.txt"}
        assert "Undefined control sequence" in archive.read("README.txt").decode()
    assert not (tmp_path / "a.pdf").exists()


def test_check_says_what_is_wrong_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(BROKEN)
    result = run("check", "a.tex")
    assert result.exit_code == 4
    assert result.stdout.startswith("a.tex:4:")
    assert "error: Undefined control sequence" in result.stdout
    assert names(tmp_path) == {"a.tex"}
    told = json.loads(run("check", "a.tex", "--json").stdout)
    assert told["errors"][0]["token"] == "\\thiscommandisnowhere"
    (tmp_path / "a.tex").write_text(PAGE)
    assert run("check", "a.tex").exit_code == 0


def test_export_packs_the_input_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(BROKEN)
    result = run("export", "a.tex")
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path}/a-export.zip\n")
    first = (tmp_path / "a-export.zip").read_bytes()
    assert run("export", "a.tex", "-o", "other.zip").exit_code == 0
    assert (tmp_path / "other.zip").read_bytes() == first, "the same input, the same bytes"


def test_an_export_replaces_an_earlier_one_and_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "a-export.zip").write_bytes(b"theirs")
    for text in ("One.", "Another."):
        (tmp_path / "a.tex").write_text(PAGE.replace("Text.", text))
        result = run("export", "a.tex")
        assert (result.exit_code, result.stdout) == (0, f"{tmp_path}/a-export.zip\n")
        told = "a-export.zip was there already and is kept as" in result.stderr
        assert told == (text == "One.")
    assert names(tmp_path) == {"a.tex", "a-export.zip", "a-export.zip.orig"}
    assert (tmp_path / "a-export.zip.orig").read_bytes() == b"theirs"
    with zipfile.ZipFile(tmp_path / "a-export.zip", "a") as edited:
        edited.writestr("notes.txt", "mine")
    mine = (tmp_path / "a-export.zip").read_bytes()
    assert run("export", "a.tex").exit_code == 0
    assert (tmp_path / "a-export.zip.orig2").read_bytes() == mine


def test_doctor_tries_what_is_here() -> None:
    result = run("doctor")
    assert result.exit_code == 0
    assert "ok  xelatex             compiles a page" in result.stdout


def test_control_characters_of_a_document_never_reach_the_terminal(tmp_path: Path) -> None:
    evil = "\x1b]0;title\x07\u009b31m\u202e"
    (tmp_path / "a.tex").write_text(PAGE.replace("Text.", f"\\errmessage{{{evil}}}"))
    result = run("build", "a.tex", "--no-llm", "--engine", "lualatex")
    assert result.exit_code == 5
    assert not set("\x1b\x07\u009b\u202e") & set(result.stderr)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_build_ends_its_engines(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "a.tex").write_text(ENDLESS)
    with subprocess.Popen(
        [TEXREPAIR, "build", "a.tex", "--no-llm"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        while not (running := engines(descendants(run.pid))):
            assert run.poll() is None
            os.sched_yield()
        run.send_signal(number)
        said = run.communicate()[1].decode()
    assert (run.returncode, said.strip()) == (130, "texrepair: interrupted")
    while engines(running):
        os.sched_yield()
    assert names(tmp_path) == {"a.tex"}
