"""Comments are taken out of a text, and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texrepair.latex.comments import blanked, uncommented

TEXTS = st.text(st.sampled_from("\\%a {\n\r"), max_size=40)


@pytest.mark.parametrize(
    ("text", "kept"),
    [("a % b\nc", "a \nc"), ("5\\% a", "5\\% a"), ("a\\\\% b", "a\\\\"), ("\\\\\\%b", "\\\\\\%b"), ("%", "")],
)
def test_a_comment_begins_at_a_percent_sign_that_is_not_escaped(text: str, kept: str) -> None:
    assert uncommented(text) == kept


@given(TEXTS)
def test_what_is_left_is_what_is_not_blanked(text: str) -> None:
    same = blanked(text)
    assert len(same) == len(text)
    assert all(new in (old, " ") for new, old in zip(same, text, strict=True))
    assert "".join(c for c in uncommented(text) if c != " ") == same.replace(" ", "")
    assert not re.search(r"(?<!\\)(?:\\\\)*%", uncommented(text))
