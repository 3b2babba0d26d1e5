"""The fields of a .bib file's entries."""

from __future__ import annotations

import re
from collections.abc import Iterator

RAW = frozenset("url doi eprint file crossref xref related ids keywords urldate date isbn issn pdf localfile".split())
"""Fields that are not typeset, or that hold an address."""

_FIELD = re.compile(r"([A-Za-z][\w-]*)\s*=\s*([{\"])")


def values(text: str) -> Iterator[tuple[int, int]]:
    """Where the values of the typeset fields stand, without their delimiters."""
    pos = 0
    while field := _FIELD.search(text, pos):
        start, depth = field.end(), 0
        end = start
        while end < len(text):
            sign = text[end]
            if depth == 0 and sign == ("}" if field[2] == "{" else '"'):
                break
            depth += (sign == "{") - (sign == "}")
            end += 2 if sign == "\\" else 1
        if field[1].casefold() not in RAW:
            yield start, min(end, len(text))
        pos = max(end, field.end())
