r"""Sentences of a chat stand before \documentclass or after \end{document}.

Why it breaks: text before \documentclass is an error in every document. Text after \end{document} is harmless, TeX
never reads it.

What is done: the sentences before the document are removed, and then also those behind it. Comments and commands that
belong to the document (\RequirePackage, filecontents, "% !TEX" lines) stay.

When nothing is done: if the file begins with a command or holds no \documentclass; notes behind a document that
begins as it should stay.
"""

from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._wrapping import (
    FENCE,
    THINK_END,
    begins_with_text,
    class_line,
    document_start,
    first_token,
    tail,
)


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if case.path != case.main or not begins_with_text(text):
        return
    class_at = class_line(text)
    if class_at is None or FENCE.match(text, first_token(text)):
        return
    closing = THINK_END.search(text)
    if closing is not None and class_line(text, closing.end()) is not None:
        return
    start = document_start(text, class_at)
    fence = _last_fence(text, start)
    edits = [Edit(case.path, first_token(text), start if fence is None else fence, "")]
    if fence is None and (behind := tail(text, start)) is not None:
        edits.append(Edit(case.path, *behind, ""))
    yield Candidate(tuple(edits), "remove the chat around the document", 1.0)


def _last_fence(text: str, before: int) -> int | None:
    """The line before the document, if it is a fence: another rule's."""
    body = text[:before].rstrip()
    start = max(body.rfind("\n"), body.rfind("\r")) + 1
    return start if FENCE.fullmatch(body[start:]) else None


RULE = Rule(
    id="chat-around-document",
    fix=fix,
    phase="wrapping",
    deletes="sentences before \\documentclass and, then, after \\end{document}",
    examples=(
        Example(
            "Sure! Here is your report:\n\n% !TEX program = xelatex\n\\documentclass{article}\n"
            "\\begin{document}\nHi.\n\\end{document}\n\nGood luck!\n",
            "% !TEX program = xelatex\n\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\n",
        ),
        Example(
            "\\RequirePackage fixes it.\n\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\n",
        ),
        Example(
            "I used \\documentclass{article} as you asked.\n\n```latex\n\\documentclass{article}\n"
            "\\begin{document}\nHi.\n\\end{document}\n```\nBye.\n",
            "```latex\n\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\n```\nBye.\n",
        ),
        Example("\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\nMy notes: shorten the title.\n"),
        Example(
            "% A note.\n\\begin{filecontents}{a.bib}\nSome text.\n\\end{filecontents}\n"
            "\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\n"
        ),
        Example("Just a chapter.\n", path="chapter.tex"),
    ),
)
