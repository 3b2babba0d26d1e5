"""The lexer's regular expressions, and how to step over what may stand between a command and its argument."""

from __future__ import annotations

import re
from functools import lru_cache

LINE_END = re.compile(r"\r\n|\n|\r")
"""TeX Live's engines end a line at each of these (web2c, texmfmp.c, input_line)."""

BLANK_LINE = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t]*+(?=[\r\n])")
"""A line end with a blank line behind it; matches up to the blank line's own end."""

OVERLAY = re.compile(r"<[\d\-,|+.@a-z: ]*>")
"""beamer's overlay specification."""

_ONE_LINE_END = r"(?:\r\n|\n|\r(?!\n))(?![ \t]*+[\r\n])"
_GAP = re.compile(rf"[ \t]*+(?:{_ONE_LINE_END}[ \t]*+)?+")
_COMMENT_GAP = re.compile(r"%[^\r\n]*+(?:\r\n|\n|\r)?[ \t]*+")


def skip_gap(text: str, pos: int, comments: bool = True) -> int:
    """The first place at or behind `pos` that is not a space, a single line end or a comment (if % begins one)."""
    if text[pos : pos + 1] in ("{", "[", ""):
        return pos
    match = _GAP.match(text, pos)
    pos = match.end() if match else pos
    while comments and (comment := _COMMENT_GAP.match(text, pos)) is not None and comment.end() > pos:
        pos = comment.end()
    return pos


def _nested(depth: int) -> str:
    inside = r"[^{}\\%\r\n]"
    piece = rf"{inside}|\\(?:\r\n|.)|\\\Z|%[^\r\n]*+|{_ONE_LINE_END}"
    for _ in range(depth):
        piece = rf"{inside}++|\\(?:\r\n|.)|%[^\r\n]*+|{_ONE_LINE_END}|\{{(?:{piece})*+\}}"
    return piece


BRACED = re.compile(rf"\{{(?:{_nested(5)})*+\}}", re.DOTALL)
"""{…} with balanced braces and no blank line in it. Give `match` a bound: a lost brace must not cost a whole file."""

BRACKETED = re.compile(
    rf"\[(?:[^\[\]{{}}\\%\r\n]++|\\(?:\r\n|.)|%[^\r\n]*+|{_ONE_LINE_END}|\{{(?:{_nested(5)})*+\}}|\[[^\[\]{{}}\r\n]*+\])*+\]",
    re.DOTALL,
)
"""[…] with balanced braces and no blank line in it."""

KEY = re.compile(
    r"\{(?:[^{}\\$%\r\n]|%[^\r\n]*+|\{[^{}\\$\r\n]*+\}"
    r"|\\(?!begin\b|end\b|item\b|section\b|label\b|ref\b|cite\b|caption\b|\\)(?:[A-Za-z@]++|.)"
    rf"|{_ONE_LINE_END})*+\}}"
)
"""{…} as the name of a label, file, package: no math, no \\begin in it."""

LOST_KEY = re.compile(r"\{[^\s{}\\$%\[\]]*+")
"""What is taken for the name where the closing brace is lost."""

ENVIRONMENT_NAME = re.compile(r"\{([^{}\\\r\n$%]*+)\}")
LOST_ENVIRONMENT_NAME = re.compile(r"\{[ \t]*+([A-Za-z]++\*?+)")

COMMENT = re.compile(r"%[^\r\n]*+")

SIMPLE_OPTIONS = re.compile(r"\[[^\[\]{}\\%$\r\n]*+\]")
DIMENSION = re.compile(
    r"\[\s*(?:[-+]?\s*[\d.,]*\s*(?:\\[A-Za-z]+|(?:true\s*)?(?:pt|pc|in|bp|cm|mm|dd|cc|sp|ex|em|mu|nd|nc|px)))"
    r"(?:\s*(?:plus|minus)[^\[\]]*)?\s*\]"
)
"""The optional argument of \\\\, as far as it looks like a length."""

BEGIN_OR_END = re.compile(r"%[^\r\n]*+|\\(?:(begin|end)[ \t]*+\{([^{}\\\r\n]*+)\}|.)", re.DOTALL)

SKIPPED = re.compile(r"%[^\r\n]*+|\\(?:([A-Za-z@]++)|.)", re.DOTALL)
"""What TeX looks at while it skips a conditional's branch."""

CATCODE = re.compile(r"[ \t]*+`\\?(.)[ \t]*+=?[ \t]*+(\d++|\\active|\\other|\\@other)")

PARAMETER_TEXT = re.compile(r"[^{}\r\n%]*+(?:(?:\r\n|\n|\r)[ \t]*+[^{}\r\n%]*+)?(?=\{)")

TYPESET_KEY = re.compile(
    r"(?:^|[,\[{\s])(?:caption|title|subtitle|[xyz]label|description|legend entries|header|footer|heading)\s*=\s*$"
)
"""Keys whose braced value is typeset as text (listings, tcolorbox, pgfplots, glossaries)."""

URL = re.compile(
    r"\{(?:[^{}\\\r\n]|\\(?:\r\n|.)|\{(?:[^{}\r\n]|\{[^{}\r\n]*+\})*+\}|" + _ONE_LINE_END + r")*+\}", re.DOTALL
)
"""{…} in which % and # are plain characters."""


@lru_cache(maxsize=64)
def inside(letters: str) -> re.Pattern[str]:
    """A comment, or 1 a control sequence's name."""
    return re.compile(rf"%[^\r\n]*+|\\([A-Za-z{re.escape(letters)}]++|\r\n|.|\Z)", re.DOTALL)


@lru_cache(maxsize=64)
def token(letters: str, short_verbs: str) -> re.Pattern[str]:
    """The next character that means something, with everything before it: 1 a control sequence's name, 2 `{`, 3 `}`,
    4 `$`, 5 `%`, 6 a blank line, 7 `]`, 8 `&`, 9 a short-verb character. `letters` are those besides A-Z and a-z."""
    special = "".join(re.escape(c) for c in "\\{}$%]&" + short_verbs)
    short = f"|([{re.escape(short_verbs)}])" if short_verbs else "|(?!)()"
    return re.compile(
        rf"[^{special}\r\n]*+(?:\\([A-Za-z{re.escape(letters)}]++|\r\n|.|)|(\{{)|(\}})|(\$)|(%)"
        rf"|((?:\r\n|\n|\r(?!\n))[ \t]*+(?=[\r\n]))|(\])|(&){short}|[\r\n])",
        re.DOTALL,
    )
