"""The guard: what an edit may do is free, what is lost is named."""

from __future__ import annotations

import pytest
from hostile import VARIANTS, variants
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.guard import Verdict, guard
from texrepair.project import Draft

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 64 + b"IEND\xaeB`\x82"

REPORT = r"""\documentclass{article}
\usepackage{graphicx,booktabs,amsmath}
\newcommand{\firm}{Alder \& Finch}
\title{The Tide Mill at Low Water}
\author{Survey group}
\begin{document}
\maketitle
\section{Measurements and method}
\label{sec:measure}
The mill was measured on 14 days between March and June 2021 from a mark at 30.5 metres.
Every reading was taken twice by two different people of \firm{} \cite{alder2019}.
The wheel turns slowly while the water is low and stops before the pond is empty.

Tables are in Section~\ref{sec:results}, see also \cite[p.~3]{finch2020}. Smith \& Sons built the wheel,
where $v + 3$ is the speed and $q$ the width of the race, as was said before\footnote{Not in the older
plans of the mill, which show two wheels.}.

\begin{figure}
  \includegraphics[width=5cm]{wheel.png}
  \caption{The wheel from the north}
  \label{fig:wheel}
\end{figure}

\section{Results of the survey}
\label{sec:results}
\begin{tabular}{lrr}
  Month & Level & Flow \\
  March & 2.31 & 14 \\
  April & 2.05 & 11 \\
  May & & 9 \\
\end{tabular}

\begin{itemize}
  \item The level falls in spring and early summer,
  \item the flow falls with it every year,
\end{itemize}
The results agree with the older ones for all months but the last one of them.

\begin{verbatim}
read level_1 from gauge
write level_1 to table
\end{verbatim}

\begin{equation} a = b + c \label{eq:sum} \end{equation}
The author thanks the miller and all the people who held the other end of the tape.
\end{document}
"""


def judge(before: str, after: str, **files: str) -> Verdict:
    return guard(Draft({"main.tex": before, **files}), Draft({"main.tex": after, **files}), "main.tex")


def body(text: str) -> str:
    return "\\documentclass{article}\n\\begin{document}\n" + text + "\n\\end{document}\n"


