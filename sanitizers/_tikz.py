"""Libraries of TikZ: which one brings a name, which are loaded, and how more are."""

from __future__ import annotations

from collections.abc import Iterable

from texrepair.latex import Source
from texrepair.latex.names import nearest, packages_with_library, providers
from texrepair.latex.preamble import line_end
from texrepair.rules import Case, Edit

LOADS_TIKZ = frozenset({"tikz", "pgfplots", "circuitikz", "tikz-cd", "forest", "tcolorbox"})
"""Packages that bring \\usetikzlibrary."""
_LUA = ("graphdrawing", "graphs.standard", "penrose")
"""Libraries that only LuaTeX has, or that are meant for something else than their names say."""
_SHAPE_KEYS = {"aspect": "shapes.geometric", "shape aspect": "shapes.geometric", "trapezium angle": "shapes.geometric"}


def library_of(name: str, kinds: tuple[str, ...]) -> list[str]:
    """The library that brings a name of one of these kinds."""
    if name in _SHAPE_KEYS:
        return [_SHAPE_KEYS[name]]
    for kind in kinds:
        found = providers("/tikz/" + name if kind == "key" else name, kind)
        if any(not p.library for p in found if p.package in ("tikz", "pgf", "pgfcore")):
            return []
        libraries = [p.library for p in found if p.package == "tikz" and p.library not in ("", *_LUA)]
        if libraries:
            return libraries[:1]
    return []


def libraries(source: Source) -> set[str]:
    """The libraries that a file loads; a misspelt one is there already, under the name that it was meant to have."""
    found: set[str] = set()
    for command in source.command_named("usetikzlibrary", "usepgflibrary"):
        arguments = source.arguments(command, 1)
        if arguments and source.live(command.start):
            found |= {part.strip() for part in source.inner(arguments[0]).split(",")}
    meant = {right for name in found if not packages_with_library(name) for right in nearest(name, "tikz", limit=1)}
    return found | meant


def loading(case: Case, wanted: Iterable[str]) -> Edit | None:
    """The edit that loads libraries behind the package that brings TikZ; None where the main file loads none."""
    main = case.lexed(case.main)
    loads = [p for p in main.packages if main.live(p.start) and main.in_preamble(p.start) and p.name in LOADS_TIKZ]
    if not loads:
        return None
    place = line_end(main, loads[-1].end)
    return Edit(case.main, place, place, f"\n\\usetikzlibrary{{{','.join(wanted)}}}")
