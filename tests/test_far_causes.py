"""Faults that TeX reports far from where they are: mended in their own place, with real engines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import texrepair
from texrepair.result import BuildResult, Place

pytestmark = pytest.mark.tex

FILLER = "\n\n".join(
    f"Paragraph {word} of the report says what was found, \\emph{{in its own words}}, and ends."
    for word in "one two three four five six seven eight nine ten eleven twelve".split()
)


def article(body: str, preamble: str = "\\usepackage{amsmath,booktabs}") -> str:
    head = f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n"
    return f"{head}{FILLER}\n\n{body}\n\n{FILLER}\n\\end{{document}}\n"


def slides(body: str) -> str:
    return (
        "\\documentclass{beamer}\n\\begin{document}\n\\begin{frame}{First}\nWords before.\n\\end{frame}\n"
        f"{body}\n\\begin{{frame}}{{Last}}\nWords behind.\n\\end{{frame}}\n\\end{{document}}\n"
    )


def built(folder: Path, files: Mapping[str, str]) -> BuildResult:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return texrepair.build(folder / next(iter(files)), output=folder / "out", engine="pdflatex")


def mended(folder: Path, broken: Mapping[str, str], changed: str) -> str:
    """The text of the one file that a build changes, which compiles then."""
    result = built(folder, broken)
    assert result.ok, result.reason
    assert list(result.sources) == [changed]
    return result.sources[changed].decode()


@pytest.mark.parametrize(
    ("right", "lost"),
    [
        pytest.param("\\begin{center}\n\\small Some small words.\n\\end{center}", "\\end{center}", id="end"),
        pytest.param(
            "\\begin{itemize}\n\\item one\n  \\begin{enumerate}\n  \\item a\n  \\item b\n  \\end{enumerate}\n"
            "\\item two\n\\end{itemize}",
            "  \\end{enumerate}\n",
            id="end of the inner list",
        ),
        pytest.param(
            "\\begin{tabular}{lr}\n\\toprule\na & \\textbf{1} \\\\\nb & 2 \\\\\n\\bottomrule\n\\end{tabular}",
            "} \\\\\nb",
            id="brace in a cell",
        ),
        pytest.param("As $x_1 = 5$ is small, $y$ is large.", "$ is", id="dollar"),
        pytest.param("\\[ x = \\sqrt{\\left( \\frac{a}{b} \\right)^2 + c} \\]", "} \\right", id="brace before right"),
        pytest.param(
            "\\begin{align}\na &= \\frac{b}{c_1} = d \\\\\n  &= e\n\\end{align}", "} = d", id="brace in align"
        ),
    ],
)
def test_what_was_lost_among_many_paragraphs_is_put_back_where_it_was(tmp_path: Path, right: str, lost: str) -> None:
    rest = lost.lstrip("}$") if lost[0] in "}$" else ""
    wrong = right.replace(lost, rest, 1)
    text = mended(tmp_path, {"main.tex": article(wrong)}, "main.tex")
    assert "".join(text.split()) == "".join(article(right).split())


def test_a_dollar_lost_at_the_end_of_a_chapter_is_mended_there_and_not_in_the_next_one(tmp_path: Path) -> None:
    main = "\\documentclass{report}\n\\begin{document}\n\\input{one}\n\\input{two}\n\\end{document}\n"
    one = f"\\chapter{{One}}\n{FILLER}\n\nThe length is $L = 5$ metres, and $w is the width of all.\n"
    files = {"main.tex": main, "one.tex": one, "two.tex": f"\\chapter{{Two}}\n{FILLER}\n"}
    assert "and $w$ is the width" in mended(tmp_path, files, "one.tex")


def test_a_percent_sign_that_ate_a_brace_gives_it_back(tmp_path: Path) -> None:
    body = "A share of \\textbf{about 50% of all} was sold.\n\nAnd the rest was kept."
    text = mended(tmp_path, {"main.tex": article(body)}, "main.tex")
    assert "\\textbf{about 50\\% of all} was sold." in text


def test_crossed_environments_change_places(tmp_path: Path) -> None:
    body = "\\begin{quote}\n\\begin{itemize}\n\\item one\n\\end{quote}\n\\end{itemize}"
    text = mended(tmp_path, {"main.tex": article(body)}, "main.tex")
    assert "\\item one\n\\end{itemize}\n\\end{quote}" in text


def test_a_brace_lost_in_a_slide_is_found_although_the_whole_slide_is_read_at_once(tmp_path: Path) -> None:
    body = (
        "\\begin{frame}{Middle}\nThe rule is\n\\[ f = \\frac{c}{2} \\sqrt{\\left(\\frac{n}{l\\right)^2 + 1} . \\]\n"
        "\\begin{block}{Thumb}\nA \\alert{rule} of thumb.\n\\end{block}\n\\end{frame}"
    )
    text = mended(tmp_path, {"main.tex": slides(body)}, "main.tex")
    assert "\\sqrt{\\left(\\frac{n}{l}\\right)^2 + 1}" in text


def test_nothing_is_closed_at_the_end_of_the_file(tmp_path: Path) -> None:
    for lost in ("{\\small A group of its own", "\\begin{center} A word", "\\footnote{A note", "\\textbf{Bold words"):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        body = f"\\begin{{quote}}\n{lost}\n\\end{{quote}}"
        result = built(folder, {"main.tex": article(body)})
        if result.ok:
            before, _, behind = result.sources["main.tex"].decode().partition("\\end{quote}")
            assert behind == article(body).partition("\\end{quote}")[2]
            assert before != article(body).partition("\\end{quote}")[0]


def test_where_no_rule_knows_a_cure_the_report_names_the_line_that_is_to_blame(tmp_path: Path) -> None:
    """A macro leaves a group open, which nobody sees in the text; beamer complains at the end of the slide."""
    text = slides(
        "\\begin{frame}{Middle}\nSome words.\n\nMore words, \\wrong, and\nwords.\n\n\\begin{block}{A}\nb\n"
        "\\end{block}\n\\end{frame}"
    ).replace("\\begin{document}", "\\def\\wrong{\\hbox\\bgroup}\n\\begin{document}", 1)
    result = built(tmp_path, {"main.tex": text})
    assert not result.ok
    line = text[: text.index("\\wrong, and")].count("\n") + 1
    assert Place("main.tex", line) in [error.origin for error in result.diagnostics if error.is_error]