FREE = [
    ("nothing", "a b c", "a b c"),
    ("escaping", "R&D costs 5% of A_b #1", "R\\&D costs 5\\% of A\\_b \\#1"),
    ("a percent sign that ate text", "it is 5% of all\nthings", "it is 5\\% of all\nthings"),
    ("math around a word", "the speed v_1 is \\lambda", "the speed $v_1$ is $\\lambda$"),
    ("a dollar that was lost", "the speed $v is (high)\n\nso", "the speed $v$ is (high)\n\nso"),
    ("dollars that are money", "costs $5 and $6 each", "costs \\$5 and \\$6 each"),
    ("a misspelt command", "\\textbff{a} \\sectoin{b}", "\\textbf{a} \\section{b}"),
    ("a backslash that was lost", "section{Intro} text", "\\section{Intro} text"),
    ("a control character that was a command", "a \x08egin{center}b\\end{center}", "a \\begin{center}b\\end{center}"),
    ("a lost brace", "\\section{One\n\nTwo \\emph{three}", "\\section{One}\n\nTwo \\emph{three}"),
    ("a lost \\end", "\\begin{itemize}\\item a\n\nb", "\\begin{itemize}\\item a\\end{itemize}\n\nb"),
    ("a wrong bracket", "\\section{Sites]\n\na \\cite[p. 1}{key}", "\\section{Sites}\n\na \\cite[p. 1]{key}"),
    (
        "an environment with another name",
        "\\begin{tabulr}{l}a & b\\end{tabulr}",
        "\\begin{tabular}{l}a & b\\end{tabular}",
    ),
    ("Unicode for commands", "α ≤ β – “x”", "$\\alpha \\leq \\beta$ -- ``x''"),
    ("accents", "Caf\\'e", "Café"),
    ("fonts", "$\\mathbf{x}$ {\\bf a}", "$\\symbf{x}$ \\textbf{a}"),
    ("verbatim for typewriter", "\\section{\\verb|a_b|}", "\\section{\\texttt{a\\_b}}"),
    (
        "Markdown",
        "## Title\n- one *two*\n- three `f_x`",
        "\\section{Title}\n\\begin{itemize}\\item one \\emph{two}\\item three \\texttt{f\\_x}\\end{itemize}",
    ),
    (
        "a numbered list",
        "\\begin{enumerate}\n1. one\n2. two\n\\end{enumerate}",
        "\\begin{enumerate}\n\\item one\n\\item two\n\\end{enumerate}",
    ),
    ("a Markdown link", "see [the site](https://a.b/c_d) now", "see \\href{https://a.b/c_d}{the site} now"),
    ("HTML entities", "A &amp; B &lt; C", "A \\& B $<$ C"),
    ("a fence", "```latex\na\n```", "a"),
    (
        "a row's end that was lost",
        "\\begin{tabular}{ll}a & b c & d \\\\\\end{tabular}",
        "\\begin{tabular}{ll}a & b \\\\ c & d \\\\\\end{tabular}",
    ),
    (
        "a column too many",
        "\\begin{tabular}{l}a & b \\\\\\end{tabular}",
        "\\begin{tabular}{ll}a & b \\\\\\end{tabular}",
    ),
    (
        "a formula over two rows",
        "\\[ \\left( a \\\\ b \\right) \\]",
        "\\[ \\left( a \\right. \\\\ \\left. b \\right) \\]",
    ),
    ("a paragraph that moved", "\\section{A}\n\none two\n\nthree four", "\\section{A}\n\nthree four\n\none two"),
    ("a missing figure in a box", "\\includegraphics{figs/plot_a.png} b", "\\fbox{missing: figs/plot\\_a.png} b"),
    ("a macro with a right name", "\\newcommand{\\vol1}{one} \\vol1 b", "\\newcommand{\\volone}{one} \\volone b"),
    ("a glossary key", "\\gls{root-stock} a", "\\gls{rootstock} a"),
    ("a plural among glossary keys", "\\gls{trees} a", "\\glspl{tree} a"),
    ("a second label", "$$a \\label{x}\\label{y}$$ \\eqref{y}", "$$a \\label{x}$$ \\eqref{x}"),
]


@pytest.mark.parametrize(("before", "after"), [(b, a) for _, b, a in FREE], ids=[name for name, _, _ in FREE])
def test_free(before: str, after: str) -> None:
    verdict = judge(body(before), body(after))
    assert verdict.accepted, verdict.reason
    assert not verdict.trace, verdict.reason


def test_chat_around_the_document_is_no_content() -> None:
    wrapped = "Sure! Here is \\documentclass{article} for you:\n\n```latex\n" + REPORT + "```\nI fixed 3 errors.\n"
    assert judge(wrapped, REPORT) == Verdict(True, (), (), "")


def test_a_trace_is_accepted_and_reported() -> None:
    verdict = judge(body("one two three four"), body("one two four"))
    assert verdict.accepted
    assert [(loss.kind, loss.file) for loss in verdict.trace] == [("paragraph", "main.tex")]
    assert "one two three four" in verdict.reason


