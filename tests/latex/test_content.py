"""What a file prints: one spelling for one thing, and nothing that nobody sees."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.latex import symbols
from texrepair.latex.content import content, data_content, unwrapped
from texrepair.latex.units import CELL, Content, file_key, kind_of


def tokens(text: str) -> list[str]:
    return [token for unit in content(text, "body").units for token in unit.tokens]


def kinds(read: Content) -> list[tuple[str, tuple[str, ...]]]:
    return [(unit.kind, unit.tokens) for unit in read.units]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Caf\\'e", "Café"),
        ('na\\"{\\i}ve', "naïve"),
        ("Stra\\ss e", "Straße"),
        ("{\\o}re", "øre"),
        ("co\\-operate", "cooperate"),
        ("$\\alpha$", "α"),
        ("$x \\leq y$", "x ≤ y"),
        ("$2 \\times 3$", "2 × 3"),
        ("5\\,\\%", "5 \\%"),
        ("R\\&D", "R&D"),
        ("R&amp;D", "R\\&D"),
        ("a -- b", "a – b"),
        ("``a''", "“a”"),
        ("$x_1$", "x\\_1"),
        ("$\\mathbf{x}$", "$\\symbf{x}$"),
        ("$\\sin x$", "sin x"),
        ("\\textbf{a} \\emph{b}", "a b"),
        ("\\textbff{a}", "\\textbf{a}"),
        ("{a} \\begin{quote} b \\end{quote}", "a b"),
        ("\\verb|a_b|", "\\texttt{a\\_b}"),
        ("\\num{3,450.0}", "\\num{3450.0}"),
        ("\\num{12'500} \\SI{1.5 \\cdot 10^{3}}{\\pascal}", "\\num{12500} \\SI{1.5e3}{\\pascal}"),
        ("a\u00adb\u200b", "ab"),
        ("m²", "m$^2$"),
        ("```python\na", "a"),
        ("\\url{https://a.b/c_d}", "https://a.b/c\\_d"),
    ],
)
def test_one_thing_has_one_spelling(one: str, other: str) -> None:
    def bare(text: str) -> list[str]:
        return [t for t in tokens(text) if not t.startswith("⟨") and kind_of(t) != "macro"]

    assert bare(one) == bare(other) != []


@pytest.mark.parametrize(
    "text",
    [
        "% a",
        "\\iffalse a \\fi",
        "\\begin{comment}\na\n\\end{comment}",
        "\\phantom{a}",
        "\\textcolor{white}{a}",
        "{\\color{white} a}",
        "\\definecolor{paper}{HTML}{FFFFFF}{\\color{paper} a}",
        "{\\color[gray]{1} a}",
        "{\\fontsize{0.1pt}{1pt}\\selectfont a}",
        "\\scalebox{0}{a}",
        "\\newcommand{\\hide}[1]{}\\hide{a}",
        "\\let\\textbf\\phantom \\textbf{a}",
        "\\begin{filecontents}{x.txt}\na\n\\end{filecontents}",
        "\\endinput\na",
        "\\end{document} a",
        "\\label{a}\\hspace{1cm}\\usepackage{a}",
    ],
)
def test_what_nobody_sees_is_no_content(text: str) -> None:
    assert [t for t in tokens(text) if kind_of(t) in ("word", "number")] == []


def test_a_macro_that_prints_its_argument_hides_nothing() -> None:
    assert "a" in tokens("\\newcommand{\\show}[1]{\\textbf{#1}}\\show{a}")


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("\\cite[p. 3]{key-1,key2}", "citation:key-1"),
        ("\\cite{key-1, key2}", "citation:key2"),
        ("\\label{eq:a}", "label:eq:a"),
        ("\\eqref{eq:a}", "reference:eq:a"),
        ("\\includegraphics[width=2cm]{figs/Plot_1.PNG}", "picture:plot1"),
        ("\\href{https://a.b/c}{d}", "link:a.b/c"),
        ("\\gls{loam}", "glossary term:loam"),
        ("\\maketitle", "command:maketitle"),
        ("1. first", "mark:1"),
        ("-3 degrees", "-"),
    ],
)
def test_keys_pictures_and_marks(text: str, token: str) -> None:
    assert token in tokens(text)


def test_units_are_what_a_person_would_name() -> None:
    read = content(
        "\\section{One \\emph{two}}\nThree.\n\nFour\\footnote{five}.\n"
        "\\begin{tabular}{ll} a & b \\\\ c & d \\end{tabular}\n\\begin{equation} e \\end{equation}\n"
        "\\begin{verbatim}\nf\n\\end{verbatim}",
        "body",
    )
    assert kinds(read) == [
        ("section title", ("One", "two")),
        ("paragraph", ("Three",)),
        ("paragraph", ("Four",)),
        ("footnote", ("five",)),
        ("table row", ("a", CELL, "b")),
        ("table row", ("c", CELL, "d")),
        ("formula", ("e",)),
        ("listing", ("f",)),
    ]


def test_the_preamble_prints_its_entries_and_defines_the_rest() -> None:
    read = content(
        "Here is your document:\n\\documentclass{article}\n\\title{One}\n\\newcommand{\\firm}{Acme}\nleft over\n"
        "\\begin{document}\ntwo\n\\end{document}\nI hope this helps."
    )
    assert kinds(read) == [("title", ("One",)), ("paragraph", ("two",))]
    assert list(read.defined) == ["Acme"]
    assert set(read.stray) == {"left", "over"}


def test_files_that_are_read() -> None:
    read = content(
        "\\newcommand{\\rows}[1]{\\input #1 }\\input{a}\\include{b/c}\\rows{d.tex}\\includeonly{a,b}", "body"
    )
    assert [i.path for i in read.inputs if "#" not in i.path] == ["a", "b/c", "d.tex"]
    assert read.include_only == {"a", "b"}


def test_data_files_have_entries_or_lines() -> None:
    read = data_content("@book{a, title={Caf\\'e \\& bar}, year=1999}\n\n@misc{b, note={c}}\n", True)
    assert [(unit.kind, unit.tokens[0]) for unit in read.units] == [
        ("bibliography entry", "book"),
        ("bibliography entry", "misc"),
    ]
    assert "Café" in read.units[0].tokens and "1999" in read.units[0].tokens
    assert len(data_content("a,1\nb,2\n", False).units) == 2


def test_a_document_in_json_is_read_as_the_document() -> None:
    text = '{"content": "\\\\documentclass{article}\\n\\\\begin{document}\\nL\\u00e4rm\\n\\\\end{document}"}'
    assert unwrapped(text) == "\\documentclass{article}\n\\begin{document}\nLärm\n\\end{document}"
    assert unwrapped("\\documentclass{article}") == "\\documentclass{article}"


def test_undecoded_bytes_are_read_as_western_ones() -> None:
    assert tokens("campa\udcf1a") == ["campaña"]


def test_names_of_pictures() -> None:
    assert file_key("run\\hashsign 2.png") == file_key("run#2.png")
    assert file_key("..\\images\\Map-1.JPG") == file_key("map_1.png") == "map1"


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_has_content(text: str) -> None:
    for part in ("main", "body", "style"):
        for unit in content(text, part).units:  # type: ignore[arg-type]
            assert len(unit.tokens) == len(unit.places) > 0
            assert all(unit.tokens)
            assert all(unit.start <= place < unit.end for place in unit.places)
    data_content(text, True)
    symbols.word(text)
    symbols.symbol(text[:1])
