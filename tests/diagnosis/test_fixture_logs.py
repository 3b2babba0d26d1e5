"""Logs of real programs say what they are known to say. script/make_logs remakes them."""

# Logs have long lines.
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from texrepair.diagnosis import diagnose, excerpt, fingerprint

LOGS = Path(__file__).parents[2] / "fixtures" / "logs"
CASES = sorted(path.parent for path in LOGS.glob("*/*/expected.json"))
TEMPORARY = re.compile(r"/tmp/biber_tmp_\w+/\w+\.utf8")


def sources(case: Path) -> dict[str, str]:
    found = (case / "src").rglob("*")
    return {
        str(path.relative_to(case / "src")): path.read_bytes().decode("utf-8", "replace")
        for path in found
        if path.suffix in (".tex", ".sty", ".bib")
    }


def plain(message: str) -> str:
    return TEMPORARY.sub("COPY", message)


def test_there_are_enough_of_them():
    assert len(CASES) >= 60


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_a_log_says_what_its_program_reported(case):
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    found = diagnose((case / "report.log").read_bytes(), sources=sources(case))
    assert found.engine == expected["engine"]
    assert [
        (
            d.file,
            d.line,
            plain(d.message),
            d.token,
            d.code,
            not d.independent,
            d.origin and [d.origin.file, d.origin.line],
        )
        for d in found.errors
    ] == [
        (e["file"], e["line"], plain(e["message"]), e["token"], e["code"], e.get("follows", False), e.get("origin"))
        for e in expected["errors"]
    ]
    assert [(d.kind, d.code, d.file, d.line) for d in found.warnings] == [
        (w["kind"], w["code"], w["file"], w["line"]) for w in expected["warnings"]
    ]
    assert all(d.explanation for d in found.errors)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_a_log_says_the_same_without_its_sources_but_for_the_origins(case):
    log = (case / "report.log").read_bytes()
    alone, helped = diagnose(log), diagnose(log, sources=sources(case))
    assert [(d.file, d.line, d.message) for d in alone.errors] == [(d.file, d.line, d.message) for d in helped.errors]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_a_log_that_lost_the_blanks_at_its_line_ends_says_the_same(case):
    log = (case / "report.log").read_bytes()
    stripped = b"\n".join(line.rstrip() for line in log.split(b"\n"))
    places = [(d.file, d.line, d.code) for d in diagnose(log).errors]
    assert [(d.file, d.line, d.code) for d in diagnose(stripped).errors] == places
    assert [(d.file, d.line, d.code) for d in diagnose(log.replace(b"\n", b"\r\n")).errors] == places


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_an_excerpt_is_short_and_its_fingerprint_stays_the_same(case):
    found = diagnose((case / "report.log").read_bytes()).diagnostics
    text = excerpt(found)
    assert len(text) <= 1800
    assert bool(text) == any(d.is_error for d in found)
    assert fingerprint(found) == fingerprint(tuple(found))
    assert "biber_tmp" not in text
