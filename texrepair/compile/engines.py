"""The programs of the chain, as frozen values: what they are called with, what they write, who packages them."""

from __future__ import annotations

from dataclasses import dataclass

from texrepair.errors import EngineMissing, SettingsError
from texrepair.result import Tool

FLAGS = (
    "-interaction=nonstopmode",
    "-file-line-error",
    "-recorder",
    "-no-shell-escape",
    "-no-parse-first-line",
)
"""Without the last one TeX opens the main file twice, to look for a `%&` line that would choose the format."""

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Engine:
    """A TeX engine with LaTeX's format."""

    name: str
    package: str
    """Debian's package."""
    flags: tuple[str, ...] = FLAGS
    output: str = ".pdf"
    """The suffix of what a pass writes."""
    driver: tuple[str, ...] = ()
    """What makes the PDF from that, once at the end."""
    mark: bytes = b""
    """What must stand before the text in a pipe."""

    def command(self, main: str) -> tuple[str, ...]:
        return (self.name, *self.flags, main)


ENGINES = {
    engine.name: engine
    for engine in (
        # XeTeX looks at the first two bytes for a mark of UTF-16 and cannot put them back into a pipe; after a mark of
        # UTF-8 it reads on (XeTeX_ext.c, u_open_in).
        Engine("xelatex", "texlive-xetex", (*FLAGS, "-no-pdf"), ".xdv", ("xdvipdfmx", "-E"), BOM),
        Engine("pdflatex", "texlive-latex-base"),
        Engine("lualatex", "texlive-luatex"),
    )
}

PACKAGES = {
    "bibtex": "texlive-binaries",
    "biber": "biber",
    "makeindex": "texlive-binaries",
    "makeglossaries": "texlive-latex-extra",
    "xdvipdfmx": "texlive-binaries",
} | {engine.name: engine.package for engine in ENGINES.values()}
"""Debian's package of each program."""

TOOLS: dict[str, Tool] = {
    "bibtex": "bibtex",
    "biber": "biber",
    "makeindex": "index",
    "makeglossaries": "index",
    "xdvipdfmx": "driver",
}
"""Who reports, by program; engines report as `tex`."""


def engine(name: str) -> Engine:
    """The engine of that name. Raises SettingsError."""
    if name not in ENGINES:
        raise SettingsError(f"There is no engine {name!r}; choose one of {', '.join(ENGINES)}.")
    return ENGINES[name]


def missing(program: str) -> EngineMissing:
    """The error for a program that is not installed."""
    return EngineMissing(f"{program} is not installed: apt-get install {PACKAGES.get(program, program)}")
