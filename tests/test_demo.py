"""The demo: a lab report in Chinese and English with a dozen faults, cured by rules alone."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import texrepair

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
PARTS = ("lab-report.cls", "references.bib", "figures")

pytestmark = [pytest.mark.tex, pytest.mark.bwrap]


def laid_out(folder: Path, name: str) -> Path:
    folder.mkdir()
    for part in (name, *PARTS):
        source = FIXTURES / part
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / part)
    return folder / name


def words(pdf: Path) -> list[str]:
    text = subprocess.run(["pdftotext", str(pdf), "-"], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\w+", text)


@pytest.mark.timeout(600)
def test_the_broken_report_becomes_the_right_one(tmp_path: Path) -> None:
    broken = texrepair.build(laid_out(tmp_path / "broken", "article.tex"), output=tmp_path / "cured")
    right = texrepair.build(laid_out(tmp_path / "right", "article-right.tex"), output=tmp_path / "plain")

    assert right.ok and right.fixes == () and right.sources == {}
    assert broken.ok and broken.rounds == ()
    assert len({fix.rule for fix in broken.kept}) >= 8, "at least eight kinds of faults"
    assert right.pdf is not None and broken.pdf is not None
    assert words(broken.pdf) == words(right.pdf)
