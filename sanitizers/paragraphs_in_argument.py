r"""Several paragraphs in an argument that holds only one.

Why it breaks: \textbf, \emph, \section, \caption and \title are not defined for more than one paragraph: "Paragraph
ended before \text@command was complete".

What is done: \textbf{...} becomes {\bfseries ...} and so on; in headings, captions and titles the empty lines go; a
macro of the document's own that was defined with a star loses the star.

When nothing is done: the argument has no empty line, or is not closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Argument, Command, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._definitions import definitions

DECLARATIONS = {
    "textbf": "\\bfseries", "textit": "\\itshape", "emph": "\\em", "texttt": "\\ttfamily", "textsc": "\\scshape",
    "textsf": "\\sffamily", "textrm": "\\rmfamily", "textsl": "\\slshape", "textup": "\\upshape",
    "textmd": "\\mdseries", "textnormal": "\\normalfont", "textcolor": "\\color",
}  # fmt: skip
"""Commands with the declaration that does the same for any amount of text."""
JOINED = ("section", "subsection", "subsubsection", "chapter", "paragraph", "caption", "title", "author", "date")
_EMPTY = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?=(?:\r\n|\n|\r))|\\par(?![A-Za-z])[ \t]*")
_UNFIT = re.compile(r"\\(?:section|subsection|chapter|end\{document\})")


def propose(case: Case) -> Iterator[Candidate]:
    declared: list[Edit] = []
    joined: list[Edit] = []
    unstarred: list[Edit] = []
    token = (case.diagnostic.token or "").removeprefix("\\") if case.diagnostic else ""
    for path, source in case.tex_files():
        for command in source.command_named(*DECLARATIONS):
            argument = _held(source, command, 2 if command.name == "textcolor" else 1)
            if argument is not None:
                declared += _declared(path, source, command, argument)
        for command in source.command_named(*JOINED):
            arguments = [a for a in source.arguments(command, 2) if _spans(source, a)]
            joined += [
                Edit(path, a.start + m.start(), a.start + m.end(), "")
                for a in arguments
                for m in _EMPTY.finditer(source.text[a.start : a.end])
                # The text of a footnote may have paragraphs.
                if source.groups_at(a.start + m.start())[-1:] == source.groups_at(a.start)[-1:]
            ]
        for defined in definitions(source):
            if defined.name == token and source.text.startswith("*", defined.command.end):
                unstarred.append(Edit(path, defined.command.end, defined.command.end + 1, ""))
    if unstarred:
        yield Candidate(tuple(unstarred), f"allow several paragraphs in the argument of \\{token}", 0.9)
    if declared or joined:
        why = "let declarations style several paragraphs, and keep headings and captions in one"
        yield Candidate((*declared, *joined), why, 0.84)


def _held(source: Source, command: Command, number: int) -> Argument | None:
    if not source.live(command.start) or source.in_definition(command.start):
        return None
    arguments = [a for a in source.arguments(command, 3) if not a.optional]
    if len(arguments) < number or not _spans(source, arguments[number - 1]):
        return None
    return arguments[number - 1]


def _spans(source: Source, argument: Argument) -> bool:
    inside = source.inner(argument)
    return _EMPTY.search(inside) is not None and _UNFIT.search(inside) is None


def _declared(path: str, source: Source, command: Command, argument: Argument) -> Iterator[Edit]:
    declaration = DECLARATIONS[command.name]
    if command.name == "textcolor":
        declaration += source.text[command.end : argument.start]
    yield Edit(path, command.start, argument.start + 1, "{" + declaration + " ")


RULE = Rule(
    id="paragraphs-in-argument",
    fix=propose,
    answers=("runaway-argument",),
    examples=(
        Example(
            "\\textbf{One.\n\nTwo.}\n\\textcolor{red}{A\n\nB}\n\\caption{C\n\nD}\n",
            "{\\bfseries One.\n\nTwo.}\n{\\color{red} A\n\nB}\n\\caption{C\nD}\n",
            message="Paragraph ended before \\text@command was complete",
            path="part.tex",
            line=2,
        ),
        Example(
            "\\textbf{One.}\n\n\\emph{Two.\n",
            None,
            message="Paragraph ended before \\text@command was complete",
            path="part.tex",
            line=2,
        ),
    ),
)
