"""The command line: what goes to which stream, and every exit status that needs no engine."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner, Result

from texrepair import __version__, cli
from texrepair.rules import shipped
from texrepair.settings import EditMode, EngineName, SandboxName

PAGE = "\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n"
FENCED = f"```latex\n{PAGE}```\n"
LOG = (
    "This is XeTeX, Version 3.141592653-2.6-0.999994 (TeX Live 2022/Debian) (preloaded format=xelatex)\n"
    "(./main.tex\n./main.tex:3: Undefined control sequence.\nl.3 Some \\undefinedmacro\n                         here\n"
    "Output written on main.pdf (1 page).\n"
)
TEXREPAIR = str(Path(sys.executable).parent / "texrepair")

pytestmark = pytest.mark.usefixtures("alone")


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli.commands, arguments, input=stdin)


def one_sentence(result: Result) -> str:
    """What a failing command says: one line on standard error, nothing on standard output."""
    assert result.stdout == ""
    said = result.stderr.strip()
    assert said.startswith("texrepair: ")
    assert "\n" not in said
    return said


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def packed(**files: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/"), content)
    return data.getvalue()


# The program itself


def test_version_and_help() -> None:
    assert run("--version").stdout == f"texrepair {__version__}\n"
    assert run("-h").stdout == run("--help").stdout
    for command in cli.commands.commands:
        assert run(command, "-h").stdout.startswith(f"Usage: commands {command}")


@pytest.mark.parametrize("program", [[TEXREPAIR], [sys.executable, "-m", "texrepair"]], ids=["texrepair", "module"])
def test_the_installed_program_runs(program: list[str]) -> None:
    done = subprocess.run([*program, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"texrepair {__version__}\n", "")
    shown = subprocess.run([*program, "build", "--help"], capture_output=True, text=True).stdout
    assert shown.startswith("Usage: texrepair build ")


def test_version_and_help_load_nothing_slow() -> None:
    probe = (
        "import sys, texrepair.cli\n"
        "try:\n    texrepair.cli.commands(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'pydantic', 'httpx', 'rich', 'jinja2'}),"
        " sorted(name for name in sys.modules if name.startswith('texrepair.')), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[] ['texrepair.cli', 'texrepair.errors']"


def test_choices_are_those_of_the_settings() -> None:
    assert get_args(EngineName) == cli.ENGINES
    assert get_args(EditMode) == cli.EDIT_MODES
    assert get_args(SandboxName) == cli.SANDBOXES


def test_a_fault_of_our_own_is_status_1_with_a_place_to_look(tmp_path: Path) -> None:
    probe = "import sys, texrepair.cli\nsys.excepthook = texrepair.cli.report_fault\n1 / 0"
    done = subprocess.run(
        [sys.executable, "-c", probe],
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path), "SECRET_KEY": "SECRET-123"},
    )
    assert done.returncode == 1
    (place,) = tmp_path.glob("texrepair-fault-*")
    assert done.stderr.strip().endswith(str(place))
    assert "Traceback" not in done.stderr
    said = place.read_text()
    assert "ZeroDivisionError" in said
    assert "SECRET-123" not in said


# Wrong usage: 64


@pytest.mark.parametrize(
    "arguments",
    [
        ("bulid", "a.tex"),
        ("build",),
        ("build", "a.tex", "--nonsense"),
        ("build", "a.tex", "--engine", "tex"),
        ("build", "a.tex", "--sandbox", "hope"),
        ("build", "a.tex", "--rounds", "x"),
        ("build", "a.tex", "--rounds", "-1"),
        ("build", "a.tex", "--budget", "0"),
        ("build", "a.tex", "--set", "novalue"),
        ("build", "a.tex", "--set", "=x"),
        ("build", "a.tex", "--model", "anthropic:x", "--no-llm"),
        ("build", "a.tex", "--only", "no-such-rule"),
        ("build", "a.tex", "--rules", "no-such-folder"),
        ("build", "a.tex", "--model", "nobody:x"),
        ("build", "a.tex", "--edit-mode", "half"),
        ("build", "a.tex", "--max-tokens", "0"),
        ("build", "a.tex", "--max-cost", "-1"),
        ("build", "a.tex", "-o", "."),
        ("build", "a.tex", "-o", "a.tex"),
        ("build", "a.zip", "--in-place"),
        ("sanitize", "a.zip", "--write"),
        ("sanitize", "a.tex", "--disable", "no-such-rule"),
        ("rules", "no-such-rule"),
    ],
)
def test_wrong_usage(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "a.tex").write_text(PAGE)
    (tmp_path / "a.zip").write_bytes(packed(**{"a.tex": PAGE}))
    before = snapshot(tmp_path)
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (64, "")
    assert result.stderr
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("rounds = 'many'", "the setting rounds"),
        ("ronds = 1", "the setting ronds"),
        ("rounds = ", "settings cannot be read"),
        ("rules = 'evil'", "may not set rules"),
        ("model = 'cmd:evil'", "may not set model"),
        ("base_url = 'https://evil'", "may not set base_url"),
        ("sandbox = 'none'", "may not set sandbox"),
        ("sandbox = 'landlock'", "may not set sandbox"),
        ("model = 'anthropic:claude'", "may not set model"),
        ("extra_body = {n = 9}", "may not set extra_body"),
        ("rounds = 3", "may not set rounds above 2"),
    ],
)
def test_a_wrong_or_dangerous_settings_file(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "a.tex").write_text(PAGE)
    (tmp_path / "texrepair.toml").write_text(content)
    result = run("sanitize", "a.tex")
    assert result.exit_code == 64
    assert says in one_sentence(result)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look everywhere")
def test_a_current_folder_that_may_not_be_looked_into_holds_no_settings(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir()
    os.chdir(tmp_path / "shut")
    (tmp_path / "shut").chmod(0o000)
    try:
        assert run("rules").exit_code == 0
    finally:
        (tmp_path / "shut").chmod(0o700)


def test_a_wrong_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.tex").write_text(PAGE)
    monkeypatch.setenv("TEXREPAIR_ONLY", "not json")
    assert run("sanitize", "a.tex").exit_code == 64
    monkeypatch.delenv("TEXREPAIR_ONLY")
    monkeypatch.setenv("TEXREPAIR_RONDS", "1")
    result = run("sanitize", "a.tex")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "there is no setting TEXREPAIR_RONDS" in result.stderr


# Bad input: 65 and 66

BAD_INPUT: dict[str, tuple[dict[str, bytes], str, int]] = {
    "absent": ({}, "absent.tex", 66),
    "empty": ({"a.tex": b""}, "a.tex", 65),
    "binary": ({"a.tex": bytes(range(256)) * 9}, "a.tex", 65),
    "pdf": ({"a.pdf": b"%PDF-1.5\n"}, "a.pdf", 65),
    "no LaTeX": ({"a.md": b"Words.\n"}, "a.md", 65),
    "folder without a main file": ({"in/notes.txt": b"x"}, "in", 65),
    "broken zip": ({"a.zip": b"PK\x03\x04 and no more"}, "a.zip", 65),
    "zip that climbs": ({"a.zip": packed(a__tex=PAGE, **{"..__x.tex": "x"})}, "a.zip", 65),
}


@pytest.mark.parametrize("command", ["build", "check", "sanitize", "export"])
@pytest.mark.parametrize("kind", BAD_INPUT)
def test_bad_input(tmp_path: Path, command: str, kind: str) -> None:
    files, name, status = BAD_INPUT[kind]
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(content)
    before = snapshot(tmp_path)
    result = run(command, name)
    assert result.exit_code == status
    assert name in one_sentence(result)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("build", "absent.tex", "--json"), 66, "absent.tex: no such file"),
        (("check", "empty.tex", "--json"), 65, "empty.tex is empty"),
        (("build", "--json", "a.tex", "--nonsense"), 64, "No such option"),
        (("build", "a.tex", "--json", "--rounds", "-1"), 64, "the setting rounds"),
        (("diagnose", "absent.log", "--json"), 66, "absent.log cannot be read"),
    ],
)
def test_with_json_a_failure_is_json_too(tmp_path: Path, arguments: tuple[str, ...], status: int, says: str) -> None:
    (tmp_path / "empty.tex").write_text("")
    (tmp_path / "a.tex").write_text(PAGE)
    result = run(*arguments)
    told = json.loads(result.stdout)
    assert (told.pop("reason")[: len(says)], result.exit_code) == (says, status)
    assert told == {"status": None, "ok": False, "exit_code": status}
    assert says in result.stderr


def test_the_address_of_the_models_api(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(PAGE)
    assert "--base-url URL" in run("build", "--help").stdout
    result = run("build", "a.tex", "--model", "openai:x", "--base-url", "no address")
    assert result.exit_code == 64
    assert "no address" in one_sentence(result)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--model", "ollama:qwen3"), "openai:NAME with --base-url"),
        (("--model", "gpt"), "anthropic:NAME"),
        (("--model", "anthropic:x"), "set ANTHROPIC_API_KEY"),
        (("--model", "openai:x"), "set OPENAI_API_KEY"),
        (("--model", "cmd:no-such-program -v"), "no such program"),
        (("--model", "cmd:true", "--max-cost", "1"), "TEXREPAIR_PRICE_IN"),
    ],
)
def test_a_model_that_cannot_be_asked_is_told_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "a.tex").write_text(PAGE)
    before = snapshot(tmp_path)
    result = run("build", "a.tex", *arguments)
    assert result.exit_code == 64
    assert says in one_sentence(result)
    assert snapshot(tmp_path) == before


def test_empty_standard_input() -> None:
    result = run("build", "-", stdin=b"")
    assert result.exit_code == 65
    assert "standard input is empty" in one_sentence(result)


def test_nothing_to_run_programs_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.tex").write_text(PAGE)
    monkeypatch.setenv("PATH", str(tmp_path))
    before = snapshot(tmp_path)
    result = run("build", "a.tex", "--no-llm", "--sandbox", "bwrap")
    assert result.exit_code == 69
    assert "install" in one_sentence(result)
    assert snapshot(tmp_path) == before


def test_control_characters_of_names_are_made_visible() -> None:
    assert "\x1b" not in run("build", "\x1b[31mred\u202e.tex").stderr


# sanitize


def test_sanitize_prints_a_diff_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(FENCED)
    result = run("sanitize", "a.tex")
    assert result.exit_code == 0
    assert "\n-```latex\n" in result.stdout
    assert "a.tex:1: " in result.stderr
    assert (tmp_path / "a.tex").read_text() == FENCED


def test_sanitize_check_is_status_4_where_something_would_change(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(FENCED)
    assert run("sanitize", "a.tex", "--check").exit_code == 4
    assert run("sanitize", "a.tex", "--check", "--disable", "code-fence").exit_code == 0
    (tmp_path / "a.tex").write_text(PAGE)
    result = run("sanitize", "a.tex", "--check")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_sanitize_write_keeps_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(FENCED)
    assert run("sanitize", "a.tex", "--write").exit_code == 0
    assert "```" not in (tmp_path / "a.tex").read_text()
    assert (tmp_path / "a.tex.orig").read_text() == FENCED


def test_sanitize_takes_values(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(PAGE.replace("Text", "{{ name }}"))
    result = run("sanitize", "a.tex", "--set", "name=Ada = L")
    assert "+Ada = L.\n" in result.stdout


# diagnose


@pytest.mark.parametrize("source", ["main.log", "-"])
def test_diagnose_as_json(tmp_path: Path, source: str) -> None:
    (tmp_path / "main.log").write_text(LOG)
    result = run("diagnose", source, "--json", stdin=LOG.encode())
    assert (result.exit_code, result.stderr) == (0, "")
    (error,) = json.loads(result.stdout)["errors"]
    assert (error["code"], error["line"], error["token"]) == ("undefined-control-sequence", 3, "\\undefinedmacro")


def test_diagnose_in_the_form_that_editors_read(tmp_path: Path) -> None:
    (tmp_path / "main.log").write_text(LOG)
    result = run("diagnose", "main.log")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("main.tex:3:")
    assert "error: Undefined control sequence" in result.stdout


def test_diagnose_loads_no_rule_to_say_which_ones_answer(tmp_path: Path) -> None:
    (tmp_path / "main.log").write_text(LOG)
    probe = (
        "import sys, texrepair.cli\n"
        "try:\n    texrepair.cli.commands(['diagnose', 'main.log'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in sys.modules if name.startswith('texrepair.sanitizers.')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", probe], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "Rules that answer it: " in done.stdout
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("data", [b"", bytes(range(256)), b"Dear all,\n\nthe report (final) is late.\n", PAGE.encode()])
def test_diagnose_of_what_is_no_log(data: bytes) -> None:
    result = run("diagnose", "-", stdin=data)
    assert result.exit_code == 65
    assert "standard input: this is no log of TeX, BibTeX, biber or an index program" in one_sentence(result)
    assert run("diagnose", "absent.log").exit_code == 66


@pytest.mark.parametrize(
    "log",
    [
        "This is pdfTeX, Version 3.14 (TeX Live 2022) (preloaded format=pdflatex)\n",
        "This is BibTeX, Version 0.99d (TeX Live 2022/Debian)\nThe top-level auxiliary file: a.aux\n",
        "[0] Config.pm:307> INFO - This is Biber 2.18\n",
        "This is makeindex, version 2.16 [TeX Live 2022] (kpathsea + Thai support).\n",
        "! Undefined control sequence.\nl.3 \\nosuch\n",
        "LaTeX Warning: There were undefined references.\n",
        "Output written on a.pdf (1 page, 2 bytes).\n",
    ],
)
def test_diagnose_of_a_banner_or_a_piece_of_a_log(log: str) -> None:
    assert run("diagnose", "-", stdin=log.encode()).exit_code == 0


# rules


def test_rules_are_listed_and_shown() -> None:
    every = shipped()
    listed = run("rules").stdout.splitlines()
    assert [line.split()[0] for line in listed] == [rule.id for rule in every]
    for rule in every:
        page = run("rules", rule.id)
        assert page.exit_code == 0
        assert rule.summary in page.stdout
        assert page.stdout.count("Example:") == len(rule.examples)