LOST = [
    ("a number", "about 3.14 metres", "about metres", "number ‘3.14’"),
    ("another number", "in 1903 or so", "in 1904 or so", "number ‘1903’"),
    ("a sign", "at -5 degrees", "at 5 degrees", "paragraph"),
    ("a section title", "\\section{One thing}\ntext", "text", "section title ‘{One thing}’"),
    ("a word of a title", "\\section{One thing}\ntext", "\\section{One}\ntext", "section title"),
    ("a citation", "as \\cite{a99} says", "as they say", "citation ‘a99’"),
    ("a label", "\\label{x} a", "a", "label ‘x’"),
    ("a row", "\\begin{tabular}{l}a\\\\ b\\\\\\end{tabular}", "\\begin{tabular}{l}a\\\\\\end{tabular}", "table row"),
    (
        "the order of cells",
        "\\begin{tabular}{ll}a & b\\\\\\end{tabular}",
        "\\begin{tabular}{ll}b & a\\\\\\end{tabular}",
        "order of the table row",
    ),
    (
        "an empty cell's place",
        "\\begin{tabular}{lll}a & & b\\\\\\end{tabular}",
        "\\begin{tabular}{lll}a & b &\\\\\\end{tabular}",
        "order of the table row",
    ),
    (
        "cells between rows",
        "\\begin{tabular}{ll}a & 5\\\\ b & 7\\\\\\end{tabular}",
        "\\begin{tabular}{ll}a & 7\\\\ b & 5\\\\\\end{tabular}",
        "order of the table row",
    ),
    ("a variable", "let $x$ be so", "let $y$ be so", "paragraph"),
    ("an operator", "$a + b$", "$a - b$", "paragraph"),
    ("an index", "$a_b$ is so", "$a^b$ is so", "paragraph"),
    ("an accent", "$\\hat x$ is so", "$x$ is so", "paragraph"),
    ("a fraction turned over", "$\\frac{a}{b}$", "$\\frac{b}{a}$", "order of the paragraph"),
    ("an ampersand", "Alder \\& Finch met", "Alder and Finch met", "paragraph"),
    ("a currency", "it costs \\$5 now", "it costs 5 now", "paragraph"),
    ("a listing", "\\begin{verbatim}\nls -l home\n\\end{verbatim}\na", "a", "listing"),
    ("a picture", "\\includegraphics{a.png} b", "b", "picture ‘a’"),
    ("a link", "\\href{https://a.b/c}{d}", "\\href{https://a.b/e}{d}", "link ‘a.b/c’"),
    ("a word for another", "it rises fast now", "it falls fast now", "paragraph"),
    ("a quantity", "\\SI{3.5}{\\metre} long", "\\SI{4.5}{\\metre} long", "number ‘3.5’"),
    ("the title", "\\maketitle a", "a", "command ‘maketitle’"),
    ("Chinese", "这是一个很长的句子", "这是句子", "paragraph"),
    ("a defined number", "\\newcommand{\\n}{42}\\n", "\\newcommand{\\n}{43}\\n", "definition ‘42’"),
    (
        "what a macro shows",
        "\\renewcommand{\\textbf}[1]{\\emph{#1}}\\textbf{a b c d}",
        "\\renewcommand{\\textbf}[1]{}\\textbf{a b c d}",
        "argument of",
    ),
    ("a place in a sentence", "the cat bites the old dog", "the old dog bites the cat", "order of the paragraph"),
]


@pytest.mark.parametrize(("before", "after", "named"), [row[1:] for row in LOST], ids=[row[0] for row in LOST])
def test_lost(before: str, after: str, named: str) -> None:
    verdict = judge(body("Some words. " + before), body("Some words. " + after))
    assert not verdict.accepted
    assert named in verdict.reason


@pytest.mark.parametrize(
    ("added", "named"),
    [
        ("\\immediate\\write18{touch x}", "\\write"),
        ("\\newwrite\\f\\immediate\\openout\\f=x.tex", "\\openout"),
        ("\\directlua{os.execute('x')}", "\\directlua"),
        ("\\begin{luacode}x()\\end{luacode}", "\\luacode"),
        ('\\input{|"kpsewhich x"}', "a pipe in \\input"),
        ("\\input|date ", "a pipe in \\input"),
        ("\\input{/etc/passwd}", "an absolute path in \\input"),
        ("\\InputIfFileExists{~/.netrc}{}{}", "a path at home in \\InputIfFileExists"),
        ("\\openin\\r=/proc/self/environ", "\\openin"),
        ("\\immediate\\wri^^74e18{x}", "a character as ^^"),
        ("\\ShellEscape{x}", "\\ShellEscape"),
    ],
)
def test_what_reaches_beyond_the_document_may_not_be_added(added: str, named: str) -> None:
    verdict = judge(body("One.\n\nTwo."), body(f"One.\n{added}\n\nTwo."))
    assert not verdict.accepted
    assert f"‘{named}’" in verdict.reason


