r"""A model's thoughts stand before the document.

Why it breaks: some servers put what a model thought in front of its answer, between <think> and </think> or with the
closing tag alone. The block may hold a whole document of its own, so cutting at the first \documentclass would start
inside it.

What is done: everything up to the closing tag is removed, if a document follows.

When nothing is done: if the file begins as a document does. A tag inside the document is text.
"""

from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._wrapping import THINK_END, begins_with_text, class_line, first_token


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if case.path != case.main or not begins_with_text(text):
        return
    closing = THINK_END.search(text)
    if closing is None or class_line(text, closing.end()) is None:
        return
    end = closing.end() + len(text[closing.end() :]) - len(text[closing.end() :].lstrip())
    yield Candidate(
        (Edit(case.path, first_token(text), end, ""),), "remove the model's thoughts before the document", 1.0
    )


RULE = Rule(
    id="think-block",
    fix=fix,
    phase="wrapping",
    deletes="text before the document that a closing think tag ends",
    examples=(
        Example(
            "<think>\nI start with \\documentclass{article}.\n</think>\n\n\\documentclass{report}\n"
            "\\begin{document}\nHi.\n\\end{document}\n",
            "\\documentclass{report}\n\\begin{document}\nHi.\n\\end{document}\n",
        ),
        Example(
            "First the class:\n\\documentclass{article}\n\\begin{document}\nNo.\n\\end{document}\n"
            "</think>\n\\documentclass{report}\n\\begin{document}\nHi.\n\\end{document}\n",
            "\\documentclass{report}\n\\begin{document}\nHi.\n\\end{document}\n",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n<think>\nso\n</think>\n\\documentclass{book}\n"
            "\\end{document}\n"
        ),
        Example("% <think>\n% </think>\n\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\n"),
    ),
)
