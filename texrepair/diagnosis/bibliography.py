"""The logs of bibtex (bibtex.web, part 3) and biber."""

from __future__ import annotations

import re

from texrepair.diagnosis.causes import causes
from texrepair.diagnosis.found import Found, Report
from texrepair.diagnosis.lines import Lines, text
from texrepair.diagnosis.programs import own_lines
from texrepair.result import Tool

_PLACED = re.compile(r"(?P<message>.*?)---?line (?P<line>\d{1,9}) of file (?P<file>.+)$")
_AUX = re.compile(r"(?P<message>.*?)---while reading file (?P<file>.+)$")
_STYLE = re.compile(r"while executing---line (?P<line>\d{1,9}) of file (?P<file>.+)$")
_PLACE_ONLY = re.compile(r"---?line (?P<line>\d{1,9}) of file (?P<file>.+)$")
_KEY = re.compile(
    r"for entry (?P<a>\S+)$|database entry for \"(?P<b>[^\"]+)\"|entry \"(?P<c>[^\"]+)\"|ignoring (?P<e>\S+)'s extra|"
    r"(?:empty|missing) [\w ]+ in (?P<d>\S+)$|entry type for \"(?P<f>[^\"]+)\"| in (?P<g>\S+)$"
)
_UNPLACED = re.compile(
    r"Sorry---you've exceeded |I couldn't open file name |This can't happen|A bad cross reference---|"
    r"I couldn't open (?:auxiliary|style|database) file"
)
_NOT_FOUND = re.compile(r"I couldn't open (?:file name|(?:database|style|auxiliary) file) `?(?P<file>[^\s'`]+)'?")
_PLAIN = re.compile(
    r"(?:This is |Capacity: |The top-level auxiliary file: |The style file: |Database file #|A level-|I'm skipping |\(|"
    r"Reallocat| : |You've used|[\w.$:=+*<>-]+ -- \d+$| {8,}|and the built_in|The \d-bit|Warning: |\s*$)"
)

_BIBER = re.compile(r"(?:\[\d+\] \S+?:\d+> )?(?P<level>INFO|WARN|ERROR|FATAL|DEBUG|TRACE) - (?P<message>.*)$")
_SOURCE = re.compile(r"(?:Found BibTeX data source|Looking for \w+ (?:file|data source)) '(?P<file>[^']+)'")
_SUBSYSTEM = re.compile(r"BibTeX subsystem: (?P<temporary>.+?\.utf8|.+?), line (?P<line>\d{1,9}), ")
_IN_FILE = re.compile(r" in file '(?P<a>[^']+)'|Entry '[^']*' \((?P<b>[^()]+)\)|Data file '(?P<c>[^']+)'|"
                      r"Cannot find '(?P<d>[^']+)'")  # fmt: skip
_BIBER_KEY = re.compile(
    r"database entry for '(?P<a>[^']+)'|in entry '(?P<b>[^']+)'|Entry (?:with key )?'(?P<c>[^']+)'|"
    r"(?:Duplicate entry key|skipping entry|entry|key)[: ]+'(?P<d>[^']+)'"
)


def read_bibtex(lines: Lines) -> Report:
    """The log or the terminal output of bibtex, bibtex8, bibtexu or pbibtex."""
    report = Report("bibtex")
    pending: str | None = None
    """A message whose place stands in the next line."""
    for raw in own_lines(lines):
        line = text(raw).rstrip()
        if line.startswith("(There w") or line.startswith("You've used"):
            report.finished = True
        if pending is not None:
            pending = _second_line(report, pending, line)
            if pending is None:
                continue
            _add_bibtex(report, pending, None, None)
            pending = None
        if line.startswith("Warning--"):
            pending = line
            continue
        placed = _PLACED.match(line)
        if placed and placed["message"] and placed["message"] != "while executing":
            _add_bibtex(report, placed["message"], placed["file"], int(placed["line"]))
            continue
        aux = _AUX.match(line)
        if aux:
            _add_bibtex(report, aux["message"], aux["file"], None)
        elif not _PLAIN.match(line) and not line.startswith(("refers to", "(Error may", "--")):
            # Either an error whose place follows (`while executing---line…`, `---line…`), or nothing.
            pending = line
    if pending is not None and (pending.startswith("Warning--") or _UNPLACED.match(pending)):
        _add_bibtex(report, pending, None, None)
    return report


