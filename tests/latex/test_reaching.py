"""What reaches beyond a document is seen, in time that grows with the text alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.latex.reaching import reaching


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\\immediate\\write18{x}", {"\\write": 1}),
        ("% \\write18{x}", {}),
        ("100\\% \\write18{x}", {"\\write": 1}),
        ("\\\\% \\write18{x}", {}),
        ("\\writer \\newwrite\\f \\openin@x", {}),
        ("\\begin{luacode}x\\end{luacode}", {"\\luacode": 1}),
        ("\\input { |date }", {"a pipe in \\input": 1}),
        ("\\inputminted[linenos]{py}{/a/b.py}", {"an absolute path in \\inputminted": 1}),
        ("\\input{a/b} \\input{../c} \\includegraphics[width=1cm]{d}", {}),
        ("^^5cwrite18", {"a character as ^^": 1}),
        ("\\typeout{a^^Jb}", {}),
    ],
)
def test_what_is_seen(text: str, found: dict[str, int]) -> None:
    assert reaching(text) == found


@pytest.mark.parametrize("piece", ["\\input ", "\\input[", "\\input{a}{", "\\\\", "%", "^^", "\\begin{"])
def test_long_repetitions_take_no_longer_than_their_length(piece: str) -> None:
    reaching(piece * 50_000)
    reaching("\\input" + piece * 50_000)
    reaching("\\input" + " " * 50_000 + piece)


@given(st.text(alphabet="\\{}[]%^|/~ \nabcinput", max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_text_is_read(text: str) -> None:
    assert all(number > 0 for number in reaching(text).values())
