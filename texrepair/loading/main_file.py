"""Which file of a folder is the main one, and what its first lines and packages ask for."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import get_args

from texrepair.encoding import ASKS_ENGINE, declared
from texrepair.latex.comments import uncommented
from texrepair.loading.belongs import references
from texrepair.settings import EngineName

ENGINES: tuple[str, ...] = get_args(EngineName)

# What authors and archives call the file to start from, most telling first.
_NAMES = "main paper article manuscript ms thesis dissertation report book document root master index".split()
PARTS = frozenset({"subfiles", "standalone"})
"""Classes of files that are made to be read by another one."""
_MAGIC = re.compile(r"%\s*!\s*TEX\s+(TS-program|program|root)\s*=\s*(.*?)\s*$", re.IGNORECASE)
# Packages that stop with an error under any other engine than LuaTeX.
_LUA_PACKAGES = frozenset(
    "luacode luatexja luatexja-fontspec luatexja-preset luatexja-ruby luatextra luainputenc luamplib luacolor lua-ul "
    "lua-visual-debug luatexbase lualatex-math luaotfload lua-widow-control luapackageloader pyluatex spelling "
    "selnolig chickenize".split()
)
_LUA_CLASSES = frozenset({"ltjarticle", "ltjreport", "ltjbook", "ltjsarticle", "ltjsreport", "ltjsbook"})


def magic(text: str) -> Mapping[str, str]:
    """`program` and `root` of the `% !TEX` lines among the leading comment lines of a file, as the file writes them."""
    found: dict[str, str] = {}
    for line in io.StringIO(text.removeprefix("\ufeff"), newline=None):
        line = line.strip()
        if line and not line.startswith("%"):
            break
        match = _MAGIC.match(line)
        if match:
            found.setdefault("root" if match[1].lower() == "root" else "program", match[2].strip("\"'"))
    return found


def engine_for(text: str) -> str:
    """The engine that a main file asks for: by `% !TEX program`, by what only one engine can run, else xelatex.

    A program that is no engine of ours is not obeyed: the line comes from whoever wrote the document.
    """
    program = magic(text).get("program", "").lower()
    if program in ENGINES:
        return program
    live = uncommented(text)
    preamble = live.partition("\\begin{document}")[0]
    packages = {
        name.strip()
        for match in re.finditer(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\[\]]*\]\s*)?\{([^{}]*)\}", preamble)
        for name in match[1].split(",")
    }
    classes = set(re.findall(r"\\documentclass\s*(?:\[[^\[\]]*\]\s*)?\{\s*([^{}]*?)\s*\}", preamble))
    if packages & _LUA_PACKAGES or classes & _LUA_CLASSES or "\\RequireLuaTeX" in preamble:
        return "lualatex"
    asks = ASKS_ENGINE.search(live) is not None
    if not asks and "\\directlua" in live:
        from texrepair.latex import lex

        source = lex(text, part="main")
        if any(source.live(command.start) for command in source.command_named("directlua")):
            return "lualatex"
    # XeTeX and LuaTeX read UTF-8 alone: there inputenc stops with an error for any other encoding (inputenc.sty).
    if (declared(preamble) is not None and not asks) or "\\RequirePDFTeX" in preamble:
        return "pdflatex"
    return "xelatex"


def document_class(text: str) -> str | None:
    """The class that a text names with \\documentclass or \\documentstyle where TeX would see it, else None."""
    if "\\document" not in text:
        return None
    from texrepair.latex import lex

    source = lex(text, part="main")
    for command in source.command_named("documentclass", "documentstyle"):
        if source.live(command.start):
            names = [source.inner(one) for one in source.arguments(command, 2) if not one.optional]
            return names[0].strip() if names else ""
    return None


def main_files(texts: Mapping[str, str], folder: str = "") -> tuple[str, ...]:
    """The best of the texts to start from: one path; several where nothing tells them apart; none where none will do.

    `folder` is the name of the folder that they come from.
    """
    classes = {path: found for path, text in texts.items() if (found := document_class(text)) is not None}
    if not classes:
        # What a model wrote may lack its \documentclass, or hold it inside a JSON string.
        damaged = (p for p, text in texts.items() if "documentclass" in text or "\\begin{document}" in text)
        classes = dict.fromkeys(damaged, "") or {p: "" for p in texts if PurePosixPath(p).stem.lower() in _NAMES}
    referred = _referred(texts) if len(classes) > 1 else frozenset()

    def rank(path: str) -> tuple[bool, bool, bool, int, int]:
        stem = PurePosixPath(path).stem.lower()
        names = [*_NAMES, folder.lower()]
        return (
            path in referred,
            classes[path] in PARTS,
            "\\begin{document}" not in texts[path],
            path.count("/"),
            names.index(stem) if stem in names else len(names),
        )

    ranks = {path: rank(path) for path in classes}
    return tuple(sorted(path for path in ranks if ranks[path] == min(ranks.values())))


def _referred(texts: Mapping[str, str]) -> frozenset[str]:
    found = set()
    for path, text in texts.items():
        for reference in references(uncommented(text)):
            for name in reference.names:
                for base in ("", str(PurePosixPath(path).parent)):
                    other = str(PurePosixPath(base, name))
                    if other in texts and other != path:
                        found.add(other)
    return frozenset(found)
