"""Reading a log never fails, whatever the bytes, and what is cut off or put together is read for what it is."""

# Logs have long lines.
# ruff: noqa: E501
from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.diagnosis import Diagnosis, diagnose, excerpt, fingerprint
from texrepair.diagnosis.show import lines

LOGS = sorted((Path(__file__).parents[2] / "fixtures" / "logs").glob("*/*/report.log"))
PIECES = st.one_of(
    st.binary(max_size=90),
    st.sampled_from(
        [
            b"! Undefined control sequence.\n", b"l.5 \\foo\n        bar\n", b"(./a.tex", b")", b"\n", b"./a.tex:3: Bad.\n",
            b"Runaway argument?\n{x\n", b"Overfull \\hbox (1.0pt too wide) in paragraph at lines 1--2\n", b" []\n\n",
            b"Package x Warning: y\n(x)                z.\n\n", b"<argument> \\x \n              \n", b"Missing character: ",
            b"! LaTeX Error: File `x.sty' not found.\n\nType X to quit", b"> \\box0=\n", b"[1", b"stack traceback:\n\t[C]: in",
            b"This is pdfTeX, Version 3.14 (preloaded format=pdflatex)  1 JAN 2026 10:00\n", b"l.99999999999999999999 x\n",
            b"This is BibTeX, Version 0.99d\n", b"Warning--x\n", b"---line 5 of file x.bib\n", b"[1] Biber.pm:1> ERROR - x\n",
            b"!! Input index error (file = a, line = 1):\n", b"xdvipdfmx:fatal: x\n", b"!!!!!!!!!!!!\n! x\n",
            b"Here is how much of TeX's memory\n", b"\xff\xfe", "é".encode() * 40, b"x" * 79, b"x" * 80, b"\0", b"^^e9",
        ]
    ),
)  # fmt: skip


def sound(found: Diagnosis) -> None:
    for one in found.diagnostics:
        assert one.line is None or one.line >= 0
        assert one.kind and one.code
        assert len(one.message) <= 4100
        one.message.encode("utf-8")
    assert len(excerpt(found.diagnostics)) <= 1800
    assert len(fingerprint(found.diagnostics)) <= 120
    assert sum(1 for _ in lines(found.diagnostics, {})) >= len(found.errors)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40).map(b"".join))
def test_any_bytes_are_read(log):
    sound(diagnose(log))


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(), max_size=300))
def test_any_text_is_read(log):
    sound(diagnose(log))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(LOGS), st.data())
def test_a_damaged_log_is_read(path, data):
    log = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(log)))
        log[at : at + data.draw(st.integers(0, 40))] = data.draw(PIECES)
    sound(diagnose(bytes(log), sources={"main.tex": "\\documentclass{article}\n"}))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(LOGS), st.data())
def test_of_a_log_that_is_cut_off_all_is_kept_but_the_last_report(path, data):
    log = path.read_bytes()
    whole = [d.message for d in diagnose(log).errors]
    part = [d.message for d in diagnose(log[: data.draw(st.integers(0, len(log)))]).errors]
    assert part[:-1] == whole[: len(part[:-1])]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parts[-3]}-{path.parts[-2]}")
def test_bytes_a_text_and_a_file_say_the_same(path):
    log = path.read_bytes()
    found = diagnose(log)
    assert diagnose(io.BytesIO(log)) == found
    assert diagnose(log.decode("utf-8", "surrogateescape")) == found


def test_a_log_that_powershell_redirected_is_read():
    path = next(path for path in LOGS if path.parts[-3:-1] == ("xelatex", "odd-file-names"))
    text = path.read_text(encoding="utf-8")
    assert diagnose(b"\xff\xfe" + text.encode("utf-16-le")) == diagnose(text)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(LOGS), st.sampled_from(LOGS))
def test_of_several_runs_the_last_one_of_each_program_counts(first, second):
    one, two = diagnose(first.read_bytes()), diagnose(second.read_bytes())
    both = diagnose(first.read_bytes() + b"\n" + second.read_bytes())
    engines = ("pdflatex", "xelatex", "lualatex")
    if two.engine == "xdvipdfmx":
        return
    last = [(d.code, d.line) for d in two.errors]
    if one.engine == two.engine or (one.engine in engines and two.engine in engines):
        assert [(d.code, d.line) for d in both.errors] == last
    else:
        assert last == [(d.code, d.line) for d in both.errors][-len(last) or len(both.errors) :]


def test_beyond_ten_thousand_reports_only_counts_are_kept():
    unit = "./part{0}.tex:{0}: Undefined control sequence.\nl.{0} \\foo{0}\n          x\n\nMissing character: There is no {0} in font f!\n"
    found = diagnose("".join(unit.format(i) for i in range(12_000)))
    assert len(found.errors) == 10_000
    assert len(found.diagnostics) == 10_000
    assert found.counts == {"error": 12_000, "missing-character": 12_000}


def test_a_large_log_is_read_in_bounded_memory():
    import tracemalloc

    class Endless(io.RawIOBase):
        """A log of 12 MB that is never there as a whole."""

        def __init__(self) -> None:
            self.left = 12_000_000

        def read(self, size: int = -1) -> bytes:
            unit = (
                b"Overfull \\hbox (1.0pt too wide) in paragraph at lines 1--2\n[]\\OT1/cmr/m/n/10 text\n []\n\n" * 500
            )
            self.left -= len(unit)
            return unit if self.left > 0 else b""

    tracemalloc.start()
    found = diagnose(Endless())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.counts["overfull"] == 1
    assert peak < 11_000_000
