"""What the kernel and the engines define: LuaLaTeX lists its own, the other two are asked name by name."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from naming.asked import Answer
from naming.owners import Key, Owner

ENGINES = ("lualatex", "pdflatex", "xelatex")
_BINARIES = {"pdflatex": "pdftex", "xelatex": "xetex", "lualatex": "luahbtex"}
_TEST = r"""\documentclass{minimal}
\newwrite\answers \immediate\openout\answers=names.out
\def\ask#1{\ifcsname #1\endcsname\immediate\write\answers{#1}\fi}
\begingroup\catcode`\_=12 \catcode`\:=12 \input{names}\endgroup
\immediate\closeout\answers
\csname stop\endcsname
"""
_PUBLIC = re.compile(r"[A-Za-z@]{2,}\*?\Z|(?!__)[A-Za-z@_]+:[A-Za-z]*\Z|[lgc]_(?!_)[A-Za-z_]+\Z|[^\W\d_]\Z|[!-~]\Z")


def owners(heard: Answer, static: Iterable[str]) -> dict[Key, Owner]:
    """The owners `latex` (what all three engines know) and one for each engine (what not all know).

    `heard` holds LuaLaTeX's own names; `static` are names to try besides: those of the kernel's files,
    and those that packages define, since they often fill in what an engine lacks.
    """
    listed = heard.commands
    candidates = {name for name in listed if _PUBLIC.match(name)} | {name for name in static if _PUBLIC.match(name)}
    for binary in _BINARIES.values():
        candidates |= _words(binary)
    candidates -= set(heard.marked["stub"])
    known = {engine: _known(engine, candidates) for engine in ENGINES}
    single = {name for name in listed if len(name) == 1 and _PUBLIC.match(name)}
    common = frozenset.intersection(*known.values()) | single
    result: dict[Key, Owner] = {}
    everywhere = Owner("latex", "latex")
    everywhere.commands = {name: listed.get(name) for name in common}
    everywhere.environments = dict(heard.environments)
    result[everywhere.key] = everywhere
    for engine in ENGINES:
        owner = Owner("engine", engine)
        owner.commands = {name: listed.get(name) for name in known[engine] - common}
        result[owner.key] = owner
    return result


def _words(binary: str) -> set[str]:
    """Strings of letters in the program: its primitives are among them (tex.web, section 1336 and those it names)."""
    path = shutil.which(binary)
    if path is None:
        raise SystemExit(f"{binary} is not installed")
    return {word.decode() for word in re.findall(rb"\0([A-Za-z]{2,40})(?=\0)", Path(path).read_bytes())}


def _known(engine: str, candidates: set[str]) -> frozenset[str]:
    folder = Path(tempfile.mkdtemp(prefix="names-"))
    try:
        (folder / "ask.tex").write_text(_TEST, encoding="utf-8")
        asked = sorted(name for name in candidates if re.fullmatch(r"[A-Za-z@:_*]+", name))
        (folder / "names.tex").write_text("".join(f"\\ask{{{name}}}\n" for name in asked), encoding="utf-8")
        subprocess.run(
            [engine, "-interaction=batchmode", "-no-shell-escape", "ask.tex"],
            cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        return frozenset((folder / "names.out").read_text(encoding="utf-8").split())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
