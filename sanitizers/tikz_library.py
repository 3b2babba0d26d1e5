r"""A TikZ library that is not loaded.

Why it breaks: shapes, arrows, "below=of x", $(a)+(b)$ and many keys belong to libraries: "I do not know the key
'/tikz/diamond'", "Unknown function `of'", "Unknown arrow tip kind".

What is done: the libraries that the pictures need are loaded, all at once: those of the shapes, arrows, decorations and
keys that they use and that no loaded library has.

When nothing is done: tikz is not loaded, or no library is known for what TeX names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.rules import Candidate, Case, Example, Rule

from ._tikz import LOADS_TIKZ, libraries, library_of, loading

_SIGNS = (
    (
        "positioning",
        r"\b(?:above|below|left|right|above left|above right|below left|below right)\s*=[^,\]]{0,30}\bof\b",
    ),
    ("calc", r"\(\s*\$|\blet\s*\\p"),
    ("fit", r"\bfit\s*=\s*[({]"),
    ("intersections", r"name (?:intersections|path)\b"),
    ("backgrounds", r"on background layer|show background"),
    ("patterns", r"\bpattern\s*=|pattern color"),
    ("matrix", r"\bmatrix of (?:math )?nodes\b"),
    ("quotes", r"edge\s*\[\s*\""),
    ("angles", r"pic\s*(?:\[[^\[\]]*\]\s*)?\{\s*(?:right )?angle\b"),
)
"""What libraries bring that is no key, shape or arrow of a name (pgfmanual, part V)."""
_ARROWS = re.compile(
    r"[-{<>]\s*\{?\s*(?:Stealth|Latex|Triangle|Circle|Square|Diamond|Bar|Bracket|Hooks|Kite|Implies|To|Rectangle"
    r"|Straight Barb|Turned Square|Classical TikZ Rightarrow|Computer Modern Rightarrow)\b"
)
_WORD = re.compile(r"(?:[\[,]|\bshape\s*=|\bdecoration\s*=\s*\{?)\s*([A-Za-z][A-Za-z ]*[A-Za-z])\s*(?=[,=\]}])")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not LOADS_TIKZ & set(case.packages):
        return
    pictures = "\n".join(_pictures(s) for s in case.read)
    loaded = libraries(case.lexed(case.main))
    wanted: list[str] = []
    named = found.token.rpartition("/")[2] if found.token else ""
    if named:
        wanted += library_of(named, ("shape", "decoration", "arrow", "key"))
    wanted += [library for library, sign in _SIGNS if re.search(sign, pictures)]
    if _ARROWS.search(pictures):
        wanted.append("arrows.meta")
    for word in dict.fromkeys(_WORD.findall(pictures)):
        wanted += library_of(word, ("shape", "decoration"))
    wanted = [library for library in dict.fromkeys(wanted) if library not in loaded][:10]
    if not wanted or not ("tikz" in found.message or "pgf" in found.message.lower() or found.code != "package-error"):
        return
    edit = loading(case, wanted)
    if edit is not None:
        yield Candidate((edit,), f"load the libraries {', '.join(wanted)} of TikZ", 0.92)


def _pictures(source: Source) -> str:
    """What stands in pictures, in \\tikz and in the styles of the preamble."""
    parts = [
        source.text[e.begin : e.until]
        for e in source.environments
        if e.name in ("tikzpicture", "scope", "circuitikz", "tikzcd", "axis") and source.live(e.begin)
    ]
    for command in source.command_named("tikz", "tikzset", "tikzstyle"):
        if source.live(command.start):
            parts.append(source.text[command.start : source.paragraph(command.start)[1]])
    return "\n".join(parts)


_HEAD = "\\documentclass{article}\n\\usepackage{tikz}\n"

RULE = Rule(
    id="tikz-library",
    fix=propose,
    answers=("unknown-key", "bad-expression", "package-error", "undefined-control-sequence"),
    examples=(
        Example(
            _HEAD + "\\begin{document}\n\\begin{tikzpicture}\n\\node[diamond] (a) {x};\n\\node[below=of a] {y};\n"
            "\\end{tikzpicture}\n\\end{document}\n",
            _HEAD + "\\usetikzlibrary{shapes.geometric,positioning}\n\\begin{document}\n\\begin{tikzpicture}\n"
            "\\node[diamond] (a) {x};\n\\node[below=of a] {y};\n\\end{tikzpicture}\n\\end{document}\n",
            message="Package pgfkeys Error: I do not know the key '/tikz/diamond' and I am going to ignore it",
            token="/tikz/diamond",
            line=5,
        ),
        Example(
            _HEAD + "\\begin{document}\n\\begin{tikzpicture}\n\\node[drow] (a) {x};\n\\end{tikzpicture}\n"
            "\\end{document}\n",
            None,
            message="Package pgfkeys Error: I do not know the key '/tikz/drow' and I am going to ignore it",
            token="/tikz/drow",
            line=5,
        ),
    ),
)
