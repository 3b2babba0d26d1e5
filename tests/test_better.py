"""Which of two verified drafts got further."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.better import better, compared
from texrepair.latex.places import line_of, line_starts, moved, stopped_at
from texrepair.project import Draft
from texrepair.result import CompileResult, Diagnostic, Pass, Place, Tool

MAIN = "main.tex"


def error(line: int | None, code: str = "undefined-control-sequence", **more: object) -> Diagnostic:
    return replace(Diagnostic("error", "error", code, code=code, file=MAIN, line=line), **more)


def found(*errors: Diagnostic, stopped_for: str | None = None, engines: int = 1) -> CompileResult:
    passes = tuple(Pass("xelatex", 0.1, 1, stopped_for=stopped_for) for _ in range(engines))
    return CompileResult(ok=not errors and not stopped_for, diagnostics=errors, passes=passes)


def draft(text: str = "\n".join(f"line {n}" for n in range(1, 60)), **files: str) -> Draft:
    return Draft({MAIN: text, **{name.replace("_", "."): body for name, body in files.items()}})


def further(new: CompileResult, old: CompileResult, after: Draft | None = None, before: Draft | None = None) -> bool:
    after, before = after or draft(), before or draft()
    forth = better(new, old, after=after, before=before, main=MAIN)
    back = better(old, new, after=before, before=after, main=MAIN)
    assert not (forth and back)
    return forth


def test_a_finished_run_is_better_than_any_with_errors() -> None:
    assert further(found(), found(error(3)))
    assert not further(found(error(3)), found())
    assert not further(found(), found())


def test_the_place_of_the_first_error_comes_before_the_number_of_errors() -> None:
    many = [error(n) for n in range(30, 40)]
    assert further(found(*many), found(error(3)))
    assert not further(found(error(3)), found(*many))


def test_at_the_same_place_fewer_independent_errors_are_better() -> None:
    assert further(found(error(3)), found(error(3), error(9)))
    dependent = error(9, independent=False)
    assert not further(found(error(3)), found(error(3), dependent))


def test_the_same_errors_are_not_better() -> None:
    assert not further(found(error(3), error(5)), found(error(3), error(5)))


def test_an_error_that_both_have_does_not_hide_progress_behind_it() -> None:
    assert further(found(error(3), error(40), error(41)), found(error(3), error(20)))


def test_lines_that_an_edit_shifted_are_still_the_same_place() -> None:
    before = draft("a\nb\nc\nd\n")
    after = draft("new\na\nb\nc\nd\n")
    assert not further(found(error(4)), found(error(3)), after, before)
    assert further(found(error(5)), found(error(3)), after, before)


def test_within_a_line_the_column_tells() -> None:
    text = r"one \aa two \bb three"
    old = found(error(1, token="\\aa", before=r"one \aa"))
    new = found(error(1, token="\\bb", before=r"one aa two \bb"))
    assert further(new, old, draft(r"one aa two \bb three"), draft(text))


def test_a_chapter_stands_where_it_is_read() -> None:
    main = "x\n\\input{one}\ny\n\\include{two}\nz"
    files = draft(main, one_tex="1\n2\n3", two_tex="1\n2\n3")
    one, two = error(2, file="one.tex"), error(1, file="./two.tex")
    assert further(found(two), found(one), files, files)
    assert further(found(error(3)), found(one), files, files)
    assert further(found(two), found(error(3)), files, files)
    assert further(found(error(5)), found(two), files, files)


def test_a_package_is_read_in_the_preamble() -> None:
    files = draft("\\documentclass{article}\n\\usepackage{own}\n\\begin{document}\nx", own_sty="a\nb")
    assert further(found(error(4)), found(error(2, file="own.sty")), files, files)
    system = error(900, file="/usr/share/texmf/tex/latex/base/article.cls")
    assert further(found(error(2, file="own.sty")), found(system), files, files)


def test_a_file_of_the_system_stands_where_a_source_reads_it() -> None:
    main = "\\documentclass{own}\n\\begin{document}\nx"
    before = draft(main, own_cls="\\LoadClass{article}\n\\input{glyphs}\n\\font\\x=y\n")
    after = before.replace("own.cls", "\\LoadClass{article}\n\\font\\x=y\n")
    system = error(7, file="/usr/share/texmf/tex/generic/glyphs.tex")
    assert compared(found(error(2, file="own.cls")), found(system), after=after, before=before, main="main.tex").better


@pytest.mark.parametrize(
    ("earlier", "later"), [("tex", "bibtex"), ("tex", "biber"), ("bibtex", "driver"), ("tex", "driver")]
)
def test_the_later_program_got_further(earlier: Tool, later: Tool) -> None:
    assert further(found(error(None, tool=later)), found(error(50, tool=earlier)))


def test_a_later_pass_is_further_than_the_bibliography() -> None:
    assert further(found(error(2), engines=2), found(error(None, tool="bibtex"), engines=1))
    assert further(found(error(None, tool="driver"), engines=2), found(error(50), engines=2))


def test_an_interrupted_run_is_worse_than_errors() -> None:
    assert further(found(error(3), error(5)), found(error(40), stopped_for="time"))
    assert not further(found(error(40), stopped_for="time"), found(error(3), error(5)))


def test_a_run_that_hangs_beyond_where_the_old_one_stopped_is_further() -> None:
    old = found(error(2, "package-not-found"), error(2, "emergency-stop"))
    assert further(found(error(40, "interrupted"), stopped_for="time"), old)


def test_a_run_that_an_open_argument_swallowed_got_no_further_than_its_beginning() -> None:
    runaway = error(None, "runaway-argument", origin=Place(MAIN, 10))
    old = found(error(5), runaway, error(None, "emergency-stop"))
    assert further(found(error(5), error(40, "interrupted"), stopped_for="time"), old)
    assert not further(found(error(5), error(8, "interrupted"), stopped_for="time"), old)


def test_an_error_reported_far_from_its_cause_counts_from_the_cause_on() -> None:
    old = found(error(50, "runaway-argument", origin=Place(MAIN, 10)))
    assert further(found(error(20), error(30)), old)
    assert not further(found(error(8)), old)


def test_the_same_far_error_again_is_no_progress() -> None:
    old = found(error(50, "runaway-argument", origin=Place(MAIN, 10)))
    assert not further(found(error(50, "runaway-argument")), old)


def test_input_lines_named_in_messages_shift_too() -> None:
    old = found(error(4, message=r"\begin{center} on input line 3 ended by \end{figure}"))
    new = found(error(5, message=r"\begin{center} on input line 4 ended by \end{figure}"))
    assert not further(new, old, draft("0\n1\n2\n3\n4\n5"), draft("1\n2\n3\n4\n5"))


def test_what_lies_beyond_an_early_stop_was_only_uncovered() -> None:
    old = found(error(2, "package-not-found"), error(2, "emergency-stop"))
    comparison = compared(found(error(20), error(30)), old, after=draft(), before=draft(), main=MAIN)
    assert comparison.better and comparison.uncovered and comparison.clear


def test_what_an_early_stop_hid_is_further_even_if_it_began_before_the_cure() -> None:
    mismatch = found(error(50, "environment-mismatch", origin=Place(MAIN, 17)))
    halted = found(error(None, "emergency-stop", origin=Place(MAIN, 20)))
    assert further(mismatch, halted)
    assert not further(halted, mismatch)
    assert not compared(mismatch, halted, after=draft(), before=draft(), main=MAIN).clear


def test_new_errors_in_what_was_read_before_are_not_clear() -> None:
    comparison = compared(found(error(20)), found(error(2)), after=draft(), before=draft(), main=MAIN)
    assert comparison.better and not comparison.clear
    assert [d.line for d in comparison.fresh] == [20]
    assert [d.line for d in comparison.gone] == [2]


@given(st.text(alphabet="ab\n\r", max_size=40), st.text(alphabet="ab\n\r", max_size=40))
@settings(max_examples=60, deadline=None)
def test_places_move_in_order_and_stay_inside(before: str, after: str) -> None:
    place = moved(before, after)
    now = [place(offset) for offset in range(len(before) + 1)]
    assert now == sorted(now)
    assert all(0 <= offset <= len(after) for offset in now)


@given(st.text(alphabet="abc d\n", max_size=60), st.integers(0, 60), st.text(alphabet="xyz\n", max_size=5))
@settings(max_examples=60, deadline=None)
def test_an_insertion_shifts_what_comes_after(text: str, at: int, new: str) -> None:
    at = min(at, len(text))
    place = moved(text, text[:at] + new + text[at:])
    assert place(len(text)) in (len(text), len(text) + len(new))
    assert place(0) == 0 or at == 0


@given(st.text(max_size=80), st.integers(-3, 90), st.text(max_size=10))
@settings(max_examples=60, deadline=None)
def test_any_report_finds_a_place(text: str, line: int, before: str) -> None:
    assert 0 <= stopped_at(text, line, before) <= len(text)


def test_lines_are_counted_as_tex_counts_them() -> None:
    text = "a\r\nb\rc\nd"
    assert line_starts(text) == (0, 3, 5, 7)
    assert [line_of(text, offset) for offset in (0, 3, 5, 7)] == [1, 2, 3, 4]


def test_where_tex_stopped() -> None:
    text = "one\n  two \\foo three\nfour"
    assert text[: stopped_at(text, 2, "  two \\foo")].endswith("\\foo")
    assert text[: stopped_at(text, 2, "...wo \\foo")].endswith("\\foo")
    assert stopped_at(text, None) == len(text)
    assert stopped_at(text, 2, "not there") == text.index("\nfour")
