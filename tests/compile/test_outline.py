"""What the sources tell of a document's generated files."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texrepair.compile.guess import guessed
from texrepair.compile.outline import Entry, Item, Outline, items, outline


def found(body: str, preamble: str = "", **files: str) -> Outline:
    main = f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    return outline({"main.tex": main, **{f"{name}.tex": text for name, text in files.items()}}, "main.tex")


def labels(body: str, preamble: str = "") -> dict[str, tuple[str, str]]:
    return {label.key: (label.kind, label.number) for label in found(body + "\\ref{}", preamble).labels}


def test_headings_are_numbered_as_in_an_article() -> None:
    told = found(
        "\\section{A}\\subsection{B}\\subsection*{C}\\section[short]{long}\\paragraph{D}\\appendix\\section{E}"
    )
    assert [(entry.kind, entry.number, entry.title) for entry in told.entries] == [
        ("section", "1", "A"),
        ("subsection", "1.1", "B"),
        ("section", "2", "short"),
        ("paragraph", "", "D"),
        ("section", "A", "E"),
    ]


def test_headings_are_numbered_as_in_a_book() -> None:
    told = found(
        "\\frontmatter\\chapter{Preface}\\mainmatter\\chapter{A}\\section{B}\\subsection{C}\\subsubsection{D}"
        "\\chapter{E}\\section{F}\\begin{figure}\\caption{G}\\end{figure}"
    )
    assert [(entry.kind, entry.number) for entry in told.entries] == [
        ("chapter", ""),
        ("chapter", "1"),
        ("section", "1.1"),
        ("subsection", "1.1.1"),
        ("subsubsection", ""),
        ("chapter", "2"),
        ("section", "2.1"),
        ("figure", "2.1"),
    ]


def test_files_are_read_where_they_are_named() -> None:
    told = found(
        "\\section{A}\\input{one}\\include{two}\\section{D}", one="\\section{B}", two="\\section{C}\\input{two}"
    )
    assert [entry.title for entry in told.entries] == ["A", "B", "C", "D"]


def test_labels_take_the_number_of_what_is_around_them() -> None:
    assert labels(
        "\\section{A}\\label{s}\\begin{equation}x\\label{e}\\end{equation}"
        "\\begin{figure}\\caption{B}\\label{f}\\end{figure}\\begin{table*}\\caption{C}\\label{t}\\end{table*}"
        "\\begin{law}\\label{l}\\end{law}\\begin{claim}\\label{c}\\end{claim}\\label{again}",
        "\\newtheorem{law}{Law}[section]\\newtheorem{claim}[law]{Claim}",
    ) == {
        "s": ("section", "1"),
        "e": ("equation", "1"),
        "f": ("figure", "1"),
        "t": ("table", "1"),
        "l": ("law", "1.1"),
        "c": ("claim", "1.2"),
        "again": ("section", "1"),
    }


def test_captions_go_into_their_lists() -> None:
    told = found(
        "\\listoffigures\\listoftables\\begin{figure}\\begin{subfigure}{1em}\\caption{part}\\end{subfigure}"
        "\\caption{A}\\end{figure}\\captionof{table}{B}\\begin{longtable}{l}\\caption[short]{C}\\end{longtable}"
        "\\begin{figure}\\caption*{silent}\\end{figure}"
    )
    assert told.lists == {"lof", "lot"}
    assert told.entries == (
        Entry("lof", "figure", "1", "A"),
        Entry("lot", "table", "1", "B"),
        Entry("lot", "table", "2", "short"),
    )


def test_what_is_printed_as_it_stands_is_no_heading() -> None:
    told = found("\\begin{verbatim}\n\\section{A}\n\\end{verbatim}\n% \\section{B}\n\\section{100\\% C}")
    assert [entry.title for entry in told.entries] == ["100\\% C"]


@pytest.mark.parametrize(
    "text",
    [
        "\\newcommand\\x{\\section{B}}",
        "\\newcommand*{\\x}[2][d]{\\section{#1{B}}\\label{b}}",
        "\\def\\x#1#2{\\section{B}}",
        "\\newenvironment{x}[1]{\\section{B}}{\\section{C}}",
        "\\iffalse\\section{B}\\fi",
        "\\verb|\\section{B}|",
        "\\lstinline!\\section{B}!",
    ],
)
def test_what_is_not_typeset_is_no_heading(text: str) -> None:
    told = found(f"\\section{{A}}{text}\\section{{D}}")
    assert [entry.title for entry in told.entries] == ["A", "D"]


@pytest.mark.parametrize("text", ["\\iffalse{A}", "\\verb|{A}\n|", "\\caption*{A}", "\\begin{comment}{A}"])
def test_what_has_no_end_is_no_caption(text: str) -> None:
    assert found(f"\\begin{{figure}}{text}\\end{{figure}}").entries == ()


def test_a_part_of_the_document_with_a_preamble_of_its_own() -> None:
    part = "\\documentclass[main]{subfiles}\\begin{document}\\section{B}\\end{document}\\section{C}"
    told = found("\\section{A}\\subfile{./part}\\section{D}", part=part)
    assert [(entry.number, entry.title) for entry in told.entries] == [("1", "A"), ("2", "B"), ("3", "D")]


def test_labels_to_which_nothing_refers_are_left_out() -> None:
    assert found("\\section{A}\\label{a}").labels == ()
    assert found("\\section{A}\\label{a}\\autoref{a}").labels != ()


def test_definitions_are_no_headings() -> None:
    assert found("\\section{A}", "\\newcommand\\x{\\section{B}\\label{b}\\tableofcontents}") == found("\\section{A}")


def test_a_bibliography_in_the_text_and_one_that_bibtex_made() -> None:
    text = "\\begin{thebibliography}{9}\\bibitem{a}A\\bibitem[{B(1990{\\natexlab{a}})}]{b}B\\end{thebibliography}"
    assert found(text).items == items(text) == (Item("a", None), Item("b", "{B(1990{\\natexlab{a}})}"))


COMMANDS = st.sampled_from(
    "\\section{A} \\chapter{ \\caption \\label{a} \\begin{figure} \\end{figure} \\begin{verbatim} \\bibitem[x]{k} { } "
    "[ ] \\ % \\newtheorem{a}[a]{A}[section] \\begin{a} \\end{a} \\input{main} \\input{other} \\part{B} \\appendix "
    "\\cite[a]{k} \\tableofcontents \\listoffigures \\begin{document} \\end{document} \\addcontentsline{toc}{x}{\\y} "
    "\\mainmatter \\frontmatter".split()
)


@given(st.lists(COMMANDS | st.text(max_size=5), max_size=30), st.text(max_size=30), st.booleans())
def test_a_guess_holds_nothing_that_a_document_defines(parts: list[str], other: str, unicode: bool) -> None:
    told = outline({"main.tex": "".join(parts), "other.tex": other}, "main.tex")
    for data in guessed(told, told.items, "main", unicode).values():
        text = data.decode()
        assert text.isascii() or unicode
        assert text.count("{") == text.count("}")
        words = set(re.findall(r"\\[A-Za-z@]+|\\.", text))
        assert words <= {
            "\\relax", "\\def", "\\let", "\\ifdefined", "\\fi", "\\newlabel", "\\bibcite", "\\contentsline",
            "\\numberline", "\\@ifpackageloaded", "\\@kernel@reserved@label@data", "\\texrepair@label",
            "\\texrepair@five", "\\ifcsname", "\\endcsname",
        }  # fmt: skip


@pytest.mark.parametrize(
    "opener",
    [
        "\\section{", "\\cite[", "\\bibitem[", "\\newtheorem{a}{", "\\caption[{", "\\label{", "\\begin{comment}",
        "\\begin{verbatim}", "\\iffalse", "\\def\\x{", "\\section{{{{{{{{{{", "\\input{a}", "\\part{A}",
        "\\verb|x|",
    ],
)  # fmt: skip
def test_what_is_never_closed_is_read_in_linear_time(opener: str) -> None:
    assert found(opener * 200_000).labels == ()


def test_blanks_and_theorems_without_end_are_read_in_linear_time() -> None:
    assert found("\\newtheorem{a}" + " " * 300_000).labels == ()
    names = ("".join(chr(ord("a") + int(digit)) for digit in str(n)) for n in range(9_000))
    theorems = "".join(f"\\newtheorem{{{name}}}{{A}}[section]" for name in names)
    assert len(found("\\section{A}" * 9_000, theorems).entries) == 9_000
