r"""A counter that does not exist.

Why it breaks: \setcounter, \numberwithin and the like need a counter that is defined: "No counter 'x' defined".

What is done: a misspelt name is corrected, chapter becomes section in a class without chapters; else the counter is
made with \newcounter before it is used first.

When nothing is done: no name is known for the counter.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_COUNTERS = frozenset(
    """part chapter section subsection subsubsection paragraph subparagraph page equation figure table footnote
    mpfootnote enumi enumii enumiii enumiv tocdepth secnumdepth totalnumber topnumber bottomnumber""".split()
)
_CALL = (
    r"\\(?:setcounter|addtocounter|stepcounter|refstepcounter|value|arabic|roman|Roman|alph|Alph|fnsymbol|counterwithin\*?"
    r"|counterwithout\*?|numberwithin|usecounter|@addtoreset)(?:[ \t]*\{[^{}]*\})??[ \t]*"
    r"\{(?P<name>NAME)\}"
)
_WITHIN = re.compile(r"\\(?:number|counter)within\*?[ \t]*\{[^{}]*\}[ \t]*\{(?P<name>[A-Za-z@]+)\}")
_THEOREM = r"\\newtheorem[ \t]*\{[^{}]*\}(?:[ \t]*\{[^{}]*\}[ \t]*\[(?P<within>NAME)\]|[ \t]*\[(?P<like>NAME)\])"


def propose(case: Case) -> Iterator[Candidate]:
    name = case.diagnostic.token if case.diagnostic else None
    if name == "?" and case.diagnostic is not None:  # So LaTeX calls a name that amsmath found undefined itself.
        line = case.text[slice(*case.line(case.diagnostic.line or 1))]
        asked = _WITHIN.search(line)
        name = asked["name"] if asked else None
    if not name or not re.fullmatch(r"[A-Za-z@]+", name):
        return
    own = {m[1] for s in case.read for m in re.finditer(r"\\new(?:counter|theorem)\*?[ \t]*\{([A-Za-z@]+)\}", s.text)}
    known = sorted((_COUNTERS | own) - {name})
    near = difflib.get_close_matches(name, known, n=2, cutoff=0.75)
    if name == "chapter":
        near = ["section"]
    uses = [
        (path, found, group)
        for path, source in case.tex_files()
        for pattern in (_CALL, _THEOREM)
        for found in re.finditer(pattern.replace("NAME", name), source.text)
        for group in ("name", "within", "like")
        if source.live(found.start()) and found.groupdict().get(group)
    ]
    if not uses:
        return
    for rank, right in enumerate(near):
        edits = tuple(Edit(path, found.start(group), found.end(group), right) for path, found, group in uses)
        yield Candidate(edits, f"name the counter {right}, not {name}", round(0.85 - 0.1 * rank, 3))
    path, first, _ = min(uses, key=lambda use: (use[0] != case.main, use[1].start()))
    source = case.lexed(path)
    at = source.line_span(source.line(first.start()))[0]
    if name not in _COUNTERS:
        edit = Edit(path, at, at, f"\\newcounter{{{name}}}" + newline_of(source.text))
        yield Candidate((edit,), f"make the counter {name}", 0.6)


RULE = Rule(
    id="unknown-counter",
    fix=propose,
    answers=("undefined-counter",),
    examples=(
        Example(
            "\\setcounter{secton}{2}\n",
            "\\setcounter{section}{2}\n",
            message="LaTeX Error: No counter 'secton' defined",
            token="secton",
            path="part.tex",
        ),
        Example(
            "\\stepcounter{crate}\n",
            "\\newcounter{crate}\n\\stepcounter{crate}\n",
            message="LaTeX Error: No counter 'crate' defined",
            token="crate",
            path="part.tex",
        ),
        Example(
            "\\numberwithin{equation}{chapter}\n",
            "\\numberwithin{equation}{section}\n",
            message="LaTeX Error: No counter '?' defined",
            token="?",
            path="part.tex",
        ),
        Example("x\n", None, message="LaTeX Error: No counter 'crate' defined", token="crate", path="part.tex"),
    ),
)
