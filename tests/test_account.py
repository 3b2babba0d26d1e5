"""What a person reads about a build."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from texrepair.account import account
from texrepair.result import BuildResult, Diagnostic, Round, Status, Usage

GOOD = BuildResult(Status.SUCCESS, "It compiles as it is.", "a.tex", "xelatex", Path("a.pdf"))
BAD = replace(GOOD, status=Status.ESCALATE, pdf=None)


def open_end(kind: str, token: str) -> Diagnostic:
    return Diagnostic("warning", kind, f"LaTeX Warning: {token} undefined", kind, token=token)


REFERENCES = [open_end("undefined-reference", token) for token in ("fig:a", "fig:b", "fig:a")]
CITATION = open_end("undefined-citation", "knuth")


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ([*REFERENCES, CITATION], "2 references and 1 citation are undefined: they show as ?? in the PDF"),
        ([CITATION], "1 citation is undefined: it shows as ?? in the PDF"),
        ([open_end("missing-character", "鐵")], "1 character is missing in the fonts and in the PDF"),
        (
            [*REFERENCES[:1], open_end("missing-character", "a"), open_end("missing-character", "b")],
            "1 reference is undefined: it shows as ?? in the PDF; 2 characters are missing in the fonts and in the PDF",
        ),
    ],
)
def test_a_success_says_what_the_document_still_lacks(found: list[Diagnostic], says: str) -> None:
    assert f"  {says}" in account(replace(GOOD, diagnostics=tuple(found)))


def test_what_lacks_nothing_says_nothing_and_a_failure_has_other_troubles() -> None:
    summary = Diagnostic("warning", "undefined-reference", "LaTeX Warning: There were undefined references")
    assert len(list(account(replace(GOOD, diagnostics=(summary,))))) == 1
    assert len(list(account(replace(BAD, diagnostics=(CITATION,))))) == 1


@pytest.mark.parametrize(
    ("usage", "says"),
    [
        (Usage(seconds=2.0), "refused by the guard: lost"),
        (Usage(900, None, 300, 2.0), "refused by the guard (900 tokens in, 300 out, 2.0 s): lost"),
        (Usage(900, 800, 300, 2.0, 0.0125), "guard (900 tokens in (800 of them cached), 300 out, 2.0 s, cost 0.0125)"),
        (Usage(None, None, 300, 2.0), "(? tokens in, 300 out, 2.0 s)"),
    ],
)
def test_a_round_says_what_it_used(usage: Usage, says: str) -> None:
    done = Round(1, "refused by the guard", "lost", usage=usage)
    assert any(says in line for line in account(replace(BAD, rounds=(done,))))


def test_an_error_names_its_token() -> None:
    error = Diagnostic("error", "error", "Undefined control sequence", file="a.tex", line=3, token="\\nosuch")
    assert "  a.tex:3: error: Undefined control sequence: \\nosuch" in account(replace(BAD, diagnostics=(error,)))


def test_files_that_were_kept_are_named() -> None:
    result = replace(GOOD, delivered={"kept:out/a.pdf": Path("out/a.pdf.orig")})
    assert "  out/a.pdf was there already and is kept as out/a.pdf.orig" in account(result)
