"""Two documents are alike only where all that can run in them is the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texrepair.likeness import code
from texrepair.project import Draft

HEAD = "\\documentclass{article}\n\\newcommand\\tide[1]{#1}\n\\begin{document}\n\n"
WORDS = "Wörter, 12 of them; and more (or less): he said 'no' - twice!"
PLACE = "Here."
AROUND = HEAD + PLACE + "\n\\tide{Ebb}\n\n" + PLACE + "\n\nText \\tide{again}.\n\\end{document}\n"


def of(text: str, **others: str) -> str:
    named = {name.replace("_", "."): data for name, data in others.items()}
    return code(Draft({"main.tex": text, **named}), "main.tex")


@pytest.mark.parametrize("words", ["", WORDS, "One line\nand another.", "Ein Absatz.\n\u4e2d\u6587"])
def test_plain_words_make_no_difference(words: str) -> None:
    assert of(AROUND.replace(PLACE, words) if words else AROUND.replace(PLACE + "\n", "")) == of(AROUND)


@pytest.mark.parametrize(
    "other",
    [
        AROUND.replace(PLACE, "Here~there.", 1),
        AROUND.replace(PLACE, "\\relax", 1),
        AROUND.replace(PLACE, "a_b", 1),
        AROUND.replace(PLACE, "a@b", 1),
        AROUND.replace(PLACE, 'a"b', 1),
        AROUND.replace(PLACE, "^^5crelax", 1),
        AROUND.replace(PLACE, "{Here.}", 1),
        AROUND.replace(PLACE, "Here. % but", 1),
        AROUND.replace(PLACE, "[Here.]", 1),
        AROUND.replace(PLACE, "Here\x00", 1),
        AROUND.replace("\\tide{Ebb}", "\\tide{Flow}"),
        AROUND.replace("\\tide{again}.", "\\tide{again}!"),
        AROUND.replace("{article}", "{report}"),
        AROUND.replace("\\begin{document}", "\nWords\n\\begin{document}"),
    ],
)
def test_all_else_does(other: str) -> None:
    assert of(other) != of(AROUND)


@pytest.mark.parametrize(
    "around",
    [
        "\\input{%s}",
        "\\input{%%\n\n%s\n}",
        "\\input{\n\n%s\n\n}",
        "\\parindent=\n%s",
        "\\verb|}| \\input{\n\n%s\n\n}",
        "\\verb|}| \\input{\n\n%s\n\n} \\verb|{|",
        "\\input\n%s",
    ],
)
def test_words_that_something_may_take_are_none(around: str) -> None:
    assert of(HEAD + around % "one") != of(HEAD + around % "two")


def test_files_are_compared_by_their_kind() -> None:
    assert of(AROUND, part_tex="One.\n\nWords.\n") == of(AROUND, part_tex="One.\n\nOther words.\n")
    assert of(AROUND, part_tex="One.\n\nWords.\n") != of(AROUND, other_tex="One.\n\nWords.\n")
    assert of(AROUND, mine_sty="One.\n\nWords.\n") != of(AROUND, mine_sty="One.\n\nOther words.\n")
    latin = Draft({"main.tex": AROUND}, {"main.tex": "latin-1"})
    assert code(latin, "main.tex") != of(AROUND)


def test_the_main_file_may_have_another_name() -> None:
    part = "A part.\n"
    for name in ("a.tex", "z.tex", "any.latex"):
        assert code(Draft({name: AROUND, "part.tex": part}), name) == of(AROUND, part_tex=part)
    assert code(Draft({"in/main.tex": AROUND, "part.tex": part}), "in/main.tex") != of(AROUND, part_tex=part)
    assert code(Draft({"main.tex": AROUND, "part.tex": part}), "part.tex") != of(AROUND, part_tex=part)


@given(st.text(), st.text())
def test_what_makes_no_difference_is_words(one: str, other: str) -> None:
    texts = [HEAD + one, HEAD + other]
    if of(texts[0]) == of(texts[1]):
        lines = [set(text.split("\n")) for text in texts]
        assert not any(set(line) & set('\\{}[]$&#^_~%"@<>|=*/+`') for line in lines[0] ^ lines[1])
