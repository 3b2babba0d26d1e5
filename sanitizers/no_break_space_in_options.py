r"""A no-break space among options or in a picture.

Why it breaks: copied from a web page, U+00A0 stands where a space was; XeTeX and LuaTeX take it for a letter of the key
that it precedes: "I do not know the key '/tikz/ fill'".

What is done: no-break spaces become spaces inside tikzpicture, in optional arguments and in arguments that hold keys.

When nothing is done: they stand in the text, where they keep words together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_SPACES = re.compile("[\u00a0\u2007\u202f\u2002-\u2006\u2008-\u200a\u205f\u3000]+")
_PICTURES = re.compile(r"tikzpicture|axis|scope|pgfplot|tikzcd|forest|circuitikz|semilogyaxis|loglogaxis|polaraxis")
_KEYED = frozenset(
    {"tikzset", "pgfplotsset", "tcbset", "lstset", "hypersetup", "sisetup", "geometry", "usetikzlibrary", "tikz"}
    | {"tcbuselibrary", "captionsetup", "setlist", "usepackage", "documentclass", "pgfkeys", "tikzstyle", "node"}
)


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for found in _SPACES.finditer(source.text):
            if source.live(found.start()) and _among_keys(source, found.start()):
                edits.append(Edit(path, found.start(), found.end(), " " * len(found[0])))
    if edits:
        yield Candidate(tuple(edits), "write spaces for the no-break spaces among options and in pictures", 0.95)


def _among_keys(source: Source, pos: int) -> bool:
    mode = source.mode(pos)
    if mode is Mode.VERBATIM:
        return False
    if mode is Mode.ARGUMENT or source.in_preamble(pos):
        return True
    if any(_PICTURES.fullmatch(e.name) for e in source.environments_at(pos)):
        before = source.text[source.line_span(source.line(pos))[0] : pos]
        around = source.groups_at(pos)
        # The text of a node stands in braces of its own.
        return not before.strip() or not around or "[" in before[before.rfind("{") + 1 :] or around[-1].opener in _KEYED
    return any(g.opener in _KEYED for g in source.groups_at(pos))


RULE = Rule(
    id="no-break-space-in-options",
    fix=propose,
    answers=(
        "unknown-key",
        "tikz-path",
        "package-error",
        "missing-number",
        "undefined-shape",
        "illegal-unit",
        "undefined-colour",
    ),
    examples=(
        Example(
            "\\begin{tikzpicture}\n\u00a0\u00a0\\node[right=of a,\u00a0fill=gray] (b) {A\u00a0b};\n"
            "\\end{tikzpicture}\nc\u00a0d\n",
            "\\begin{tikzpicture}\n  \\node[right=of a, fill=gray] (b) {A\u00a0b};\n\\end{tikzpicture}\nc\u00a0d\n",
            message="Package pgfkeys Error: I do not know the key '/tikz/\u00a0fill'",
            path="part.tex",
            line=2,
        ),
        Example("a\u00a0b\n", None, message="Package pgfkeys Error: I do not know the key '/tikz/x'", path="part.tex"),
    ),
)
