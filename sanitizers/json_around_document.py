r"""The file holds a JSON object or string in which the document stands.

Why it breaks: a tool call was written to the file instead of its content: {"filename": …, "content":
"\\documentclass…"}, or the bare string with its quotation marks.

What is done: the string that holds \documentclass is decoded and becomes the file. Backslashes that were not doubled
(no JSON, but models write it) stay, and a string that was cut off ends where the file ends.

When nothing is done: if the file holds a document in the open, or if several strings in it hold a document.
"""

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._escapes import decode
from ._wrapping import begins_with_text, class_line, first_token

_OPENING = re.compile(r"""(?:\[\s*)*\{\s*(?P<key>["'])[\w$ -]{1,60}(?P=key)\s*:|["']\s*(?=\\|%|\\n)""")
_LINE_START = re.compile(r"(?:\A|[\n\r])[ \t]*")
_CLASS = re.compile(r"\\{1,4}document(?:class|style)\b")


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if case.path != case.main:
        return
    start = _json_start(text)
    if start is None:
        return
    documents = []
    for opening, end in _strings(text, start):
        body = text[opening + 1 : end]
        if _CLASS.search(body):
            documents.append((opening, body))
    if len(documents) != 1:
        return
    opening, body = documents[0]
    document = decode(body, text[opening])
    if _OPENING.match(document, first_token(document)) is None and "\\documentclass" not in document:
        return
    yield Candidate((Edit(case.path, 0, len(text), document),), "take the document out of its JSON", 1.0)


def _json_start(text: str) -> int | None:
    """Where the JSON begins: at the beginning or, if no document stands in the open, behind chat and fences."""
    start = first_token(text)
    if _OPENING.match(text, start):
        return start
    if begins_with_text(text) and class_line(text) is None:
        for line in _LINE_START.finditer(text, start):
            if _OPENING.match(text, line.end()):
                return line.end()
    return None


def _strings(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Start and end (of the quotation marks) of the strings from `start` on; the last one may lack its end."""
    pos = start
    while True:
        opening = re.compile("[\"']").search(text, pos)
        if opening is None:
            return
        quote = opening.group()
        closing = re.compile(rf"(?:[^\\{quote}]|\\[\s\S])*+").match(text, opening.end())
        end = closing.end() if closing else opening.end()
        yield opening.start(), min(end, len(text))
        pos = end + 1


RULE = Rule(
    id="json-around-document",
    fix=fix,
    phase="wrapping",
    deletes="the other members of the JSON object",
    examples=(
        Example(
            '{"filename": "a.tex",\n "content": "\\\\documentclass{article}\\n\\\\begin{document}\\nGr\\u'
            '00fc\\u00dfe \\ud83d\\ude00 \\"x\\".\\n\\\\end{document}\\n",\n "ok": true}\n',
            '\\documentclass{article}\n\\begin{document}\nGrüße 😀 "x".\n\\end{document}\n',
        ),
        Example(
            '"\\\\documentclass{article}\\n\\\\begin{document}\\nCut o',
            "\\documentclass{article}\n\\begin{document}\nCut o",
        ),
        Example(
            '```json\n{"latex": "\\documentclass{article}\\n\\begin{document}\\nHi.\\n\\end{document}"}\n```\n',
            "\\documentclass{article}\n\begin{document}\nHi.\n\\end{document}",
        ),
        Example(
            '\\documentclass{article}\n\\begin{document}\n\\verb|{"content": "\\\\documentclass"}|\n\\end{document}\n'
        ),
        Example('{"name": "data", "values": [1, 2]}\n'),
    ),
)
