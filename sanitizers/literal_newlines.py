r"""The two characters \n stand where lines should end: \documentclass{article}\n\usepackage{…}\n.

Why it breaks: a string was written to the file without turning its escape sequences into line ends. TeX says
"Undefined control sequence", or reads \nThe as one command.

What is done: \n becomes a line end where a command, a capital letter, a digit or white space follows.

When nothing is done: if the draft defines \n; where \n begins the name of a command (\newline, \nu, \node); if there
is no \n between commands or at the ends of sentences.
"""

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._ordinary import is_read

_ESCAPE = re.compile(r"(?<!\\)(?:\\r)?\\n(?![a-z@])(?!(?:Re|De|Pr|New)\w*Document)|(?<!\\)\\n(?=\\)")
_BETWEEN = re.compile(r"(?<!\\)[}\].;:!?](?:\\r)?\\n(?=\\[A-Za-z]|\\n|\s*$|[A-Z])", re.MULTILINE)
_DEFINED = re.compile(
    r"\\(?:let|chardef|mathchardef|newcommand|renewcommand|providecommand|def|gdef|edef|xdef|\w*Command|"
    r"\w*Operator)\*?\s*\{?\s*\\n(?![A-Za-z@])"
)
_IN_HEAD = re.compile(r"\A\s*(?:%[^\n]*\n\s*)*\\documentclass(?:\[[^\]]*\])?\{[^}]*\}\s*\\n(?![a-z@])")


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if "\\n" not in text or not case.path.endswith((".tex", ".ltx")):
        return
    # A comment or a listing on a line that never ends would swallow the rest of the text.
    one_line = text.count("\n") <= len(_ESCAPE.findall(text)) // 4
    between = sum(one_line or is_read(case, match.end() - 1) for match in _BETWEEN.finditer(text))
    if not between or not (_IN_HEAD.match(text) or between >= 3):
        return
    if any(_DEFINED.search(source.text) for source in case.read):
        return
    edits = []
    for match in _ESCAPE.finditer(text):
        if one_line or is_read(case, match.start()):
            edits.append(Edit(case.path, *match.span(), "\n"))
    if edits:
        yield Candidate(tuple(edits), "a line end for the characters \\n", 1.0)


RULE = Rule(
    id="literal-newlines",
    fix=fix,
    phase="characters",
    examples=(
        Example(
            "\\documentclass{article}\\n\\usepackage{amsmath}\\n% a comment\\n\\begin{document}\\nThe "
            "value $\\nu$.\\n\\n\\noindent 5 more.\\n\\end{document}\\n",
            "\\documentclass{article}\n\\usepackage{amsmath}\n% a comment\n\\begin{document}\nThe value "
            "$\\nu$.\n\n\\noindent 5 more.\n\\end{document}\n",
        ),
        Example(
            "\\section{One}\\n\\label{a}\nText.\\n\\nMore text.\\n\n\\section{Two}\\n\\label{b}\n\\verb|\\n|\n",
            "\\section{One}\n\\label{a}\nText.\n\nMore text.\n\n\\section{Two}\n\\label{b}\n\\verb|\\n|\n",
            path="chapter.tex",
        ),
        Example("\\newcommand{\\n}{\\mathbf{n}}\n$\\n\\cdot\\n$, (a)\\n\\n, ]\\n\\n.\n", path="chapter.tex"),
        Example("Print \\verb|a\\n| and a\\newline b $\\nabla$.\n", path="chapter.tex"),
    ),
)
