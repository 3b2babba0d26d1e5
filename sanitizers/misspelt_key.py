r"""A misspelt key among the options of a command: \includegraphics[widht=5cm], \begin{lstlisting}[lanuage=C].

Why it breaks: keys are names as commands are: "Package keyval Error: widht undefined".

What is done: the key becomes the nearest one that the command, or the environment, takes, everywhere at once.

When nothing is done: no key is near, or the command's keys are not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.spelling import distance, reach
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_GRAPHICS = frozenset(
    """width height totalheight keepaspectratio scale angle origin trim clip page viewport bb draft alt type ext read
    command interpolate pagebox""".split()
)
_LISTINGS = frozenset(
    """language caption label basicstyle keywordstyle commentstyle stringstyle identifierstyle numberstyle numbers
    stepnumber numbersep firstnumber frame frameround framerule framesep rulecolor backgroundcolor breaklines
    breakatwhitespace captionpos columns escapeinside escapechar float floatplacement firstline lastline keepspaces
    linewidth mathescape morekeywords emph emphstyle postbreak prebreak showspaces showstringspaces showtabs style
    tabsize texcl title upquote xleftmargin xrightmargin aboveskip belowskip inputencoding extendedchars literate
    lineskip gobble nolol moredelim deletekeywords sensitive morecomment morestring alsoletter""".split()
)
_BOXES = frozenset(
    """title colback colframe colbacktitle coltitle coltext fonttitle fontupper fontlower arc boxrule leftrule rightrule
    toprule bottomrule sharp corners rounded corners breakable enhanced skin width height left right top bottom boxsep
    before after halign valign center sidebyside listing only text only floatplacement drop shadow frame hidden
    attach boxed title to top left parbox subtitle style label nameref""".split()
)
_LISTS = frozenset(
    """label leftmargin rightmargin itemsep parsep topsep partopsep noitemsep nosep start resume align labelsep
    labelwidth itemindent labelindent font style ref before after first widest series wide listparindent""".split()
)
_TAKEN = (
    (re.compile(r"\\includegraphics\*?[ \t]*$"), _GRAPHICS),
    (
        re.compile(r"\\(?:begin\{lstlisting\}|lstinline|lstinputlisting|lstset|lstdefinestyle\{[^{}]*\})[ \t]*$"),
        _LISTINGS,
    ),
    (
        re.compile(
            r"\\(?:begin\{(?:tcolorbox|tcblisting)\}|tcbset|newtcolorbox\{[^{}]*\}(?:\[\d\])?(?:\[[^\[\]]*\])?)[ \t]*$"
        ),
        _BOXES,
    ),
    (re.compile(r"\\(?:begin\{(?:itemize|enumerate|description)\}|setlist(?:\[[^\[\]]*\])?)[ \t]*$"), _LISTS),
)
"""What stands before the bracket or brace, and the keys that it takes, by the manuals of the packages."""


def propose(case: Case) -> Iterator[Candidate]:
    wrong = case.diagnostic.token if case.diagnostic else None
    if not wrong or not re.fullmatch(r"[A-Za-z]{3,}", wrong):
        return
    places: list[tuple[str, int, frozenset[str]]] = []
    for path, source in case.tex_files():
        for found in re.finditer(rf"(?<![A-Za-z\\]){wrong}(?=[ \t]*[=,\]}}])", source.text):
            opening = _opening(source.text, found.start())
            known = next((keys for before, keys in _TAKEN if before.search(source.text, 0, opening)), None)
            if known is not None and not source.in_definition(found.start()):
                places.append((path, found.start(), known))
    if not places:
        return
    bound = reach(wrong)
    ranked = sorted((far, key) for key in places[0][2] if (far := distance(wrong, key, bound)) is not None)
    for rank, (_, key) in enumerate(ranked[:2]):
        edits = tuple(Edit(path, at, at + len(wrong), key) for path, at, keys in places if key in keys)
        yield Candidate(edits, f"write {key} for the key {wrong}", round(0.92 - 0.08 * rank, 2))


def _opening(text: str, pos: int) -> int:
    """Where the bracket or brace stands that is open at `pos`; 0 where none is."""
    depth = 0
    for at in range(pos - 1, max(-1, pos - 2000), -1):
        if text[at] in "]}":
            depth += 1
        elif text[at] in "[{":
            if not depth:
                return at
            depth -= 1
    return 0


RULE = Rule(
    id="misspelt-key",
    fix=propose,
    answers=("unknown-key",),
    examples=(
        Example(
            "\\includegraphics[widht=5cm, angle=90]{a}\n\\begin{lstlisting}[widht=2]\n\\end{lstlisting}\n",
            "\\includegraphics[width=5cm, angle=90]{a}\n\\begin{lstlisting}[widht=2]\n\\end{lstlisting}\n",
            message="Package keyval Error: widht undefined",
            token="widht",
            path="part.tex",
        ),
        Example(
            "\\lstset{basicstyle={\\small},lanuage=C}\n",
            "\\lstset{basicstyle={\\small},language=C}\n",
            message="Package keyval Error: lanuage undefined",
            token="lanuage",
            path="part.tex",
        ),
        Example(
            "\\includegraphics[colour=red]{a} and widht=3\n",
            None,
            message="Package keyval Error: colour undefined",
            token="colour",
            path="part.tex",
        ),
    ),
)