def _second_line(report: Report, message: str, line: str) -> str | None:
    """Take in the line after a message; returns the message where it stands alone and is to be kept, else None."""
    style = _STYLE.match(line)
    place = style or _PLACE_ONLY.match(line)
    if place:
        _add_bibtex(report, message, place["file"], int(place["line"]))
        return None
    if line.startswith("refers to"):
        _add_bibtex(report, f"{message} {line}", None, None)
        return None
    if message.startswith("Warning--") or _UNPLACED.match(message):
        return message
    return ""


def _add_bibtex(report: Report, message: str, file: str | None, line: int | None) -> None:
    if not message:
        return
    warning = message.startswith("Warning--")
    message = message.removeprefix("Warning--").strip()
    named = _KEY.search(message)
    key = next((group for group in named.groups() if group), None) if named else None
    kind = "error"
    token: str | None = None
    code = "bibtex-error"
    if warning:
        kind = "undefined-citation" if message.startswith("I didn't find a database entry for") else "other"
        code = kind if kind != "other" else "bibtex-warning"
    lost = _NOT_FOUND.match(message)
    if lost:
        code, token = "file-not-found", lost["file"]
    report.add(_found(kind, message, code, file, line, token, key, "bibtex"))


def read_biber(lines: Lines) -> Report:
    """The log or the terminal output of biber."""
    report = Report("biber")
    sources: list[str] = []
    temporary: dict[str, str] = {}
    """Biber reads a copy of each database; which one that was is told only by the order of its messages."""
    last: Found | None = None
    for raw in own_lines(lines):
        found = _BIBER.match(text(raw).rstrip())
        if found is None:
            if last is not None and raw.strip():
                last.message = f"{last.message} {text(raw).strip()}"[:4000].removesuffix(".")
            continue
        last = None
        message = found["message"]
        if found["level"] not in ("WARN", "ERROR", "FATAL"):
            source = _SOURCE.match(message)
            if source and source["file"] not in sources:
                sources.append(source["file"])
            report.finished = report.finished or message.startswith("Output to ")
            continue
        last = _biber_message(message, found["level"] != "WARN", sources, temporary)
        report.stopped = report.stopped or found["level"] == "FATAL"
        if not report.add(last):
            last = None
    return report


def _biber_message(message: str, error: bool, sources: list[str], temporary: dict[str, str]) -> Found:
    file: str | None = None
    line: int | None = None
    sub = _SUBSYSTEM.match(message)
    if sub:
        line = int(sub["line"])
        if error and sources:
            temporary.setdefault(sub["temporary"], sources[-1])
        file = temporary.get(sub["temporary"]) or (sources[0] if len(set(sources)) == 1 else None)
    else:
        named = _IN_FILE.search(message)
        file = next((group for group in named.groups() if group), None) if named else None
    keyed = _BIBER_KEY.search(message)
    key = next((group for group in keyed.groups() if group), None) if keyed else None
    kind, code, token = "error", "biber-error", None
    if not error:
        kind = "undefined-citation" if message.startswith("I didn't find a database entry for '") else "other"
        code = kind if kind != "other" else "biber-warning"
    lost = re.match(r"Cannot find '(?P<file>[^']+)'", message)
    if lost:
        code, token, file = "file-not-found", lost["file"], None
    return _found(kind, message.removesuffix("."), code, file, line, token, key, "biber")


def _found(
    kind: str,
    message: str,
    code: str,
    file: str | None,
    line: int | None,
    token: str | None,
    key: str | None,
    tool: Tool,
) -> Found:
    cause = causes().get(code)
    return Found(
        "error" if kind == "error" else "warning", kind, message, code, file, line, token,
        tool=tool, key=key, explanation=cause.explanation if cause else "",
    )  # fmt: skip
