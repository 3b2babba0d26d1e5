"""A diagnostic is shown as editors parse it, with the lines that it is about."""

from __future__ import annotations

from texrepair.diagnosis import diagnose
from texrepair.diagnosis.show import column, lines
from texrepair.result import Diagnostic, Place

TEXT = "\\begin{document}\nSome \\foo text\n\\end{document}\n"


def shown(*found, texts=None, **more):
    return "\n".join(lines(found, texts if texts is not None else {"main.tex": TEXT}, **more))


def error(**more):
    given = {"file": "main.tex", "line": 2, "token": "\\foo", "before": "Some \\foo", "explanation": "It is not known."}
    return Diagnostic(
        "error", "error", "Undefined control sequence", code="undefined-control-sequence", **{**given, **more}
    )


def test_an_error_has_its_place_its_line_a_marker_and_an_explanation():
    assert shown(error(), answers={"undefined-control-sequence": ("misspelt-name", "package-not-loaded")}) == (
        "main.tex:2:6: error: Undefined control sequence: \\foo\n"
        "  1 | \\begin{document}\n"
        "  2 | Some \\foo text\n"
        "    |      ^^^^\n"
        "  3 | \\end{document}\n"
        "    It is not known.\n"
        "    Rules that answer it: misspelt-name, package-not-loaded"
    )


def test_without_its_source_an_error_is_one_line_and_what_it_means():
    assert shown(error(), texts={}) == "main.tex:2:6: error: Undefined control sequence: \\foo\n    It is not known."


def test_a_cut_context_is_found_in_its_line():
    long = "x" * 100 + " \\foo end"
    assert column(error(before="...xxx \\foo"), {"main.tex": f"a\n{long}\n"}) == 102


def test_a_token_in_an_argument_is_marked_where_it_stands():
    text = "a\n\\section{A \\foo{} title}\n"
    assert column(error(before="\\section{A \\foo{} title}"), {"main.tex": text}) == 12


def test_the_marker_stands_under_wide_characters_and_tabs():
    out = shown(error(before="\t引言 \\foo"), texts={"main.tex": "a\n\t引言 \\foo b\n"}).splitlines()
    assert out[2] == "  2 |     引言 \\foo b"
    assert out[3] == "    |          ^^^^"


def test_control_characters_are_made_visible():
    out = shown(error(before="Some \x1b[31m\\foo"), texts={"main.tex": "a\nSome \x1b[31m\\foo\n"})
    assert "\x1b" not in out
    assert "Some \\x1b[31m\\foo" in out


def test_what_follows_from_an_earlier_error_says_so():
    assert shown(error(independent=False)) == (
        "main.tex:2:6: error: Undefined control sequence: \\foo\n    This follows from an error before it."
    )


def test_the_origin_has_a_line_that_editors_parse():
    assert "macros.tex:7: note: the cause is probably here" in shown(error(origin=Place("macros.tex", 7)))


def test_warnings_come_after_errors_and_take_one_line():
    box = diagnose(
        "Overfull \\hbox (3.0pt too wide) in paragraph at lines 4--5\n[]\\OT1/cmr/m/n/10 x\n []\n\n"
    ).warnings[0]
    out = shown(box, error()).splitlines()
    assert out[0].startswith("main.tex:2:6: error:")
    assert out[-1] == "tex:4: warning: Overfull \\hbox (3.0pt too wide) in paragraph at lines 4--5"


def test_a_report_without_a_line_has_none():
    assert shown(error(line=None, before="")).startswith("main.tex: error: Undefined")


def test_every_piece_has_its_style():
    out = shown(error(), style=lambda role, text: f"<{role}>{text}</{role}>")
    assert "<place>main.tex:2:6:</place> <error>error:</error>" in out
    assert "<marker>    |      ^^^^</marker>" in out
