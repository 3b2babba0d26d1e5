"""A diff says what changed, and patch can apply it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from texrepair.deliver import diff
from texrepair.project import Draft

TEXTS = st.text(alphabet="ab\\{}\n\r\f\u2028é", max_size=40)


def test_nothing_changed_is_no_text() -> None:
    assert diff(Draft({"a.tex": "x"}), Draft({"a.tex": "x"})) == ""


def test_changed_and_added_files_are_told_sorted_by_path() -> None:
    before = Draft({"b.tex": "one\ntwo\n"})
    after = before.replace("b.tex", "one\n2\n").replace("a new.sty", "x")
    assert diff(before, after) == (
        "--- /dev/null\t\n+++ b/a new.sty\t\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n"
        "--- a/b.tex\n+++ b/b.tex\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    )


def test_a_change_of_encoding_is_told() -> None:
    before = Draft({"a.tex": "é"}, {"a.tex": "latin_1"})
    assert diff(before, before.recoded("a.tex")) == "a.tex: latin_1 became utf-8\n"


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")
@hypothesis_settings(max_examples=25, deadline=None)
@given(TEXTS, TEXTS)
def test_patch_applies_it(tmp_path_factory: pytest.TempPathFactory, old: str, new: str) -> None:
    folder: Path = tmp_path_factory.mktemp("patched")
    before, after = Draft({"a.tex": old}), Draft({"a.tex": new})
    (folder / "a.tex").write_bytes(before.encoded("a.tex"))
    said = diff(before, after).encode()
    subprocess.run(["patch", "-p1", "--binary", "--quiet"], cwd=folder, input=said, check=bool(said))
    left = (folder / "a.tex").read_bytes() if (folder / "a.tex").exists() else b""
    assert left == after.encoded("a.tex")
