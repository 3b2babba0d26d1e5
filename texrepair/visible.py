"""Text of a document or a log, made harmless for a terminal."""

from __future__ import annotations

import re

# C0 and C1 controls but the line feed and the tab, DEL; line separators; marks and overrides of the writing direction
# and other invisible characters; bytes that could not be decoded (surrogateescape).
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """The text with every control or invisible character written out, as \\x1b or \\u202e; line ends and tabs stay."""
    return _CONTROL.sub(_written_out, text)


def _written_out(match: re.Match[str]) -> str:
    number = ord(match[0])
    if 0xDC80 <= number <= 0xDCFF:
        number -= 0xDC00
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
