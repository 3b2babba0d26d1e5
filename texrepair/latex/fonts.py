"""Fonts: what stands in for one that is not installed, by its shape and by the scripts that it has to show.

Sources: the families of TeX Live's own fonts (tex-gyre, lm, cm-unicode, fandol), the documentation of the Liberation
fonts (which of Microsoft's fonts each has the widths of), and the fonts that Linux distributions install.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

SHAPES = ("serif", "sans", "mono", "math", "song", "hei", "kai", "fang", "cjkmono")
"""The kinds of fonts; the last five are Chinese, Japanese and Korean ones: text, gothic, script-like, imitation of a
print of the Song time, and gothic of one width."""


def _of_files(stem: str, extension: str, regular: str, bold: str, italic: str, both: str) -> tuple[str, str]:
    """A family that is loaded by its files: name and options."""
    faces = f"UprightFont=*{regular},BoldFont=*{bold},ItalicFont=*{italic},BoldItalicFont=*{both}"
    return stem, f"Extension={extension},{faces}"


_GYRE = ("-regular", "-bold", "-italic", "-bolditalic")
FILES: Mapping[str, str] = {
    **dict(_of_files(f"texgyre{name}", ".otf", *_GYRE) for name in ("termes", "heros", "cursor", "pagella")),
    **dict(_of_files(f"texgyre{name}", ".otf", *_GYRE) for name in ("bonum", "schola", "adventor", "chorus")),
    **dict([_of_files("STIXTwoText", ".otf", "-Regular", "-Bold", "-Italic", "-BoldItalic")]),
    **dict([_of_files("LibertinusSerif", ".otf", "-Regular", "-Bold", "-Italic", "-BoldItalic")]),
    **dict([_of_files("LibertinusSans", ".otf", "-Regular", "-Bold", "-Italic", "-Bold")]),
    **dict([_of_files("Carlito", ".ttf", "-Regular", "-Bold", "-Italic", "-BoldItalic")]),
    **dict([_of_files("lmroman10", ".otf", "-regular", "-bold", "-italic", "-bolditalic")]),
    **dict([_of_files("lmsans10", ".otf", "-regular", "-bold", "-oblique", "-boldoblique")]),
    "lmmono10": "Extension=.otf,UprightFont=*-regular,BoldFont=lmmonolt10-bold,ItalicFont=*-italic",
    "FandolSong-Regular.otf": "BoldFont=FandolSong-Bold.otf,ItalicFont=FandolKai-Regular.otf",
    "FandolHei-Regular.otf": "BoldFont=FandolHei-Bold.otf",
}
"""Families that TeX finds by their files wherever they are installed, with the options that name their faces. Whether a
file is there costs nothing to find out; XeTeX reads every font of the machine before it says that it knows no name."""

CLONES: Mapping[str, tuple[str, ...]] = {
    "times": ("texgyretermes",),
    "times new roman": ("texgyretermes",),
    "nimbus roman": ("texgyretermes",),
    "liberation serif": ("texgyretermes",),
    "arial": ("texgyreheros",),
    "helvetica": ("texgyreheros",),
    "helvetica neue": ("texgyreheros",),
    "nimbus sans": ("texgyreheros",),
    "liberation sans": ("texgyreheros",),
    "courier": ("texgyrecursor",),
    "courier new": ("texgyrecursor",),
    "liberation mono": ("texgyrecursor",),
    "palatino": ("texgyrepagella",),
    "palatino linotype": ("texgyrepagella",),
    "book antiqua": ("texgyrepagella",),
    "bookman old style": ("texgyrebonum",),
    "century schoolbook": ("texgyreschola",),
    "avant garde": ("texgyreadventor",),
    "century gothic": ("texgyreadventor",),
    "tex gyre termes": ("texgyretermes",),
    "tex gyre heros": ("texgyreheros",),
    "tex gyre cursor": ("texgyrecursor",),
    "tex gyre pagella": ("texgyrepagella",),
    "tex gyre bonum": ("texgyrebonum",),
    "tex gyre schola": ("texgyreschola",),
    "tex gyre adventor": ("texgyreadventor",),
    "calibri": ("Carlito",),
    "stix two text": ("STIXTwoText",),
    "xits": ("STIXTwoText",),
    "linux libertine": ("LibertinusSerif",),
    "linux libertine o": ("LibertinusSerif",),
    "libertinus serif": ("LibertinusSerif",),
    "linux biolinum": ("LibertinusSans",),
    "linux biolinum o": ("LibertinusSans",),
    "libertinus sans": ("LibertinusSans",),
    "latin modern roman": ("lmroman10",),
    "latin modern sans": ("lmsans10",),
    "latin modern mono": ("lmmono10",),
    "latin modern math": ("latinmodern-math.otf",),
    "xits math": ("STIXTwoMath-Regular.otf",),
    "stix two math": ("STIXTwoMath-Regular.otf",),
    "cambria math": ("STIXTwoMath-Regular.otf",),
    "tex gyre termes math": ("texgyretermes-math.otf",),
    "tex gyre pagella math": ("texgyrepagella-math.otf",),
    "asana math": ("texgyrepagella-math.otf",),
}
"""For a font, in lower case: those of the same design or the same widths that come with TeX Live."""

LATIN: Mapping[str, tuple[str, ...]] = {
    "serif": ("lmroman10", "DejaVu Serif"),
    "sans": ("lmsans10", "DejaVu Sans"),
    "mono": ("lmmono10", "DejaVu Sans Mono"),
    "math": ("latinmodern-math.otf", "Latin Modern Math"),
}
"""Fonts that come with every TeX Live first."""

WIDE: Mapping[str, tuple[str, ...]] = {
    "serif": ("CMU Serif", "DejaVu Serif", "FreeSerif", "Noto Serif"),
    "sans": ("CMU Sans Serif", "DejaVu Sans", "FreeSans", "Noto Sans"),
    "mono": ("CMU Typewriter Text", "DejaVu Sans Mono", "FreeMono", "Noto Sans Mono"),
}
"""Fonts with Cyrillic and Greek letters and many symbols, which Latin Modern lacks."""

SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "Arabic": ("Amiri", "Scheherazade New", "Noto Naskh Arabic", "DejaVu Sans"),
    "Hebrew": ("Noto Serif Hebrew", "FreeSerif", "DejaVu Sans"),
    "Devanagari": ("Noto Serif Devanagari", "Noto Sans Devanagari", "FreeSerif", "Lohit Devanagari"),
    "Bengali": ("Noto Serif Bengali", "Noto Sans Bengali", "FreeSerif"),
    "Tamil": ("Noto Serif Tamil", "Noto Sans Tamil", "FreeSerif"),
    "Thai": ("Noto Serif Thai", "Noto Sans Thai", "Norasi", "FreeSerif"),
    "Armenian": ("Noto Serif Armenian", "DejaVu Serif"),
    "Georgian": ("Noto Serif Georgian", "DejaVu Serif"),
    "Ethiopic": ("Noto Serif Ethiopic", "Abyssinica SIL"),
}
"""For the scripts of fontspec's option Script that the wide fonts lack."""

