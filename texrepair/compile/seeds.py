"""What LuaTeX knows of fonts: made once for a user, not anew in every session.

luaotfload lists all fonts of the system before it looks one up by name, and turns each font that it loads into tables.
It keeps both in TEXMFVAR, which is empty in every session. What is laid there comes from a run on a document of our
own, in a box in which nothing else had run, and is kept in the user's cache. Nothing that a document left is ever kept.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from texrepair.cache import Cache
from texrepair.compile.engines import ENGINES
from texrepair.errors import SandboxError
from texrepair.sandboxes import Box, places

_FOLDER = "scratch/home/texmf-var"
"""TEXMFVAR in a box (places.environment)."""
_KEPT = ("luaotfload-names.lua.gz", "luaotfload-names.luc.gz", ".luc")
_SECONDS = 60.0
_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts")
_TREES = ("/usr/share/texlive/texmf-dist", "/usr/share/texmf", "/usr/local/share/texmf", "/var/lib/texmf")
_OURS = rb"""\documentclass{article}
\usepackage{fontspec}
\begin{document}
\section{A} a \textit{b} \textbf{c} \textsf{d} \texttt{e} $x$ \footnotesize f \large\bfseries g
\end{document}
"""


def lay(box: Box, cache: Cache | None, fresh: bool) -> None:
    """Lay in a box what LuaTeX knows of fonts.

    Where the cache holds nothing for the fonts of today, it is made in this box if that is `fresh`: nothing has run in
    it. Nothing is laid where that does not work: LuaTeX then finds out by itself.
    """
    if cache is None:
        return
    key = f"luatex-fonts-{_ground()}"
    with suppress(SandboxError):
        kept = cache.get(key)
        if kept is not None:
            box.put(_unpacked(kept), _FOLDER)
        elif fresh:
            cache.put(key, _packed(_made(box)))


def _made(box: Box) -> dict[str, bytes]:
    """What LuaTeX leaves in TEXMFVAR after a document of ours."""
    box.put({"fonts.tex": _OURS}, "fonts")
    box.start(ENGINES["lualatex"].command("fonts.tex"), "fonts", seconds=_SECONDS).wait()
    box.drop("fonts")
    listed = box.start(("find", ".", "-type", "f"), _FOLDER, seconds=_SECONDS).wait().output.decode("utf-8", "replace")
    names = [line.removeprefix("./") for line in listed.splitlines()]
    return box.fetch([name for name in names if name.endswith(_KEPT) and "lookup-cache" not in name], _FOLDER)


def _ground() -> str:
    """A digest of what decides it: the fonts, the trees of TeX and the program, by date and size."""
    folder = places.programs()
    own = [] if folder is None else [str(folder / "lualatex"), str(folder.parent.parent / "texmf-dist/ls-R")]
    files = [*own, *(f"{tree}/ls-R" for tree in _TREES)]
    fonts = [*_FONTS, *map(str, places.personal().values())]
    seen = [(path, _status(path)) for path in (*files, *_folders(fonts))]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()


def _folders(tops: list[str]) -> Iterator[str]:
    """The folders below, whose dates change when a font comes or goes."""
    for top in tops:
        for folder, below, _ in os.walk(top):
            below.sort()
            yield folder


def _status(path: str) -> tuple[int, int] | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _packed(files: dict[str, bytes]) -> bytes:
    head = json.dumps([[name, len(data)] for name, data in files.items()]).encode()
    return b"".join([b"%d\n" % len(head), head, *files.values()])


def _unpacked(data: bytes) -> dict[str, bytes]:
    """What `_packed` packed: the cache gives back whole entries only."""
    size, _, rest = data.partition(b"\n")
    at = int(size)
    files = {}
    for name, length in json.loads(rest[:at]):
        files[name] = rest[at : at + length]
        at += length
    return files
