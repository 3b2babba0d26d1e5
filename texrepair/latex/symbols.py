"""One spelling for what can be written in several: \\alpha and α, \\'e and é, -- and –."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_FUNCTIONS = """arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln
    log max min Pr sec sin sinh sup tan tanh LaTeX TeX XeTeX LuaTeX BibTeX LaTeXe XeLaTeX LuaLaTeX pdfLaTeX"""

_ALIASES = {
    **{name: name for name in _FUNCTIONS.split()},
    "times": "×",
    "div": "÷",
    "rightarrow": "→",
    "leftarrow": "←",
    "uparrow": "↑",
    "downarrow": "↓",
    "setminus": "∖",
    "emptyset": "∅",
    "models": "⊨",
    "varepsilon": "ε",
    "imath": "i",
    "jmath": "j",
    "Re": "Re",
    "Im": "Im",
    "ldots": "",
    "dots": "",
    "le": "≤",
    "leqslant": "≤",
    "ge": "≥",
    "geqslant": "≥",
    "ne": "≠",
    "to": "→",
    "gets": "←",
    "land": "∧",
    "lor": "∨",
    "lnot": "¬",
    "iff": "⇔",
    "Longleftrightarrow": "⇔",
    "implies": "⇒",
    "Longrightarrow": "⇒",
    "longrightarrow": "→",
    "circ": "°",
    "degree": "°",
    "textdegree": "°",
    "celsius": "°",
    "cdot": "·",
    "textperiodcentered": "·",
    "bullet": "•",
    "percent": "%",
    "textpercent": "%",
    "textless": "<",
    "lt": "<",
    "textgreater": ">",
    "gt": ">",
    "textbar": "|",
    "vert": "|",
    "mid": "|",
    "textdollar": "$",
    "texteuro": "€",
    "euro": "€",
    "EUR": "€",
    "pounds": "£",
    "textsterling": "£",
    "copyright": "©",
    "S": "§",
    "P": "¶",
    "dag": "†",
    "ddag": "‡",
    "checkmark": "✓",
    "ohm": "Ω",
    "micro": "μ",
    "varnothing": "∅",
    "ss": "ß",
    "textminus": "-",
    "textendash": "-",
    "textemdash": "-",
    "lbrack": "[",
    "rbrack": "]",
    "slash": "/",
    "frac": "⟨frac⟩",
    "dfrac": "⟨frac⟩",
    "tfrac": "⟨frac⟩",
    "cfrac": "⟨frac⟩",
    "over": "⟨frac⟩",
    "sqrt": "√",
    "binom": "⟨binom⟩",
    "choose": "⟨binom⟩",
    "hat": "⟨hat⟩",
    "widehat": "⟨hat⟩",
    "bar": "⟨bar⟩",
    "overline": "⟨bar⟩",
    "vec": "⟨vec⟩",
    "overrightarrow": "⟨vec⟩",
    "tilde": "⟨tilde⟩",
    "widetilde": "⟨tilde⟩",
    "dot": "⟨dot⟩",
    "ddot": "⟨ddot⟩",
}

SILENT = frozenset(" .,;?'\"`“”‘’„‚‛‟«»‹›…_^~{}\\′″⁠")
"""Characters that say nothing on their own, or that are escaped, moved and doubled in too many ways."""
SOFT = frozenset("()[]-/*!|:#@")
"""Punctuation in text (and Markdown's marks); content only in a formula."""

_DASHES = re.compile("[-‐‑‒–—―−﹣－]+")
_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufe00-\ufe0f\ufeff]+"
)

_COMBINING = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    '"': "\u0308",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "c": "\u0327",
    "v": "\u030c",
    "u": "\u0306",
    "H": "\u030b",
    "k": "\u0328",
    "r": "\u030a",
    "d": "\u0323",
    "b": "\u0331",
}
_LETTERS = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "l": "ł",
    "L": "Ł",
    "i": "i",
    "j": "j",
    "th": "þ",
    "TH": "Þ",
    "dh": "ð",
    "DH": "Ð",
    "dj": "đ",
    "DJ": "Đ",
    "ng": "ŋ",
}
_LETTER_NAMES = "|".join(sorted(_LETTERS, key=len, reverse=True))

ACCENTED = (
    r"(?:\\['`^\"~=.][ \t]*(?:\{\\?[A-Za-z]?\}|\\[ij](?![A-Za-z])|[A-Za-z])"
    r"|\\[cvuHkrdb](?![A-Za-z])[ \t]*\{\\?[A-Za-z]\}|\{\\['`^\"~=.]\\?[A-Za-z]\}"
    rf"|\\(?:{_LETTER_NAMES})(?![A-Za-z])(?:\{{\}}|[ \t]+(?=[^\W\d_]))?|\{{\\(?:{_LETTER_NAMES})\}}|\\-|\\/)"
)
"""An accented or special letter as LaTeX writes it (source2e, ltoutenc), or a break that prints nothing."""
_ACCENTED_PARTS = re.compile(
    rf"\{{?\\(?:(?P<accent>['`^\"~=.]|[cvuHkrdb](?![A-Za-z]))[ \t]*\{{?\\?(?P<base>[A-Za-z]?)\}}?"
    rf"|(?P<letter>{_LETTER_NAMES})(?![A-Za-z])(?:\{{\}}|\}}|[ \t]+)?|[-/])"
)


def _decoded(match: re.Match[str]) -> str:
    if match["accent"]:
        return match["base"] + _COMBINING[match["accent"]]
    return _LETTERS.get(match["letter"] or "", "")


def word(text: str) -> str:
    """A word in one spelling: accents composed, ligatures and width variants resolved, invisible characters gone."""
    if text.isascii() and text.isalnum():
        return text
    if "\\" in text:
        text = _ACCENTED_PARTS.sub(_decoded, text)
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).replace("ɛ", "ε")


@lru_cache(maxsize=4096)
def symbol(text: str) -> str:
    """A character that is no letter and no digit, in one spelling; "" where it says nothing on its own."""
    if _DASHES.fullmatch(text):
        return "-"
    text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).strip()
    text = {"∘": "°", "⋅": "·", "∙": "·", "∣": "|", "✔": "✓", "⟹": "⇒", "⟺": "⇔", "⟶": "→"}.get(text, text)
    return "" if all(c in SILENT for c in text) else text


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    from pylatexenc.latexencode import get_builtin_uni2latex_dict  # type: ignore[import-untyped]

    found: dict[str, str] = {}
    for code, macro in get_builtin_uni2latex_dict().items():
        match = re.fullmatch(r"\\(?:ensuremath\{\\([A-Za-z]+)\}|([A-Za-z]+))", macro)
        if match is not None and code > 127:
            found.setdefault(match[1] or match[2], chr(code))
    found = {name: symbol(char) if not char.isalnum() else word(char) for name, char in found.items()}
    return {**found, **_ALIASES}


@lru_cache(maxsize=4096)
def command(name: str) -> str:
    """What a command prints, in the spelling of `word` and `symbol`; "" for one that prints nothing of its own."""
    return _names().get(name, "")
