"""With generated files that are guessed, the first pass writes what the last one will, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from texrepair.compile import Session, course
from texrepair.compile.outline import Item
from texrepair.project import Draft, Project
from texrepair.result import CompileResult
from texrepair.sandboxes import Sandbox
from texrepair.settings import Settings

pytestmark = pytest.mark.tex

Opened = Callable[..., Session]

WORDS = "The quick brown fox jumps over the lazy dog, and nobody knows why it does so on every single page. "
SECTIONS = "\n\n".join(
    f"\\section{{The part of the number {n}}}\\label{{s{n}}}\n{WORDS * 9}See \\ref{{s{(n * 7) % 30}}}."
    for n in range(30)
)
BIB = "".join(
    f"@article{{k{n}, author={{Anne Bee and Carl Dee}}, title={{On {n}}}, journal={{J}}, year={1980 + n}}}\n"
    for n in range(20)
)
CITED = "\n\n".join(f"{WORDS * 9}\\citep{{k{n % 20}}} and \\citep{{k{(n * 3) % 20}}}." for n in range(30))

SETTLED = {
    "contents": ("\\tableofcontents\n" + SECTIONS, ""),
    "contents and links": ("\\tableofcontents\n" + SECTIONS, "\\usepackage{hyperref}"),
    "clever references": (SECTIONS.replace("\\ref", "\\cref"), "\\usepackage{hyperref,cleveref}"),
    "clever references without links": (SECTIONS.replace("\\ref", "\\cref"), "\\usepackage{cleveref}"),
    "references of nameref": (SECTIONS.replace("\\ref", "\\nameref"), "\\usepackage{nameref}"),
    "author and year": (
        CITED + "\\bibliographystyle{plainnat}\\bibliography{refs}",
        "\\usepackage[round]{natbib}",
    ),
    "numbers": (
        CITED.replace("citep", "cite") + "\\bibliographystyle{plain}\\bibliography{refs}",
        "",
    ),
    "labels of letters": (
        CITED.replace("citep", "cite") + "\\bibliographystyle{alpha}\\bibliography{refs}",
        "\\usepackage{cite}",
    ),
    "figures and tables": (
        "\\listoffigures\\listoftables\n"
        + "\n\n".join(
            f"{WORDS}\\ref{{f{n}}}\\begin{{figure}}x\\caption{{A thing}}\\label{{f{n}}}\\end{{figure}}"
            f"\\begin{{table}}x\\caption{{A list}}\\end{{table}}"
            for n in range(12)
        ),
        "",
    ),
}


def document(body: str, preamble: str = "") -> str:
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def engine_passes(result: CompileResult) -> int:
    return sum(done.program in ("xelatex", "pdflatex", "lualatex") for done in result.passes)


def compiled(files: dict[str, str], engine: str, sandbox: Sandbox) -> tuple[CompileResult, bytes]:
    with Session(Project("main.tex", Draft(files), engine=engine), Settings(), sandbox=sandbox) as session:
        result = session.compile(session.project.draft)
        return result, b"" if result.pdf is None else result.pdf.read_bytes()


def without_guesses(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(course.guess, "guessed", lambda *given: {})


@pytest.mark.parametrize("engine", ["xelatex", "pdflatex"])
@pytest.mark.parametrize("kind", SETTLED)
def test_two_passes_are_enough_and_the_pages_are_the_same(
    kind: str, engine: str, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    body, preamble = SETTLED[kind]
    files = {"main.tex": document(body, preamble), "refs.bib": BIB}
    result, pdf = compiled(files, engine, sandbox)
    assert result.ok
    assert result.objections == ()
    assert engine_passes(result) == 2
    without_guesses(monkeypatch)
    plain, expected = compiled(files, engine, sandbox)
    assert plain.ok
    assert pdf == expected


def test_a_guess_that_nothing_overwrites_does_not_last(opened: Opened) -> None:
    text = document("\\tableofcontents\\section{A}\\label{a}\\ref{a}", "\\nofiles")
    session = opened({"main.tex": text})
    result = session.compile(session.project.draft)
    assert result.ok
    assert [warning.kind for warning in result.warnings if "`a'" in warning.message] == ["undefined-reference"]


@pytest.mark.parametrize(
    "preamble",
    [
        "\\let\\numberline\\undefined\\renewcommand\\section[1]{\\par #1\\par}",
        "\\def\\contentsline#1#2#3#4{\\wrong}\\renewcommand\\section[1]{\\par #1\\par}",
    ],
)
def test_an_error_of_a_guess_is_none_of_the_documents(opened: Opened, preamble: str) -> None:
    session = opened({"main.tex": document("\\tableofcontents\n\\section{A}", preamble)})
    assert session.check(session.project.draft).ok


def test_an_error_of_the_document_is_found_in_the_first_pass(opened: Opened) -> None:
    session = opened({"main.tex": document("\\tableofcontents\n\\section{A}\n\\wrong\n\\section{B}")})
    result = session.check(session.project.draft)
    assert [(error.file, error.line) for error in result.errors] == [("main.tex", 6)]
    assert engine_passes(result) == 1


@pytest.mark.parametrize("body", ["\\tableofcontents\n\\chapter{A}", "\\tableofcontents\n\\part{A}\\wrong"])
def test_an_error_of_the_document_needs_no_second_look(
    body: str, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """\\contentsline {chapter} would be an error in a class that has no chapters."""
    session = opened({"main.tex": document(f"{body}\\section{{B}}")})
    seen: list[bool] = []
    misled = course.Course._misled
    monkeypatch.setattr(course.Course, "_misled", lambda *given: seen.append(misled(*given)) or seen[-1])
    assert not session.check(session.project.draft).ok
    assert seen == [False]


def test_an_error_in_the_head_of_pages_is_told_where_pages_end_without_guesses(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = "\\makeatletter\\def\\ps@own{\\def\\@oddhead{\\wrong}}\\makeatother\\pagestyle{own}"
    files = {"main.tex": document("\\tableofcontents\n" + SECTIONS, head)}
    result, _ = compiled(files, "pdflatex", sandbox)
    without_guesses(monkeypatch)
    plain, _ = compiled(files, "pdflatex", sandbox)
    assert [error.line for error in result.errors] == [error.line for error in plain.errors]


def test_keys_and_labels_that_tex_would_stumble_over_are_left_out() -> None:
    items = [Item("fine_key", "A $x_1$ & \\foo{B} #1(19~90)"), Item("bad#key", None), Item("bad\\key", None)]
    aux = course.guess.guessed(course.Outline(), items, "main", True)["main.aux"].decode()
    assert "bad" not in aux
    assert "\\bibcite{fine_key}{{1}{19 90}{{A x1 B 1}}{{}}}%" in aux
