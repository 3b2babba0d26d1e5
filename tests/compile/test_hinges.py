"""Documents that do more with references and lists than print them start from nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from texrepair.compile import Session
from texrepair.compile.hinges import hinges
from texrepair.project import Draft, Project
from texrepair.result import CompileResult
from texrepair.sandboxes import Sandbox
from texrepair.settings import Settings

Opened = Callable[..., Session]

TESTS = {
    "a number": "x\\footnote{\\label{a}f}\\footnotemark[\\getrefnumber{a}]",
    "a counter": "\\begin{enumerate}\\item\\label{a}\\end{enumerate}\\newcounter{q}\\setcounterref{q}{a}\\theq",
    "a page": "\\ifnum\\getpagerefnumber{a}=1 \\else\\newpage\\fi\\label{a}x",
    "a label that keeps itself": "\\makeatletter\\@ifundefined{r@a}{none}{there\\label{a}}\\ref{a}\\makeatother",
    "an error without a label": "\\label{a}\\expandafter\\ifx\\csname r@a\\endcsname\\relax\\wrong\\fi\\ref{a}",
    "a list of no items": "\\section{A}\\makeatletter\\begin{itemize}\\@starttoc{toc}\\end{itemize}\\tableofcontents",
    "no files": "\\nofiles\\tableofcontents\\section{A}\\label{a}\\ref{a}",
    "a file": "\\section{A}\\label{a}\\ref{a}\\IfFileExists{\\jobname.aux}{}{\\wrong}",
}
PRINTS = [
    "\\tableofcontents\\section{A}\\label{a}See \\ref{a} on page~\\pageref{a}.",
    "\\newcommand\\fig[1]{Figure~\\ref{#1}}\\ifx\\a\\b x\\fi",
    "Write to error@example.org or r.r@example.org.",
    "\\input{\\jobname.def}\\bibliography{\\jobname}",
    "\\begin{itemize}\\item x\\end{itemize}\n\n\\makeatletter\\@starttoc{toc}",
]


@pytest.mark.parametrize("body", [*TESTS.values(), "\\IfFileExists{main.toc}{}{}", "\\edef\\x{\\pageref{a}}"])
def test_what_is_tested(body: str) -> None:
    assert hinges({"main.tex": "", "part.tex": body}, "main")


@pytest.mark.parametrize("body", PRINTS)
def test_what_is_printed(body: str) -> None:
    assert not hinges({"main.tex": body, "refs.bib": "@article{r@a}"}, "main")


@pytest.mark.tex
@pytest.mark.parametrize("kind", TESTS)
def test_the_result_is_that_of_passes_from_nothing(
    kind: str, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")

    def compiled(guesses: bool) -> tuple[CompileResult, bytes]:
        preamble = "\\documentclass{article}\n\\usepackage{refcount}\n\\begin{document}\n"
        text = f"{preamble}{TESTS[kind]}\n\\end{{document}}\n"
        project = Project("main.tex", Draft({"main.tex": text}), engine="pdflatex")
        with monkeypatch.context() as patch, Session(project, Settings(), sandbox=sandbox) as session:
            if not guesses:
                patch.setattr("texrepair.compile.guess.guessed", lambda *given: {})
            result = session.compile(project.draft)
            return result, b"" if result.pdf is None else result.pdf.read_bytes()

    (one, pages), (other, expected) = compiled(True), compiled(False)
    assert pages == expected
    assert one.ok == other.ok
    assert one.diagnostics == other.diagnostics
    assert len(one.passes) == len(other.passes)
