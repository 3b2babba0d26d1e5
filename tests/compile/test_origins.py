"""An error in a generated file is traced to the line that wrote it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.compile.origins import traced
from texrepair.result import Diagnostic, Place

MAIN = r"""\documentclass{article}
\begin{document}
\tableofcontents
% \section{Honey \nothing and wax}
\section{Honey from bees}
Honey is made by bees.
\section{Honey \nothing{} and wax}
\caption{The hive}
\end{document}
"""
BIB = """@book{other, title = {Wax}}

@article{bee,
  author = {A. Bee},
  title = {On bees & honey},
  journal = {J},
}
"""
SOURCES = {"main.tex": MAIN, "refs.bib": BIB}


def error(file: str, line: int, token: str | None = None) -> Diagnostic:
    return Diagnostic("error", "error", "x", file=file, line=line, token=token)


@pytest.mark.parametrize(
    ("name", "text", "token", "line"),
    [
        ("main.toc", r"\contentsline {section}{\numberline {2}Honey \nothing {} and wax}{1}{}%", "\\nothing", 7),
        ("main.toc", r"\contentsline {section}{\numberline {1}Honey from bees}{1}{}%", None, 5),
        ("main.lof", r"\contentsline {figure}{\numberline {1}{\ignorespaces The hive}}{1}{}%", None, 8),
        ("main.aux", r"\@writefile{toc}{\contentsline {section}{\numberline {1}Honey from bees}{1}{}}", None, 5),
    ],
)
def test_a_line_of_the_document(name: str, text: str, token: str | None, line: int) -> None:
    place = traced(error(name, 2, token), {name: b"\\relax\n" + text.encode()}, SOURCES)
    assert place == Place("main.tex", line)


@pytest.mark.parametrize("key", ["\\bibitem{bee}", "\\bibitem[A{(2000)}]{bee}", "\\entry{bee}{article}{}"])
def test_a_field_of_an_entry(key: str) -> None:
    bbl = f"\\begin{{thebibliography}}{{1}}\n{key}\nA. Bee.\n\\newblock On bees & honey.\n"
    assert traced(error("main.bbl", 4), {"main.bbl": bbl.encode()}, SOURCES) == Place("refs.bib", 5)


def test_an_entry_that_is_nowhere() -> None:
    assert traced(error("main.bbl", 1), {"main.bbl": b"\\bibitem{none} x"}, SOURCES) is None


def test_sources_are_their_own_origin() -> None:
    assert traced(error("main.tex", 1), {"main.tex": b"x"}, SOURCES) is None


def test_a_line_that_is_not_there() -> None:
    assert traced(error("main.toc", 9), {"main.toc": b"x"}, SOURCES) is None


@given(st.binary(max_size=80), st.integers(-1, 5), st.text(max_size=80))
@settings(max_examples=50, deadline=None)
def test_never_raises(text: bytes, line: int, source: str) -> None:
    for name in ("main.toc", "main.bbl"):
        traced(error(name, line), {name: text}, {"main.tex": source, "refs.bib": source})
