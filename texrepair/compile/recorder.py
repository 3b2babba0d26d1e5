"""The recorder file (.fls): which files a pass opened, in order."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recorded:
    """The files of one pass. Names below its folder are relative to it; others are absolute."""

    read: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    preamble: frozenset[str] = frozenset()
    """What was read before \\begin{document}."""
    opened: tuple[str, ...] = ()
    """What was read, as often as it was opened."""


def recorded(text: bytes, job: str) -> Recorded:
    """What a recorder file says. Never raises; half a file gives what stands in it."""
    folder = ""
    read: dict[str, None] = {}
    written: dict[str, None] = {}
    preamble: frozenset[str] | None = None
    opened: list[str] = []
    for line in text.decode("utf-8", "surrogateescape").splitlines():
        kind, _, name = line.partition(" ")
        if kind == "PWD":
            folder = name
            continue
        if kind not in ("INPUT", "OUTPUT"):
            continue
        if folder and name.startswith(folder + "/"):
            name = name[len(folder) + 1 :]
        name = posixpath.normpath(name)
        # \begin{document} reads the .aux file, then opens it for writing (latex.ltx, \document).
        if name == f"{job}.aux" and preamble is None:
            preamble = frozenset(read)
        (read if kind == "INPUT" else written).setdefault(name)
        if kind == "INPUT":
            opened.append(name)
    before = frozenset(read) if preamble is None else preamble
    return Recorded(tuple(read), tuple(written), before, tuple(opened))
