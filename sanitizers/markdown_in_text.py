r"""Markdown lists, tables, links, images and code stand in the text and break it.

Why it breaks: a hyphen begins no item ("perhaps a missing \item"), and names and addresses in tables, links and code
hold underscores and other signs that TeX does not take in text ("Missing $ inserted").

What is done: where the paragraph that TeX complains about holds Markdown, it is converted, first together with all of
its kind in the file, then alone.

When nothing is done: in verbatim text and comments; if the paragraph holds no Markdown.
"""

from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._markdown import Block, blocks, needed


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not case.path.endswith((".tex", ".ltx")):
        return
    every = [block for block in blocks(case) if block.kind != "rule"]
    if found.code == "missing-item":
        every = [block for block in every if block.kind in ("items", "list")]
    start, end = case.source.paragraph(case.at)
    near = [block for block in every if block.start <= end and start <= block.end]
    if not near:
        return
    kinds = {block.kind for block in near}
    alike = [block for block in every if block.kind in kinds]
    if len(alike) > len(near):
        yield _candidate(case, alike, 0.96)
    yield _candidate(case, near, 0.94)


def _candidate(case: Case, chosen: list[Block], certainty: float) -> Candidate:
    edits = [Edit(case.path, block.start, block.end, block.latex) for block in chosen]
    return Candidate((*edits, *needed(case, chosen)), "turn Markdown into LaTeX", certainty)


_HEAD = "\\documentclass{article}\n\\usepackage{hyperref}\n\\begin{document}\n"
RULE = Rule(
    id="markdown-in-text",
    fix=propose,
    answers=(
        "missing-dollar",
        "missing-item",
        "parameter-character",
        "misplaced-alignment",
        "extra-alignment",
        "undefined-control-sequence",
        "double-subscript",
    ),
    examples=(
        Example(
            _HEAD + "See [the page](https://example.org/a_b) there.\n\nAnd `x_1`.\n\\end{document}\n",
            _HEAD + "See \\href{https://example.org/a_b}{the page} there.\n\nAnd \\texttt{x\\_1}.\n\\end{document}\n",
            message="Missing $ inserted",
            line=4,
        ),
        Example(
            _HEAD + "\\begin{itemize}\n- one\n- two\n\\end{itemize}\n\\end{document}\n",
            _HEAD + "\\begin{itemize}\n\\item one\n\\item two\n\\end{itemize}\n\\end{document}\n",
            message="LaTeX Error: Something's wrong--perhaps a missing \\item",
            code="missing-item",
            line=7,
        ),
        Example(
            _HEAD + "| n | a |\n|---|---|\n| a_b | 1 |\n\\end{document}\n",
            _HEAD + "\\begin{center}\n\\begin{tabular}{ll}\n\\hline\nn & a \\\\\n\\hline\na\\_b & 1 \\\\\n\\hline\n"
            "\\end{tabular}\n\\end{center}\n\\end{document}\n",
            message="Missing $ inserted",
            line=6,
        ),
        Example(_HEAD + "A bare a_b.\n\n- one\n- two\n\\end{document}\n", message="Missing $ inserted", line=4),
    ),
)
