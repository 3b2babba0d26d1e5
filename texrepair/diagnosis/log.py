"""The logs of TeX engines."""

from __future__ import annotations

import posixpath
import re
from collections import Counter

from texrepair.diagnosis.causes import classified
from texrepair.diagnosis.model import LIMIT, Diagnosis
from texrepair.result import Diagnostic

_FILE_LINE = re.compile(r"(?P<file>[^:]+?\.\w+):(?P<line>\d+): (?P<message>.*)")
_CONTEXT_LINE = re.compile(r"l\.(\d+) ?(.*)")
_BOX = re.compile(
    r"(Over|Under)full \\([hv])box \((?:(-?[\d.]+)pt too (?:wide|high)|badness (\d+))\) "
    r"(?:in paragraph at lines (\d+)--(\d+)|in alignment at lines (\d+)--(\d+)|detected at line (\d+)|has occurred.*)"
)
_WARNING = re.compile(r"(?P<who>LaTeX|LaTeX Font|(?:Package|Class) \S+) [Ww]arning: (?P<message>.*)")
_MISSING = re.compile(r"Missing character: There is no (.+?) (?:\((?:U\+[0-9A-F]+)\) )?in font (.+?)!$")


def read_log(text: str) -> Diagnosis:
    """What an unwrapped log reports."""
    lines = text.splitlines()
    engine = "xelatex" if "XeTeX" in lines[:1].__str__() else "lualatex" if "Lua" in lines[:1].__str__() else "pdflatex"
    counts: Counter[str] = Counter()
    kept: list[Diagnostic] = []
    stack: list[str] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        found = _FILE_LINE.match(line)
        if found or line.startswith("! "):
            message = found["message"] if found else line[2:]
            file = clean(found["file"]) if found else (stack[-1] if stack else None)
            number = int(found["line"]) if found else None
            block, index = _block(lines, index)
            kept.append(_error(message, file, number, block))
            counts["error"] += 1
            continue
        warning = _warning(line, lines, index, stack[-1] if stack else None)
        if warning is not None:
            counts[warning.kind] += 1
            kept.append(warning)
            continue
        _files(line, stack)
    kept = kept[:LIMIT]
    return Diagnosis(
        tuple(d for d in kept if d.is_error),
        tuple(d for d in kept if not d.is_error),
        engine,
        counts,
        "Output written on" in text,
    )


def clean(name: str) -> str:
    """A file name as TeX prints it, relative to the folder."""
    return posixpath.normpath(name.strip().strip('"'))


def _block(lines: list[str], index: int) -> tuple[list[str], int]:
    block = []
    end = min(index + 40, len(lines))
    while index < end:
        line = lines[index]
        block.append(line)
        index += 1
        if line.startswith(("l.", "<*>")):
            if index < len(lines):
                block.append(lines[index])
                index += 1
            break
        if line.startswith("! ") or _FILE_LINE.match(line):
            return block[:-1], index - 1
    return block, index


def _error(message: str, file: str | None, number: int | None, block: list[str]) -> Diagnostic:
    before = after = ""
    context: list[str] = []
    for i, line in enumerate(block):
        place = _CONTEXT_LINE.match(line)
        if place:
            number = int(place[1])
            before = place[2]
            after = block[i + 1].strip() if i + 1 < len(block) else ""
            break
        if line.startswith("<") or (line.startswith("\\") and "->" in line):
            context.append(line)
        elif (
            not context
            and not line.startswith((" ", "See the", "Type  H"))
            and line.strip()
            and not message.endswith(".")
        ):
            message += " " + line.strip()
    message = message.rstrip(". ") if message.endswith(".") else message
    cause = classified(message)
    token = cause.token
    if token is None and cause.code == "undefined-control-sequence":
        halves = context[:1] or [before]
        names = re.findall(r"\\(?:[A-Za-z@_:]+|.)", halves[0])
        token = names[-1] if names else None
    return Diagnostic(
        "error",
        "error",
        message,
        code=cause.code,
        file=file,
        line=number,
        token=token,
        before=before,
        after=after,
        context=tuple(context),
        explanation=cause.explanation,
        detail=dict(cause.detail),
    )


def _warning(line: str, lines: list[str], index: int, file: str | None) -> Diagnostic | None:
    box = _BOX.match(line)
    if box:
        first = next((int(g) for g in (box[5], box[7], box[9]) if g), None)
        kind = "overfull" if box[1] == "Over" else "underfull"
        return Diagnostic("warning", kind, line, code=kind, file=file, line=first, detail={"size": float(box[3] or 0)})
    lost = _MISSING.match(line)
    if lost:
        detail: dict[str, str | int | float] = {"character": lost[1], "font": lost[2]}
        return Diagnostic("warning", "missing-character", line, code="missing-character", file=file, detail=detail)
    found = _WARNING.match(line)
    if found is None:
        return None
    message = found["message"]
    for more in lines[index : index + 20]:
        if not more.startswith("(") or ")  " not in more:
            break
        message += " " + more.split(")", 1)[1].strip()
    place = re.search(r"\s*on input line (\d+)\.?$", message)
    number = int(place[1]) if place else None
    text = (message[: place.start()] if place else message).rstrip(".")
    kind, code = "other", ""
    if found["who"] == "LaTeX Font":
        kind = "font"
    elif text.startswith("Reference `"):
        kind = "undefined-reference"
    elif text.startswith("Citation "):
        kind = "undefined-citation"
    elif "multiply defined" in text and text.startswith("Label"):
        code = "duplicate-label"
    elif "erun" in text or "may have changed" in text or "has changed" in text:
        kind = "rerun"
    return Diagnostic("warning", kind, f"{found['who']} Warning: {text}", code=code or kind, file=file, line=number)


def _files(line: str, stack: list[str]) -> None:
    position = 0
    for found in re.finditer(r"\((?P<name>[^()\s]+\.\w+|\"[^\"]+\")?|\)", line):
        position += 1
        if found[0] == ")":
            if stack:
                stack.pop()
        else:
            stack.append(clean(found["name"]) if found["name"] else (stack[-1] if stack else ""))
