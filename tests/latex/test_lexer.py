"""What the lexer promises of sound text: the mode of every character, and the structure around it."""

from __future__ import annotations

import pytest

from texrepair.latex import Mode, Part, Source, lex

BEGIN = "\\begin{document}\n"


def at(source: Source, needle: str) -> int:
    assert source.text.count(needle) == 1, needle
    return source.text.index(needle)


@pytest.mark.parametrize(
    ("text", "needle", "mode"),
    [
        ("a % b\nc", "b", Mode.COMMENT),
        ("a % b\nc", "c", Mode.TEXT),
        ("a \\% b", "b", Mode.TEXT),
        ("a $b$ c", "b", Mode.INLINE),
        ("a $b$ c", "c", Mode.TEXT),
        ("a \\(b\\) c", "b", Mode.INLINE),
        ("$$b$$ c", "b", Mode.DISPLAY),
        ("$$b$$ c", "c", Mode.TEXT),
        ("\\[b\\] c", "b", Mode.DISPLAY),
        ("\\begin{align*} b \\end{align*} c", " b ", Mode.DISPLAY),
        ("\\begin{dmath} b \\end{dmath}", " b ", Mode.DISPLAY),
        ("\\begin{subequations} b \\end{subequations}", " b ", Mode.TEXT),
        ("$a \\text{if } b$", "if", Mode.TEXT),
        ("$a \\text{if $c$ } b$", "c$", Mode.INLINE),
        ("$a \\mathrm{if} b$", "if", Mode.INLINE),
        ("\\begin{tabular}{lc} b \\end{tabular}", "lc", Mode.ARGUMENT),
        ("\\begin{tabular}{lc} b \\end{tabular}", " b ", Mode.TEXT),
        ("\\begin{tabularx}{\\textwidth}{lX} b \\end{tabularx}", "lX", Mode.ARGUMENT),
        ("\\begin{tikzpicture}[scale=2] b \\end{tikzpicture}", "scale", Mode.ARGUMENT),
        ("\\begin{tikzpicture}[scale=2] b \\end{tikzpicture}", " b ", Mode.TEXT),
        ("\\label{b_c}", "b_c", Mode.ARGUMENT),
        ("\\cite[see][p. 5]{b_c}", "b_c", Mode.ARGUMENT),
        ("\\cite[see][p. 5]{b_c}", "see", Mode.TEXT),
        ("\\ref{b_c} and \\eqref{d}", "b_c", Mode.ARGUMENT),
        ("\\includegraphics[width=3cm]{b_c.png}", "width", Mode.ARGUMENT),
        ("\\includegraphics[width=3cm]{b_c.png}", "b_c", Mode.ARGUMENT),
        ("\\input{b_c}", "b_c", Mode.ARGUMENT),
        ("\\usepackage[a=b]{xcolor}", "xcolor", Mode.ARGUMENT),
        ("\\begin{quote} b \\end{quote}", "{quote} b", Mode.ARGUMENT),
        ("\\hypersetup{pdftitle={b_c}}", "b_c", Mode.ARGUMENT),
        ("\\begin{lstlisting}[caption={B c}]\n\\end{lstlisting}", "B c", Mode.ARGUMENT),
        ("\\begin{tcolorbox}[title={B & c}] d \\end{tcolorbox}", "B &", Mode.TEXT),
        ("\\begin{axis}[xlabel={B $x$}] \\end{axis}", "B ", Mode.TEXT),
        ("\\vspace{3pt} b", "3pt", Mode.ARGUMENT),
        ("a \\\\[3pt] b", "3pt", Mode.ARGUMENT),
        ("a \\\\ [b] c", "[b]", Mode.TEXT),
        ("\\multicolumn{2}{l|}{b}", "l|", Mode.ARGUMENT),
        ("\\multicolumn{2}{l|}{b}", "{b}", Mode.TEXT),
        ("\\textcolor{red}{b}", "red", Mode.ARGUMENT),
        ("\\textcolor{red}{b}", "{b}", Mode.TEXT),
        ("\\SI{3_4}{\\metre}", "3_4", Mode.ARGUMENT),
        ("\\ce{H2O^+}", "H2O", Mode.ARGUMENT),
        ("\\url{a_b%20c} d", "b%20c", Mode.ARGUMENT),
        ("\\url{a_b%20c} d", " d", Mode.TEXT),
        ("\\href{a_b#c}{d_e}", "b#c", Mode.ARGUMENT),
        ("\\href{a_b#c}{d_e}", "d_e", Mode.TEXT),
        ("\\path{a_b} c", "a_b", Mode.ARGUMENT),
        ("\\begin{tikzpicture}\\path (0,0) -- (b);\\end{tikzpicture}", "(b)", Mode.TEXT),
        ("\\detokenize{a_b$}", "a_b", Mode.VERBATIM),
        ("\\verb|a $ b| c", "a $", Mode.VERBATIM),
        ("\\verb|a $ b| c", " c", Mode.TEXT),
        ("\\verb*+a+ c", "+a+", Mode.VERBATIM),
        ("\\lstinline[language=C]|a $ b| c", "a $", Mode.VERBATIM),
        ("\\lstinline{a $ b} c", "a $", Mode.VERBATIM),
        ("\\mintinline{python}{a $ b} c", "python", Mode.ARGUMENT),
        ("\\mintinline{python}{a $ b} c", "a $", Mode.VERBATIM),
        ("\\begin{minted}[linenos]{python}\na $ b\n\\end{minted} c", "a $", Mode.VERBATIM),
        ("\\begin{alltt}\na $ b\n\\end{alltt} c", "a $", Mode.VERBATIM),
        ("\\begin{comment}\na $ b\n\\end{comment} c", "a $", Mode.VERBATIM),
        ("\\begin{filecontents*}{x.tex}\na $ b\n\\end{filecontents*} c", "a $", Mode.VERBATIM),
        ("\\begin{verbatim}\n\\end{document}\n\\end{verbatim} c", " c", Mode.TEXT),
        ("\\DefineVerbatimEnvironment{code}{Verbatim}{}\\begin{code}\na $ b\n\\end{code} c", "a $", Mode.VERBATIM),
        ("\\lstnewenvironment{code}[1][]{}{}\\begin{code}[x]\na $ b\n\\end{code} c", "a $", Mode.VERBATIM),
        ("\\newminted{rust}{}\\begin{rustcode}\na $ b\n\\end{rustcode} c", "a $", Mode.VERBATIM),
        ("\\newenvironment{code}{\\verbatim}{\\endverbatim}\\begin{code}\na $ b\n\\end{code} c", "a $", Mode.VERBATIM),
        ("\\newenvironment{law}{\\begin{equation}}{\\end{equation}}\\begin{law} b \\end{law} c", " b ", Mode.DISPLAY),
        ("\\newcommand{\\be}{\\begin{equation}}\\be b \\end{equation} c", " b ", Mode.DISPLAY),
        ("\\def\\be{\\[}\\def\\ee{\\]}\\be b \\ee c", "e b ", Mode.DISPLAY),
        ("\\def\\be{\\[}\\def\\ee{\\]}\\be b \\ee c", " c", Mode.TEXT),
        ("\\MakeShortVerb{\\|} |a $| c", "a $", Mode.VERBATIM),
        ("\\iffalse a \\ifx\\b\\c \\fi d \\fi e", " d ", Mode.DEAD),
        ("\\iffalse a \\ifx\\b\\c \\fi d \\fi e", " e", Mode.TEXT),
        ("\\iffalse a \\else d \\fi e", " d ", Mode.TEXT),
        ("\\if0 a \\fi e", " a ", Mode.DEAD),
        ("a \\endinput b\nc", " b", Mode.TEXT),
        ("a \\endinput b\nc", "c", Mode.DEAD),
        ("\\ifx\\a\\b \\endinput \\fi\nc", "c", Mode.TEXT),
        ("\\ExplSyntaxOn \\tl_set:Nn \\l_a { b_c } \\ExplSyntaxOff d", "b_c", Mode.ARGUMENT),
        ("\\ExplSyntaxOn \\tl_set:Nn \\l_a { b_c } \\ExplSyntaxOff d", " d", Mode.TEXT),
        ("{\\catcode`\\$=12 a $5 b} c", " b", Mode.TEXT),
        ("\\string\\begin{verbatim} b", " b", Mode.TEXT),
        ("\\let\\oldverb\\verb a | b", " b", Mode.TEXT),
    ],
)
def test_modes(text: str, needle: str, mode: Mode) -> None:
    source = lex(text, "body")
    assert source.mode(at(source, needle)) is mode


