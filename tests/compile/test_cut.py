"""Which documents an engine may begin to read before they are whole."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.compile.warm import cut, nudged, preamble, reads_build

DOCUMENT = b"\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\nHi\n\\end{document}\n"


def test_the_cut_is_before_the_line_of_begin_document() -> None:
    found = cut(DOCUMENT)
    assert found is not None
    assert found.preamble == b"\\documentclass{article}\n\\usepackage{amsmath}\n"
    assert found.body.startswith(b"\\begin{document}\nHi")


def test_what_stands_before_it_in_its_line_goes_with_it() -> None:
    found = cut(DOCUMENT.replace(b"\\begin", b"\\relax \\begin"))
    assert found is not None
    assert found.body.startswith(b"\\relax \\begin{document}")


def test_a_comment_is_no_beginning() -> None:
    found = cut(b"% \\begin{document} comes later\n" + DOCUMENT)
    assert found is not None
    assert found.preamble.endswith(b"\\usepackage{amsmath}\n")


@pytest.mark.parametrize(
    "text",
    [
        DOCUMENT.replace(b"{document}", b"{ducument}"),
        b"%&xelatex\n" + DOCUMENT,
        DOCUMENT.replace(b"Hi", b"\xe9t\xe9"),
        DOCUMENT.replace(b"\\usepackage", b"\\input{\\jobname.def}\\usepackage"),
        DOCUMENT.replace(b"\\usepackage", b"\\tikzexternalize\\usepackage"),
        DOCUMENT.replace(b"\n", b"\r"),
        b"",
    ],
    ids=[
        "no beginning",
        "format line",
        "not UTF-8",
        "job name",
        "externalize",
        "Mac",
        "empty",
    ],
)
def test_what_has_to_be_read_in_one_piece(text: bytes) -> None:
    assert cut(text) is None


@pytest.mark.parametrize(
    "line",
    [
        "\\InputIfFileExists{\\jobname.cfg}{}{}",
        "\\directlua{io.open('x.dat')}",
        "\\directlua{dofile('x.lua')}",
        "\\edef\\size{\\pdffilesize{x.dat}}",
        "\\edef\\sum{\\pdfmdfivesum file {x.dat}}",
        "\\edef\\now{\\the\\time}",
        "\\usepackage{currfile}\\edef\\me{\\currfilename}",
    ],
)
def test_signs_that_a_preamble_reads_what_changes(line: str) -> None:
    assert reads_build(line.encode())
    assert cut(DOCUMENT.replace(b"\\usepackage", line.encode() + b"\n\\usepackage")) is None


@pytest.mark.parametrize("line", ["\\timestamp", "\\usepackage{times}", "\\def\\studio.x{}", "% biology.io"])
def test_what_only_looks_like_a_sign(line: str) -> None:
    assert not reads_build(line.encode())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"a\n\\begin{document}", b"a\n"),
        (b"a % \\begin{document}\nb\n\\begin{document}", b"a % \\begin{document}\nb\n"),
        (b"a \\% \\begin{document}\nb\n\\begin{document}", b""),
        (b"a\n\\begin {document}", b"a\n"),
        (b"a\n\\begin{ document }\n\\begin{document}", None),
        (b"a\n\\document\n\\begin{document}", None),
        (b"\\documentclass{a}\n\\begin{document}", b"\\documentclass{a}\n"),
        (b"no beginning", None),
    ],
)
def test_where_the_preamble_ends(text: bytes, expected: bytes | None) -> None:
    assert preamble(text) == expected


@given(st.binary(max_size=60), st.binary(max_size=60))
@settings(max_examples=50, deadline=None)
def test_the_two_parts_are_the_whole(before: bytes, after: bytes) -> None:
    text = before + b"\n\\begin{document}" + after
    found = cut(text)
    assert found is None or found.preamble + found.body == text


@pytest.mark.parametrize(
    ("text", "fed", "line"),
    [
        ("\\documentclass{article}\n", "\\documentclass{article}\\relax\n", 1),
        ("\\usepackage{a}\n\\usepackage{b} % {c}\n\n%\n", "\\usepackage{a}\n\\usepackage{b}\\relax % {c}\n\n%\n", 2),
        ("\\usepackage[\n  x=y\n]{a,\n  b}\n", "\\usepackage[\n  x=y\n]{a,\n  b}\\relax\n", 4),
        ("\\usetheme{Madrid}\n", "\\usetheme{Madrid}\\relax\n", 1),
    ],
)
def test_a_package_at_the_end_need_not_wait_for_the_body(text: str, fed: str, line: int) -> None:
    assert nudged(text.encode()) == (fed.encode(), line)


@pytest.mark.parametrize(
    "text",
    [
        "\\usepackage{a}\n\\title{T}\n",
        "\\usepackage{a}[2020/01/01]\n",
        "\\newcommand\\x{\\usepackage{a}}\n",
        "% \\usepackage{a}\n",
        "\\begin{filecontents}{x.tex}\n\\documentclass{article}\n",
    ],
)
def test_other_ends_are_left_alone(text: str) -> None:
    assert nudged(text.encode()) is None
