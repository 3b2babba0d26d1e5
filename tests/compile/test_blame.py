"""Which errors are not believed before a pass from nothing has said the same."""

from __future__ import annotations

import pytest

from texrepair.compile import blame
from texrepair.compile.passes import EnginePass
from texrepair.compile.recorder import Recorded
from texrepair.result import Diagnostic
from texrepair.sandboxes import Ran

FOUND = {"main.bbl": b"A"}
GUESSED = {"main.aux": b"\\relax\n\\newlabel{a}{{1}{1}}\n", "main.toc": b"\\contentsline {section}{A}{1}{}%\n"}
UNKNOWN = "undefined-control-sequence"


def done(*errors: Diagnostic, guessed: bool = True) -> EnginePass:
    names = frozenset(GUESSED) if guessed else frozenset[str]()
    return EnginePass("1", Ran(1), b"", Recorded(), GUESSED | FOUND, {}, errors, guessed=names)


def error(before: str = "", after: str = "", **fields: object) -> Diagnostic:
    return Diagnostic("error", "error", "Wrong", before=before, after=after, file="main.tex", line=4, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Diagnostic("error", "error", "Wrong", file="main.toc", line=1), True),
        (error(code=UNKNOWN, token="\\contentsline"), True),
        (error(code=UNKNOWN, token="\\content"), False),
        (error(code=UNKNOWN, token="\\n"), False),
        (error(code=UNKNOWN, token="\\wrong"), False),
        (error(code="environment-mismatch", token="section"), False),
        (Diagnostic("warning", "other", "Odd", file="main.toc", line=1), False),
    ],
)
def test_an_error_in_a_file_that_was_found_or_about_what_it_says(found: Diagnostic, expected: bool) -> None:
    assert blame.files(done(found), GUESSED.keys(), str) is expected
    assert not blame.files(done(found), (), str)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (error("x\\footnotemark[\\getrefnumber{a}]"), True),
        (error("As \\autocite[p.~3]{k} "), True),
        (error("\\tableofcontents"), True),
        (error("", context=("\\@setref #1#2#3->\\ifx #1\\relax",)), True),
        (error("", context=("\\refstepcounter #1->\\stepcounter {#1}",)), False),
        (error("See \\ref{a} and a_"), False),
        (error("See \\cite{a}\\refs", code=UNKNOWN, token="\\refs"), False),
        (error("\\section{A}"), False),
    ],
)
def test_an_error_where_a_reference_is_printed(found: Diagnostic, expected: bool) -> None:
    assert blame.guesses(done(found)) is expected
    assert not blame.guesses(done(found, guessed=False))


def test_an_error_in_the_head_of_every_page_stands_where_pages_end() -> None:
    head = {"code": UNKNOWN, "token": "\\wrong", "context": ("\\head ->\\wrong \\strut",)}
    assert blame.guesses(done(error("one", **head), error("two", **head)))
    assert not blame.guesses(done(error("one", **head)))
    assert not blame.guesses(done(error("\\head", **head), error("x", "\\head", **head)))


def test_what_bibtex_made_of_the_draft_is_its_own() -> None:
    bbl = Diagnostic("error", "error", "Wrong", file="main.bbl", line=1)
    assert not blame.files(done(bbl), GUESSED.keys(), str)


def test_an_earlier_draft_may_have_left_any_character() -> None:
    odd = error(code="invalid-character", token="A")
    assert blame.files(done(odd, guessed=False), GUESSED.keys(), str)
    assert not blame.files(done(odd), GUESSED.keys(), str)


def test_what_is_written_with_the_last_page_is_expanded_at_the_end_of_the_document() -> None:
    end = "\\end{document}"
    assert blame.guesses(done(error(end, code="runaway-argument", token="\\@gobble")))
    assert not blame.guesses(done(error(end, code="environment-mismatch", token="figure")))
