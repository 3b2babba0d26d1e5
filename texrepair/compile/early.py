"""bibtex before the first pass, on the citations found in the sources: that saves a pass.

What is found is a guess. It counts only if the first pass writes the same into its .aux file, as far as bibtex reads
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
# Bounds keep the search linear where brackets and braces are never closed.
_COMMAND = re.compile(
    r"\\(?:(?P<read>input|include|subfile)(?:\s*\{(?P<file>[^{}]*)\}|\s+(?P<bare>[^\s{}\\]+))"
    r"|(?P<named>bibliography|bibliographystyle)\s*\{(?P<names>[^{}]*)\}"
    r"|(?:no|foot|full|paren|text|auto)?[cC]ite(?!style|text|name|index)[A-Za-z]*\*?\s*(?:\[[^\]]{0,500}\]\s*){0,2}"
    r"\{(?P<keys>[^{}]{0,2000})\}"
    r"|(?P<end>end\s*\{document\}))"
)
_ELSEWHERE = re.compile(
    r"biblatex|addbibresource|newcites|bibunit|chapterbib|multibbl|splitbib|apacite|jurabib|amsrefs"
)
"""Packages with .aux files, or words for bibtex, of their own."""

_MOST_FILES = 300


def guessed(sources: Mapping[str, str], main: str, there: frozenset[str]) -> bytes | None:
    """What of the .aux file bibtex would read; None where it cannot be told.

    `sources` are the texts by the names under which programs call them, `there` the names of all files.
    """
    keys: dict[str, None] = {}
    named: dict[str, list[str]] = {"bibliography": [], "bibliographystyle": []}
    for found in _commands(sources, main, []):
        if found is None:
            return None
        if found["named"]:
            named[found["named"]].append("".join(found["names"].split()))
        elif found["keys"] is not None:
            keys.update(dict.fromkeys(key.strip() for key in found["keys"].split(",")))
    (data, style) = named["bibliography"], named["bibliographystyle"]
    if len(data) != 1 or len(style) != 1 or not keys:
        return None
    if not all(name.removesuffix(".bib") + ".bib" in there for name in data[0].split(",")):
        return None
    if any(set("\\#\n") & set(key) for key in keys):
        return None
    lines = ["\\relax ", *(f"\\citation{{{key}}}" for key in keys), f"\\bibstyle{{{style[0]}}}"]
    return "\n".join([*lines, f"\\bibdata{{{data[0]}}}", ""]).encode("utf-8", "surrogateescape")


def _commands(sources: Mapping[str, str], name: str, opened: list[str]) -> Iterator[re.Match[str] | None]:
    """The commands of interest in the order in which TeX meets them; None where it cannot be told."""
    text = _COMMENT.sub(r"\1", sources[name])
    opened.append(name)
    if _ELSEWHERE.search(text) or len(opened) > _MOST_FILES:
        yield None
        return
    for found in _COMMAND.finditer(text):
        if found["end"]:
            return
        if found["read"] is None:
            yield found
            continue
        named = (found["file"] or found["bare"] or "").strip()
        other = next((path for path in (f"{named}.tex", named) if path in sources), None)
        if other is not None and other not in opened:
            yield from _commands(sources, other, opened)
