"""Small documents in which TeX itself says, at each \\probe, what mode and what group it is in.

`\\probe{n}` may stand anywhere. `level` says that the number of groups is compared too: not inside the arguments of
macros, boxes and alignments, where TeX's count depends on how a macro is written.
"""

from __future__ import annotations

from typing import NamedTuple


class Snippet(NamedTuple):
    name: str
    text: str
    level: bool = True
    preamble: str = ""


SNIPPETS: tuple[Snippet, ...] = (
    Snippet("inline dollar", r"a \probe{1} $x \probe{2} y$ b \probe{3}"),
    Snippet("double dollar", "a\n$$ x \\probe{1} $$\nb \\probe{2}"),
    Snippet("parentheses", r"a \(x \probe{1}\) b \probe{2}"),
    Snippet("brackets", "a\n\\[ x \\probe{1} \\]\nb \\probe{2}", level=False),  # amsmath: an equation*
    Snippet("groups in math", r"$a {b \probe{1} {c \probe{2}}} \probe{3}$ \probe{4}"),
    Snippet("groups in text", r"{a \probe{1} {b \probe{2}} \probe{3}} \probe{4}"),
    Snippet("begingroup", r"\begingroup a \probe{1} \bgroup b \probe{2} \egroup \endgroup \probe{3}"),
    Snippet("left and right", r"$\left( a \probe{1} \left[ b \probe{2} \right] \right) \probe{3}$ \probe{4}"),
    Snippet(
        "center and quote",
        "\\begin{center} a \\probe{1} \\begin{quote} b \\probe{2} \\end{quote} \\end{center} \\probe{3}",
    ),
    Snippet("lists", "\\begin{itemize}\\item a \\probe{1} $x\\probe{2}$ \\end{itemize}\\probe{3}"),
    Snippet("equation", "\\begin{equation} x \\probe{1} \\label{e} \\end{equation} \\probe{2}"),
    Snippet("equation star", "\\begin{equation*} x \\probe{1} \\end{equation*} \\probe{2}"),
    Snippet("displaymath", "\\begin{displaymath} x \\probe{1} \\end{displaymath} \\probe{2}", level=False),
    Snippet("math environment", "a \\begin{math} x \\probe{1} \\end{math} b \\probe{2}"),
    Snippet("align", "\\begin{align} a &= b \\probe{1} \\\\ c &= d \\probe{2} \\end{align} \\probe{3}", level=False),
    Snippet("alignat", "\\begin{alignat}{2} a &= b \\probe{1} & c &= d \\end{alignat} \\probe{2}", level=False),
    Snippet(
        "gather and text", "\\begin{gather} a \\probe{1} \\text{if \\probe{2} $b\\probe{3}$} \\end{gather}", level=False
    ),
    Snippet("multline", "\\begin{multline} a \\probe{1} \\\\ b \\probe{2} \\end{multline} \\probe{3}", level=False),
    Snippet("eqnarray", "\\begin{eqnarray} a &=& b \\probe{1} \\end{eqnarray} \\probe{2}", level=False),
    Snippet(
        "cases",
        "\\[ f = \\begin{cases} a \\probe{1} & \\text{if \\probe{2}} \\\\ b & c \\probe{3} \\end{cases} \\]",
        level=False,
    ),
    Snippet("matrix", "$\\begin{pmatrix} a & b \\probe{1} \\end{pmatrix} \\probe{2}$", level=False),
    Snippet("aligned", "\\[ \\begin{aligned} a &= b \\probe{1} \\end{aligned} \\probe{2} \\]", level=False),
    Snippet("split", "\\begin{equation}\\begin{split} a &= b \\probe{1} \\end{split}\\end{equation}", level=False),
    Snippet(
        "intertext",
        "\\begin{align*} a &= b \\\\ \\intertext{and \\probe{1}} c &= d \\probe{2} \\end{align*}",
        level=False,
    ),
    Snippet("mbox in math", "$a \\mbox{b \\probe{1} $c \\probe{2}$} \\probe{3}$", level=False),
    Snippet("hbox to", "$a \\hbox to 2cm{b \\probe{1}\\hfil} \\probe{2}$", level=False),
    Snippet(
        "text fonts in math", "$a \\textrm{b \\probe{1}} \\mathrm{c \\probe{2}} \\textbf{d \\probe{3}}$", level=False
    ),
    Snippet("parbox in math", "$a \\parbox{2cm}{b \\probe{1}} \\probe{2}$", level=False),
    Snippet("empty formula in a box", "\\mbox{a $$ b \\probe{1}} \\probe{2}", level=False),
    Snippet("ensuremath", "\\ensuremath{a \\probe{1}} \\probe{2}", level=False),
    Snippet("footnote in display", "\\[ a \\mbox{\\footnotesize b \\probe{1}} \\probe{2} \\]", level=False),
    Snippet("tag", "\\[ a \\tag{b \\probe{1}} \\probe{2} \\]", level=False),
    Snippet(
        "tabular",
        "\\begin{tabular}{ll} a \\probe{1} & $b \\probe{2}$ \\\\ c & d \\probe{3} \\end{tabular}",
        level=False,
    ),
    Snippet("array", "$\\begin{array}{ll} a \\probe{1} & \\mbox{b \\probe{2}} \\end{array}$", level=False),
    Snippet(
        "column specification with math",
        "\\begin{tabular}{>{$}l<{$}l} a & b \\probe{1} \\end{tabular} \\probe{2}",
        level=False,
    ),
    Snippet("tabular in math", "$\\begin{tabular}{l} a \\probe{1} \\end{tabular} \\probe{2}$", level=False),
    Snippet(
        "minipage in display", "\\[ \\begin{minipage}{2cm} a \\probe{1} \\end{minipage} \\probe{2} \\]", level=False
    ),
    Snippet("section and caption", "\\section{a \\probe{1} $b \\probe{2}$} \\probe{3}", level=False),
    Snippet("comment signs", "a % $ \\probe{1}\n\\probe{2} \\% $b \\probe{3}$ \\probe{4}"),
    Snippet("dollar escaped", r"a \$ \probe{1} $b \$ \probe{2}$ \probe{3}"),
    Snippet("verb", "a \\verb|$ \\probe{1}| \\probe{2} \\verb*+{+ \\probe{3}"),
    Snippet("verbatim", "\\begin{verbatim}\n$ { \\probe{1}\n\\end{verbatim}\n\\probe{2}"),
    Snippet("listing", "\\begin{lstlisting}[caption={a $b$}]\n$ { \\probe{1}\n\\end{lstlisting}\n\\probe{2}"),
    Snippet("lstinline", "\\lstinline|$ {| \\probe{1} \\lstinline[language=C]+$+ \\probe{2}"),
    Snippet(
        "fancyvrb", "\\begin{Verbatim}[frame=single]\n$ \\probe{1}\n\\end{Verbatim}\n\\probe{2} \\Verb|$| \\probe{3}"
    ),
    Snippet(
        "own verbatim environment",
        "\\begin{code}\n$ \\probe{1}\n\\end{code}\n\\probe{2}",
        preamble="\\DefineVerbatimEnvironment{code}{Verbatim}{}",
    ),
    Snippet(
        "own listing",
        "\\begin{prog}\n$ { \\probe{1}\n\\end{prog}\n\\probe{2}",
        preamble="\\lstnewenvironment{prog}{}{}",
    ),
    Snippet("short verb", "\\MakeShortVerb{\\|}a |$ {| \\probe{1} \\DeleteShortVerb{\\|}"),
    Snippet("comment environment", "\\begin{comment}\n$ { \\probe{1}\n\\end{comment}\n\\probe{2}"),
    Snippet(
        "url", "\\url{http://a.b/c_d%20e#f} \\probe{1} \\href{http://a.b/c_d%20e}{f \\probe{2}} \\probe{3}", level=False
    ),
    Snippet("path", "\\path{C:/a_b} \\probe{1} \\path|a_b$| \\probe{2}"),
    Snippet("detokenize", "\\texttt{\\detokenize{a_b$c}} \\probe{1}"),
    Snippet("iffalse", "\\iffalse $ { \\probe{1} \\iftrue \\fi \\probe{2} \\else a \\probe{3} \\fi \\probe{4}"),
    Snippet("iftrue", "\\iftrue a \\probe{1} \\else $ { \\probe{2} \\fi \\probe{3}"),
    Snippet("iffalse with a comment", "\\iffalse a % \\fi \\probe{1}\n \\probe{2} \\fi \\probe{3}"),
    Snippet(
        "shorthand",
        "\\newcommand{\\be}{\\begin{equation}}\\newcommand{\\ee}{\\end{equation}}\\be x \\probe{1} \\ee \\probe{2}",
    ),
    Snippet(
        "shorthand by def",
        "\\def\\bi{\\begin{itemize}}\\def\\ei{\\end{itemize}}\\bi\\item a \\probe{1} \\ei \\probe{2}",
    ),
    Snippet("shorthand for a dollar", "\\def\\m{$}\\m x \\probe{1} $ \\probe{2}", level=False),
    Snippet(
        "environment around math",
        "\\begin{law} x \\probe{1} \\end{law} \\probe{2}",
        level=False,
        preamble="\\newenvironment{law}{\\begin{equation}}{\\end{equation}}",
    ),
    Snippet(
        "environment around text",
        "\\begin{remark} a \\probe{1} $b \\probe{2}$ \\end{remark}",
        level=False,
        preamble="\\newenvironment{remark}{\\begin{quote}\\itshape}{\\end{quote}}",
    ),
    Snippet("definition with math", "\\newcommand{\\R}{$\\mathbf{R}$} a \\R\\ \\probe{1}"),
    Snippet(
        "definition with a lone end",
        "\\newcommand{\\stop}{\\end{center}} \\begin{center} a \\probe{1} \\end{center} \\probe{2}",
    ),
    Snippet("catcode of the dollar", "{\\catcode`\\$=12 a $5 \\probe{1}} \\probe{2} $b \\probe{3}$"),
    Snippet("catcode of the comment sign", "{\\catcode`\\%=12 5% \\probe{1}\n} \\probe{2}"),
    Snippet(
        "environment that changes catcodes",
        "\\begin{prices}\na: $5 \\probe{1}\n\\end{prices} \\probe{2}",
        level=False,
        preamble="\\newenvironment{prices}{\\catcode`\\$=12 }{}",
    ),
    Snippet("string", "\\texttt{\\string\\begin} a \\probe{1} \\texttt{\\string\\verb} \\probe{2}"),
    Snippet(
        "tikz",
        "\\begin{tikzpicture}\\node[draw] at (0,0) {a \\probe{1} $b \\probe{2}$};\\end{tikzpicture} \\probe{3}",
        level=False,
    ),
    Snippet("units", "\\SI{3.4e2}{m^2} \\probe{1} \\num{1e3} \\probe{2}"),
    Snippet("chemistry", "\\ce{H2O^+_3} \\probe{1} $\\ce{H2O} \\probe{2}$"),
    Snippet("mathtools cases", "\\[ \\begin{dcases} a \\probe{1} \\end{dcases} \\] \\probe{2}", level=False),
    Snippet("environment name after a space", "\\begin {center} a \\probe{1} \\end {center} \\probe{2}"),
    Snippet("csname", "\\csname begin\\endcsname{center} a \\probe{1} \\csname end\\endcsname{center} \\probe{2}"),
    Snippet(
        "makeatletter",
        "\\makeatletter\\def\\my@be{\\begin{center}}\\my@be a \\probe{1} \\end{center}\\makeatother \\probe{2}",
    ),
    # What TeX does with broken text.
    Snippet(
        "dollar lost before a blank line", "a $b \\probe{1}\n\n\\probe{2} c $d \\probe{3}$ \\probe{4}", level=False
    ),
    Snippet(
        "dollar lost in a cell",
        "\\begin{tabular}{ll} a $b & c \\probe{1} \\\\ d & $e\\probe{2}$ \\end{tabular} \\probe{3}",
        level=False,
    ),
    Snippet("brace too many", "a } \\probe{1} $b \\probe{2}$"),
    Snippet("display closed by one dollar", "$$ a \\probe{1} $ b \\probe{2}\n\n$c\\probe{3}$", level=False),
    Snippet("brace lost in a formula", "$a {b \\probe{1} $ \\probe{2}", level=False),
    Snippet("parenthesis closed by a dollar", "\\(a \\probe{1} $ \\probe{2} b", level=False),
    Snippet("matrix without math", "a \\begin{pmatrix} b \\probe{1} \\end{pmatrix} \n\n\\probe{2}", level=False),
)

PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath,mathtools,array,listings,fancyvrb,shortvrb,comment,url,tikz,siunitx,mhchem}
\usepackage[hidelinks]{hyperref}
\mhchemoptions{version=4}
\newwrite\probes
\makeatletter
% \write has no mode (tex.web, section 1370), so the mode is asked before.
\protected\def\probe#1{\edef\seen{\snippet:#1:\ifmmode\ifinner inline\else display\fi\else text\fi
  :\the\currentgrouplevel:\the\currentgrouptype}\immediate\write\probes{\seen}}
\makeatother
"""
