"""From what TeX shows of a far-reported error back to where it begins."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.project import Draft
from texrepair.result import CompileResult, Diagnostic, Place
from texrepair.tracing import traced

MAIN = "main.tex"


def origin_of(error: Diagnostic, **texts: str) -> Place | None:
    draft = Draft({name.replace("_", "."): text for name, text in texts.items()})
    return traced(CompileResult(False, (error,)), draft, MAIN).errors[0].origin


def runaway(shown: str, file: str | None = MAIN, line: int | None = None) -> Diagnostic:
    context = ("Runaway argument?", shown)
    return Diagnostic("error", "error", "Runaway", code="runaway-argument", file=file, line=line, context=context)


def test_a_runaway_argument_is_found_where_it_begins() -> None:
    text = "One.\n\nA \\footnote{About 50\\,% of\nthe rows.\n\nMore.\n"
    assert origin_of(runaway("{About 50\\,the rows. \\par More."), main_tex=text) == Place(MAIN, 3)
    assert origin_of(runaway("{About 60\\,the rows. \\par More."), main_tex=text) is None


def test_blanks_that_tex_adds_and_line_ends_that_it_drops_do_not_matter() -> None:
    text = "\\section{A \\textbf{bold}\nword and so on\n"
    assert origin_of(runaway("{A \\textbf {bold} word and so on \\par "), main_tex=text) == Place(MAIN, 1)


def test_the_last_such_place_before_the_report_counts() -> None:
    text = "\\emph{the same words}\n\n\\emph{the same words\n\n\\emph{the same words}\n"
    assert origin_of(runaway("{the same words", line=4), main_tex=text) == Place(MAIN, 3)


def test_a_runaway_argument_may_stand_in_another_file() -> None:
    error = runaway("{Harvest weight by bed", line=9)
    assert origin_of(error, main_tex="\\input{a}\n", a_tex="x\n\\caption{Harvest weight by bed\n") == Place("a.tex", 2)


def test_an_environment_begins_where_the_message_says() -> None:
    error = Diagnostic(
        "error", "error", "mismatch", code="environment-mismatch", file=MAIN, line=9, detail={"begun": "3"}
    )
    assert origin_of(error, main_tex="\n" * 10) == Place(MAIN, 3)


def test_an_environment_may_begin_in_a_file_that_has_been_left() -> None:
    error = Diagnostic(
        "error", "error", "x", code="environment-mismatch", file=MAIN, line=9, token="quote", detail={"begun": "3"}
    )
    assert origin_of(error, main_tex="\n" * 10, a_tex="\n\n\\begin{quote}\n") == Place("a.tex", 3)
    assert origin_of(error, main_tex="\n\n\\begin{quote}\n" + "\n" * 9, a_tex="\n\n\\begin{quote}\n") == Place(MAIN, 3)


def test_an_origin_that_is_known_stays() -> None:
    known = Diagnostic("error", "error", "x", code="runaway-argument", origin=Place("b.tex", 7))
    assert origin_of(known, main_tex="x") == Place("b.tex", 7)


@given(st.text(max_size=60), st.text(max_size=60), st.integers(-2, 99) | st.none())
@settings(max_examples=80, deadline=None)
def test_whatever_is_shown_the_line_found_is_one_of_the_file(shown: str, text: str, line: int | None) -> None:
    found = origin_of(runaway(shown, line=line), main_tex=text)
    assert found is None or found.line is None or 1 <= found.line <= text.count("\n") + text.count("\r") + 1
