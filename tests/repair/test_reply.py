"""What is taken from an answer: the file and nothing else, or the reason why there is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.repair.reply import read_file, went_on

DOCUMENT = """% !TEX program = xelatex
\\documentclass{article}
\\usepackage{booktabs}
\\begin{document}
\\section{Results}
We measured 3.14 volts in 27 samples, as table 1 shows, and a further 12 in the second series of the year.
\\begin{verbatim}
```
\\end{document}
```
\\end{verbatim}
The mean is $\\bar x = 2.72$ and the spread is 0.05, which agrees with the theory of section 2 within its error.
\\end{document}
"""


def read(answer, original=DOCUMENT, *, main=True, cut=False):
    return read_file(answer, original, main=main, cut=cut)


@pytest.mark.parametrize(
    "answer",
    [
        DOCUMENT,
        f"```latex\n{DOCUMENT}```",
        f"````latex\n{DOCUMENT}````\n",
        f"Here is the corrected file:\n\n```tex\n{DOCUMENT}```\n\nI closed the brace in \\end{{document}}.",
        f"Sure!\n\n{DOCUMENT}\nLet me know if anything else is wrong.",
        f"~~~\n{DOCUMENT}~~~",
        DOCUMENT.replace("\n", "\r\n"),
        f"\n\n{DOCUMENT}",
    ],
)
def test_fences_and_chat_are_no_part_of_the_file(answer):
    assert read(answer).text == DOCUMENT
    assert read(answer).problem == ""


def test_of_two_documents_the_last_counts():
    fixed = DOCUMENT.replace("3.14", "3.15")
    answer = f"The file was:\n```\n{DOCUMENT}```\nCorrected:\n```\n{fixed}```\n"
    assert read(answer).text == fixed


def test_a_fragment_that_is_quoted_first_is_no_document():
    answer = f"You wrote\n```\n\\documentclass{{article}}\n```\nwhich is right.\n```\n{DOCUMENT}```\n"
    assert read(answer).text == DOCUMENT


def test_line_ends_the_mark_and_what_stands_behind_the_end_stay_as_they_are():
    original = "\ufeff" + DOCUMENT.replace("\n", "\r\n") + "% Local Variables:\r\n"
    fixed = DOCUMENT.replace("3.14", "3.15")
    assert read(fixed, original).text == original.replace("3.14", "3.15")


def test_a_last_line_without_an_end_stays_so():
    original = DOCUMENT.rstrip("\n")
    assert read(DOCUMENT + "\n", original).text == original


def test_what_stands_before_the_class_belongs_to_the_file():
    original = "\\begin{filecontents}{a.csv}\nx,y\n1,2\n\\end{filecontents}\n\\PassOptionsToPackage{x}{y}\n" + DOCUMENT
    assert read(f"Fixed:\n{original}", original).text == original


@pytest.mark.parametrize(
    "answer",
    [
        DOCUMENT[: DOCUMENT.index("The mean")],
        DOCUMENT[: DOCUMENT.index("The mean") + 30],
        "```latex\n" + DOCUMENT[: DOCUMENT.index("The mean")] + "```",
    ],
)
@pytest.mark.parametrize("cut", [True, False])
def test_an_answer_without_an_end_is_broken_off(answer, cut):
    got = read(answer, cut=cut)
    assert got.broken
    assert "\\end{document}" in got.problem


def test_the_limit_does_not_matter_once_the_file_is_whole():
    assert read(DOCUMENT + "Now I expl", cut=True).text == DOCUMENT


@pytest.mark.parametrize("answer", ["", " \n", "I am sorry, I cannot do that.", "{}", "\\section{Results}"])
def test_an_answer_that_holds_no_document(answer):
    got = read(answer)
    assert got.problem
    assert not got.broken
    assert not got.text


def test_an_answer_that_is_much_shorter_is_no_rewrite():
    got = read("\\documentclass{article}\n\\begin{document}\nShort.\n\\end{document}\n")
    assert "most of it is missing" in got.problem


@pytest.mark.parametrize(
    "line",
    ["% ... rest of the document unchanged ...", "% (the remaining sections are omitted)", "[...]", "% same as before"],
)
def test_a_placeholder_for_lines_is_no_line(line):
    answer = DOCUMENT.replace("We measured 3.14 volts in 27 samples, as table 1 shows, and a further 12", line)
    assert "placeholder" in read(answer).problem


def test_a_placeholder_that_the_author_wrote_is_one_of_his_lines():
    original = DOCUMENT.replace("\\section{Results}", "\\section{Results}\n% ... rest unchanged\n\n\n")
    assert read(original.replace("\n\n\n", "\n"), original).problem == ""


PART = "\\section{One}\nSome text with `code` in it.\n\\begin{verbatim}\n```\nx\n```\n\\end{verbatim}\nThe end.\n"


@pytest.mark.parametrize(
    "answer",
    [
        PART,
        f"```latex\n{PART}```",
        f"````\n{PART}````\nI changed nothing else.",
        f"Here is the corrected file:\n\n```latex\n{PART}```",
        f"Here is the corrected file:\n\n{PART}",
    ],
)
def test_a_file_that_is_no_main_file(answer):
    assert read(answer, PART, main=False).text == PART


def test_a_part_that_the_limit_cut_is_broken_off():
    assert read(PART[:60], PART, main=False, cut=True).broken


def test_going_on_joins_at_whole_lines():
    head = DOCUMENT[: DOCUMENT.index("spread")]
    kept, rest = DOCUMENT[: DOCUMENT.index("The mean")], DOCUMENT[DOCUMENT.index("The mean") :]
    assert went_on(head, rest) == DOCUMENT
    assert went_on(head, f"```latex\n{rest}```").startswith(DOCUMENT)
    assert went_on(head, f"Continuing from there:\n{rest}") == DOCUMENT
    # It repeats its last lines.
    again = "".join(kept.splitlines(keepends=True)[-3:])
    assert went_on(head, again + rest) == DOCUMENT
    # It begins anew.
    assert went_on(head, f"```\n{DOCUMENT}```") == f"```\n{DOCUMENT}```"


@given(st.integers(1, len(DOCUMENT) - 2))
@settings(max_examples=60, deadline=None)
def test_wherever_an_answer_breaks_off_it_is_never_taken_for_whole(at):
    got = read(DOCUMENT[:at], cut=True)
    assert got.problem or got.text == DOCUMENT


@given(st.text(max_size=80), st.text(max_size=80), st.booleans(), st.booleans())
@settings(max_examples=100, deadline=None)
def test_any_answer_is_read(answer, original, main, cut):
    got = read(answer, original, main=main, cut=cut)
    assert got.problem or not got.broken
    went_on(answer, original)
