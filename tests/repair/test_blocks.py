"""SEARCH/REPLACE: what is read, where it matches, what a model is told when it does not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.repair.blocks import MOST_BLOCKS, NEAREST, Block, found_at, has_blocks, nearest, parsed, patched


def block(search, replace, path=None):
    header = f"<<< path={path} >>>\n" if path else ""
    return f"{header}<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n"


def apply(text, search, replace):
    return patched({"a.tex": text}, [Block("a.tex", search, replace)])


def test_several_blocks_under_one_header_and_several_files():
    text = "Sure.\n" + block("a", "b", "main.tex") + block("c", "d") + "and\n" + block("e", "", "ch/one.tex")
    found = parsed(text, ["main.tex", "ch/one.tex"])
    assert found.blocks == (Block("main.tex", "a", "b"), Block("main.tex", "c", "d"), Block("ch/one.tex", "e", ""))
    assert found.problems == ()


def test_with_a_single_file_headers_are_ignored():
    text = block("a", "b", "other.tex") + block("c", "d")
    assert parsed(text, ["main.tex"], "main.tex").blocks == (
        Block("main.tex", "a", "b"),
        Block("main.tex", "c", "d"),
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (block("a", "b"), "under no <<< path"),
        (block("a", "b", "/etc/passwd"), "none of the files"),
        (block("a", "b", "../up.tex"), "none of the files"),
        (block("a", "b", "main.tex") + block("c", "d", "main.tex"), "two headers"),
        (block("  ", "b", "main.tex"), "nothing to search for"),
        ("<<< path=main.tex >>>\n<<<<<<< SEARCH\na\n=======\nb\n", "not whole"),
        ("<<< path=main.tex >>>\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", "not whole"),
        ("<<< path=main.tex >>>\n<<<<<<< SEARCH\na\n" + block("c", "d"), "not whole"),
    ],
)
def test_what_is_wrong_with_a_block_is_told(text, says):
    found = parsed(text, ["main.tex"])
    assert any(says in problem for problem in found.problems)


def test_a_good_block_counts_beside_a_bad_one():
    found = parsed(block("a", "b", "x.tex") + block("c", "d", "./main.tex"), ["main.tex"])
    assert found.blocks == (Block("main.tex", "c", "d"),)
    assert len(found.problems) == 1


def test_fences_and_line_ends_around_blocks_do_not_matter():
    text = "```latex\r\n" + block("a\nb", "c", "main.tex").replace("\n", "\r\n") + "```\r\n"
    assert parsed(text, ["main.tex"]).blocks == (Block("main.tex", "a\nb", "c"),)


@pytest.mark.parametrize(
    ("text", "search", "replace", "result"),
    [
        ("one\ntwo\nthree\n", "two", "2", "one\n2\nthree\n"),
        # Part of a paragraph that is one long line.
        ("A word, another word and a third.", "another word", "no word", "A word, no word and a third."),
        # A whole line goes before a part of one.
        ("xab\nab\n", "ab", "c", "xab\nc\n"),
        # White space differs: wrapped otherwise, tabs, ends of lines.
        ("a  b\n\tc d\n", "a b c\nd", "z", "z\n"),
        ("\\begin{x}\n    a\n\\end{x}\n", "\\begin{x}\na\n\\end{x}", "y", "y\n"),
        ("  a b\n", "a  b", "c", "  c\n"),
        ("a\r\nb\r\nc\r\n", "a\nb", "x\ny", "x\r\ny\r\nc\r\n"),
        # A deleted line leaves no empty one.
        ("a\nb\nc\n", "b", "", "a\nc\n"),
        ("a\r\nb\r\nc\r\n", "b", "", "a\r\nc\r\n"),
        ("a b c", "b", "", "a  c"),
    ],
)
def test_matching(text, search, replace, result):
    done = apply(text, search, replace)
    assert done.problems == ()
    assert done.landed == 1
    assert done.texts["a.tex"] == result


@pytest.mark.parametrize("search", ["a b", "a\nb"])
def test_the_end_of_a_paragraph_is_not_mere_white_space(search):
    assert apply("a\n\nb\n", search, "c").landed == 0
    assert apply("a \n \n\n b\n", "a\n\nb", "c").texts["a.tex"] == "c\n"


def test_words_that_are_glued_do_not_match():
    assert found_at("ab", "a b") == []


def test_a_text_that_stands_twice_is_told_and_not_changed():
    done = apply("x y\nx y\n", "x", "z")
    assert done.landed == 0
    assert "2 times" in done.problems[0]
    assert done.texts["a.tex"] == "x y\nx y\n"


def test_a_text_that_is_nowhere_is_answered_with_the_nearest():
    text = "\\section{One}\nWe measured 3 samples.\n\\section{Two}\nThe voltage rose to 5 V.\n"
    done = apply(text, "The voltage rises to 5 V.", "x")
    assert done.landed == 0
    assert "The voltage rose to 5 V." in done.problems[0]


def test_blocks_are_applied_in_turn():
    done = patched({"a.tex": "a\n", "b.tex": "b\n"}, [Block("a.tex", "a", "b"), Block("a.tex", "b", "c")])
    assert done.texts == {"a.tex": "c\n", "b.tex": "b\n"}


def test_replacements_are_taken_literally():
    assert apply("x\n", "x", r"\1 \g<0> $1").texts["a.tex"] == "\\1 \\g<0> $1\n"


@pytest.mark.parametrize(("text", "has"), [(block("a", "b"), True), ("a << b", False), ("", False)])
def test_blocks_are_recognised(text, has):
    assert has_blocks(text) is has


_TEXT = st.text(alphabet="ab \n\r\\{}<>=SEARCH", max_size=60)


@given(_TEXT, _TEXT)
@settings(max_examples=100, deadline=None)
def test_any_answer_and_any_text(answer, text):
    found = parsed(answer + block(answer, text), ["a.tex"], "a.tex")
    patched({"a.tex": text}, found.blocks)
    if text.strip():
        nearest(text, answer + "x")


@given(st.lists(st.sampled_from(["alpha", "beta", "\\foo{x}", "$y$"]), min_size=1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_a_unique_text_is_found_however_it_is_wrapped(words):
    target = ["unique", *words]
    text = "before\n" + " ".join(target) + "\nafter\n"
    assert len(found_at(text, "\n".join(target))) == 1


def test_an_answer_of_openings_alone_is_read_once() -> None:
    text = "<<<<<<< SEARCH\n" * 100_000
    assert set(parsed(text, ["main.tex"], "main.tex").problems) == {
        "a block is not whole: after its SEARCH line it needs ======= and >>>>>>> REPLACE"
    }


def test_what_is_nearest_is_told_of_a_few_blocks_only() -> None:
    blocks = [Block("main.tex", f"cat {n}", "dog") for n in range(MOST_BLOCKS + 50)]
    found = patched({"main.tex": "a bird\n" * 20}, blocks)
    assert found.landed == 0
    assert sum("the nearest there is" in problem for problem in found.problems) == NEAREST
    assert len(found.problems) == MOST_BLOCKS + 1
