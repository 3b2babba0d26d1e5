r"""The two characters \n stand where lines should end: \documentclass{article}\n\usepackage{…}\n.

Why it breaks: a string was written to the file without turning its escape sequences into line ends. TeX says
"Undefined control sequence", or reads \nThe as one command.

What is done: \n becomes a line end, but for where it begins the name of a known command (\newline, \nu, \node).

When nothing is done: if the draft defines \n; if there is no \n between commands or at the ends of sentences.
"""

import re
from collections.abc import Iterator

from texrepair.latex.names import is_known
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._beheaded import COMMON
from ._ordinary import is_read

_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*(?P<end>(?:\\r)?\\n)(?P<word>[A-Za-z@]*)")
_LOADED = re.compile(r"\\usepackage(?:\[[^\[\]]*\])?\{([^{}]*)\}")
_DEFINED = re.compile(
    r"\\(?:let|chardef|mathchardef|newcommand|renewcommand|providecommand|def|gdef|edef|xdef|\w*Command|"
    r"\w*Operator)\*?\s*\{?\s*\\n(?![A-Za-z@])"
)
_IN_HEAD = re.compile(r"\A\s*(?:%[^\n]*\n\s*)*\\documentclass(?:\[[^\[\]]*\])?\{[^}]*\}\s*\\n(?![a-z@])")


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if "\\n" not in text or not case.path.endswith((".tex", ".ltx")):
        return
    loaded = {*case.packages, *(name for names in _LOADED.findall(text) for name in re.split(r"\s*,\s*", names))}
    ends = [m for m in _ESCAPE.finditer(text) if not _is_command(case, "n" + m["word"], loaded)]
    # A comment or a listing on a line that never ends would swallow the rest of the text.
    one_line = text.count("\n") <= len(ends) // 4
    ends = [m for m in ends if one_line or is_read(case, m.start("end"))]
    between = sum(_is_between(text, match) for match in ends)
    if not between or not (_IN_HEAD.match(text) or between >= 3):
        return
    if any(_DEFINED.search(source.text) for source in case.read):
        return
    edits = tuple(Edit(case.path, *match.span("end"), "\n") for match in ends)
    yield Candidate(edits, "a line end for the characters \\n", 1.0)


def _is_command(case: Case, name: str, loaded: set[str]) -> bool:
    return name != "n" and (name in COMMON or name in case.defined or is_known(name, loaded))


def _is_between(text: str, match: re.Match[str]) -> bool:
    """Does it stand where lines end in a LaTeX file: behind a brace or a full stop, before a command or a sentence?"""
    before, behind = text[match.start("end") - 1 : match.start("end")], text[match.end("end") : match.end("end") + 1]
    follows = not behind or behind.isspace() or behind.isupper() or behind == "\\"
    return before != "" and before in "}].;:!?" and follows


RULE = Rule(
    id="literal-newlines",
    fix=fix,
    phase="characters",
    examples=(
        Example(
            "\\documentclass{article}\\n\\usepackage{amsmath}\\n% a comment\\n\\begin{document}\\nThe "
            "value $\\nu$.\\n\\n\\noindent 5 more \\\\\\nand so.\\n\\end{document}\\n",
            "\\documentclass{article}\n\\usepackage{amsmath}\n% a comment\n\\begin{document}\nThe value "
            "$\\nu$.\n\n\\noindent 5 more \\\\\nand so.\n\\end{document}\n",
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
