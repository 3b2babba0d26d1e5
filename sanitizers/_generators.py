r"""What the templates and packages of document generators define, each in a line of our own, without colours.

Sources: Pandoc's default.latex, estout's manual, Doxygen's doxygen.sty, Sphinx's sphinx.sty and its style files,
nbconvert's base.tex.j2, Pygments' LaTeX formatter, docutils' writer, knitr and Sweave.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Generator:
    """One generator's names."""

    commands: Mapping[str, str]
    """Macros without backslash, and what defines them."""
    environments: Mapping[str, str] = field(default_factory=dict)
    """What defines them; {name} stands for the name."""
    colours: Mapping[str, str] = field(default_factory=dict)
    """Their HTML codes."""
    packages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What names in use need: `name` or `name[option]`; a name may be another package's, too."""


def _printing(number: int, names: str, body: str) -> dict[str, str]:
    arguments = f"[{number}]" if number else ""
    return {name: f"\\providecommand{{\\{name}}}{arguments}{{{body}}}" for name in names.split()}


def _like(**names: str) -> dict[str, str]:
    """Macros that are another one under a new name, star and options included."""
    return {name: f"\\providecommand{{\\{name}}}{{\\{other}}}" for name, other in names.items()}


def _titled(names: str) -> dict[str, str]:
    """Environments of one argument, their heading."""
    head = "\\par\\medskip\\noindent\\textbf{#1}\\par\\noindent\\ignorespaces"
    return dict.fromkeys(names.split(), f"\\newenvironment{{{{name}}}}[1]{{{head}}}{{\\par\\medskip}}")


_PANDOC = Generator(
    commands={
        "tightlist": "\\providecommand{\\tightlist}{\\setlength{\\itemsep}{0pt}\\setlength{\\parskip}{0pt}}",
        "VERB": "\\providecommand{\\VerbBar}{|}\\providecommand{\\VERB}{\\Verb[commandchars=\\\\\\{\\}]}",
        "citeproc": "\\providecommand{\\citeproc}[2]{#2}",
        "citeproctext": "\\providecommand{\\citeproctext}{}",
        "CSLBlock": "\\providecommand{\\CSLBlock}[1]{#1\\par}",
        "CSLIndent": "\\providecommand{\\CSLIndent}[1]{\\hspace*{1.5em}#1}",
        **_printing(1, "passthrough pandocbounded CSLLeftMargin CSLRightInline strikeout", "#1"),
        **_printing(
            1,
            "AlertTok AnnotationTok AttributeTok BaseNTok BuiltInTok CharTok CommentTok CommentVarTok ConstantTok"
            " ControlFlowTok DataTypeTok DecValTok DocumentationTok ErrorTok ExtensionTok FloatTok FunctionTok"
            " ImportTok InformationTok KeywordTok NormalTok OperatorTok OtherTok PreprocessorTok RegionMarkerTok"
            " SpecialCharTok SpecialStringTok StringTok VariableTok VerbatimStringTok WarningTok",
            "#1",
        ),
    },
    environments={
        "Shaded": "\\newenvironment{{name}}{}{}",
        "Highlighting": "\\DefineVerbatimEnvironment{{name}}{Verbatim}{commandchars=\\\\\\{\\}}",
        # Pandoc's own is a list whose items have no labels: a \bibitem there only marks where an entry begins.
        "CSLReferences": "\\newenvironment{{name}}[2]{\\par\\setlength{\\parindent}{0pt}"
        "\\renewcommand{\\bibitem}[2][]{\\par}}{\\par}",
        "cslreferences": "\\newenvironment{{name}}{\\par\\setlength{\\parindent}{0pt}}{\\par}",
    },
    packages={"Highlighting": ("fancyvrb",), "VERB": ("fancyvrb",), "real": ("calc",)},
)

_ESTOUT = Generator(commands=_printing(1, "sym", "\\ifmmode^{#1}\\else\\(^{#1}\\)\\fi"))

_SIGNS = {
    "us": "_", "dq": '"', "sq": "'", "hy": "-", "ob": "{", "cb": "}", "ca": "^", "am": "&", "lt": "<", "gt": ">",
    "sh": "#", "pc": "%", "dl": "$", "ti": "~", "bs": "\\", "at": "@", "lb": "[", "rb": "]",
}  # fmt: skip
_PYGMENTS = Generator(
    commands={
        "PY": "\\providecommand{\\PY}[2]{#2}",
        "PYG": "\\providecommand{\\PYG}[2]{#2}",
        **{
            f"{head}{name}": f"\\providecommand{{\\{head}{name}}}{{\\char{ord(sign)} }}"
            for head in ("PYZ", "PYGZ")
            for name, sign in _SIGNS.items()
        },
    }
)

