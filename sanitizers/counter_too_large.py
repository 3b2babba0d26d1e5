r"""A counter that runs out of letters or signs.

Why it breaks: \alph and \Alph end at 26, \fnsymbol at 9: "Counter too large".

What is done: the counter is set in Arabic numerals: \fnsymbol{footnote} becomes \arabic{footnote}, and the label of a
list with more than 26 items \arabic*; first where it runs out, then wherever letters or signs count.

When nothing is done: nothing is counted in letters or signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

_SIGNS = re.compile(r"\\(?P<kind>fnsymbol|alph|Alph)(?=[ \t]*(?:\{(?P<counter>[a-zA-Z]+)\}|\*))")
_LISTS = {"enumi": 1, "enumii": 2, "enumiii": 3, "enumiv": 4}


def propose(case: Case) -> Iterator[Candidate]:
    likely: list[Edit] = []
    every: list[Edit] = []
    for path in case.draft:
        if path != case.main and not path.endswith((".tex", ".ltx", ".sty", ".cls")):
            continue
        source = case.lexed(path)
        for found in _SIGNS.finditer(source.text):
            if not source.live(found.start()):
                continue
            edit = Edit(path, found.start() + 1, found.end("kind"), "arabic")
            every.append(edit)
            if found["counter"]:
                long = _steps(case, found["counter"]) > (9 if found["kind"] == "fnsymbol" else 26)
            else:
                long = any(
                    e.begin <= found.start() <= e.begin_end + 200 and _items(case, path, e.begin, e.until) > 26
                    for e in source.environments_at(found.start())
                )
            if long:
                likely.append(edit)
    if likely:
        yield Candidate(
            tuple(likely), "count in Arabic numerals what has more steps than there are letters or signs", 0.85
        )
    if every and every != likely:
        yield Candidate(tuple(every), "count everything in Arabic numerals", 0.5)


def _steps(case: Case, counter: str) -> int:
    """How often the document seems to step the counter."""
    names = {"footnote": ("footnote", "footnotemark"), "mpfootnote": ("footnote",)}.get(counter)
    if names is None:
        names = ("item",) if counter in _LISTS else (counter, f"begin{{{counter}}}")
    return sum(source.text.count("\\" + name) for _, source in case.tex_files() for name in names)


def _items(case: Case, path: str, begin: int, end: int) -> int:
    source = case.lexed(path)
    return sum(begin < command.start < end for command in source.command_named("item"))


RULE = Rule(
    id="counter-too-large",
    fix=propose,
    answers=("counter-too-large",),
    examples=(
        Example(
            "\\renewcommand{\\thefootnote}{\\fnsymbol{footnote}}\n\\renewcommand{\\thesection}{\\Alph{section}}\n"
            + "x\\footnote{y}\n" * 10,
            "\\renewcommand{\\thefootnote}{\\arabic{footnote}}\n\\renewcommand{\\thesection}{\\Alph{section}}\n"
            + "x\\footnote{y}\n" * 10,
            message="LaTeX Error: Counter too large",
            path="part.tex",
            line=12,
        ),
        Example("\\footnote{x}\n", None, message="LaTeX Error: Counter too large", path="part.tex"),
    ),
)
