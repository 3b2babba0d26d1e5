#!/usr/bin/env python3
"""Fuzz the reading of logs, guided by coverage: it may not raise, whatever the bytes, and stays within its bounds.

    pip install atheris
    python tests/fuzz/fuzz_log.py -max_total_time=1800 CORPUS_FOLDER

The corpus folder may begin with copies of fixtures/logs/*/*/report.log. Not collected by pytest.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["texrepair.diagnosis"]):
    from texrepair.diagnosis import diagnose, excerpt, fingerprint
    from texrepair.diagnosis.show import lines

SOURCES = {
    "main.tex": "\\newcommand{\\foo}[1]{#1 \\bad}\n\\begin{document}\nText.\n\\end{document}\n",
    "refs.bib": "@misc{one, title = {T}}\n",
}


def one(data: bytes) -> None:
    """One log. The first byte decides whether sources are at hand."""
    found = diagnose(data[1:], sources=SOURCES if data[:1] > b"\x7f" else None)
    if len(excerpt(found.diagnostics)) > 1800 or len(fingerprint(found.diagnostics)) > 120:
        raise AssertionError("the excerpt or the fingerprint is too long")
    for error in found.diagnostics:
        error.message.encode("utf-8")
    for _ in lines(found.diagnostics, SOURCES):
        pass


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