@pytest.mark.parametrize(("setting", "mode"), [("", Mode.DEAD), ("\\drafttrue", Mode.TEXT)])
def test_a_flag_that_is_never_set(setting: str, mode: Mode) -> None:
    source = lex("\\newif\\ifdraft " + setting + BEGIN + "\\ifdraft a \\fi e\\end{document}")
    assert source.mode(at(source, " a ")) is mode
    assert source.mode(at(source, " e")) is Mode.TEXT


def test_what_follows_the_end_of_the_document_is_dead() -> None:
    source = lex("\\documentclass{article}\n" + BEGIN + "a\n\\end{document}\nb $ {")
    assert source.mode(at(source, "b $")) is Mode.DEAD
    assert not source.live(at(source, "b $"))
    assert source.document is not None
    assert source.text[slice(*source.document)] == "\na\n"
    assert source.in_preamble(0)
    assert not source.in_preamble(at(source, "a\n"))


def test_chat_that_talks_of_a_document_does_not_begin_or_end_it() -> None:
    chat = "I begin with \\begin{document} and finish with \\end{document}. It costs $5 {.\n\n"
    source = lex(chat + "\\documentclass{article}\n" + BEGIN + "a $b$\n\\end{document}\n")
    assert source.document is not None
    assert source.text[slice(*source.document)].strip() == "a $b$"
    assert source.mode(source.text.index("b$")) is Mode.INLINE


