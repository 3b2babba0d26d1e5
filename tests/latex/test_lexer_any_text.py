"""Any text at all: the lexer never raises, its spans cover the text exactly, and its records fit together."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from texrepair.latex import Part, Source, lex

PIECES = (
    r"""
\begin{itemize}|\end{itemize}|\begin{equation}|\end{equation}|\begin{tabular}{ll}|\end{tabular}|\begin{verbatim}
\end{verbatim}|\begin{document}|\end{document}|\documentclass{article}|\usepackage[|\newcommand{\be}{|\newcommand{\ee}{
\be|\ee|\def\x#1{|\newenvironment{q}{|\begin{q}|\end{q}|$|$$|\[|\]|\(|\)|{|}|[|]|%|&|\\|\\[2pt]|\verb|\lstinline[|\url{
\href{|\label{|\cite[|\includegraphics[|\section{|\item|\text{|\left(|\right)|\begingroup|\endgroup|\iffalse|\else|\fi
\newif\ifz|\ifz|\ExplSyntaxOn|\ExplSyntaxOff|\makeatletter|\catcode`\$=12|\catcode`\%=12|\MakeShortVerb{\~}|~|\endinput
\csname|\let\a|\string|\hbox to|\detokenize{|\begin|\end|\begin{|#1|_|^|word|\|é|中|\ufeff
""".strip()
    .replace("\n", "|")
    .split("|")
)

LATEX = st.lists(st.sampled_from([*PIECES, "|", " ", "\n", "\n\n", "\r", "\r\n", "\t"]), max_size=40).map("".join)
PARTS: st.SearchStrategy[Part] = st.sampled_from(["main", "body", "style"])


def check(source: Source) -> None:
    """All that holds of any text."""
    size = len(source.text)
    pos = 0
    for span in source.spans:
        assert span.start == pos < span.end
        pos = span.end
    assert pos == size
    assert all(left.mode is not right.mode for left, right in zip(source.spans, source.spans[1:], strict=False))
    assert [c.start for c in source.commands] == sorted({c.start for c in source.commands})
    for command in source.commands:
        assert source.text[command.start : command.end] == "\\" + command.name
        assert source.live(command.start)
    for index, environment in enumerate(source.environments):
        assert environment.parent is None or environment.parent < index
        assert environment.begin <= environment.begin_end <= environment.until <= size
    for index, group in enumerate(source.groups):
        assert group.parent is None or group.parent < index
        assert source.text[group.open] == "{"
        assert group.close is None or source.text[group.close] == "}"
        assert group.open < group.until <= size
    for math in source.math:
        assert 0 <= math.start <= math.body_start <= math.body_end <= math.end <= size
    assert all(source.text[at] == "}" for at in source.stray_closers)
    assert all(0 <= start <= end <= size for start, end in source.bodies)
    assert source.document is None or 0 <= source.document[0] <= source.document[1] <= size
    for number in range(1, source.line_count + 1):
        start, end = source.line_span(number)
        assert source.line(start) == number
        assert not set(source.text[start:end]) & {"\n", "\r"}
    for pos in {0, size // 2, size}:
        start, end = source.paragraph(pos)
        assert 0 <= start <= end <= size
        source.mode(pos)
        source.innermost(pos)
        source.level(pos)
        source.ordinary(pos)
    for command in source.commands:
        for argument in source.arguments(command, 9):
            assert source.text[argument.start] in "[{" and source.text[argument.end - 1] in "]}"


@settings(max_examples=300, deadline=None)
@given(LATEX, PARTS)
@example("\\catcode`\\%=12\\begin{itemize}%\\begin{itemize}", "main")
@example("\\endinput\\iffalse\n\\else", "main")
def test_any_latex(text: str, part: Part) -> None:
    check(lex(text, part))


@settings(max_examples=100, deadline=None)
@given(st.text(), PARTS)
def test_any_characters(text: str, part: Part) -> None:
    check(lex(text, part))


@settings(max_examples=30, deadline=None)
@given(LATEX)
def test_any_beginning_of_a_text(text: str) -> None:
    for end in range(len(text)):
        check(lex(text[:end]))


REPEATED = (
    r"{ } {\begin{a} $x \begin{a} \end{a} \label{ \cite[ \foo[ \begin{verbatim} \csname \iffalse| \verb|x|"
    r" \newcommand{\a}{"
).split()


@pytest.mark.parametrize("piece", [*REPEATED, "$$ x\n\n", "\\[ x\n\n", "\\begin{equation}\n\n", "\r"])
def test_what_is_repeated_ten_thousand_times(piece: str) -> None:
    check(lex(piece * 10_000, "body"))
