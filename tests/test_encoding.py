"""Encodings: what is decoded can be written back byte for byte, and every engine is given what it can read."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from texrepair.encoding import declared, decode, first_undecoded, readable
from texrepair.project import Draft

NAMES = ["latin_1", "cp1252", "mac_roman", "cp437", "iso8859_15", "koi8_r", "cp1251", None]


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("\\usepackage[latin1]{inputenc}", "latin_1"),
        ("\\usepackage [ utf8 , ansinew ] { inputenc }", "cp1252"),
        ("a\\% b \\RequirePackage[latin9]{inputenc}", "iso8859_15"),
        ("% \\usepackage[latin1]{inputenc}", None),
        ("\\usepackage[utf8]{inputenc}", None),
        ("\\usepackage{inputenc}", None),
        ("\\usepackage[nonsense]{inputenc}", None),
        ("\\begin{document}\\begin{verbatim}\n\\usepackage[latin1]{inputenc}\n\\end{verbatim}", None),
    ],
)
def test_the_document_declares_its_encoding(text: str, codec: str | None) -> None:
    assert declared(f"\\documentclass{{article}}\n{text}\n") == codec


@hypothesis_settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60), st.sampled_from(NAMES), st.sampled_from([b"", codecs.BOM_UTF16_LE, codecs.BOM_UTF8]))
def test_what_is_decoded_is_written_back_byte_for_byte(data: bytes, other: str | None, mark: bytes) -> None:
    text, codec = decode(mark + data, other)
    assert Draft({"a": text}, {} if codec is None else {"a": codec}).encoded("a") == mark + data


def test_the_first_byte_that_cannot_be_decoded_has_a_line() -> None:
    assert first_undecoded(decode(b"a\r\nb\rc\n\xff\n\xff")[0]) == 4
    assert first_undecoded("é") is None


@pytest.mark.parametrize(
    ("codec", "engine", "stays"),
    [
        ("latin_1", "pdflatex", True),
        ("latin_1", "xelatex", False),
        ("latin_1", "lualatex", False),
        ("utf_16_le", "xelatex", True),
        ("utf_16_le", "pdflatex", False),
        ("utf_16_be", "lualatex", False),
    ],
)
def test_files_are_recoded_where_the_engine_cannot_read_them(codec: str, engine: str, stays: bool) -> None:
    before = Draft({"a.tex": "\ufeffé" if codec.startswith("utf_16") else "é", "b.tex": "ü"}, {"a.tex": codec})
    after, fixes = readable(before, engine)
    assert after.changed_from(before) == (() if stays else ("a.tex",))
    assert [fix.file for fix in fixes] == ([] if stays else ["a.tex"])
    assert after.encoded("a.tex") == (before.encoded("a.tex") if stays else "é".encode())


def test_ascii_needs_no_telling() -> None:
    after, fixes = readable(Draft({"a.tex": "plain"}, {"a.tex": "latin_1"}), "xelatex")
    assert (fixes, after.encodings) == ((), {})
    assert after.changed_from(Draft({"a.tex": "plain"}, {"a.tex": "latin_1"})) == ()


def test_a_document_for_several_engines_keeps_its_declaration() -> None:
    before = Draft({"a.tex": "\\ifPDFTeX\\usepackage[latin1]{inputenc}\\fi\n\\begin{document}"})
    assert readable(before, "xelatex") == (before, ())


@pytest.mark.parametrize("encodings", [{"a.tex": "latin_1"}, {}])
def test_the_declaration_follows_the_encoding(encodings: dict[str, str]) -> None:
    text = "\\documentclass{article}\n\\usepackage [x,latin1,utf8]{inputenc} % [latin1]\n\\begin{document}é"
    before = Draft({"a.tex": text}, encodings)
    after, fixes = readable(before, "xelatex")
    assert after.text("a.tex") == text.replace("[x,latin1,utf8]", "[x,utf8]")
    assert (fixes[-1].line, fixes[-1].after) == (2, "\\usepackage [x,utf8]{inputenc} % [latin1]")
    assert readable(after, "xelatex") == (after, ())
    assert readable(before, "pdflatex") == (before, ())