@pytest.mark.parametrize(("part", "preamble"), [("body", False), ("style", True)])
def test_parts(part: Part, preamble: bool) -> None:
    source = lex("\\my@name a", part)
    assert source.in_preamble(0) is preamble
    assert source.commands[0].name == ("my@name" if part == "style" else "my")


def test_catcodes_change_what_is_a_letter() -> None:
    source = lex("\\a@b \\makeatletter \\a@b \\makeatother \\a@b {\\catcode`\\_=11 \\c_d} \\c_d", "body")
    names = [c.name for c in source.commands if c.name[0] in "ac" and c.name != "catcode"]
    assert names == ["a", "a@b", "a", "c_d", "c"]


def test_underscore_is_ordinary_after_its_package() -> None:
    source = lex("\\usepackage{underscore}\n" + BEGIN + "a_b\n\\end{document}")
    assert "_" in source.ordinary(at(source, "a_b"))
    assert "_" not in source.ordinary(0)


def test_environments_know_their_parents() -> None:
    source = lex("\\begin{a}\\begin{b}x\\end{b}\\begin{c}\\end{c}\\end{a}y", "body")
    assert [(e.name, e.parent) for e in source.environments] == [("a", None), ("b", 0), ("c", 0)]
    assert [e.name for e in source.environments_at(at(source, "x"))] == ["a", "b"]
    assert source.environments_at(at(source, "y")) == ()
    first = source.environments[0]
    assert source.text[first.begin : first.begin_end] == "\\begin{a}"
    assert first.end is not None and source.text[first.end : first.end_end] == "\\end{a}"


def test_groups_know_who_opened_them() -> None:
    source = lex("\\textbf{a {b}} \\item {c} \\frac{d}{e}", "body")
    assert [(g.opener, g.depth) for g in source.groups] == [("textbf", 0), ("", 1), ("", 0), ("frac", 0), ("frac", 0)]
    assert [source.text[g.open] for g in source.groups_at(at(source, "b}"))] == ["{", "{"]