_NBCONVERT = Generator(
    commands={
        "prompt": "\\providecommand{\\prompt}[4]{{\\ttfamily\\llap{{[#3]:\\hspace{3pt}#4}}\\vspace{-\\baselineskip}}}",
        "boxspacing": "\\providecommand{\\boxspacing}{\\hspace{4pt}}",
        "Wrappedbreaksatspecials": "\\providecommand{\\Wrappedbreaksatspecials}{}",
    },
    colours={
        "incolor": "303F9F", "outcolor": "D84315", "cellborder": "CFCFCF", "cellbackground": "F7F7F7",
        "ansi-black": "3E424D", "ansi-red": "E75C58", "ansi-green": "00A250", "ansi-yellow": "DDB62B",
        "ansi-blue": "208FFB", "ansi-magenta": "D160C4", "ansi-cyan": "60C6C8", "ansi-white": "C5C1B4",
        "ansi-black-intense": "282C36", "ansi-red-intense": "B22B31", "ansi-green-intense": "007427",
        "ansi-yellow-intense": "B27D12", "ansi-blue-intense": "0065CA", "ansi-magenta-intense": "A03196",
        "ansi-cyan-intense": "258F8F", "ansi-white-intense": "A1A6B2",
    },
    packages={
        "tcolorbox": ("tcolorbox[breakable,skins]",), "adjustimage": ("adjustbox",), "Verbatim": ("fancyvrb",),
    },
)  # fmt: skip

_DOXYGEN = Generator(
    commands={
        **_like(
            doxychapter="chapter",
            doxysection="section",
            doxysubsection="subsection",
            doxysubsubsection="subsubsection",
            doxyparagraph="paragraph",
            doxysubparagraph="subparagraph",
        ),
        "+": "\\providecommand{\\+}{\\discretionary{}{}{}}",
        "DoxyCodeLine": "\\providecommand{\\DoxyCodeLine}[1]{#1\\par}",
        "DoxyLabel": "\\providecommand{\\DoxyLabel}[1]{}",
        "doxylink": "\\providecommand{\\doxylink}[2]{#2}",
        "DoxyHorRuler": "\\providecommand{\\DoxyHorRuler}[1]{\\par\\noindent\\rule{\\linewidth}{0.4pt}\\par}",
    },
    environments={
        **_titled(
            "DoxyReturn DoxyDesc DoxyNote DoxyWarning DoxyAttention DoxyRemark DoxyPrecond DoxyPostcond DoxySeeAlso"
            " DoxyAuthor DoxyDate DoxyVersion DoxySince DoxyParagraph DoxyInvariant DoxyCopyright DoxyImportant"
        ),
        **dict.fromkeys(
            # The option says how many columns stand before name and text: [1] the direction, [2] the type, too.
            ("DoxyParams", "DoxyExceptions", "DoxyRetVals", "DoxyTemplParams", "DoxyFields", "DoxyEnumFields"),
            "\\newenvironment{{name}}[2][0]{\\par\\medskip\\noindent\\textbf{#2}\\par\\noindent"
            "\\begin{longtable}{|*{\\numexpr1+#1\\relax}{l|}p{0.5\\linewidth}|}\\hline}{\\end{longtable}}",
        ),
        "DoxyParamCaption": "\\newenvironment{{name}}{\\renewcommand{\\item}[2][]{##1 \\textit{##2}}}{}",
        "DoxyCode": "\\newenvironment{{name}}[1]{\\par\\medskip\\ttfamily\\parindent0pt }{\\par\\medskip}",
        "DoxyItemize": "\\newenvironment{{name}}{\\begin{itemize}}{\\end{itemize}}",
        "DoxyEnumerate": "\\newenvironment{{name}}{\\begin{enumerate}}{\\end{enumerate}}",
        "DoxyCompactItemize": "\\newenvironment{{name}}{\\begin{itemize}}{\\end{itemize}}",
        "DoxyCompactList": "\\newenvironment{{name}}{\\begin{itemize}}{\\end{itemize}}",
        "DoxyDescription": "\\newenvironment{{name}}{\\begin{description}}{\\end{description}}",
        "DoxyRefList": "\\newenvironment{{name}}{\\begin{description}}{\\end{description}}",
        "DoxyRefDesc": "\\newenvironment{{name}}[1]{\\begin{description}}{\\end{description}}",
        "DoxyPre": "\\newenvironment{{name}}{\\begin{alltt}}{\\end{alltt}}",
        "DoxyVerb": "\\DefineVerbatimEnvironment{{name}}{Verbatim}{}",
        "DoxyVerbInclude": "\\DefineVerbatimEnvironment{{name}}{Verbatim}{}",
    },
    colours={
        "keyword": "008000", "keywordtype": "604020", "keywordflow": "E08000", "comment": "800000",
        "preprocessor": "806020", "stringliteral": "002080", "charliteral": "008080",
    },
    packages={
        **dict.fromkeys(
            ("DoxyParams", "DoxyExceptions", "DoxyRetVals", "DoxyTemplParams", "DoxyFields", "DoxyEnumFields"),
            ("longtable",),
        ),
        "heightof": ("calc",), "DoxyPre": ("alltt",), "DoxyVerb": ("fancyvrb",), "DoxyVerbInclude": ("fancyvrb",),
    },
)  # fmt: skip

