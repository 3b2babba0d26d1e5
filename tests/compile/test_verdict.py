"""A run is good if its status is 0, nothing was reported and the PDF is whole."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.compile.verdict import faults, of_tool, whole_pdf
from texrepair.result import Diagnostic
from texrepair.sandboxes import Limits, Ran

PDF = b"%PDF-1.5\n" + b"x" * 3000 + b"\nstartxref\n3009\n%%EOF\n"


def test_a_whole_pdf() -> None:
    assert whole_pdf(PDF)


@pytest.mark.parametrize(
    "data", [b"", b"%PDF-1.5\n%\xe4\xf0\xed\xf8\n", PDF[:-7], PDF[1:], b"startxref %%EOF"], ids=len
)
def test_a_pdf_that_is_not_whole(data: bytes) -> None:
    assert not whole_pdf(data)


@given(st.binary(max_size=100))
@settings(max_examples=25, deadline=None)
def test_what_is_cut_is_not_whole(tail: bytes) -> None:
    assert not whole_pdf(PDF[: -len(tail) - 10])


def test_status_0_is_no_fault() -> None:
    assert faults("xelatex", "tex", Ran(0), Limits(), 1.0, reported=False) == ()


def test_an_error_that_was_reported_is_not_told_twice() -> None:
    assert faults("xelatex", "tex", Ran(1), Limits(), 1.0, reported=True) == ()


@pytest.mark.parametrize(
    ("ran", "code", "words"),
    [
        (Ran(1, output=b"one\nlast words\n\n"), "emergency-stop", "xelatex ended with status 1: last words"),
        (Ran(None, signal=11), "emergency-stop", "xelatex was killed by signal 11"),
        (Ran(None, 9, "time"), "interrupted", "it did not end within 3 seconds"),
        (Ran(1, None, "memory"), "capacity-exceeded", "it needed more than 1800 MiB of memory"),
        (Ran(None, 25, "output"), "capacity-exceeded", "it wrote a file of more than 100 MiB"),
    ],
    ids=["status", "signal", "time", "memory", "output"],
)
def test_a_fault_is_told(ran: Ran, code: str, words: str) -> None:
    (fault,) = faults("xelatex", "tex", ran, Limits(), 3.0, reported=False)
    assert fault.is_error
    assert fault.code == code
    assert words in fault.message


@pytest.mark.parametrize("tool", ["bibtex", "biber", "index", "driver"])
def test_a_tools_fault_is_its_own(tool: str) -> None:
    (fault,) = faults("program", tool, Ran(2), Limits(), 1.0, reported=False)  # type: ignore[arg-type]
    assert (fault.tool, fault.code) == (tool, f"{tool}-error")


@pytest.mark.parametrize(
    ("file", "ran", "severity"),
    [("/usr/share/x.ist", Ran(0), "warning"), ("/usr/share/x.ist", Ran(1), "error"), ("own.ist", Ran(0), "error")],
)
def test_a_fault_of_the_system_at_which_nothing_failed_is_a_warning(file: str, ran: Ran, severity: str) -> None:
    said = of_tool(Diagnostic("error", "error", "Unknown specifier", file=file), "index", ran)
    assert (said.severity, said.tool) == (severity, "index")


def test_an_interruption_that_the_engine_reported_has_its_place_already() -> None:
    assert faults("xelatex", "tex", Ran(1, None, "time"), Limits(), 1.0, reported=True) == ()
