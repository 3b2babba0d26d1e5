"""The excerpt is what a model is shown of a log; the fingerprint says what the same error is."""

# Logs have long lines.
# ruff: noqa: E501
from __future__ import annotations

import pytest

from texrepair.diagnosis import diagnose, excerpt, fingerprint
from texrepair.result import Diagnostic


def error(message="Undefined control sequence", line=3, token="\\foo", before="Text \\foo", **more):
    return Diagnostic("error", "error", message, file="main.tex", line=line, token=token, before=before, **more)


CASES = [
    ("nothing", (), "", ""),
    ("warnings alone", (Diagnostic("warning", "overfull", "Overfull \\hbox"),), "", ""),
    (
        "a bare message takes its token into the fingerprint",
        (error(),),
        "! Undefined control sequence.\nl.3 Text \\foo",
        "! Undefined control sequence. \\foo",
    ),
    (
        "a token that the line does not show stands behind the message",
        (error(before="\\section"),),
        "! Undefined control sequence. \\foo\nl.3 \\section",
        "! Undefined control sequence. \\foo",
    ),
    (
        "a message that names its token stays as it is",
        (error("LaTeX Error: Environment x undefined", token="x", before="\\begin{x}"),),
        "! LaTeX Error: Environment x undefined.\nl.3 \\begin{x}",
        "! LaTeX Error: Environment x undefined.",
    ),
    (
        "independent errors first",
        (error("Missing $ inserted", 4, None, "", independent=False), error(line=9)),
        "! Undefined control sequence.\nl.9 Text \\foo\n! Missing $ inserted.\nl.4",
        "! Undefined control sequence. \\foo",
    ),
    (
        "what says the same again comes after what is new",
        (error(), error(line=7), error("Double subscript", 8, None, "$x_1_")),
        "! Undefined control sequence.\nl.3 Text \\foo\n! Double subscript.\nl.8 $x_1_\n! Undefined control sequence.\nl.7 Text \\foo",
        "! Undefined control sequence. \\foo",
    ),
    (
        "a runaway text stands above its error",
        (error("Paragraph ended before \\x was complete", 5, "\\x", "", context=("Runaway argument?", "{never ")),),
        "Runaway argument?\n{never \n! Paragraph ended before \\x was complete.\nl.5",
        "! Paragraph ended before \\x was complete.",
    ),
    (
        "an emergency stop says why",
        (error("Emergency stop", None, None, "", detail={"reason": "job aborted, no legal \\end found"}),),
        "! Emergency stop.\n*** (job aborted, no legal \\end found)",
        "! Emergency stop.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "found", "text", "print_"), CASES, ids=[case[0] for case in CASES])
def test_excerpt_and_fingerprint(name, found, text, print_):
    assert excerpt(found) == text
    assert fingerprint(found) == print_


def test_an_excerpt_is_cut_between_errors_and_never_longer_than_1800_characters():
    many = [error(f"Package demo Error: number {i} " + "x" * 90, i, None, f"line {i}") for i in range(1, 60)]
    text = excerpt(many)
    assert 1600 < len(text) <= 1800
    assert text.count("! ") == text.count("\nl.") == 13
    assert text.endswith("l.13 line 13")


def test_a_file_name_is_taken_as_it_is():
    found = Diagnostic("error", "error", "See /tmp/biber_tmp_a/b.utf8, line 3", file="a\\nb.bib", line=3, tool="biber")
    assert fingerprint([found]) == "! See a\\nb.bib, line 3."


def test_one_endless_message_is_cut():
    assert len(excerpt([error("x" * 5000)])) == 1800
    assert fingerprint([error("x" * 5000)]) == "! " + "x" * 118


def test_both_forms_of_a_log_give_the_same_excerpt():
    plain = "! Undefined control sequence.\nl.3 Text \\foo\n             \n\n"
    placed = plain.replace("! ", "./main.tex:3: ")
    assert excerpt(diagnose(plain).diagnostics) == excerpt(diagnose(placed).diagnostics)
    assert excerpt(diagnose(plain).diagnostics) == "! Undefined control sequence.\nl.3 Text \\foo"


def test_the_name_of_biber_s_copy_does_not_change_the_fingerprint():
    log = "INFO - This is Biber 2.18\nINFO - Found BibTeX data source 'refs.bib'\nERROR - BibTeX subsystem: /tmp/biber_tmp_{0}/{0}.utf8, line 3, syntax error: x\n"
    one, two = diagnose(log.format("abcd")), diagnose(log.format("wxyz"))
    assert fingerprint(one.diagnostics) == fingerprint(two.diagnostics)
    assert "refs.bib, line 3" in fingerprint(one.diagnostics)
