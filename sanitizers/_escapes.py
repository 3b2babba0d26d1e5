"""Escape sequences of JSON and of program strings."""

from __future__ import annotations

import re

_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\"}
_UNICODE = re.compile(r"u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?")


def decode(body: str, quote: str = '"') -> str:
    """The text of a JSON (or Python) string without its quotation marks; what is no escape of JSON stays as it is.

    `quote` is the mark around the string.
    """
    pieces = []
    pos = 0
    while (at := body.find("\\", pos)) >= 0 and at + 1 < len(body):
        pieces.append(body[pos:at])
        follows = body[at + 1]
        code = _UNICODE.match(body, at + 1)
        if code is not None:
            character, pos = _character(code)
            pieces.append(character)
        else:
            pieces.append(_SIMPLE.get(follows) or (follows if follows == quote else "\\" + follows))
            pos = at + 2
    return "".join(pieces) + body[pos:]


def _character(code: re.Match[str]) -> tuple[str, int]:
    """The character, and where its escape sequence ends; JSON writes those above U+FFFF as a surrogate pair."""
    value = int(code[1], 16)
    if not 0xD800 <= value < 0xE000:
        return chr(value), code.start() + 5
    if value < 0xDC00 and code[2]:
        return chr(0x10000 + ((value - 0xD800) << 10) + int(code[2], 16) - 0xDC00), code.end()
    return "\ufffd", code.start() + 5
