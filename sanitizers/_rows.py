"""Environments whose rows end with two backslashes, and what is left of these when they were halved."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Part, lex

ROWS = re.compile(
    r"tabu|array|align|matrix|cases|gather|multline|split|eqn|tblr|longtable|verse|tabbing|substack|flalign"
)
"""Found in the name of every environment in which \\\\ ends a row, amsmath's and the usual packages' included."""

_WHOLE_ROW_END = re.compile(r"(?<!\\)\\\\(?=[\s\[*]|\Z)")
_HALF = re.compile(r"(?<!\\)\\(?:(?=\s)|(?=\[-?[\d.]+(?:pt|em|ex|mm|cm|in)\])|(?=\\[A-Za-z]))")
_BROKEN_LINES = frozenset(
    "title author date address makecell shortstack thead institute IEEEauthorblockA signature".split()
)
"""Commands whose argument may hold several lines."""


def halved_row_ends(text: str, part: Part) -> Iterator[int]:
    """The lone backslashes that were two, in a text that is known to have lost every second one.

    Nothing if a double one is left at the end of a row or line: then they were not halved.
    """
    if _WHOLE_ROW_END.search(text):
        return
    source = lex(text, part=part)
    for match in _HALF.finditer(text):
        at, behind = match.start(), text[match.end() : match.end() + 1]
        if source.mode(at) in (Mode.VERBATIM, Mode.COMMENT, Mode.DEAD):
            continue
        rows = any(ROWS.search(e.name) for e in source.environments_at(at))
        inside = any(g.opener in _BROKEN_LINES for g in source.groups_at(at))
        spaced = text[at - 1 : at] in (" ", "\t")
        sentence = text[at - 1 : at] in (".", ",", ";", ":") and not inside
        if behind in ("\n", "\r", "[", "\\") or (rows and spaced) or (inside and not sentence):
            yield at
