"""Which encoding a source file is in, and which one an engine can read."""

from __future__ import annotations

import codecs
import re

from texrepair.project import Draft
from texrepair.result import Fix

# Options of inputenc (its manual and *.def files) that name another encoding than UTF-8, and their names in Python.
_INPUTENC = {
    "ansinew": "cp1252",
    "applemac": "mac_roman",
    "cp1250": "cp1250",
    "cp1251": "cp1251",
    "cp1252": "cp1252",
    "cp1257": "cp1257",
    "cp437": "cp437",
    "cp850": "cp850",
    "cp852": "cp852",
    "cp858": "cp858",
    "cp865": "cp865",
    "cp866": "cp866",
    "koi8-r": "koi8_r",
    "koi8-u": "koi8_u",
    "latin1": "latin_1",
    "latin2": "iso8859_2",
    "latin3": "iso8859_3",
    "latin4": "iso8859_4",
    "latin5": "iso8859_9",
    "latin9": "iso8859_15",
    "latin10": "iso8859_16",
    "macce": "mac_latin2",
}
_DECLARED = re.compile(r"^(?:[^%\n\\]|\\.)*?\\(?:usepackage|RequirePackage)\s*\[([^][]*)\]\s*\{\s*inputenc\s*\}", re.M)
ASKS_ENGINE = re.compile(
    r"\\if(?:lua|xe|pdf|tu)?tex\b|\\if(?:Lua|XeTeX|LuaTeX|PDFTeX|TUTeX)|\{(?:iftex|ifluatex|ifxetex)\}"
)
"""A document that asks which engine reads it is written for several: what one of them cannot take may stand in it."""
_BODY = "\\begin{document}"
_UTF16 = {codecs.BOM_UTF16_LE: "utf_16_le", codecs.BOM_UTF16_BE: "utf_16_be"}


def declared(text: str) -> str | None:
    """The codec that the preamble's \\usepackage[…]{inputenc} names, where it names one other than UTF-8."""
    preamble = text.partition(_BODY)[0]
    if "inputenc" not in preamble:  # as in nearly all; the search takes far longer than this
        return None
    for match in _DECLARED.finditer(preamble):
        for option in match[1].split(","):
            codec = _INPUTENC.get(option.strip())
            if codec is not None:
                return codec
    return None


def _declared_utf8(text: str) -> str:
    """The text with that declaration changed to UTF-8."""

    def utf8(match: re.Match[str]) -> str:
        options = ("utf8" if option.strip() in _INPUTENC else option for option in match[1].split(","))
        return match[0].replace(f"[{match[1]}]", f"[{','.join(dict.fromkeys(options))}]")

    preamble, begins, body = text.partition(_BODY)
    return _DECLARED.sub(utf8, preamble) + begins + body


def decode(data: bytes, other: str | None = None) -> tuple[str, str | None]:
    """The text, and its codec where that is not UTF-8.

    UTF-16 is known by its byte-order mark, which stays in the text as UTF-8's does. What is not UTF-8 is decoded as
    `other`, the codec that the document declares; what cannot be decoded so either is UTF-8 with surrogates.
    A file of ASCII alone is in the declared encoding too: what an edit adds to it has to be.
    """
    utf16 = _UTF16.get(data[:2])
    if utf16 is not None:
        try:
            return data.decode(utf16), utf16
        except UnicodeDecodeError:
            return data.decode("utf-8", "surrogateescape"), None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return text, other if other is not None and data.isascii() else None
    if other is not None:
        try:
            return data.decode(other), other
        except UnicodeDecodeError:
            pass
    return data.decode("utf-8", "surrogateescape"), None


def first_undecoded(text: str) -> int | None:
    """The 1-based line of the first byte that could not be decoded."""
    match = re.search("[\udc80-\udcff]", text)
    return None if match is None else len(re.findall(r"\r\n|\r|\n", text[: match.start()])) + 1


def readable(draft: Draft, engine: str) -> tuple[Draft, tuple[Fix, ...]]:
    """The draft in encodings that the engine can read, and what was changed for it.

    XeTeX and LuaTeX read UTF-8 alone, and inputenc stops with an error there when it is asked for another encoding
    (inputenc.sty); XeTeX also knows UTF-16 by its byte-order mark (XeTeX_ext.c, u_open_in), pdfTeX and LuaTeX do not.
    """
    fixes = []
    for path, codec in draft.encodings.items():
        keeps = "xelatex" if codec in _UTF16.values() else "pdflatex"
        if engine != keeps:
            text = draft.text(path).removeprefix("\ufeff")
            draft = draft.recoded(path).replace(path, text)
            if not text.isascii():
                why = f"write the file, which is in {codec.replace('_', '-')}, in UTF-8, as {engine} reads it"
                fixes.append(Fix("encoding", path, 1, before=codec, after="utf-8", why=why))
    for path, text in draft.texts.items():
        if engine != "pdflatex" and declared(text) is not None and not ASKS_ENGINE.search(text):
            after = _declared_utf8(text)
            draft = draft.replace(path, after)
            pairs = zip(text.split("\n"), after.split("\n"), strict=True)
            number, old, new = next((n, old, new) for n, (old, new) in enumerate(pairs, 1) if old != new)
            why = f"declare UTF-8: inputenc stops under {engine} for any other encoding"
            fixes.append(Fix("encoding", path, number, before=old, after=new, why=why))
    return draft, tuple(fixes)
