r"""The macros of a generator's template in a text that came without the template: Pandoc's, estout's.

Why it breaks: \tightlist, \passthrough, \real, the environments Shaded and Highlighting and the token commands
(\KeywordTok ...) are defined by Pandoc's own template, \sym around the stars of a table by the document that estout's
manual shows: "Undefined control sequence", "Environment Shaded undefined".

What is done: those that the text uses are defined at the end of the preamble, as the template does it but without
colours; fancyvrb and calc are loaded where they are needed.

When nothing is done: the text uses none of them, or defines them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import newline_of, package_line, preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_TOKENS = frozenset(
    "AlertTok AnnotationTok AttributeTok BaseNTok BuiltInTok CharTok CommentTok CommentVarTok ConstantTok"
    " ControlFlowTok DataTypeTok DecValTok DocumentationTok ErrorTok ExtensionTok FloatTok FunctionTok ImportTok"
    " InformationTok KeywordTok NormalTok OperatorTok OtherTok PreprocessorTok RegionMarkerTok SpecialCharTok"
    " SpecialStringTok StringTok VariableTok VerbatimStringTok WarningTok".split()
)
_COMMANDS = {
    "tightlist": "\\providecommand{\\tightlist}{\\setlength{\\itemsep}{0pt}\\setlength{\\parskip}{0pt}}",
    "passthrough": "\\providecommand{\\passthrough}[1]{#1}",
    "pandocbounded": "\\providecommand{\\pandocbounded}[1]{#1}",
    "VERB": "\\providecommand{\\VerbBar}{|}\\providecommand{\\VERB}{\\Verb[commandchars=\\\\\\{\\}]}",
    "CSLLeftMargin": "\\providecommand{\\CSLLeftMargin}[1]{#1}",
    "CSLRightInline": "\\providecommand{\\CSLRightInline}[1]{#1}",
    "CSLBlock": "\\providecommand{\\CSLBlock}[1]{#1\\par}",
    "CSLIndent": "\\providecommand{\\CSLIndent}[1]{\\hspace*{1.5em}#1}",
    "sym": "\\providecommand{\\sym}[1]{\\ifmmode^{#1}\\else\\(^{#1}\\)\\fi}",
    "strikeout": "\\providecommand{\\strikeout}[1]{#1}",
}
_ENVIRONMENTS = {
    "Shaded": "\\newenvironment{Shaded}{}{}",
    "Highlighting": "\\DefineVerbatimEnvironment{Highlighting}{Verbatim}{commandchars=\\\\\\{\\}}",
    "CSLReferences": "\\newenvironment{CSLReferences}[2]{\\par\\setlength{\\parindent}{0pt}}{\\par}",
    "cslreferences": "\\newenvironment{cslreferences}{\\par\\setlength{\\parindent}{0pt}}{\\par}",
}


def propose(case: Case) -> Iterator[Candidate]:
    token = (case.diagnostic.token or "").removeprefix("\\") if case.diagnostic else ""
    if token not in {*_TOKENS, *_COMMANDS, *_ENVIRONMENTS, "real"}:
        return
    main = case.lexed(case.main)
    used: set[str] = set()
    for path in case.draft:
        if path == case.main or path.endswith((".tex", ".ltx")):
            # The lexer takes an unknown Highlighting for text or for code: look at the words themselves.
            for found in re.finditer(r"\\(?:begin\{)?([A-Za-z]+)", case.draft.text(path)):
                used.add(found[1])
    lines = [text for name, text in (*_ENVIRONMENTS.items(), *_COMMANDS.items()) if name in used - case.defined]
    lines += [f"\\providecommand{{\\{name}}}[1]{{#1}}" for name in sorted(used & _TOKENS - case.defined)]
    edits: list[Edit] = []
    for package in _needed(case, used):
        line = package_line(main, package)
        if line is not None:
            edits.append(Edit(case.main, line[0], line[0], line[1]))
    body = preamble_line(main, newline_of(main.text).join(lines)) if lines else None
    if body is not None:
        edits.append(Edit(case.main, body[0], body[0], body[1]))
    if edits:
        yield Candidate(tuple(edits), "define the macros of the generator's template that the text uses", 0.96)


def _needed(case: Case, used: set[str]) -> list[str]:
    wanted = []
    if used & {"Highlighting", "VERB"}:
        wanted.append("fancyvrb")
    if "real" in used:
        wanted.append("calc")
    return [package for package in wanted if package not in case.packages]


RULE = Rule(
    id="generator-macros",
    fix=propose,
    answers=("undefined-control-sequence", "undefined-environment"),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{itemize}\n\\tightlist\n\\item a\n\\end{itemize}\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\providecommand{\\tightlist}{\\setlength{\\itemsep}{0pt}\\setlength{\\parskip}"
            "{0pt}}\n\\begin{document}\n\\begin{itemize}\n\\tightlist\n\\item a\n\\end{itemize}\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\tightlist",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\foo\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\foo",
            line=3,
        ),
    ),
)
