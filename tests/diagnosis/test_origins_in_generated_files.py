"""An error in a generated file is traced to the line that wrote it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.diagnosis import diagnose
from texrepair.result import Place

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


def origin(
    name: str, line: int, generated: bytes, token: str | None = None, sources: dict[str, str] = SOURCES
) -> Place | None:
    said = "Undefined control sequence" if token else "Misplaced alignment tab character &"
    log = f"./{name}:{line}: {said}.\nl.{line} {token or '&'}\n    \n\n"
    return diagnose(log, sources=sources, generated={name: generated}).errors[0].origin


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
    assert origin(name, 2, b"\\relax\n" + text.encode(), token) == Place("main.tex", line)


@pytest.mark.parametrize("key", ["\\bibitem{bee}", "\\bibitem[A{(2000)}]{bee}", "\\entry{bee}{article}{}"])
def test_a_field_of_an_entry(key: str) -> None:
    bbl = f"\\begin{{thebibliography}}{{1}}\n{key}\nA. Bee.\n\\newblock On bees & honey.\n"
    assert origin("main.bbl", 4, bbl.encode()) == Place("refs.bib", 5)


def test_an_entry_that_is_nowhere() -> None:
    assert origin("main.bbl", 1, b"\\bibitem{none} x") is None


def test_sources_are_their_own_origin() -> None:
    assert origin("main.tex", 1, b"x") is None


def test_a_line_that_is_not_there() -> None:
    assert origin("main.toc", 9, b"x") is None


@given(st.binary(max_size=80), st.integers(0, 5), st.text(max_size=80))
@settings(max_examples=50, deadline=None)
def test_never_raises(text: bytes, line: int, source: str) -> None:
    for name in ("main.toc", "main.bbl"):
        origin(name, line, text, sources={"main.tex": source, "refs.bib": source})
