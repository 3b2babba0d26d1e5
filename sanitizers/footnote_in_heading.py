r"""A footnote, or something else that is no text, in a heading or caption.

Why it breaks: headings and captions are written to the .toc, .lof and page heads, where a footnote of several lines, a
picture or a \label cannot stand: "Paragraph ended before \contentsline was complete", "Argument of ... has an extra }".

What is done: the heading gets a short form in brackets without the footnote; title and footnote stay as they are.

When nothing is done: there is a short form already, or no footnote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Argument, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._inside import CAPTIONS, HEADINGS, moving

_UNFIT = ("footnote", "footnotemark", "thanks", "label", "includegraphics", "marginpar", "index", "endnote", "sidenote")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for command, arguments in moving(source):
            starred = source.text.startswith("*", command.end)
            wanted = command.name in HEADINGS or command.name in CAPTIONS[:2]
            if starred or not wanted or any(a.optional for a in arguments):
                continue
            title = arguments[1] if command.name == "captionof" and len(arguments) > 1 else arguments[0]
            short = _short(source, title)
            if short is not None:
                edits.append(Edit(path, title.start, title.start, f"[{short}]"))
    if edits:
        yield Candidate(tuple(edits), "give headings and captions with footnotes a short form without them", 0.88)


def _short(source: Source, title: Argument) -> str | None:
    """The title without what cannot be in it, on one line; None where everything can."""
    pieces, pos, found = [], title.start + 1, False
    for command in source.command_named(*_UNFIT):
        if pos <= command.start < title.end:
            arguments = source.arguments(command, 2)
            if not arguments and command.name != "footnotemark":
                return None
            found |= command.name not in ("label", "index")
            pieces.append(source.text[pos : command.start].rstrip("%\r\n \t"))
            pos = arguments[-1].end if arguments else command.end
    if not found:
        return None
    pieces.append(source.text[pos : title.end - 1])
    short = re.sub(r"\s+", " ", "".join(pieces)).strip()
    return "{" + short + "}" if "]" in short else short


RULE = Rule(
    id="footnote-in-heading",
    fix=propose,
    answers=(
        "runaway-argument",
        "use-does-not-match",
        "extra-brace",
        "missing-brace",
        "missing-endcsname",
        "extra-endcsname",
        "undefined-control-sequence",
        "illegal-parameter",
        "wrong-mode",
    ),
    examples=(
        Example(
            "\\section{The strike\\footnote{All quotations\n\nare mine.} of 1903}\n",
            "\\section[The strike of 1903]{The strike\\footnote{All quotations\n\nare mine.} of 1903}\n",
            message="Paragraph ended before \\contentsline was complete",
            path="part.tex",
        ),
        Example(
            "\\section[A]{A\\footnote{B}}\n\\section{C}\\label{c}\n",
            None,
            message="Paragraph ended before \\contentsline was complete",
            path="part.tex",
        ),
    ),
)
