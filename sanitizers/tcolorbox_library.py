r"""A library of tcolorbox that is not loaded: \begin{tcolorbox}[breakable, enhanced].

Why it breaks: breakable, enhanced, drop shadow and many more keys belong to libraries of tcolorbox: "I do not know the
key '/tcb/breakable'".

What is done: the libraries that bring the keys in use which the package itself has not are loaded, all at once.

When nothing is done: tcolorbox is not loaded, or no library of it is known for the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.names import providers
from texrepair.latex.preamble import line_end
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import key_of, split_options

_ORDER = ("skins", "breakable", "theorems", "listings", "raster", "xparse", "hooks", "fitting", "minted")
"""Those that documents load; others load one of these, or are for something special."""
_OPTIONS = re.compile(r"\\begin\s*\{\w+\*?\}\s*\[|\\tcb(?:set|ox|subtitle)?\s*[\[{]|\\newtcolorbox|\\DeclareTColorBox")
_KEY = re.compile(r"[\[{,]\s*([a-z][a-z *]*[a-z*])\s*(?=[=,\]}])")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not (found.token or "").startswith("/tcb/"):
        return
    loads = [
        (path, source, p)
        for path in case.draft
        for source in [case.lexed(path)]
        for p in source.packages
        if p.name == "tcolorbox" and source.live(p.start)
    ]
    if not loads:
        return
    path, source, load = loads[0]
    loaded = {key_of(option) for option in split_options(load.options)}
    for other in case.read:
        for command in other.command_named("tcbuselibrary"):
            loaded |= {n.strip() for a in other.arguments(command, 1) for n in other.inner(a).split(",")}
    if loaded & {"most", "many", "all"}:
        loaded |= {"skins", "breakable"}
    keys = [(found.token or "").removeprefix("/tcb/")]
    for other in case.read:
        for use in _OPTIONS.finditer(other.text):
            if other.live(use.start()):
                keys += _KEY.findall(other.text, use.start(), use.start() + 400)
    brought = {_library(key) for key in keys} - loaded
    wanted = [library for library in _ORDER if library in brought]
    if not wanted or _library(keys[0]) is None:
        return
    place = line_end(source, load.end)
    edit = Edit(path, place, place, f"\n\\tcbuselibrary{{{','.join(wanted)}}}")
    yield Candidate((edit,), f"load the libraries {', '.join(wanted)} of tcolorbox", 0.95)


def _library(key: str) -> str | None:
    """The library that brings the key; None where tcolorbox itself has it, or nobody."""
    found = providers("/tcb/" + key, "key")
    if any(p.package == "tcolorbox" and not p.library for p in found):
        return None
    names = {p.library for p in found if p.package == "tcolorbox"}
    return next((name for name in _ORDER if name in names), None)


_HEAD = "\\documentclass{article}\n\\usepackage{tcolorbox}\n"
_BODY = (
    "\\begin{document}\n\\begin{tcolorbox}[breakable, enhanced, colback=red]\nx\n\\end{tcolorbox}\n\\end{document}\n"
)
_SAYS = "Package pgfkeys Error: I do not know the key '/tcb/breakable' and I am going to ignore it"

RULE = Rule(
    id="tcolorbox-library",
    fix=propose,
    answers=("unknown-key",),
    examples=(
        Example(
            _HEAD + _BODY,
            _HEAD + "\\tcbuselibrary{skins,breakable}\n" + _BODY,
            message=_SAYS,
            token="/tcb/breakable",
            line=4,
        ),
        Example(
            _HEAD + _BODY.replace("breakable, enhanced", "brakeable"),
            None,
            message=_SAYS.replace("breakable", "brakeable"),
            token="/tcb/brakeable",
            line=4,
        ),
    ),
)
