"""Which program wrote a line: banners, and the marks of programs that print none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.diagnosis.lines import Lines, text

_BANNER = re.compile(
    rb"This is (?P<engine>[\w-]*TeX\w*|Tectonic)[ ,].{0,200}?(?:\((?:preloaded )?format=(?P<format>[\w.+-]+)|$)"
)
_OTHERS = (
    ("bibtex", re.compile(rb"This is (?:\S+ ){0,3}\S*BibTeX\w*[,: ]|The top-level auxiliary file: ")),
    ("biber", re.compile(rb"(?:\[\d+\] \S+> )?INFO - This is Biber|\[\d+\] \w+\.pm:\d+> ")),
    (
        "makeindex",
        re.compile(rb"This is (?:makeindex|upmendex|mendex)[, ]|!! Input index error |Index style file \S+ not f"),
    ),
    ("makeglossaries", re.compile(rb"makeglossaries(?:\.lua)? version ")),
    ("xindy", re.compile(rb"This is xindy|xindy (?:kernel|version)|Opening logfile .* \(done\)")),
    ("xdvipdfmx", re.compile(rb"x?dvipdfmx:(?:fatal|warning): |\S+\.x?dvi -> \S+\.pdf$")),
)
_USUAL = {
    "pdfTeX": "pdflatex", "XeTeX": "xelatex", "LuaTeX": "lualatex", "LuaHBTeX": "lualatex", "Tectonic": "tectonic",
    "TeX": "tex", "e-TeX": "etex", "e-pTeX": "platex", "e-upTeX": "uplatex",
}  # fmt: skip


def engine_of(line: bytes) -> str | None:
    """The engine that a banner names: its format where it says so (`pdflatex`), else what it is usually called as."""
    found = _BANNER.match(line)
    if found is None or b"BibTeX" in found["engine"]:
        return None
    if found["format"]:
        name = text(found["format"]).removesuffix(".fmt")
        return "pdflatex" if name == "latex" else name
    engine = text(found["engine"])
    return _USUAL.get(engine, engine.lower())


def tool_of(line: bytes) -> str | None:
    """The other program that begins with this line: bibtex, biber, makeindex, makeglossaries, xindy, xdvipdfmx."""
    if not line or (line[0] not in b"TI[!mxOd" and not line.endswith(b".pdf")):
        return None
    return next((name for name, mark in _OTHERS if mark.match(line)), None)


def begins(line: bytes) -> bool:
    """Does another program's output begin with this line?"""
    if line.startswith(b"This is "):
        return engine_of(line) is not None or tool_of(line) is not None
    if line.startswith((b"makeglossaries", b"INFO - This is Biber", b"[0] ")):
        return tool_of(line) is not None
    return False


def own_lines(lines: Lines, own: tuple[str, ...] = ()) -> Iterator[bytes]:
    """The lines from the current one up to where the output of another program begins; `lines` stands behind each.

    The first line may be the program's own banner, and so may later ones be of the tools in `own`.
    """
    first = True
    while lines.more():
        line = lines.at() or b""
        if not first and begins(line) and tool_of(line) not in own:
            return
        first = False
        lines.position += 1
        yield line
