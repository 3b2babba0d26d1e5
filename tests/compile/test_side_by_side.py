"""Several drafts checked side by side; engines that wait; what a check starts from."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from texrepair.compile import Session
from texrepair.compile.ahead import MOST
from texrepair.project import Draft, Project
from texrepair.sandboxes import Sandbox
from texrepair.sandboxes.scripted import Scene, Scripted

Opened = Callable[..., Session]

BIB = "@article{k, author={A. Bee}, title={On Bees}, journal={J}, year=2000}\n"


def document(body: str, preamble: str = "") -> str:
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


@pytest.mark.tex
def test_checks_come_in_order_and_say_what_a_check_says(opened: Opened) -> None:
    session = opened({"main.tex": document("Right.")}, cores=2, pass_seconds=6)
    bodies = ("\\one", "Right.", "\\loop\\iftrue\\repeat", "\\two", "\\one")
    drafts = [session.project.draft.replace("main.tex", document(body)) for body in bodies]
    asked = [
        (draft, engine)
        for draft, engine in zip(drafts, ("xelatex", "pdflatex", "xelatex", "xelatex", "xelatex"), strict=True)
    ]
    found = session.checks(asked)
    assert [[error.token for error in result.errors] for result in found[:2]] == [["\\one"], []]
    assert found[2].timed_out
    assert [[error.token for error in result.errors] for result in found[3:]] == [["\\two"], ["\\one"]]
    assert [result.passes[0].program for result in found] == [engine for _, engine in asked]
    assert session.compile(drafts[1], "pdflatex").ok


def test_no_drafts() -> None:
    with Session(Project("main.tex", Draft({"main.tex": document("x")})), sandbox=Scripted()) as session:
        assert session.checks([]) == ()


def test_few_engines_wait() -> None:
    fake = Scripted(*[Scene()] * 30)
    project = Project("main.tex", Draft({"main.tex": document("x")}))
    with Session(project, sandbox=fake, cores=2) as session:
        for number in range(9):
            session.expect(project.draft.replace("main.tex", document("x", f"\\def\\n{{{number}}}")))
        assert sum(not run.stopped for run in fake.boxes[0].runs) == MOST


def test_what_has_read_the_same_waits_once() -> None:
    fake = Scripted(*[Scene()] * 3)
    project = Project("main.tex", Draft({"main.tex": document("x")}))
    with Session(project, sandbox=fake, cores=2) as session:
        session.expect(project.draft)
        session.expect(project.draft.replace("main.tex", document("y")))
        assert len(fake.boxes[0].runs) == 1


@pytest.mark.tex
def test_a_killed_session_leaves_no_engine(sandbox: Sandbox, tmp_path: Path) -> None:
    script = (
        "import sys, time\n"
        "from texrepair import Project, Session\n"
        "from texrepair.project import Draft\n"
        "from texrepair.settings import Settings\n"
        "project = Project('main.tex', Draft({'main.tex': sys.argv[2]}))\n"
        "session = Session(project, Settings(sandbox=sys.argv[1]), cores=2)\n"
        "assert session.compile(session.project.draft).ok\n"
        "print('ready', flush=True)\n"
        "time.sleep(300)\n"
    )
    text = document("Hi\n\n\\label{a}\\ref{a}\n")
    child = subprocess.Popen([sys.executable, "-c", script, sandbox.name, text], stdout=subprocess.PIPE, cwd=tmp_path)
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    below = set(descendants(child.pid))
    assert any(b"xelatex" in command(pid) for pid in below)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    until = time.monotonic() + 60
    while any(command(pid) for pid in below):
        assert time.monotonic() < until
        os.sched_yield()


def descendants(pid: int) -> Iterator[int]:
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield int(child)
        yield from descendants(int(child))


def command(pid: int) -> bytes:
    """The command line of a process that still runs."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


# what a check starts from


@pytest.mark.tex
def test_an_edited_document_settles_in_one_pass(opened: Opened) -> None:
    text = document(
        "\\tableofcontents\n\\section{One}\\label{a}See \\ref{a}.\n\n\\cite{k}\n\n"
        "\\bibliographystyle{plain}\\bibliography{refs}"
    )
    session = opened({"main.tex": text, "refs.bib": BIB})
    assert session.compile(session.project.draft).ok
    result = session.compile(session.project.draft.replace("main.tex", text.replace("See", "Look at")))
    assert result.ok
    assert [done.program for done in result.passes] == ["xelatex", "xdvipdfmx"]
    assert not any(warning.kind.startswith("undefined") for warning in result.warnings)


@pytest.mark.tex
def test_another_bibliography_is_read_at_once(opened: Opened) -> None:
    text = document("\\cite{k}\n\\bibliographystyle{plain}\\bibliography{refs}")
    session = opened({"main.tex": text, "refs.bib": BIB})
    session.compile(session.project.draft)
    result = session.compile(session.project.draft.replace("refs.bib", BIB.replace("Bees", "Wasps")))
    assert result.ok
    assert b"asps" in result.generated["main.bbl"]
    assert [done.program for done in result.passes] == ["xelatex", "bibtex", "xdvipdfmx"]


@pytest.mark.tex
def test_a_guess_that_was_wrong_costs_a_pass(opened: Opened) -> None:
    text = document(
        "\\mention\n\\bibliographystyle{plain}\\bibliography{refs}\\iffalse\\cite{absent}\\fi",
        "\\def\\mention{\\cite{k}}",
    )
    result = opened({"main.tex": text, "refs.bib": BIB}).compile(Draft({"main.tex": text, "refs.bib": BIB}))
    assert result.ok
    assert b"bees" in result.generated["main.bbl"].lower()
    assert not any(warning.kind == "undefined-citation" for warning in result.warnings)


@pytest.mark.tex
def test_what_an_earlier_draft_generated_misleads_no_check(opened: Opened) -> None:
    text = document("\\newcommand\\name{x}\n\n\\tableofcontents\n\\section{\\name}\n\n", "")
    session = opened({"main.tex": text})
    assert session.compile(session.project.draft).ok
    # The old table of contents holds the macro, which is no more.
    renamed = session.project.draft.replace("main.tex", text.replace("\\name", "\\nomen"))
    assert session.check(renamed).ok
    assert session.compile(renamed).ok
