"""What makeindex, upmendex, makeglossaries and xindy print (genind.c and scanid.c of makeindex)."""

from __future__ import annotations

import re

from texrepair.diagnosis.causes import causes
from texrepair.diagnosis.found import Found, Report
from texrepair.diagnosis.lines import Lines, text
from texrepair.diagnosis.names import clean
from texrepair.diagnosis.programs import own_lines, tool_of

_ERROR = re.compile(
    r"(?:!!|\*\*) (?:Input (?:index|style)|Style|Index) .*?error \(file = (?P<file>.+), line = (?P<line>\d{1,9})\):"
)
_WARNING = re.compile(r"## Warning \(input = (?P<file>.+?), line = (?P<line>\d{1,9})(?:;.*)?\):")
_NOT_FOUND = re.compile(
    r"(?:Input index file|Index style file|Glossary style file) (?P<a>.+) not found|"
    r"Auxiliary file '(?P<b>.+)' doesn't exist|Can't (?:open|create output) (?:index )?file (?P<c>.+?)\.?$"
)
_FAILED = re.compile(
    r"ERROR: (?P<a>.+)|(?P<b>\*\*\*\s*(?:Call to|Unable to) .+?)\s*\**$|(?P<c>Abandoning attempt.*)|\*\*\* - (?P<d>.+)|"
    r"(?P<e>(?:Cannot|Can't) (?:locate|find|run) .+)|xindy: (?P<f>.+)"
)


def read_index(lines: Lines) -> Report:
    """The transcript or the terminal output of an index or glossary program."""
    report = Report(tool_of(lines.at() or b"") or "makeindex")
    for raw in own_lines(lines, ("makeindex", "xindy")):
        _take(report, text(raw).rstrip(), lines)
    return report


def _take(report: Report, line: str, lines: Lines) -> None:
    # makeindex prints its progress without line ends, so that a report may stand behind it.
    for mark in ("!! Input", "** Input", "## Warning"):
        at = line.find(mark)
        if at > 0:
            line = line[at:]
    placed = _ERROR.match(line)
    warned = _WARNING.match(line) if placed is None else None
    found = placed or warned
    if found:
        detail = text(lines.at() or b"").strip()
        if detail.startswith("--"):
            lines.position += 1
            detail = detail[2:].strip()
        _add(report, detail or line, placed is not None, clean(found["file"].encode()), int(found["line"]), None)
        return
    lost = _NOT_FOUND.match(line)
    if lost:
        _add(report, line, True, None, None, next(group for group in lost.groups() if group))
        return
    failed = _FAILED.match(line)
    if failed:
        _add(report, next(group for group in failed.groups() if group), True, None, None, None)
    elif line.startswith(("WARNING: ", "Nothing written in")):
        _add(report, line.removeprefix("WARNING: "), False, None, None, None)
    elif line.startswith("Output written in "):
        report.finished = True


def _add(report: Report, message: str, error: bool, file: str | None, line: int | None, lost: str | None) -> None:
    code = "file-not-found" if lost else "index-error" if error else "index-warning"
    cause = causes().get(code)
    report.add(
        Found(
            "error" if error else "warning", "error" if error else "other", message.removesuffix("."), code, file, line,
            token=lost, tool="index", explanation=cause.explanation if cause else "",
        )
    )  # fmt: skip