CHINESE: Mapping[str, tuple[str, ...]] = {
    "song": ("FandolSong-Regular.otf", "Noto Serif CJK SC", "Source Han Serif SC", "AR PL SungtiL GB"),
    "hei": ("FandolHei-Regular.otf", "Noto Sans CJK SC", "Source Han Sans SC", "WenQuanYi Micro Hei"),
    "kai": ("FandolKai-Regular.otf", "AR PL KaitiM GB", "Noto Serif CJK SC"),
    "fang": ("FandolFang-Regular.otf", "AR PL KaitiM GB", "Noto Serif CJK SC"),
    "cjkmono": ("FandolFang-Regular.otf", "Noto Sans Mono CJK SC", "Noto Sans CJK SC"),
}
"""Simplified Chinese; Fandol comes with TeX Live and is found by its files only, and has the characters of GB 2312."""

REGIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    region: {
        "song": (f"Noto Serif CJK {region}", f"Source Han Serif {region}", *serif),
        "hei": (f"Noto Sans CJK {region}", f"Source Han Sans {region}", *sans),
        "kai": (*kai, f"Noto Serif CJK {region}", *serif),
        "fang": (f"Noto Serif CJK {region}", *serif),
        "cjkmono": (f"Noto Sans Mono CJK {region}", f"Noto Sans CJK {region}", *sans),
    }
    for region, serif, sans, kai in (
        ("SC", ("AR PL SungtiL GB",), ("WenQuanYi Micro Hei",), ("AR PL KaitiM GB",)),
        ("TC", ("AR PL Mingti2L Big5",), ("WenQuanYi Micro Hei",), ("AR PL KaitiM Big5",)),
        ("JP", ("HaranoAjiMincho-Regular.otf", "IPAexMincho"), ("HaranoAjiGothic-Regular.otf", "IPAexGothic"), ()),
        ("KR", ("UnBatang",), ("UnDotum",), ()),
    )
}
"""By region, for texts that need more than GB 2312."""

