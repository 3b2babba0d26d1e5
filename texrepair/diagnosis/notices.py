"""The warnings of TeX, LaTeX and packages, and the boxes: what kind each is, and what it is about."""

from __future__ import annotations

import re

from texrepair.diagnosis.found import Found
from texrepair.diagnosis.lines import text

_LINE = re.compile(r"\s*on input line (\d{1,9})\s*$")
_REFERENCE = re.compile(r"(?:Hyper r|R|r)eference [`'].*' .*undefined|(?:Label|label) [`'].*' (?:is )?undefined", re.S)
_CITATION = re.compile(
    r"Citations? .*undefined|The following entr(?:y|ies) could not be found|[Cc]itation [`'].*' (?:is )?unknown", re.S
)
_RERUN = re.compile(
    r"\b[Rr]e-?run\b|\(re\)run|\b(?:has|have) changed\b|may have changed|"
    r"run (?:the )?(?:La|Xe|pdf|Lua)*TeX (?:again|once more|twice)|compile (?:\w+ )*(?:again|twice)|[Rr]ecompile"
)
_NAMED = re.compile(
    r"(?:Hyper r|R|r)eference `(?P<r>.*?)'|Citation `(?P<c>.*?)'|Label `(?P<l>.*?)'|File `(?P<f>.*?)'|"
    r"The following entr(?:y|ies) could not be found in the database: (?P<b>\S+)",
    re.S,
)


def warning(who: str, package: str, message: str) -> Found:
    """A warning of LaTeX, a package or a class. `message` is joined; its line is taken out of its end."""
    message = message.rstrip().removesuffix(".").rstrip()
    place = _LINE.search(message)
    if place:
        message = message[: place.start()].rstrip().removesuffix(".")
    kind, code = "other", ""
    if who == "LaTeX Font":
        kind = "font"
    elif _REFERENCE.match(message):
        kind = "undefined-reference"
    elif _CITATION.match(message):
        kind = "undefined-citation"
    elif message.startswith("Label `") and "multiply" in message:
        code = "duplicate-label"
    elif _RERUN.search(message):
        kind = "rerun"
    elif message.startswith("File `") and "not found" in message:
        code = "file-not-found"
    elif message.startswith("Unknown theoremstyle"):
        code = "undefined-theorem-style"
    named = _NAMED.match(message)
    token = next((group for group in named.groups() if group), None) if named else None
    return Found(
        "warning",
        kind,
        f"{who} Warning: {message}",
        code or kind,
        line=int(place[1]) if place else None,
        token=token,
        key=token if kind == "undefined-citation" else None,
        detail={"package": package} if package else {},
    )


def box(found: re.Match[bytes]) -> Found:
    """An over- or underfull box (a match of shapes.BOX); its line is the first of its range, its size is in pt."""
    kind = "overfull" if found["how"] == b"Over" else "underfull"
    line = found["first"] or found["line"]
    detail: dict[str, str | int | float] = {"box": "hbox" if found["box"] == b"h" else "vbox"}
    size = found["size"]
    if size and size.count(b".") < 2 and size.strip(b"-."):
        detail["size"] = float(size)
    if found["badness"]:
        detail["badness"] = int(found["badness"])
    if found["last"]:
        detail["last"] = int(found["last"])
    return Found("warning", kind, text(found[0]), kind, line=int(line) if line else None, detail=detail)


def missing(found: re.Match[bytes], whole: bytes) -> Found:
    """A character that a font lacks (a match of shapes.MISSING in the whole message)."""
    font = text(whole[found.end() :].removesuffix(b"!"))
    character = text(found["character"])
    detail: dict[str, str | int | float] = {"character": character, "font": font}
    if found["code"]:
        detail["codepoint"] = text(found["code"])
    code = "nullfont" if font == "nullfont" else "missing-character"
    return Found("warning", "missing-character", text(whole), code, token=character, detail=detail)
