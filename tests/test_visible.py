"""No text of a document can steer a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from texrepair.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[ht] é 中\tx\n", "[ht] é 中\tx\n"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\u202etxet\u009b", "\\u202etxet\\x9b"),
        ("caf\udce9", "caf\\xe9"),
        ("\r\x00\x7f", "\\x0d\\x00\\x7f"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_control_characters_are_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@hypothesis_settings(max_examples=200, deadline=None)
@given(st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Ll"]), max_size=30))
def test_what_is_left_is_harmless(text: str) -> None:
    shown = visible(text)
    assert all(c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp") for c in shown)
    assert visible(shown) == shown
    shown.encode()