_SPHINX = Generator(
    commands={
        **_printing(0, "sphinxAtStartPar sphinxstepscope sphinxLogo sphinxattablestart sphinxattableend", ""),
        **_printing(0, "sphinxthistablewithglobalstyle sphinxthistablewithbooktabsstyle sphinxstyletheadfamily", ""),
        **_printing(1, "sphinxupquote sphinxstylethead sphinxoptional sphinxparam sphinxlineitem", "#1"),
        **_printing(1, "sphinxcode sphinxliteralintitle sphinxguilabel sphinxkeyboard sphinxemail", "\\texttt{#1}"),
        **_printing(1, "sphinxbfcode sphinxcommand sphinxprogram sphinxoption", "\\textbf{\\texttt{#1}}"),
        **_printing(
            1, "sphinxstylestrong sphinxstrong sphinxaccelerator sphinxstyletopictitle sphinxdfn", "\\textbf{#1}"
        ),
        **_printing(
            1,
            "sphinxstyleemphasis sphinxtitleref sphinxmenuselection sphinxtermref sphinxcrossref "
            "sphinxstyleliteralemphasis sphinxcite sphinxregexp sphinxsamedocref",
            "\\emph{#1}",
        ),
        **_printing(1, "sphinxstyleabbreviation", "\\textsc{#1}"),
        **_printing(1, "sphinxstyleliteralstrong", "\\textbf{\\texttt{#1}}"),
        **_printing(2, "DUrole sphinxrole", "#2"),
        **_like(
            sphinxhref="href",
            sphinxurl="url",
            sphinxnolinkurl="nolinkurl",
            sphinxincludegraphics="includegraphics",
            sphinxmaketitle="maketitle",
            sphinxtableofcontents="tableofcontents",
            sphinxcaption="caption",
            sphinxhline="hline",
            sphinxtoprule="hline",
            sphinxmidrule="hline",
            sphinxbottomrule="hline",
        ),
    },
    environments={
        "sphinxVerbatim": "\\DefineVerbatimEnvironment{{name}}{Verbatim}{}",
        "sphinxadmonition": "\\newenvironment{{name}}[2]{\\par\\medskip\\noindent\\textbf{#2} \\ignorespaces}"
        "{\\par\\medskip}",
        **dict.fromkeys(
            "sphinxnote sphinxhint sphinximportant sphinxtip sphinxwarning sphinxcaution sphinxdanger sphinxattention"
            " sphinxerror sphinxseealso".split(),
            "\\newenvironment{{name}}[1]{\\par\\medskip\\noindent\\textbf{#1} \\ignorespaces}{\\par\\medskip}",
        ),
        **_titled("sphinxtopic sphinxsidebar sphinxShadowBox"),
        **dict.fromkeys(("savenotes", "sphinxuseclass"), "\\newenvironment{{name}}{}{}"),
        "sphinxtheindex": "\\newenvironment{{name}}{\\begin{theindex}}{\\end{theindex}}",
        "sphinxthebibliography": "\\newenvironment{{name}}[1]{\\begin{thebibliography}{#1}}{\\end{thebibliography}}",
    },
    packages={
        "sphinxVerbatim": ("fancyvrb",), "sphinxhref": ("hyperref",), "sphinxurl": ("hyperref",),
        "sphinxnolinkurl": ("hyperref",), "sphinxincludegraphics": ("graphicx",),
    },
)  # fmt: skip

_R = Generator(
    commands=_printing(1, "hlstd hlkwa hlkwb hlkwc hlkwd hlnum hlstr hlcom hlopt hlkwe hlkwf hlppc hlesc hlslc", "#1"),
    environments={
        "knitrout": "\\newenvironment{{name}}{}{}",
        "kframe": "\\newenvironment{{name}}{\\par\\medskip}{\\par\\medskip}",
        "Schunk": "\\newenvironment{{name}}{}{}",
        "Sinput": "\\DefineVerbatimEnvironment{{name}}{Verbatim}{}",
        "Soutput": "\\DefineVerbatimEnvironment{{name}}{Verbatim}{}",
        "Scode": "\\DefineVerbatimEnvironment{{name}}{Verbatim}{}",
    },
    colours={"fgcolor": "595959", "shadecolor": "F7F7F7", "messagecolor": "000000", "warningcolor": "FF00FF"},
    packages={
        "alltt": ("alltt",), "Sinput": ("fancyvrb",), "Soutput": ("fancyvrb",), "Scode": ("fancyvrb",),
    },
)  # fmt: skip

GENERATORS = (_PANDOC, _ESTOUT, _PYGMENTS, _NBCONVERT, _DOXYGEN, _SPHINX, _R)
