r"""Two subscripts or two superscripts in a row.

Why it breaks: x_i_t could be read in two ways: "Double subscript".

What is done: the second script is made a script of the first (x_{i_t}), in all formulas at once; a prime behind a
superscript (x^2') goes into it.

When nothing is done: every symbol has at most one script of each kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_ONE = r"(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|\\[A-Za-z]+(?:\{[^{}]*\})?|[^\s\\{}$&_^])"
_DOUBLE = re.compile(rf"(?P<mark>[_^])\s*(?P<first>{_ONE})(?P<rest>(?:\s*(?P=mark)\s*{_ONE})+)")
_PRIMED = re.compile(rf"\^\s*(?P<first>{_ONE})(?P<primes>'+)")
_NEXT = re.compile(rf"\s*(?P<mark>[_^])\s*(?P<body>{_ONE})")


def propose(case: Case) -> Iterator[Candidate]:
    edits = []
    for path in case.draft:
        if path != case.main and not path.endswith((".tex", ".ltx", ".sty")):
            continue
        source = case.lexed(path)
        for found in _DOUBLE.finditer(source.text):
            if (
                source.mode(found.start()) in (Mode.INLINE, Mode.DISPLAY)
                and source.text[found.start() - 1 : found.start()] != "\\"
            ):
                edits.append(Edit(path, found.start(), found.end(), _nested(found)))
        taken = [(e.start, e.end) for e in edits if e.path == path]
        for found in _PRIMED.finditer(source.text):
            inside = any(a < found.end() and found.start() < b for a, b in taken)
            if source.mode(found.start()) in (Mode.INLINE, Mode.DISPLAY) and not inside:
                body = _bare(found["first"]) + "\\prime" * len(found["primes"])
                edits.append(Edit(path, found.start(), found.end(), f"^{{{body}}}"))
    if edits:
        yield Candidate(tuple(edits), "make the second of two scripts a script of the first", 0.88)


def _nested(found: re.Match[str]) -> str:
    bodies = [_bare(found["first"]), *(_bare(m["body"]) for m in _NEXT.finditer(found["rest"]))]
    mark, text = found["mark"], bodies[-1]
    for body in reversed(bodies[:-1]):
        script = text if len(text) == 1 else f"{{{text}}}"
        text = f"{body}{mark}{script}"
    return f"{mark}{{{text}}}"


def _bare(body: str) -> str:
    return body[1:-1] if body.startswith("{") else body


RULE = Rule(
    id="double-script",
    fix=propose,
    answers=("double-subscript", "double-superscript"),
    examples=(
        Example(
            "$w_i_t = x_i_{t-1} + A^2^T$ and a_b_c.\n",
            "$w_{i_t} = x_{i_{t-1}} + A^{2^T}$ and a_b_c.\n",
            message="Double subscript",
            path="part.tex",
        ),
        Example("$x_i^2 + y_{i_t}$\n", None, message="Double subscript", path="part.tex"),
    ),
)
