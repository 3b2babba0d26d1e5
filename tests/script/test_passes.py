"""script/passes counts what a repair takes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "script/passes"


def ran(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    spec = spec_from_loader("passes", SourceFileLoader("passes", str(SCRIPT)))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def case(folder: Path, text: str, repaired: str | None = None, **about: str) -> Path:
    for place, written in ((folder, text), (folder / "fixed", repaired)):
        if written is not None:
            place.mkdir(parents=True)
            source = f"\\documentclass{{article}}\n\\begin{{document}}\n{written}\n\\end{{document}}\n"
            (place / about.get("main", "main.tex")).write_text(source)
    if about:
        (folder / "case.json").write_text(json.dumps(about))
    return folder


@pytest.mark.tex
def test_a_case_and_a_document_are_counted(tmp_path: Path) -> None:
    case(tmp_path / "cases/broken", "R&D", "R\\&D", engine="pdflatex", main="report.tex")
    case(tmp_path / "right", "Text.")
    before = sorted(path for path in tmp_path.rglob("*"))
    done = ran(tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert re.fullmatch(r"broken +SUCCESS +[2-9] +\d+\.\d\d +=.*", lines[1])
    assert re.fullmatch(r"right +SUCCESS +1 +\d+\.\d\d +=.*", lines[2])
    assert re.match(r"all \(2\): median [\d.]+ engine passes \(2 of 2 at most four\), median \d", lines[3])
    assert sorted(path for path in tmp_path.rglob("*")) == before


def test_where_there_is_no_document_it_says_so(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "absent"):
        done = ran(folder)
        assert (done.returncode, done.stdout) == (64, "")
        assert done.stderr == f"passes: There is no document in {folder}.\n"


def test_repairs_and_parts_are_no_documents(passes: ModuleType, tmp_path: Path) -> None:
    case(tmp_path / "one", "a", "b")
    case(tmp_path / "two", "a", main="other.tex")
    case(tmp_path / "two/part", "a")
    assert passes.documents([tmp_path]) == [tmp_path / "one", tmp_path / "two"]


@pytest.mark.parametrize(
    ("checks", "made"),
    [
        ([("a", False, 1)], 1),
        ([("a", True, 1), ("a", True, 2)], 2),
        ([("a", False, 1), ("b", False, 1), ("c", True, 1), ("c", True, 3)], 5),
        ([("a", True, 1), ("a", False, 2), ("b", True, 1), ("b", True, 2)], 4),
        ([("a", True, 1), ("a", False, 0)], 1),
    ],
)
def test_a_compile_goes_on_from_its_check(passes: ModuleType, checks: list[tuple[str, bool, int]], made: int) -> None:
    told: list[dict[str, Any]] = [{"draft": d, "ok": ok, "engine_passes": count} for d, ok, count in checks]
    assert passes.engine_passes(told) == made
