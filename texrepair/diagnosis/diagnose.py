"""One entry for every kind of log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import BinaryIO

from texrepair.diagnosis.bibliography import read_biber, read_bibtex
from texrepair.diagnosis.driver import read_driver
from texrepair.diagnosis.folding import fold, fold_copies
from texrepair.diagnosis.found import Report, merged
from texrepair.diagnosis.index import read_index
from texrepair.diagnosis.lines import Lines
from texrepair.diagnosis.log import read_tex
from texrepair.diagnosis.model import Diagnosis
from texrepair.diagnosis.names import recorded
from texrepair.diagnosis.origin import trace
from texrepair.diagnosis.programs import engine_of, tool_of

_READERS: Mapping[str, Callable[[Lines], Report]] = {
    "bibtex": read_bibtex,
    "biber": read_biber,
    "makeindex": read_index,
    "makeglossaries": read_index,
    "xindy": read_index,
    "xdvipdfmx": read_driver,
}
_HEAD = 60
"""Lines in which a log without a banner may show what wrote it."""


def diagnose(
    log: bytes | str | BinaryIO,
    *,
    sources: Mapping[str, str] | None = None,
    generated: Mapping[str, bytes] | None = None,
    recorder: bytes | str | None = None,
) -> Diagnosis:
    """What a log reports: of a TeX engine, bibtex, biber, makeindex, makeglossaries, xindy or xdvipdfmx, in any form.

    Of a stream that holds several runs, the last run of each program counts. `sources` are the project's text files by
    path, `generated` what its programs made of them (.toc, .bbl …), `recorder` is the .fls file of the run; all make
    places surer. Never raises, whatever the bytes.
    """
    lines = Lines(log)
    sources = sources or {}
    known = (*sources, *(recorded(recorder) if recorder else ()))
    counts = {path: text.count("\n") + 1 for path, text in sources.items()}
    reports: dict[str, Report] = {}
    tool = _kind(lines)
    while lines.more():
        if tool is None:
            reports.pop("tex", None)
            reports["tex"] = read_tex(lines, known, counts)
        else:
            reports.pop(tool, None)
            reports[tool] = _READERS[tool](lines)
        if lines.more():
            tool = tool_of(lines.at() or b"")
    errors = [one for report in reports.values() for one in merged(report.errors)]
    warnings = [one for report in reports.values() for one in merged(report.warnings)]
    fold(errors)
    trace(errors + warnings, sources, generated or {})
    fold_copies(errors)
    main = reports.get("tex") or next(iter(reports.values()), Report())
    total: Counter[str] = Counter()
    for report in reports.values():
        total.update(report.counts)
    return Diagnosis(
        tuple(one.diagnostic() for one in errors),
        tuple(one.diagnostic() for one in warnings),
        main.engine,
        total,
        main.finished,
        main.pages,
    )


def _kind(lines: Lines) -> str | None:
    """What program's output the log begins with: a name of _READERS, or None for TeX."""
    for line in lines.sample[:_HEAD]:
        if engine_of(line):
            return None
        tool = tool_of(line)
        if tool:
            return tool
    return None