_BY_WORD = (
    ("math", r"\bmath\b"),
    ("kai", r"kai(?:ti|shu)?\b|kai_|楷|biaukai|kyokasho"),
    ("fang", r"fang\s?song|仿宋|华文仿宋"),
    ("cjkmono", r"mono.*(?:cjk|han)|(?:cjk|han).*mono|noto sans mono cjk"),
    (
        "hei",
        r"hei\b|heiti|黑|yahei|jhenghei|ping\s?fang|hiragino (?:sans|kaku)|gothic|meiryo|dotum|gulim|malgun|"
        r"(?:sans|gothic) (?:cjk|han)|(?:cjk|han) sans|yuan|幼圆",
    ),
    (
        "song",
        r"sun\b|song\b|songti|宋|明體|ming(?:liu)?\b|mincho|batang|hiragino mincho|(?:serif) (?:cjk|han)|"
        r"(?:cjk|han) serif|lisu",
    ),
    (
        "mono",
        r"mono|code\b|consol|courier|cursor|typewriter|terminal|menlo|monaco|hack|pragmata|fixed|cascadia|iosevka",
    ),
    (
        "sans",
        r"sans|arial|helvet|heros|calibri|verdana|tahoma|segoe|roboto|lato\b|raleway|montserrat|poppins|inter\b|ubuntu|"
        r"open sans|futura|gill|frutiger|myriad|univers|avenir|trebuchet|candara|corbel|oswald|nunito|biolinum|gothic|"
        r"grotesk|adventor|franklin|impact|din\b|plex sans|work sans|rubik|barlow|quicksand|karla|cabin|mulish",
    ),
)
_CJK_SHAPES = {"kai", "fang", "cjkmono", "hei", "song"}


def shape_of(font: str, cjk: bool = False) -> str | None:
    """The shape that the name tells, or None. `cjk`: whether Chinese, Japanese or Korean text is set with it."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])|[-_.]", " ", font)
    for shape, words in _BY_WORD:
        if shape in _CJK_SHAPES and not cjk:
            continue
        if re.search(words, plain, re.IGNORECASE) or re.search(words, font, re.IGNORECASE):
            return shape
    return None


def clones_of(font: str) -> tuple[str, ...]:
    """Fonts of the same design or the same widths; none where nothing is known."""
    plain = re.sub(r"\.(?:otf|ttf|ttc)$|-(?:Regular|Roman|Bold|Italic|Light|Medium|SemiBold)$", "", font.strip())
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", plain).casefold()
    return CLONES.get(plain.casefold(), CLONES.get(spaced, ()))


def region_of(text: str) -> str:
    """SC, TC, JP or KR: the fonts that a text in Chinese characters asks for."""
    if re.search(r"[\u3040-\u30ff]", text):
        return "JP"
    if re.search(r"[\uac00-\ud7a3]", text):
        return "KR"
    han = "".join(re.findall(r"[\u4e00-\u9fff]", text))
    simplified = sum(_fits(sign, "gb2312") and not _fits(sign, "big5") for sign in han)
    traditional = sum(_fits(sign, "big5") and not _fits(sign, "gb2312") for sign in han)
    return "TC" if traditional > simplified else "SC"


def fits_fandol(text: str) -> bool:
    """Whether all Chinese characters of the text are among those of GB 2312, which Fandol has."""
    return not re.search(r"[\u3040-\u30ff\uac00-\ud7a3]", text) and all(
        _fits(sign, "gb2312") for sign in set(re.findall(r"[\u3400-\u9fff]", text))
    )


def chinese(shape: str, text: str) -> tuple[str, ...]:
    """Fonts of that shape that have the characters of the text, best first."""
    by_region = REGIONS[region_of(text)].get(shape, ())
    return tuple(dict.fromkeys((*CHINESE[shape], *by_region))) if fits_fandol(text) else by_region


def latin(shape: str, text: str) -> tuple[str, ...]:
    """Fonts of that shape that have the letters of the text, best first."""
    if shape != "math" and re.search(r"[\u0370-\u1eff\u2500-\u27bf]", re.sub(r"[\u1e00-\u1eff]", "", text)):
        return (*WIDE[shape], *LATIN[shape])
    return LATIN[shape]


def _fits(sign: str, encoding: str) -> bool:
    try:
        sign.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
