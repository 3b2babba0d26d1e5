r"""A document that breaks off before \end{document}.

Why it breaks: a model's answer was cut off, or a file was not saved to its end: "job aborted, no legal \end found",
"Emergency stop", "File ended while scanning use of ...".

What is done: what is open at the end is closed in the right order (braces, brackets, formulas, \left, environments),
then \end{document} is added.

When nothing is done: there is an \end{document} that TeX can see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_SHIFT = {"$": "$", "\\(": "\\)", "\\[": "\\]", "$$": "$$"}


def propose(case: Case) -> Iterator[Candidate]:
    source = case.lexed(case.main)
    if source.document is None or _ended(source):
        return
    text = source.text
    end = len(text.rstrip())
    # A comment at the end would swallow what is put behind it.
    inline, lines = _closers(source, end)
    if source.mode(max(0, end - 1)) is Mode.COMMENT:
        inline = newline_of(text) + inline if inline else ""
    newline = newline_of(text)
    tail = inline + "".join(newline + line for line in lines)
    edits = (Edit(case.main, end, len(text), f"{tail}{newline}\\end{{document}}{newline}"),)
    yield Candidate(edits, "close what is open where the document breaks off", 0.9)


def _ended(source: Source) -> bool:
    return (
        any(re.compile(r"[ \t]*\{document\}").match(source.text, c.end) for c in source.command_named("end"))
        or re.search(r"(?m)^[^%\r\n]*\\end[ \t]*\{document\}", source.text) is not None
    )


def _closers(source: Source, end: int) -> tuple[str, list[str]]:
    """What closes everything that is open at the end: on the last line, and on lines of its own."""
    text = source.text
    opened: list[tuple[int, str, bool]] = []
    for group in source.groups:
        if group.close is None and group.until >= end:
            opened.append((group.open, "}", False))
    for environment in source.environments:
        if environment.end is None and environment.until >= end and environment.name != "document":
            start = source.line_span(source.line(environment.begin))[0]
            indent = text[start : environment.begin]
            opened.append(
                (environment.begin, (indent if not indent.strip() else "") + f"\\end{{{environment.name}}}", True)
            )
    for fence in source.fences:
        if fence.end is None and fence.until >= end and fence.name == "left":
            opened.append((fence.start, "\\right.", False))
    for pos in source.open_math:
        paragraph = source.paragraph(end - 1)[0]
        mark = next((m for m in ("$$", "\\(", "\\[", "$") if text.startswith(m, pos)), None)
        if mark and pos >= paragraph:
            opened.append((pos, _SHIFT[mark], False))
    inline, lines = "", []
    for _, closer, own_line in sorted(opened, reverse=True):
        if own_line:
            lines.append(closer)
        elif lines:
            lines[-1] += closer
        else:
            inline += closer
    return inline, lines


RULE = Rule(
    id="cut-off",
    fix=propose,
    answers=(
        "missing-end-document",
        "emergency-stop",
        "runaway-argument",
        "end-inside-group",
        "incomplete-conditional",
    ),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{itemize}\n\\item A \\emph{word and",
            "\\documentclass{article}\n\\begin{document}\n\\begin{itemize}\n\\item A \\emph{word and}\n\\end{itemize}\n"
            "\\end{document}\n",
            message="Emergency stop",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nx {y\n\\end{document}\n",
            None,
            message="Emergency stop",
            line=4,
        ),
    ),
)
