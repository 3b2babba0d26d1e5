r"""Markdown is left in the body: ## headings, and what comes with them.

Why it breaks: models and converters mix Markdown into LaTeX. A # outside a definition is an error ("You can't use
`macro parameter character #'"), and the rest is printed as it stands, or worse.

What is done: where a line of the body is a Markdown heading, all Markdown of the file is converted: headings, code
fences, tables, lists, quotes, images, links, bold and italic words and code within lines.

When nothing is done: if there is no heading, since stars, bars and hyphens may be meant; in verbatim text and comments.
"""

from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._markdown import HEADING, blocks, needed


def propose(case: Case) -> Iterator[Candidate]:
    if not case.path.endswith((".tex", ".ltx")) or not any(HEADING.match(line) for line in case.text.splitlines()):
        return
    found = list(blocks(case))
    if any(block.kind == "heading" for block in found):
        edits = [Edit(case.path, block.start, block.end, block.latex) for block in found]
        yield Candidate((*edits, *needed(case, found)), "turn Markdown into LaTeX", 0.97)


_HEAD = "\\documentclass{article}\n\\usepackage{listings}\n\\begin{document}\n"
RULE = Rule(
    id="markdown-headings",
    fix=propose,
    answers=(
        "parameter-character",
        "illegal-parameter",
        "missing-dollar",
        "missing-item",
        "missing-brace",
        "extra-brace",
        "runaway-argument",
        "misplaced-alignment",
        "extra-alignment",
        "undefined-control-sequence",
        "double-subscript",
        "end-inside-group",
        "environment-mismatch",
        "missing-end-document",
    ),
    examples=(
        Example(
            _HEAD + "## Design & aim\nThe **first** `n_x` part, $x_1*2*3$.\n\n"
            "### Steps\n- one\n- two\n\n1. a\n2. b\n\\end{document}\n",
            _HEAD + "\\section{Design \\& aim}\nThe \\textbf{first} \\texttt{n\\_x} part, $x_1*2*3$.\n\n"
            "\\subsection{Steps}\n\\begin{itemize}\n  \\item one\n  \\item two\n\\end{itemize}\n\n"
            "\\begin{enumerate}\n  \\item a\n  \\item b\n\\end{enumerate}\n\\end{document}\n",
            message="You can't use `macro parameter character #' in vertical mode",
            line=4,
        ),
        Example(
            _HEAD
            + "# Data\n```python\nx = 5 % 3  # rest\n```\n| a_b | c |\n|---|--:|\n| 5% | *d* |\n\\end{document}\n",
            _HEAD + "\\section{Data}\n\\begin{lstlisting}[language=Python]\nx = 5 % 3  # rest\n\\end{lstlisting}\n"
            "\\begin{center}\n\\begin{tabular}{lr}\n\\hline\na\\_b & c \\\\\n\\hline\n5\\% & \\emph{d} \\\\\n"
            "\\hline\n\\end{tabular}\n\\end{center}\n\\end{document}\n",
            message="You can't use `macro parameter character #' in vertical mode",
            line=4,
        ),
        Example(_HEAD + "- a dash\n- and **kwargs**\n\n| a | b |\n\\end{document}\n"),
        Example(
            _HEAD + "\\begin{lstlisting}\n## Title\n\\end{lstlisting}\n% ## Title\n\\#\\# Title\n\\end{document}\n"
        ),
        Example("\\newcommand{\\x}[1]{%\n# #1\n}\n\\documentclass{article}\n\\begin{document}\n\\end{document}\n"),
    ),
)