def test_what_reaches_beyond_the_document_may_stay_and_go() -> None:
    has = "\\immediate\\write18{date}\\directlua{x()}"
    assert judge(body(f"{has} One {{two."), body(f"{has} One two.")).accepted
    assert judge(body("One. \\directlua{x()} Two."), body("One. Two.")).accepted
    assert judge(body("\\\\immediate\\\\write18\\{date\\} One."), body("\\immediate\\write18{date} One.")).accepted


def test_a_comment_that_reaches_beyond_the_document_may_not_come_alive() -> None:
    commented = "One.\n% \\immediate\\write18{touch x}\n\nTwo."
    assert not judge(body(commented), body(commented.replace("% ", ""))).accepted


def test_every_kind_of_hostile_variant_is_refused() -> None:
    found = dict(variants(REPORT, "report"))
    assert {v.__name__ for v in VARIANTS} - found.keys() == {"input_dropped"}
    accepted = [kind for kind, text in found.items() if judge(REPORT, text).accepted]
    assert not accepted


def test_a_chapter_that_is_no_longer_read_is_lost() -> None:
    before = body("one\n\\input{part}")
    verdict = judge(before, body("one"), **{"part.tex": "a whole chapter of words"})
    assert not verdict.accepted
    assert verdict.lost[0].file == "part.tex"


def test_a_chapter_may_be_moved_into_the_main_file() -> None:
    part = {"part.tex": "a whole chapter of words"}
    assert judge(body("one\n\n\\input{part}"), body("one\n\na whole chapter of words"), **part).accepted


def test_a_chapter_that_is_read_again_is_an_insertion() -> None:
    part = {"part.tex": "a whole chapter of words"}
    assert not judge(body("\\input{part}"), body("\\input{part}\n\\input{part}"), **part).accepted


def test_a_chapter_that_is_found_at_last_is_a_gain() -> None:
    part = {"part.tex": "a whole chapter of words"}
    assert judge(body("a \\input{parts/part}"), body("a \\input{part}"), **part).accepted


def test_excluding_a_chapter_is_a_loss() -> None:
    parts = {"a.tex": "one two three four", "b.tex": "five six seven eight"}
    before = body("\\include{a}\\include{b}")
    assert not judge(before, before.replace("\\begin", "\\includeonly{a}\n\\begin", 1), **parts).accepted


def test_the_bibliography_and_data_are_guarded() -> None:
    before = Draft({"main.tex": body("a"), "x.bib": "@book{k, title={A & B}, year=1999}", "d.csv": "1,2\n3,4\n"})
    assert guard(before, before.replace("x.bib", "@book{k, title={A \\& B}, year=1999}"), "main.tex").accepted
    assert not guard(before, before.replace("x.bib", "@book{k, title={A & B}, year=1998}"), "main.tex").accepted
    assert not guard(before, before.replace("d.csv", "1,2\n"), "main.tex").accepted


def test_a_picture_that_is_there_is_not_replaced_by_a_box() -> None:
    before, after = body("\\includegraphics{plot.png} b"), body("\\fbox{missing: plot.png} b")
    drafts = Draft({"main.tex": before}), Draft({"main.tex": after})
    assert guard(*drafts, "main.tex").accepted
    assert guard(*drafts, "main.tex", {"plot.png": b"version https://git-lfs"}).accepted
    assert not guard(*drafts, "main.tex", {"plot.png": PNG}).accepted


def test_a_document_in_json_may_be_unwrapped() -> None:
    text = '{"content": "\\\\documentclass{article}\\n\\\\begin{document}\\nL\\u00e4rm 55\\n\\\\end{document}"}'
    assert judge(text, body("Lärm 55")).accepted
    assert not judge(text, body("Lärm 56")).accepted


def test_the_same_draft_is_accepted() -> None:
    assert judge(REPORT, REPORT) == Verdict(True, (), (), "")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_have_a_verdict(before: str, after: str) -> None:
    verdict = judge(before, after)
    assert verdict.accepted is not bool(verdict.lost)
    assert judge(before, before).accepted
