"""What xdvipdfmx and dvipdfmx print; they can fail after a clean log and leave a few bytes that are no PDF."""

from __future__ import annotations

import re

from texrepair.diagnosis.causes import causes
from texrepair.diagnosis.found import Found, Report
from texrepair.diagnosis.lines import Lines, text
from texrepair.diagnosis.programs import own_lines

MESSAGE = re.compile(
    rb"x?dvipdfmx:(?P<level>fatal|warning): (?P<message>.*)|\*\* (?P<old>ERROR|WARNING) \*\* (?P<rest>.*)"
)
_LOST = re.compile(r".*(?:Could not find file|Could not open (?:specified )?\S+(?: \(or \S+\))? file): (?P<file>.+)$")
_DETAIL = (">> ", "--- ")


def read_driver(lines: Lines) -> Report:
    """The terminal output of xdvipdfmx."""
    report = Report("xdvipdfmx")
    for line in own_lines(lines):
        found = driver_message(line)
        if found is not None:
            report.add(found)
        elif line.endswith(b" bytes written"):
            report.finished = True
    return report


def driver_message(line: bytes) -> Found | None:
    """One line of the driver's as a diagnostic; None where it reports nothing."""
    match = MESSAGE.match(line)
    if match is None:
        return None
    message = text(match["message"] if match["message"] is not None else match["rest"]).strip().removesuffix(".")
    error = match["level"] == b"fatal" or match["old"] == b"ERROR"
    if not message or message.startswith(_DETAIL):
        return None
    lost = _LOST.match(message)
    code = "driver-error" if error else "driver-warning"
    if error and lost:
        code = "image-not-found" if message.startswith("Image") else "file-not-found"
    return Found(
        "error" if error else "warning", "error" if error else "other", message, code,
        token=lost["file"] if lost else None, tool="driver", explanation=causes()[code].explanation if error else "",
    )  # fmt: skip
