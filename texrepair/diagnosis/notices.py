"""The warnings of TeX, LaTeX and packages, and the boxes: what kind each is, and where it stands."""

from __future__ import annotations

import re

from texrepair.diagnosis.found import Found

BOX = re.compile(
    rb"(?P<how>Over|Under)full \\(?P<box>[hv])box \((?:(?P<size>-?[\d.]+)pt too (?:wide|high)|badness (?P<badness>\d+))\) "
    rb"(?:(?:in paragraph|in alignment) at lines (?P<first>\d+)--(?P<last>\d+)|detected at line (?P<line>\d+)|"
    rb"has occurred while \\output is active)"
)
LOOSE = re.compile(rb"(?:Loose|Tight) \\[hv]box \(")
MISSING = re.compile(
    rb"Missing character: There is no (?P<character>.+?)(?: \((?P<code>U\+[0-9A-F]+|\"[0-9A-F]+)\))? in font "
)
WARNING = re.compile(
    rb"(?P<who>(?P<latex>LaTeX3?(?: [A-Za-z]\S*)?)|(?P<kind>Package|Class|Module|Library) (?P<name>[^:]{1,80}?)) [Ww]arning: ?"
)
INFO = re.compile(
    rb"(?:LaTeX3?(?: [A-Za-z]\S*)?|(?:Package|Class|Module|Library) [^:]{1,80}?) (?:Info|Message|Note): "
    rb"|(?:File|Package|Document Class|Document Style|Language|Dictionary|Library|Style|Class|LaTeX Info): \S"
)

_LINE = re.compile(r"\s*on input line (\d+)\s*$")
_REFERENCE = re.compile(
    r"(?:Hyper r|R|r)eference `.*' .*undefined|(?:Reference|Label|label) [`'].*' (?:is )?undefined", re.S
)
_CITATION = re.compile(
    r"Citation[s]? .*undefined|(?:The following entry could not be found|The following entries could not be found)|"
    r"[Cc]itation [`'].*' (?:is )?(?:undefined|unknown)",
    re.S,
)
_RERUN = re.compile(
    r"\b[Rr]e-?run\b|\(re\)run|\b(?:has|have) changed\b|may have changed|"
    r"run (?:the )?(?:La|Xe|pdf|Lua)*TeX (?:again|once more|twice)|compile (?:\w+ )*(?:again|twice)|[Rr]ecompile",
)
_NAMED = re.compile(
    r"(?:Hyper r|R|r)eference `(?P<r>.*?)'|Citation `(?P<c>.*?)'|Label `(?P<l>.*?)'|File `(?P<f>.*?)'", re.S
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
    named = _NAMED.match(message)
    token = next((group for group in named.groups() if group), None) if named else None
    if kind == "undefined-citation" and token is None:
        lost = re.search(r"in the database:\s*(\S+)", message)
        token = lost[1] if lost else None
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
    """An over- or underfull box; its line is the first of its range."""
    kind = "overfull" if found["how"] == b"Over" else "underfull"
    line = found["first"] or found["line"]
    detail: dict[str, str | int | float] = {"box": "hbox" if found["box"] == b"h" else "vbox"}
    if found["size"]:
        detail["size"] = _number(found["size"])
    if found["badness"]:
        detail["badness"] = int(found["badness"])
    if found["last"]:
        detail["last"] = int(found["last"])
    return Found("warning", kind, found[0].decode("ascii"), kind, line=int(line[:9]) if line else None, detail=detail)


def _number(digits: bytes) -> float:
    try:
        return float(digits)
    except ValueError:
        return 0.0
