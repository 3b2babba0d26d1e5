"""A session compiles for real: passes until the output is stable, tools when their input changed, errors at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from texrepair.compile import Session
from texrepair.errors import SandboxError, SettingsError
from texrepair.project import Draft, Project
from texrepair.result import CompileResult, Place
from texrepair.settings import Settings

pytestmark = pytest.mark.tex

Opened = Callable[..., Session]

BIB = "@article{k, author={A. Bee}, title={On Bees}, journal={J}, year=2000}\n"


def document(body: str, preamble: str = "", document_class: str = "article") -> str:
    return f"\\documentclass{{{document_class}}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def compiled(session: Session) -> CompileResult:
    return session.compile(session.project.draft)


def programs(result: CompileResult) -> list[str]:
    return [done.program for done in result.passes]


# a check


def test_a_clean_check(opened: Opened) -> None:
    session = opened({"main.tex": document("Hello")})
    result = session.check(session.project.draft)
    assert result.ok
    assert result.errors == ()
    assert result.pdf is None
    assert programs(result) == ["xelatex"]


def test_an_error_has_its_place(opened: Opened) -> None:
    session = opened({"main.tex": document("Hello\n\n\\nothing here"), "unused.tex": "x"})
    result = session.check(session.project.draft)
    assert not result.ok
    (error,) = result.errors
    assert (error.file, error.line, error.code, error.token) == (
        "main.tex", 6, "undefined-control-sequence", "\\nothing"
    )  # fmt: skip
    assert result.passes[0].exit_status == 1


def test_a_check_begins_without_what_a_failed_draft_wrote(opened: Opened) -> None:
    broken = document(
        "\\section{One}\n\\label{a}\\ref{a}\\immediate\\write\\csname @auxout\\endcsname{\\nothing}\\oops"
    )
    session = opened({"main.tex": broken})
    assert not session.check(session.project.draft).ok
    assert session.check(session.project.draft.replace("main.tex", document("Now right."))).ok


# passes


def test_one_pass_is_enough_for_a_plain_document(opened: Opened) -> None:
    result = compiled(opened({"main.tex": document("Hello")}))
    assert programs(result) == ["xelatex", "xdvipdfmx"]
    assert result.ok
    assert result.pdf is not None
    assert result.pdf.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_other_engines_write_the_pdf_themselves(opened: Opened, engine: str) -> None:
    result = compiled(opened({"main.tex": document("Hello")}, engine=engine))
    assert result.ok
    assert programs(result) == [engine]
    assert result.pdf is not None


def test_a_table_of_contents_settles(opened: Opened) -> None:
    result = compiled(opened({"main.tex": document("\\tableofcontents\n\\section{One}\n\\label{a}See \\ref{a}.")}))
    assert result.ok
    assert programs(result)[:2] == ["xelatex", "xelatex"]
    assert not any(warning.kind in ("rerun", "undefined-reference") for warning in result.warnings)
    assert result.objections == ()


def test_a_clean_check_is_the_first_pass(opened: Opened) -> None:
    session = opened({"main.tex": document("Hello")})
    session.check(session.project.draft)
    result = compiled(session)
    assert programs(result) == ["xelatex", "xdvipdfmx"]
    assert session.check(session.project.draft).passes == result.passes[:1]


def test_bibtex_runs_once_and_before_the_first_pass(opened: Opened) -> None:
    text = document("\\cite{k}\n\\bibliographystyle{plain}\n\\bibliography{refs}")
    result = compiled(opened({"main.tex": text, "refs.bib": BIB}))
    assert result.ok
    assert programs(result) == ["xelatex", "bibtex", "xelatex", "xdvipdfmx"]
    assert b"On Bees" in result.generated["main.bbl"].replace(b"bees", b"Bees")
    assert not any(warning.kind == "undefined-citation" for warning in result.warnings)


def test_biber_runs_once(opened: Opened) -> None:
    text = document("\\cite{k}\\printbibliography", "\\usepackage{biblatex}\\addbibresource{refs.bib}")
    result = compiled(opened({"main.tex": text, "refs.bib": BIB}))
    assert result.ok
    assert programs(result).count("biber") == 1
    assert programs(result).count("xelatex") <= 3
    assert not any(warning.kind == "undefined-citation" for warning in result.warnings)


def test_an_index_is_made(opened: Opened) -> None:
    text = document("A\\index{bee}\\printindex", "\\usepackage{makeidx}\\makeindex")
    result = compiled(opened({"main.tex": text}))
    assert result.ok
    assert programs(result) == ["xelatex", "makeindex", "xelatex", "xdvipdfmx"]
    assert b"bee" in result.generated["main.ind"]


def test_a_nomenclature_is_made_with_its_packages_style(opened: Opened) -> None:
    text = document("\\nomenclature{$c$}{speed}\\printnomenclature x", "\\usepackage{nomencl}\\makenomenclature")
    result = compiled(opened({"main.tex": text}))
    assert result.ok
    assert programs(result) == ["xelatex", "makeindex", "xelatex", "xdvipdfmx"]
    assert b"speed" in result.generated["main.nls"]


def test_glossaries_are_made(opened: Opened) -> None:
    preamble = "\\usepackage{glossaries}\\makeglossaries\\newglossaryentry{bee}{name=bee,description=an insect}"
    result = compiled(opened({"main.tex": document("\\gls{bee}\\printglossaries", preamble)}))
    assert result.ok
    assert "makeglossaries" in programs(result)
    assert b"bee" in result.generated["main.gls"]


def test_a_bbl_that_came_alone_is_used(opened: Opened) -> None:
    text = document("\\cite{k}\n\\bibliographystyle{plain}\n\\bibliography{refs}")
    bbl = "\\begin{thebibliography}{1}\\bibitem{k} A book.\\end{thebibliography}\n"
    result = compiled(opened({"main.tex": text, "main.bbl": bbl}))
    assert result.ok
    assert programs(result) == ["xelatex", "xelatex", "xdvipdfmx"]


FLIPS = (
    "\\makeatletter\\def\\page#1#2{#2}\\def\\flip{\\ifdefined\\r@a\\ifnum\\expandafter\\page\\r@a=1 ~\\newpage\\fi\\fi}"
)


def test_output_that_never_settles_is_an_objection(opened: Opened) -> None:
    result = compiled(opened({"main.tex": document("\\flip x\\label{a}", FLIPS)}))
    assert result.ok
    assert result.pdf is not None
    assert len(result.objections) == 1
    assert "never settles" in result.objections[0]
    assert "label a" in result.objections[0]
    assert programs(result).count("xelatex") <= 4


def test_passes_are_bounded(opened: Opened) -> None:
    grows = (
        "\\makeatletter\\providecommand\\last{0}"
        "\\AtEndDocument{\\immediate\\write\\@auxout{\\gdef\\string\\last{\\last1}}}"
    )
    result = compiled(opened({"main.tex": document("\\last", grows)}, max_passes=3))
    assert result.ok
    assert programs(result).count("xelatex") == 3
    assert "did not settle in 3 passes" in result.objections[0]


def test_chapters_in_folders(opened: Opened) -> None:
    files = {
        "main.tex": document("\\tableofcontents\\include{ch/one}\\include{ch/two}", document_class="report"),
        "ch/one.tex": "\\chapter{One}\n",
        "ch/two.tex": "\\chapter{Two}\\label{two}\\ref{two}\n",
    }
    assert compiled(opened(files)).ok


# errors of every kind end it


def test_an_error_of_the_second_pass(opened: Opened) -> None:
    text = document("\\tableofcontents\\addtocontents{toc}{\\string\\nothing}\\section{One}")
    session = opened({"main.tex": text})
    assert session.check(session.project.draft).ok
    result = compiled(session)
    assert not result.ok
    assert programs(result) == ["xelatex", "xelatex"]
    assert result.errors[0].token == "\\nothing"
    assert result.errors[0].file == "main.toc"
    assert result.errors[0].origin == Place("main.tex", 4)


def test_an_error_that_came_by_way_of_the_bibliography(opened: Opened) -> None:
    text = document("\\cite{k}\n\\bibliographystyle{plain}\n\\bibliography{refs}")
    bib = "@article{other, title={X}}\n\n@article{k, author={A},\n  title={Bees \\& more & honey},\n  year=2000}\n"
    result = compiled(opened({"main.tex": text, "refs.bib": bib}))
    assert not result.ok
    assert result.errors[0].file == "main.bbl"
    assert result.errors[0].origin == Place("refs.bib", 4)


def test_an_error_of_bibtex(opened: Opened) -> None:
    text = document("\\cite{k}\n\\bibliographystyle{plain}\n\\bibliography{refs}")
    result = compiled(opened({"main.tex": text, "refs.bib": BIB.replace("{On Bees}", "{On Bees")}))
    assert not result.ok
    assert programs(result) == ["xelatex", "bibtex"]
    assert result.errors
    assert all(error.tool == "bibtex" for error in result.errors)


def test_an_error_of_the_driver(opened: Opened) -> None:
    result = compiled(opened({"main.tex": document("Hi\\special{pdf:image (absent.png)}")}))
    assert not result.ok
    assert result.pdf is None
    assert programs(result) == ["xelatex", "xdvipdfmx"]
    assert result.errors[0].tool == "driver"


def test_no_pages(opened: Opened) -> None:
    result = compiled(opened({"main.tex": document("")}))
    assert not result.ok
    assert [error.code for error in result.errors] == ["no-pages"]


def test_a_document_that_reads_itself_ends(opened: Opened) -> None:
    result = compiled(opened({"main.tex": document("\\input{main}")}))
    assert not result.ok
    assert any(error.code == "capacity-exceeded" for error in result.errors)


def test_a_character_that_the_files_encoding_lacks(opened: Opened) -> None:
    session = opened({"main.tex": document("Hello")})
    draft = Draft({"main.tex": document("早")}, {"main.tex": "latin-1"})
    result = session.check(draft)
    assert not result.ok
    assert result.errors[0].token == "早"


# time


def test_an_endless_loop_is_interrupted_where_it_is(opened: Opened) -> None:
    result = compiled(opened({"main.tex": document("Hi\n\n\\def\\again{\\again}\\again")}, pass_seconds=6))
    assert not result.ok
    assert result.timed_out
    assert [(error.code, error.line) for error in result.errors if error.independent] == [("interrupted", 6)]


def test_a_deadline_bounds_a_pass(opened: Opened) -> None:
    session = opened({"main.tex": document("\\loop\\iftrue\\repeat")})
    result = session.check(session.project.draft, deadline=time.monotonic() + 1)
    assert result.timed_out
    assert result.errors[0].code == "interrupted"


def test_a_deadline_that_has_passed_starts_nothing(opened: Opened) -> None:
    session = opened({"main.tex": document("Hi")})
    result = session.compile(session.project.draft, deadline=time.monotonic() - 1)
    assert not result.ok
    assert result.timed_out
    assert [error.code for error in result.errors] == ["interrupted"]


# names


@pytest.mark.parametrize("name", ["图 (1).tex", "$(touch x).tex", "-shell-escape.tex", 'a\'b "c".tex', "x;y.txt"])
def test_an_odd_name_never_reaches_a_command_line(opened: Opened, name: str) -> None:
    session = opened({name: document("\\nothing")})
    result = session.check(session.project.draft)
    assert [(error.file, error.token) for error in result.errors] == [(name, "\\nothing")]
    assert compiled_after(session, name).ok


def compiled_after(session: Session, name: str) -> CompileResult:
    return session.compile(session.project.draft.replace(name, document("Right.")))


def test_a_main_file_in_a_folder(opened: Opened) -> None:
    session = opened({"src/main.tex": document("\\input{ch/one}"), "src/ch/one.tex": "\\nothing\n"})
    result = session.check(session.project.draft)
    assert [(error.file, error.line) for error in result.errors] == [("src/ch/one.tex", 1)]


def test_figures_with_odd_names(opened: Opened) -> None:
    png = (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde\0\0\0\x0cIDATx\x9cc\xf8\xcf\xc0\0"
        b"\0\3\1\1\0\xc9\xfe\x92\xef\0\0\0\0IEND\xaeB`\x82"
    )
    text = document("\\includegraphics{a folder/图 (1).png}", "\\usepackage{graphicx}")
    assert compiled(opened({"main.tex": text}, {"a folder/图 (1).png": png})).ok


# the session


def test_an_unknown_engine(opened: Opened) -> None:
    session = opened({"main.tex": document("Hi")})
    with pytest.raises(SettingsError, match="context"):
        session.check(session.project.draft, "context")


def test_the_pdf_goes_with_the_session(opened: Opened) -> None:
    session = opened({"main.tex": document("Hi")})
    pdf = compiled(session).pdf
    assert isinstance(pdf, Path)
    session.close()
    session.close()
    assert not pdf.exists()
    with pytest.raises(SandboxError):
        session.check(session.project.draft)


def test_a_result_without_a_sandbox_says_so() -> None:
    project = Project("main.tex", Draft({"main.tex": document("Hi")}))
    with Session(project, Settings(sandbox="none")) as session:
        result = session.check(project.draft)
    assert session.sandbox == "none"
    assert [warning.code for warning in result.warnings] == ["no-sandbox"]
    assert result.objections == ()


def test_two_sessions_do_not_disturb_each_other(opened: Opened) -> None:
    one, two = opened({"main.tex": document("One")}), opened({"main.tex": document("Two\\nothing")})
    assert one.check(one.project.draft).ok
    assert not two.check(two.project.draft).ok
    assert compiled(one).ok