def test_arguments_and_what_is_in_them() -> None:
    source = lex("\\caption[short {]}]% a comment\n  {long \\emph{x}} {no}", "body")
    (caption,) = source.command_named("caption")
    found = source.arguments(caption, 2)
    assert [(source.inner(a), a.optional) for a in found] == [("short {]}", True), ("long \\emph{x}", False)]
    assert len(source.arguments(caption, 5)) == 3


def test_an_overlay_may_stand_before_an_argument() -> None:
    source = lex("\\only<2->{a} \\item<1> b", "body")
    (only,) = source.command_named("only")
    assert [source.inner(a) for a in source.arguments(only, 1)] == ["a"]
    assert source.groups[0].opener == "only"


def test_packages_and_classes() -> None:
    text = "\\documentclass[12pt]{article}\n\\usepackage{a, b}\n\\usepackage[x={y,z}]{c}[2020/01/01] d"
    source = lex(text)
    assert [(p.command, p.name, p.options) for p in source.packages] == [
        ("documentclass", "article", "12pt"),
        ("usepackage", "a", ""),
        ("usepackage", "b", ""),
        ("usepackage", "c", "x={y,z}"),
    ]
    last = source.packages[-1]
    assert text[last.start : last.end] == "\\usepackage[x={y,z}]{c}[2020/01/01]"
    assert [text[p.name_start] for p in source.packages] == ["a", "a", "b", "c"]


def test_definitions() -> None:
    text = (
        "\\newcommand{\\one}[1][x]{#1}\\def\\two#1.{#1}\\newenvironment{three}{}{}\\let\\four=\\one\n"
        "\\newtheorem{five}{Five}\\newif\\ifsix\\DeclareMathOperator*{\\seven}{S}\\newcounter{eight}"
    )
    source = lex(text)
    assert set(source.definitions) == {"one", "two", "three", "four", "five", "ifsix", "sixtrue", "sixfalse", "seven"}
    assert text[source.definitions["two"] :].startswith("\\def\\two")
    assert source.in_definition(text.index("#1}\\def"))
    assert not source.in_definition(text.index("Five}"))


def test_a_definition_lets_nothing_out() -> None:
    source = lex("\\newcommand{\\be}{\\begin{equation} $ \\left(}\\newcommand{\\ee}{\\] \\end{quote}} a", "body")
    assert source.mode(at(source, " a")) is Mode.TEXT
    assert not source.environments
    assert not source.stray_ends and not source.stray_shifts and not source.open_math and not source.fences


def test_formulas() -> None:
    source = lex("a $x$ \\begin{equation}\n y \\text{z $w$}\\end{equation}", "body")
    assert [(source.text[m.body_start : m.body_end].strip(), m.display) for m in source.math] == [
        ("x", False),
        ("y \\text{z $w$}", True),
        ("w", False),
    ]
    assert len(source.math_at(at(source, "w$"))) == 2
    assert source.text[source.math[1].start : source.math[1].end].startswith("\\begin{equation}")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_for_tex(end: str) -> None:
    source = lex(end.join(["one", "two", "", "three"]) + end, "body")
    assert source.line_count == 4
    assert [source.line(source.text.index(word)) for word in ("one", "two", "three")] == [1, 2, 4]
    assert source.text[slice(*source.line_span(2))] == "two"
    assert source.line_span(99) == source.line_span(4)
    assert source.text[slice(*source.paragraph(0))] == f"one{end}two"
    assert source.text[slice(*source.paragraph(source.text.index("three")))] == "three"


def test_fences_and_levels() -> None:
    source = lex("\\begin{center}{$\\left( a \\right)$}\\begingroup b\\endgroup\\end{center}", "body")
    assert [(f.name, f.end is not None) for f in source.fences] == [("left", True), ("begingroup", True)]
    assert source.level(at(source, " a ")) == 4
    assert source.level(at(source, " b")) == 2
