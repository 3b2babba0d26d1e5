"""The benchmark for users runs from a clean checkout."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_what_has_no_peer_is_measured() -> None:
    command = [sys.executable, str(ROOT / "script/bench"), "--only", "alone"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"`sanitize` reads \d+\.\d MB/s and `diagnose` \d+\.\d MB/s", done.stdout)


def test_readme_has_a_place_for_the_table() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("<!-- bench -->\n") == text.count("<!-- /bench -->") == 1
    assert text.index("<!-- bench -->") < text.index("<!-- /bench -->")
