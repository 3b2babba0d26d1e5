"""Where in a preamble a line may be put in."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.latex import lex
from texrepair.latex.preamble import package_line, preamble_line

BODY = "\\begin{document}\nx\n\\end{document}\n"


def loaded(preamble: str, package: str, options: str = "", before: int | None = None) -> str:
    source = lex(preamble + BODY)
    line = package_line(source, package, options, before)
    assert line is not None
    place, text = line
    return (source.text[:place] + text + source.text[place:]).removesuffix(BODY)


def test_a_package_comes_behind_the_others() -> None:
    assert loaded("\\documentclass{article}\n\\usepackage{array}\n% x\n", "booktabs") == (
        "\\documentclass{article}\n\\usepackage{array}\n\\usepackage{booktabs}\n% x\n"
    )


def test_without_packages_it_comes_behind_the_class() -> None:
    assert loaded("\\documentclass{article}\n", "xcolor", "table") == (
        "\\documentclass{article}\n\\usepackage[table]{xcolor}\n"
    )


@pytest.mark.parametrize("late", ["hyperref", "unicode-math", "cleveref"])
def test_it_comes_before_packages_that_must_be_late(late: str) -> None:
    preamble = f"\\documentclass{{article}}\n\\usepackage{{array}}\n\\usepackage{{{late}}}\n"
    assert loaded(preamble, "amsmath") == preamble.replace(
        f"\\usepackage{{{late}}}", f"\\usepackage{{amsmath}}\n\\usepackage{{{late}}}"
    )


def test_cleveref_comes_behind_hyperref() -> None:
    preamble = "\\documentclass{article}\n\\usepackage{hyperref}\n"
    assert loaded(preamble, "cleveref") == preamble + "\\usepackage{cleveref}\n"


def test_what_others_load_without_options_comes_first() -> None:
    preamble = "\\documentclass{article}\n\\usepackage{tikz}\n"
    assert loaded(preamble, "xcolor") == "\\documentclass{article}\n\\usepackage{xcolor}\n\\usepackage{tikz}\n"


def test_it_stays_out_of_conditionals() -> None:
    preamble = "\\documentclass{article}\n\\ifxetex\n\\usepackage{fontspec}\n\\fi\n"
    assert loaded(preamble, "array") == preamble + "\\usepackage{array}\n"


def test_it_comes_before_the_place_that_needs_it() -> None:
    preamble = "\\documentclass{article}\n\\usepackage{array}\n\\lstset{x}\n\\usepackage{tikz}\n"
    assert loaded(preamble, "listings", before=preamble.index("\\lstset")) == preamble.replace(
        "\\lstset", "\\usepackage{listings}\n\\lstset"
    )


def test_the_text_s_own_line_ends_are_kept() -> None:
    assert loaded("\\documentclass{article}\r\n", "array").endswith("\r\n\\usepackage{array}\r\n")


def test_a_line_at_the_end_of_the_preamble_comes_before_the_document() -> None:
    source = lex("\\documentclass{article}\n% last\n" + BODY)
    line = preamble_line(source, "\\newcommand{\\x}{y}")
    assert line is not None
    place, text = line
    assert source.text[place:] == BODY
    assert text == "\\newcommand{\\x}{y}\n"


def test_a_file_without_a_class_has_no_place() -> None:
    assert package_line(lex("\\section{A}\n", part="body"), "array") is None
    assert preamble_line(lex("\\section{A}\n", part="body"), "x") is None


@given(
    st.lists(
        st.sampled_from(
            [
                "\\documentclass{article}",
                "\\usepackage{tikz,hyperref}",
                "\\iftrue",
                "\\fi",
                "%",
                "\n",
                "\\begin{document}",
                "{",
            ]
        ),
        max_size=9,
    )
)
@settings(max_examples=100, deadline=None)
def test_any_preamble_has_a_place_inside_or_none(pieces: list[str]) -> None:
    source = lex("\n".join(pieces))
    for line in (package_line(source, "array"), preamble_line(source, "x")):
        assert line is None or 0 <= line[0] <= len(source.text)
