"""Many documents at once: where results lie, what one does to the others, and that no process is left."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import await_end, descendants, engines

from texrepair.batch import Document, Outcome, documents, exit_code, run
from texrepair.cli import report_fault
from texrepair.errors import SettingsError
from texrepair.settings import Settings

PAGE = "\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n"
BROKEN = PAGE.replace("Text.", "Text.\n\\thiscommandisnowhere{x}")
ENDLESS = PAGE.replace("Text.", "\\def\\x{\\x}\\x")
TEXREPAIR = str(Path(sys.executable).parent / "texrepair")

pytestmark = pytest.mark.usefixtures("alone")


def write(path: str, text: str) -> Path:
    place = Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return place


def tree(folder: str) -> set[str]:
    return {str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()}


def planned(*sources: str) -> list[tuple[str, bool]]:
    return [(str(one.output), one.apart) for one in documents([Path(source) for source in sources], Path("out"))]


def test_results_lie_as_the_inputs_do() -> None:
    Path("c/d").mkdir(parents=True)
    assert planned("a/x.tex") == [("out", False)]
    assert planned("a/x.tex", "b/x.tex") == [("out/a", False), ("out/b", False)]
    assert planned("x.tex", "b/c/x.tex") == [("out", False), ("out/b/c", False)]
    assert planned("a/x.zip", "a/y.tex", "c/d") == [("out/a/x", False), ("out/a", False), ("out/c/d", False)]
    assert planned("a/x.tex", "./a/../a/y.tex", "b/x.tex") == [("out/a", True), ("out/a", True), ("out/b", False)]


@pytest.mark.parametrize(
    "sources", [("a/x.tex", "a/x.ltx"), ("a/x.tex", "a/../a/x.tex"), ("a", "a/x.tex"), ("a.zip", "a/x.tex")]
)
def test_two_results_never_meet(sources: tuple[str, ...]) -> None:
    Path("a").mkdir()
    with pytest.raises(SettingsError, match="same place"):
        planned(*sources)


def test_the_worst_status_is_the_whole_ones() -> None:
    def of(*codes: int) -> int:
        return exit_code(Outcome(Path("x"), None, code, "") for code in codes)

    assert of(0, 0) == 0
    assert of(0, 2, 5, 4) == 5
    assert of(5, 66, 0) == 66
    assert of(66, 1, 69) == 1


@pytest.mark.tex
def test_a_document_that_fails_stops_no_other() -> None:
    write("in/good/a.tex", PAGE)
    write("in/bad/a.tex", BROKEN)
    write("in/good/b.tex", PAGE.replace("Text", "Another text"))
    inputs = ["in/bad/a.tex", "in/none.tex", "in/good/a.tex", "in/good/b.tex"]
    options = ["--no-llm", "--only", "code-fence", "--jobs", "2", "-o", "out"]
    done = subprocess.run([TEXREPAIR, "batch", *inputs, *options], capture_output=True, text=True)
    assert done.returncode == 66
    assert done.stdout == "out/good/a.pdf\nout/good/b.pdf\n"
    assert {line.partition(":")[0] for line in done.stderr.splitlines()} == set(inputs)
    assert tree("out") == {
        "bad/a-export.zip",
        "bad/run.json",
        "good/a.pdf",
        "good/b.pdf",
        "good/a.texrepair/run.json",
        "good/b.texrepair/run.json",
    }
    again = subprocess.run([TEXREPAIR, "batch", *inputs, *options, "--json"], capture_output=True, text=True)
    told = json.loads(again.stdout)
    assert (again.returncode, again.stderr) == (66, "")
    assert [(one["input"], one["exit_code"]) for one in told] == list(zip(inputs, [5, 66, 0, 0], strict=True))
    assert [one.get("cached") for one in told] == [False, None, True, True]


@pytest.mark.tex
def test_a_series_does_once_what_is_the_same() -> None:
    listed = PAGE.replace("Text.", "\\tableofcontents\n\\section{Bill}\n\nPaid in June.\n")
    sources = [write(f"{month}/x.tex", listed.replace("June", month)) for month in ("May", "July", "August")]
    planned, settings = documents(sources, Path("out")), Settings(model=None, engine="pdflatex")
    outcomes = run(planned, settings, 1, on_end=lambda one: None, on_fault=report_fault)
    results = [one.result for one in outcomes]
    assert [sum(ran.program == "pdflatex" for ran in one.passes) for one in results if one is not None] == [2, 1, 1]


@pytest.mark.tex
def test_a_worker_that_dies_costs_its_own_document_alone() -> None:
    sources = [write("a/x.tex", PAGE), write("b/x.tex", ENDLESS), write("c/x.tex", PAGE)]
    ended: list[Path] = []

    def kill_all(outcome: Outcome) -> None:
        if not ended:
            for worker in multiprocessing.active_children():
                os.kill(worker.pid or 0, signal.SIGKILL)
                await_end({worker.pid or 0})
        ended.append(outcome.source)

    outcomes = run(documents(sources, Path("out")), Settings(model=None), 2, on_end=kill_all, on_fault=report_fault)
    assert [one.exit_code for one in outcomes] == [0, 1, 0]
    assert len(ended) == 3
    assert not multiprocessing.active_children()


@pytest.mark.tex
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interruption_ends_all(number: signal.Signals) -> None:
    inputs = [str(write(f"{name}/x.tex", ENDLESS)) for name in "abc"]
    with subprocess.Popen(
        [TEXREPAIR, "batch", *inputs, "--no-llm", "--jobs", "2", "-o", "out"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as program:
        while len(engines(started := descendants(program.pid))) < 2:
            assert program.poll() is None
            os.sched_yield()
        if number is signal.SIGINT:
            os.killpg(program.pid, number)  # as a terminal does
        else:
            program.send_signal(number)
        said = program.communicate()[1].decode()
    await_end(started)
    assert not Path("out").exists()
    if number is not signal.SIGKILL:
        assert (program.returncode, said.strip()) == (130, "texrepair: interrupted")


def test_a_document_is_named_by_what_was_given() -> None:
    assert documents([Path("a/x.tex")], Path("out")) == (Document(Path("a/x.tex"), Path("out"), False),)
