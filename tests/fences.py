"""Prompts as a reader of Markdown sees them."""

from __future__ import annotations

import re


def outside_fences(text: str) -> str:
    """The text without what stands in fences, read as Markdown reads it."""
    kept, closing = [], ""
    for line in text.split("\n"):
        fence = re.match(r"`{3,}", line)
        if closing:
            closing = "" if line == closing else closing
        elif fence:
            closing = fence[0]
        else:
            kept.append(line)
    assert closing == ""
    return "\n".join(kept)
