"""Text becomes tokens: words, numbers, symbols, links, macros; each in one spelling, with the place where it stands."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Container, Iterator
from functools import cache

from texrepair.latex import symbols

_LETTER = r"[^\W\d_²³¹⁰-₉\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]"
_WITHIN = r"[\u0300-\u036f\x00-\x06\x0e-\x1f\x7f\xad\u200b-\u200f\u2060\ufeff]"
"""Marks above a letter, and what is invisible inside a word."""
_CJK = r"[\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]"
"""One such character is one word: there are no spaces between them."""
_NUMBER = r"\d+(?:\.\d+)*|[²³¹⁰⁴-⁹₀-₉]+"
_TEX = (
    rf"(?s)(?P<link>\b(?:https?|ftp)://(?:[^\s{{}}<>\"\\]|\\[%#&_~])+)"
    rf"|(?P<word>(?:{_LETTER}{_WITHIN}*|{symbols.ACCENTED})+|{_CJK})|(?P<number>{_NUMBER})"
    r"|(?P<entity>\\?&(?:[A-Za-z]{2,8}|\\?\#\d+);)|\\(?P<command>[A-Za-z@]+)|\\(?P<escaped>.)"
    r"|(?P<dash>[-‐‑‒–—―−]+)|(?P<script>[_^])|(?P<symbol>[^\s\w])"
)
_RAW = rf"(?P<word>(?:{_LETTER}{_WITHIN}*)+|{_CJK})|(?P<number>{_NUMBER})|(?P<dash>-+)|(?P<symbol>[^\s\w])"
_compiled = cache(re.compile)
"""Both take long to compile, and most documents are right: nobody compares what they say."""

AMPERSAND = "&raw"
"""An ampersand as it stands: a cell's end in a table, else a character that somebody forgot to escape."""

Found = tuple[int, str]


def tex(
    text: str, start: int, end: int, math: bool, soft: Counter[str], unprinted: Container[str], named: Container[int]
) -> Iterator[Found]:
    """The tokens of text that TeX typesets. Punctuation of text goes into `soft`. `unprinted` are the names of commands
    that print nothing of their own, `named` the places of commands that are only named (because they are defined)."""
    for match in _compiled(_TEX).finditer(text, start, end):
        kind, place = match.lastgroup, match.start()
        token = ""
        if kind == "word":
            token = symbols.word(match[0])
        elif kind == "number":
            token = symbols.word(match[0])
            if len(token) < 3 and not math and _is_mark(text, place, match.end()):
                token = "mark:" + token
        elif kind == "link":
            token = link(match[0])
        elif kind == "entity":
            token = symbols.symbol(html.unescape(match[0].replace("\\", "")))
            token = "" if token in symbols.SOFT else token
        elif kind == "command":
            name = match["command"]
            token = symbols.command(name)
            if not token and name not in unprinted and place not in named:
                token = "\\" + name
        elif kind == "escaped":
            token = match["escaped"]
            if token == "_":
                soft["⟨_⟩"] += 1
                token = ""
            elif token == "|":
                token = "‖"
            elif token not in "&%$#":
                token = ""
        elif kind == "script":
            token = f"⟨{match[0]}⟩"
            if not math:
                soft[token] += 1
                token = ""
        elif match[0] in "&＆":
            token = AMPERSAND
        elif match[0] not in "$#%＄＃％":
            token = symbols.symbol(match[0])
            if token in symbols.SOFT and not math and not (kind == "dash" and _is_sign(text, place, match.end())):
                if token:
                    soft[token] += 1
                token = ""
        if token:
            yield place, token


def raw(text: str, start: int, end: int, soft: Counter[str]) -> Iterator[Found]:
    """The tokens of text that is printed as it stands. Punctuation goes into `soft`."""
    for match in _compiled(_RAW).finditer(text, start, end):
        if match.lastgroup in ("word", "number"):
            yield match.start(), symbols.word(match[0]) or " "
        elif token := symbols.symbol(match[0]):
            if token in symbols.SOFT:
                soft[token] += 1
            else:
                yield match.start(), token
        elif match[0] in "_^":
            soft[f"⟨{match[0]}⟩"] += 1


def link(address: str) -> str:
    """The token of a link: without its scheme, escapes and the punctuation behind it."""
    return "link:" + address.replace("\\", "").rstrip(".,;:)!?'").partition("://")[2].casefold()


def _is_sign(text: str, start: int, end: int) -> bool:
    """A minus before a number, not a range, a hyphen or a dash between words."""
    return text[end : end + 1].isdigit() and not (start and (text[start - 1].isalnum() or text[start - 1] in "}-)]"))


def _is_mark(text: str, start: int, end: int) -> bool:
    """A number that a list was numbered with by hand: "3. " or "3) " at the start of a line."""
    if text[end : end + 1] not in (".", ")") or text[end + 1 : end + 2] not in (" ", "\t"):
        return False
    return not text[max(0, start - 12) : start].rpartition("\n")[2].strip()
