"""bibtex before the first pass, on the citations found in the sources: that saves a pass.

What is found is a guess. It counts only if the first pass writes the same into its .aux file, as far as bibtex reads
it.
"""

from __future__ import annotations

from texrepair.compile.outline import Outline


def guessed(found: Outline, there: frozenset[str]) -> bytes | None:
    """What of the .aux file bibtex would read; None where it cannot be told. `there` are the names of all files."""
    keys = found.citations
    if not found.bibtex or len(found.data) != 1 or len(found.styles) != 1 or not keys:
        return None
    (data,), (style,) = found.data, found.styles
    if not all(name.removesuffix(".bib") + ".bib" in there for name in data.split(",")):
        return None
    if any(set("\\#\n") & set(key) for key in keys):
        return None
    lines = ["\\relax ", *(f"\\citation{{{key}}}" for key in keys), f"\\bibstyle{{{style}}}"]
    return "\n".join([*lines, f"\\bibdata{{{data}}}", ""]).encode("utf-8", "surrogateescape")
