"""What the last clean compile left starts the next one: it saves passes, and never decides what comes out."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

import texrepair
from texrepair.result import BuildResult, Status

pytestmark = pytest.mark.tex

MAIN = r"""\documentclass{article}
\begin{document}
\DECLARED
\tableofcontents
\section{Tide}\label{tide}
The water comes and goes twice a day.
See section~\ref{ebb} for the second half of it.
\section{Ebb\USED}\label{ebb}
The water goes, and section~\ref{tide} says when.
Nobody waits for it at the quay in winter.
\end{document}
"""
RIGHT = MAIN.replace("\\DECLARED\n", "").replace("\\USED", "")
DECLARED = MAIN.replace("\\DECLARED", "\\def\\ofmine{ again}").replace("\\USED", "\\protect\\ofmine")


@pytest.fixture
def article(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith("TEXREPAIR_"):
            monkeypatch.delenv(name)
    path = tmp_path / "in/a.tex"
    path.parent.mkdir()
    return path


def build(path: Path, text: str) -> BuildResult:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr("a.tex", text)
    else:
        path.write_text(text)
    result = texrepair.build(path, engine="pdflatex", output=path.parents[1] / "out")
    assert result.status is Status.SUCCESS
    assert not result.cached
    assert not result.fixes
    return result


def passes(result: BuildResult) -> int:
    return sum(one.program == "pdflatex" for one in result.passes)


def test_an_edit_settles_in_fewer_passes(article: Path) -> None:
    assert passes(build(article, RIGHT)) > 1
    assert passes(build(article, RIGHT.replace("quay in winter", "quay in summer"))) == 1
    assert passes(build(article, RIGHT.replace("{Ebb}", "{The ebb}"))) == 2, "the contents changed"


def test_what_was_left_never_causes_an_error(article: Path) -> None:
    build(article, DECLARED)
    result = build(article, RIGHT)
    assert [check.errors for check in result.checks] == [0, 0]


def test_another_document_in_the_same_place_gets_nothing(article: Path) -> None:
    build(article, RIGHT)
    other = RIGHT.replace("The water", "Wine").replace("Nobody", "Somebody").replace("section~", "part~")
    assert passes(build(article, other.replace("{Tide}", "{Red}").replace("{Ebb}", "{White}"))) > 1


def test_what_is_not_on_the_disk_leaves_nothing(article: Path) -> None:
    packed = article.with_suffix(".zip")
    count = passes(build(packed, RIGHT))
    assert passes(build(packed, RIGHT.replace("winter", "summer"))) == count


ADDED = "\n\nPaid in June.\n\\end{document}"


@pytest.fixture
def other(article: Path) -> Path:
    """A place for another document of the same name."""
    path = article.parents[1] / "other/a.tex"
    path.parent.mkdir()
    return path


def test_one_that_differs_in_words_alone_settles_in_fewer_passes(article: Path, other: Path) -> None:
    series = RIGHT.replace("\n\\end{document}", ADDED)
    assert passes(build(article, series)) > 1
    assert passes(build(other, series.replace("June", "the end of July"))) == 1


@pytest.mark.parametrize(
    "reads",
    ["", "\\newread\\neighbour\\openin\\neighbour=a \\read\\neighbour to\\line"],
    ids=["itself", "its neighbour"],
)
def test_a_series_in_one_folder(article: Path, reads: str) -> None:
    series = RIGHT.replace("\\DECLARED", "").replace("\n\\end{document}", ADDED)
    article.with_name("a.tex").write_text(RIGHT)
    first, second = article.with_name("first.tex"), article.with_name("second.tex")
    read = series.replace("The water goes", f"{reads} The water goes")
    count = passes(build(first, read))
    assert passes(build(second, read.replace("June", "July"))) == (count if reads else 1)


def test_one_that_runs_other_code_gets_nothing(article: Path, other: Path) -> None:
    series = RIGHT.replace("\n\\end{document}", ADDED)
    hostile = series.replace("\\DECLARED", "").replace(
        "\\begin{document}", "\\begin{document}\\makeatletter\\protected@write\\@auxout{}{\\string\\gdef\\string\\x{}}"
    )
    build(article, hostile)
    assert passes(build(other, series)) > 1


def test_what_a_model_wrote_stays_with_its_document(article: Path, other: Path) -> None:
    for path, month in ((article, "June"), (other, "July")):
        whole = RIGHT.replace("\n\\end{document}", ADDED).replace("June", month).replace("Nobody", "\\emph{Nobody}")
        path.write_text(whole.replace("Nobody}", "Nobody"))
        result = texrepair.build(
            path,
            engine="pdflatex",
            output=path.parents[1] / "out",
            model=lambda prompt, reply=whole: f"```latex\n{reply}```",
            only=("code-fence",),
        )
        assert result.status is Status.SUCCESS
        assert len(result.rounds) == 1
        assert passes(result) > 1
