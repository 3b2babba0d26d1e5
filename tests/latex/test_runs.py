"""Which stretch of a text is a formula."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.latex import lex
from texrepair.latex.runs import likeness, run_around, run_from, run_to


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("The slope is \\beta = 24.1 litres", "\\beta = 24.1"),
        ("A stock of 2.0 \\times 10^{-2} mol", "2.0 \\times 10^{-2}"),
        ("within \\pm 0.002. The", "\\pm 0.002"),
        ("where \\epsilon is largest", "\\epsilon"),
        ("the factor \\frac{V_0}{V_1}, and", "\\frac{V_0}{V_1}"),
        ("a \\alpha is", "\\alpha"),
        ("set x = \\alpha + 1 and go", "x = \\alpha + 1"),
        ("f(\\theta) is", "f(\\theta)"),
        ("in 2010 \\alpha", "\\alpha"),
        ("as n \\to \\infty, we", "n \\to \\infty"),
        ("let x \\in A be", "x \\in A"),
    ],
)
def test_a_formula_takes_what_it_needs_and_no_words(text: str, run: str) -> None:
    source = lex(text, part="body")
    command = next(c for c in source.commands)
    start, end = run_around(source, command.start, command.end)
    assert text[start:end] == run


def test_a_formula_stays_in_its_cell_and_group() -> None:
    text = "a \\textbf{x \\times 2} & 3 \\times 4 \\\\"
    source = lex(text, part="body")
    first, second = source.command_named("times")
    assert text[slice(*run_around(source, first.start, first.end))] == "x \\times 2"
    assert text[slice(*run_around(source, second.start, second.end))] == "3 \\times 4"


def test_where_a_formula_ends_that_begins_here() -> None:
    for text, run in (("n=4\\to 2 & 486", "n=4\\to 2"), ("p>1 the integral", "p>1"), ("words first", "")):
        assert text[: run_from(text, 0, len(text))] == run


def test_where_a_formula_begins_that_ends_here() -> None:
    text = "for all x \\in A"
    assert text[run_to(text, 0, len(text)) :] == "x \\in A"


def test_formulas_are_told_from_prose() -> None:
    assert likeness("x_1 + \\alpha^2") > 0.9
    assert likeness("\\text{for all} x") > 0.9
    assert likeness(" per household, less than half of ") < 0.2


@given(st.text(alphabet="ab1 \\{}$_^=+&\n中(", max_size=40), st.integers(0, 40))
@settings(max_examples=150, deadline=None)
def test_a_run_lies_around_its_place(text: str, at: int) -> None:
    at = min(at, len(text))
    assert at <= run_from(text, at, len(text)) <= len(text)
    assert 0 <= run_to(text, 0, at) <= at
    source = lex(text, part="body")
    for command in source.commands:
        start, end = run_around(source, command.start, command.end)
        assert 0 <= start <= command.start and command.end <= end <= len(text)
