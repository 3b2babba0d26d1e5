"""In broken text the lexer says what is broken, and the damage does not spread."""

from __future__ import annotations

import pytest

from texrepair.latex import Mode, Source, lex


def modes(source: Source, *needles: str) -> list[Mode]:
    return [source.mode(source.text.index(needle)) for needle in needles]


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("a $b\n\nLATER", "a blank line"),
        ("a $\\frac{b\n\nLATER", "a blank line, groups and all"),
        ("$\\text{b\n\nLATER", "a blank line in a text argument that takes no paragraph"),
        ("$$ b\n\nLATER\n\nmore $$ x $$", "a blank line, where the display is not closed behind it"),
        ("\\[ b\n\nLATER \\[ x \\]", "a blank line, where another display begins first"),
        ("\\begin{equation} b\n\nLATER", "a blank line, where \\end{equation} never comes"),
        ("a $b \\begin{itemize}\\item LATER\\end{itemize}", "a list"),
        ("a $b\n\\section{LATER}", "a heading"),
        ("\\begin{align} b\n\\section{LATER}", "a heading"),
        ("\\begin{tabular}{ll} $a & LATER \\end{tabular}", "a cell's end"),
        ("\\begin{tabular}{ll} $a \\\\ LATER \\end{tabular}", "a row's end"),
        ("\\begin{quote} $a \\end{quote} LATER", "the environment's end"),
        ("{a $b} LATER", "the group's end"),
        ("\\label{a LATER", "the first space, in a name"),
        ("\\includegraphics[width=3cm{a.png} LATER", "the bracket never counts as one"),
        ("\\url{a LATER\n\n", "the first space, in an address"),
        ("\\verb|a b\nLATER", "the line's end"),
        ("\\begin{verbatim}\na\n\\end{verbatm}\nLATER", "the \\end that is there"),
        ("\\begin{lstlisting}\na\n\\section{b}\nLATER", "a heading"),
        ("\\begin{equation} a \\end{equatoin} LATER", "a misspelt \\end"),
        ("\\tikzset{a={b}\n\\section{LATER}", "a heading, in a list of keys"),
        ("$$ a $ LATER\n\n", "a single dollar sign, as TeX does it"),
    ],
)
def test_text_is_text_again_after(text: str, later: str) -> None:
    assert modes(lex(text, "body"), "LATER") == [Mode.TEXT], later


@pytest.mark.parametrize(
    "text",
    ["$$ a\n\nSTILL $$ b", "\\[ a\n\nSTILL \\] b", "\\begin{align} a\n\nSTILL \\end{align} b"],
)
def test_a_display_whose_end_is_in_sight_stays_one_over_a_blank_line(text: str) -> None:
    assert modes(lex(text, "body"), "STILL") == [Mode.DISPLAY]


def test_the_preamble_cannot_spoil_the_document() -> None:
    source = lex("\\newcommand{\\a}{\\begin{b} $ {\n\\hypersetup{x={\n\\begin{document}\na $c$ b\n\\end{document}")
    assert modes(source, "a $c", "c$") == [Mode.TEXT, Mode.INLINE]
    assert source.level(source.text.index("a $c")) == 1
    assert not source.in_definition(source.text.index("a $c"))


def test_stray_closers_are_named() -> None:
    source = lex("a } b {c} } d", "body")
    assert source.stray_closers == (2, 10)
    assert [g.close is not None for g in source.groups] == [True]


def test_a_lost_brace_ends_with_its_environment() -> None:
    source = lex("\\begin{quote} {a \\end{quote} {b}", "body")
    own = [g for g in source.groups if g.opener not in ("begin", "end")]
    assert [(g.close is None, source.text[g.open : g.until]) for g in own] == [(True, "{a "), (False, "{b}")]
    assert source.environments[0].end is not None


def test_a_brace_too_many_inside_an_environment_is_the_stray_one() -> None:
    source = lex("{ \\begin{quote} a } b \\end{quote} }", "body")
    assert [source.text[p : p + 3] for p in source.stray_closers] == ["} b"]
    assert source.environments[0].end is not None


def test_an_environment_that_is_never_closed_ends_with_the_argument_around_it() -> None:
    source = lex("\\footnote{\\begin{itemize} a } b \\begin{itemize}\\end{itemize}", "body")
    assert [e.end is None for e in source.environments] == [True, False]
    assert source.environments_at(source.text.index(" b ")) == ()
    assert not source.stray_closers


def test_crossed_environments() -> None:
    source = lex("\\begin{a}\\begin{b}\\end{a}\\end{b} c", "body")
    assert [(e.name, e.end is None) for e in source.environments] == [("a", False), ("b", True)]
    assert [source.text[p : p + 7] for p in source.stray_ends] == ["\\end{b}"]


def test_open_math_is_named() -> None:
    source = lex("a $b\n\n\\(c\n\n$d$ \\begin{align} e\n\n", "body")
    assert [source.text[p : p + 2] for p in source.open_math] == ["$b", "\\(", "\\b"]


def test_shifts_where_none_may_stand() -> None:
    source = lex("\\begin{equation} a $b$ \\end{equation} \\] \\)", "body")
    assert len(source.stray_shifts) == 4
    assert modes(source, "b$") == [Mode.DISPLAY]


def test_an_environment_name_without_its_brace() -> None:
    source = lex("\\begin{itemize\n\\item a\n\\end{itemize}\nb", "body")
    assert [(e.name, e.end is not None) for e in source.environments] == [("itemize", True)]
    assert source.groups[0].close is None
