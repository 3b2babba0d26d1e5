r"""Code in a beamer frame that is not [fragile].

Why it breaks: beamer reads a frame as an argument, in which verbatim, lstlisting, minted and \verb cannot work:
"Paragraph ended before", "File ended while scanning use of"; a fragile frame ends only at a line that holds nothing but
\end{frame}.

What is done: [fragile] is added to frames with code, and what stands before or behind \end{frame} of such a frame goes
to a line of its own; a comment there goes to the next line.

When nothing is done: frames with code are fragile, or the class is not beamer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_CODE = re.compile(
    r"\\begin\{(?:verbatim\*?|Verbatim|lstlisting|minted|alltt|semiverbatim|BVerbatim|tcblisting|filecontents\*?"
    r"|[a-z]+code|comment)\}|\\(?:verb|lstinline|mintinline)\b"
)
_OPTIONS = re.compile(r"(?P<overlay>[ \t]*<[^<>]*>)?(?P<default>[ \t]*\[<[^\[\]]*>\])?[ \t]*(?P<options>\[[^\[\]]*\])?")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for begin, end in _frames(source):
            found = _OPTIONS.match(source.text, begin)
            options = found["options"] if found else None
            fragile = options is not None and "fragile" in options
            if found is None or not (fragile or _CODE.search(source.text, begin, end)):
                continue
            if not fragile and options is None:
                edits.append(Edit(path, found.end(), found.end(), "[fragile]"))
            elif not fragile:
                at = found.start("options") + 1
                edits.append(Edit(path, at, at, "fragile" if options == "[]" else "fragile,"))
            edits += _alone(path, source, end)
    if edits:
        yield Candidate(tuple(edits), "make the frames with code fragile, with \\end{frame} on a line of its own", 0.93)


def _frames(source: Source) -> Iterator[tuple[int, int]]:
    """Behind each \\begin{frame}, and where its \\end{frame} stands: code can hide the end from the lexer."""
    for begin in re.finditer(r"\\begin\{frame\}", source.text):
        end = source.text.find("\\end{frame}", begin.end())
        if end >= 0 and source.live(begin.start()):
            yield begin.end(), end


def _alone(path: str, source: Source, end: int) -> Iterator[Edit]:
    low, high = source.line_span(source.line(end))
    newline = newline_of(source.text)
    before = source.text[low:end]
    stop = end + len("\\end{frame}")
    if before.strip():
        yield Edit(path, end, end, newline)
    elif before:
        yield Edit(path, low, end, "")
    blank = re.compile(r"[ \t]*").match(source.text, stop)
    rest = blank.end() if blank else stop
    if rest < high:
        yield Edit(path, stop, rest, newline)


RULE = Rule(
    id="frame-not-fragile",
    fix=propose,
    answers=(
        "runaway-argument",
        "missing-end-document",
        "verb-error",
        "emergency-stop",
        "environment-mismatch",
        "extra-brace",
        "missing-brace",
        "undefined-control-sequence",
        "end-inside-group",
        "use-does-not-match",
        "parameter-character",
        "missing-dollar",
        "illegal-parameter",
        "package-error",
        "missing-item",
    ),
    examples=(
        Example(
            "\\begin{frame}{Sort}\n\\begin{verbatim}\na_b\n\\end{verbatim}\n\\end{frame} % checked\n"
            "\\begin{frame}\nText\n\\end{frame} % ok\n",
            "\\begin{frame}[fragile]{Sort}\n\\begin{verbatim}\na_b\n\\end{verbatim}\n\\end{frame}\n% checked\n"
            "\\begin{frame}\nText\n\\end{frame} % ok\n",
            message="Paragraph ended before \\@xverbatim was complete",
            path="part.tex",
            line=5,
        ),
        Example(
            "\\begin{frame}[fragile]{Sort}\n\\begin{verbatim}\na_b\n\\end{verbatim}\n\\end{frame}\n",
            None,
            message="Paragraph ended before \\@xverbatim was complete",
            path="part.tex",
            line=5,
        ),
    ),
)
