r"""Something behind \end{comment} on its line.

Why it breaks: the comment package ends a comment only at a line that holds nothing but \end{comment}; else the rest of
the file is commented out: "File ended while scanning use of \next", and no legal \end is found. So do filecontents and
the environments made with \excludecomment.

What is done: what follows on the line goes to the next one, and blanks in front are removed.

When nothing is done: the line holds nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_END = re.compile(
    r"(?P<before>^[ \t]*)?\\end[ \t]*\{(?P<name>[A-Za-z*]+)\}(?P<gap>[ \t]*)(?=(?P<rest>[^\r\n]?))", re.MULTILINE
)
_MADE = re.compile(r"\\(?:excludecomment|includecomment|specialcomment)[ \t]*\{(\w+)\}")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    names = {"comment", *(m[1] for s in case.read for m in _MADE.finditer(s.text))}
    for path, source in case.tex_files():
        text = source.text
        for found in _END.finditer(text):
            if found["name"] not in names or f"\\begin{{{found['name']}}}" not in text[: found.start()]:
                continue
            if found["before"]:
                edits.append(Edit(path, found.start("before"), found.end("before"), ""))
            if found["rest"]:
                edits.append(Edit(path, found.start("gap"), found.end("gap"), newline_of(text)))
    if edits:
        yield Candidate(tuple(edits), "end comments on lines of their own", 0.93)


RULE = Rule(
    id="text-behind-end",
    fix=propose,
    answers=("runaway-argument", "missing-end-document", "emergency-stop", "environment-mismatch", "interrupted"),
    examples=(
        Example(
            "\\begin{comment}\nOld.\n\\end{comment} % end of old text\nNew.\n",
            "\\begin{comment}\nOld.\n\\end{comment}\n% end of old text\nNew.\n",
            message="File ended while scanning use of \\next",
            path="part.tex",
            line=4,
        ),
        Example(
            "\\begin{comment}\nOld.\n\\end{comment}\nNew.\n",
            None,
            message="File ended while scanning use of \\next",
            path="part.tex",
            line=4,
        ),
    ),
)
