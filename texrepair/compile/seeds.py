"""What engines know of fonts: made once for a user, not anew in every session.

luaotfload lists all fonts of the system before it looks one up by name, and turns each font that it loads into tables.
It keeps both in TEXMFVAR. XeTeX asks fontconfig, which opens every font of a folder of which it knows nothing, and
keeps what it finds in the user's cache folder if the system's does not have it: the user's own fonts, those of a system
whose cache is absent or older than the folders. Both places are empty in every session. What is laid there comes from a
run on a document of our own, in a box in which nothing else had run, and is kept in the user's cache. Nothing that a
document left is ever kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from texrepair.cache import Cache
from texrepair.compile.engines import ENGINES
from texrepair.errors import SandboxError
from texrepair.sandboxes import Box, Limits, Sandbox, places

_SECONDS = 60.0
_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts")
_TREES = ("/usr/share/texlive/texmf-dist", "/usr/share/texmf", "/usr/local/share/texmf", "/var/lib/texmf")


@dataclass(frozen=True, slots=True)
class _Seed:
    """What one engine keeps of fonts."""

    name: str
    """That of the entry in the cache; the state of the fonts follows."""
    folder: str
    """Where it lies in a box (places.environment)."""
    document: bytes
    kept: str
    """The names of the files that are kept, as a regular expression."""
    ground: tuple[str, ...] = ()
    """Files and folders that decide it besides the fonts, the trees of TeX and the engine."""


_LUATEX = rb"""\documentclass{article}
\usepackage{fontspec}
\begin{document}
\section{A} a \textit{b} \textbf{c} \textsf{d} \texttt{e} $x$ \footnotesize f \large\bfseries g
\end{document}
"""
_XETEX = rb"""\documentclass{article}
\begin{document}
a
\end{document}
"""
_SEEDS = {
    "lualatex": _Seed(
        "luatex-fonts",
        "scratch/home/texmf-var",
        _LUATEX,
        r".*luaotfload-names\.lu[ac]\.gz|(?!.*lookup-cache).*\.luc",
    ),
    "xelatex": _Seed(
        "fontconfig", "scratch/home/cache/fontconfig", _XETEX, r"[\w-]+\.cache-\w+", ("/var/cache/fontconfig",)
    ),
}


def lay(box: Box, engine: str, cache: Cache | None, fresh: bool) -> None:
    """Lay in a box what an engine knows of fonts.

    Where the cache holds nothing for the fonts of today, LuaTeX's is made in this box if that is `fresh`: nothing has
    run in it. Nothing is laid where that does not work: the engine then finds out by itself.
    """
    seed = _SEEDS.get(engine)
    if cache is None or seed is None:
        return
    key = _key(engine, seed)
    with suppress(SandboxError):
        kept = cache.get(key)
        if kept is not None:
            box.put(_unpacked(kept), seed.folder)
        elif fresh and engine == "lualatex":
            cache.put(key, _packed(_made(box, engine, seed)))


def learn(box: Box, sandbox: Sandbox, cache: Cache | None) -> None:
    """Keep what fontconfig knows, if the system's cache is not enough, as this box shows in which engines have run.

    It is made in another box of the sandbox, in which nothing has run.
    """
    seed = _SEEDS["xelatex"]
    if cache is None:
        return
    with suppress(SandboxError):
        # fontconfig lays this where it keeps something for the first time.
        if not box.fetch(("CACHEDIR.TAG",), seed.folder):
            return
        key = _key("xelatex", seed)
        if cache.get(key) is None:
            with closing(sandbox.open({}, Limits())) as clean:
                cache.put(key, _packed(_made(clean, "xelatex", seed)))


def _made(box: Box, engine: str, seed: _Seed) -> dict[str, bytes]:
    """What an engine leaves after a document of ours."""
    box.put({"fonts.tex": seed.document}, "fonts")
    # With a date of the source, fontconfig (2.14) writes down a date for each folder that it will not take for its own.
    command = ("env", "-u", "SOURCE_DATE_EPOCH", *ENGINES[engine].command("fonts.tex"))
    box.start(command, "fonts", seconds=_SECONDS).wait()
    box.drop("fonts")
    listed = box.start(("find", ".", "-type", "f"), seed.folder, seconds=_SECONDS).wait()
    names = [line.removeprefix("./") for line in listed.output.decode("utf-8", "replace").splitlines()]
    return box.fetch([name for name in names if re.fullmatch(seed.kept, name)], seed.folder)


def _key(engine: str, seed: _Seed) -> str:
    """The name of what is kept, with a digest of what decides it: fonts, trees of TeX, program, by date and size."""
    folder = places.programs()
    own = [] if folder is None else [str(folder / engine), str(folder.parent.parent / "texmf-dist/ls-R")]
    files = [*own, *(f"{tree}/ls-R" for tree in _TREES), *seed.ground]
    fonts = [*_FONTS, *map(str, places.personal().values())]
    seen = [(path, _status(path)) for path in (*files, *_folders(fonts))]
    return f"{seed.name}-{hashlib.sha256(json.dumps(seen).encode()).hexdigest()}"


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
