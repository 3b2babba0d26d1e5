"""Compiling on every save: what is said and when, what becomes of the PDF, and that nothing else is touched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from processes import await_end, descendants

from texrepair.errors import SettingsError
from texrepair.result import Diagnostic
from texrepair.settings import Settings
from texrepair.watch import Screen, watch

pytestmark = [pytest.mark.tex, pytest.mark.usefixtures("unset")]

PAGE = "\\documentclass{article}\n\\usepackage{graphicx}\n\\begin{document}\nText.\n\\end{document}\n"
TEXREPAIR = str(Path(sys.executable).parent / "texrepair")


class Played:
    """A user who saves, a screen, and a clock that goes on by a second with each look."""

    def __init__(self, source: Path, *saves: Callable[[], object]) -> None:
        self.said: list[str] = []
        self.folders: list[frozenset[Path]] = []
        self._saves = iter(saves)
        self._now = 0.0
        watch(source, Settings(), Screen(self.said.append, self._show), changes=self._changes, clock=self._clock)

    def _clock(self) -> float:
        self._now += 1
        return self._now

    def _show(self, errors: Sequence[Diagnostic], texts: Mapping[str, str]) -> None:
        self.said += [f"{one.file}:{one.line}: {one.message}" for one in errors]

    def _changes(self, folders: frozenset[Path]) -> Iterator[object]:
        self.folders.append(folders)
        for save in self._saves:
            save()
            yield None


@pytest.fixture
def article(tmp_path: Path) -> Path:
    path = tmp_path / "a.tex"
    save(path, PAGE, 0)
    return path


def save(path: Path, text: str, second: float) -> None:
    """Save as an editor does, at that time."""
    beside = path.with_suffix(".new")
    beside.write_text(text)
    os.utime(beside, (second, second))
    beside.rename(path)


def test_errors_and_the_pdf_with_their_times(article: Path, tmp_path: Path) -> None:
    pdf = tmp_path / "a.pdf"
    broken = PAGE.replace("Text.", "Text.\n\\nowherehere")
    seen: list[bytes] = []
    played = Played(
        article,
        lambda: seen.append(pdf.read_bytes()),
        lambda: save(article, broken, 3.5),
        lambda: seen.append(pdf.read_bytes()),
        lambda: save(article, PAGE.replace("Text", "Other text"), 5.5),
    )
    assert played.said == [
        "a.tex: no errors in the first pass (1.0 s after the start)",
        f"{pdf} (2.0 s after the start)",
        "a.tex:5: Undefined control sequence",
        "a.tex: 1 error (1.5 s after the save)",
        "a.tex: no errors in the first pass (1.5 s after the save)",
        f"{pdf} (2.5 s after the save)",
    ]
    assert seen[0] == seen[1], "the last good PDF stays while there are errors"
    assert pdf.read_bytes() != seen[1]
    assert {path.name for path in tmp_path.iterdir()} == {"a.tex", "a.pdf"}
    assert article.read_text() == PAGE.replace("Text", "Other text")


def test_a_save_that_changes_nothing_builds_nothing(article: Path) -> None:
    played = Played(article, lambda: save(article, PAGE, 9), lambda: (article.parent / "notes.md").write_text("x"))
    assert len(played.said) == 2


def test_figures_parts_and_new_files_count(article: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()

    def use_part() -> None:
        (data / "part.tex").write_text("\\nowhereone")
        save(article, PAGE.replace("Text.", "\\input{data/part}"), 4)

    def figure() -> None:
        (data / "dot.txt").write_text("\\nowheretwo")
        save(data / "part.tex", "\\input{data/dot.txt}", 5)

    played = Played(article, use_part, figure, lambda: (data / "dot.txt").write_text("fine again"))
    told = [line for line in played.said if "first pass" not in line and "error" not in line]
    assert told[1:3] == ["data/part.tex:1: Undefined control sequence", "data/dot.txt:1: Undefined control sequence"]
    assert told[3].startswith(f"{tmp_path / 'a.pdf'} (")
    assert played.folders == [frozenset({tmp_path}), frozenset({tmp_path, data})]


def test_a_file_that_is_gone_for_a_moment_is_waited_for(article: Path) -> None:
    played = Played(article, article.unlink, lambda: save(article, PAGE.replace("Text", "Back"), 9))
    assert "no such file" in played.said[2]
    assert len(played.said) == 5


def test_what_is_not_on_the_disk_cannot_be_watched(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr("a.tex", PAGE)
    with pytest.raises(SettingsError, match="on the disk"):
        Played(tmp_path / "a.zip")


def test_the_program_hears_of_saves_and_ends_on_ctrl_c(article: Path) -> None:
    with subprocess.Popen(
        [TEXREPAIR, "watch", article.name], cwd=article.parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline().startswith(b"a.tex: no errors in the first pass (")
        assert program.stdout.readline().startswith(b"%s (" % str(article.with_suffix(".pdf")).encode())
        article.write_text(PAGE.replace("Text.", "\\nowherehere"))
        said = [program.stdout.readline()]
        while not said[-1].startswith(b"a.tex: "):
            said.append(program.stdout.readline())
            assert said[-1], said
        assert said[-1].startswith(b"a.tex: 1 error ("), said
        assert b"Undefined control sequence" in b"".join(said)
        started = descendants(program.pid)
        program.send_signal(signal.SIGINT)
        assert program.stdout.read().strip() == b"texrepair: interrupted"
        assert program.wait() == 130
    await_end(started)
