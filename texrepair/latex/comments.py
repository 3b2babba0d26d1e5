"""Comments of a text whose catcodes are LaTeX's own, found without knowing where it is printed as it stands."""

from __future__ import annotations

import re

_ESCAPE_OR_COMMENT = re.compile(r"\\[\\%]|%[^\r\n]*")


def uncommented(text: str) -> str:
    """The text without its comments. Offsets change; line numbers do not."""
    return _ESCAPE_OR_COMMENT.sub(lambda found: "" if found[0].startswith("%") else found[0], text)


def blanked(text: str) -> str:
    """The text with blanks for its comments: nothing else moves."""
    return _ESCAPE_OR_COMMENT.sub(lambda found: " " * len(found[0]) if found[0].startswith("%") else found[0], text)
