"""The recorder file names what a pass opened, relative to where it ran."""

from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.compile.recorder import recorded

FLS = b"""PWD /session/3
INPUT /usr/share/texlive/texmf-dist/web2c/texmf.cnf
INPUT main.tex
OUTPUT main.log
INPUT ./sub/style.sty
INPUT /session/3/absolute.cfg
OUTPUT main.idx
INPUT ./main.aux
INPUT main.aux
OUTPUT main.aux
INPUT ./chapters/one.tex
OUTPUT chapters/one.aux
"""


def test_names_are_relative_to_the_folder_of_the_pass() -> None:
    found = recorded(FLS, "main")
    assert found.read[1:] == ("main.tex", "sub/style.sty", "absolute.cfg", "main.aux", "chapters/one.tex")
    assert found.written == ("main.log", "main.idx", "main.aux", "chapters/one.aux")


def test_the_preamble_ends_where_the_aux_file_is_first_opened() -> None:
    assert recorded(FLS, "main").preamble == {
        "/usr/share/texlive/texmf-dist/web2c/texmf.cnf", "main.tex", "sub/style.sty", "absolute.cfg"
    }  # fmt: skip


def test_a_pass_that_never_came_so_far_was_all_preamble() -> None:
    assert recorded(b"INPUT main.tex\nINPUT a.sty\n", "main").preamble == {"main.tex", "a.sty"}


@given(st.binary(max_size=200))
@settings(max_examples=50, deadline=None)
def test_never_raises(text: bytes) -> None:
    recorded(text, "main")
