"""Whether a run succeeded: exit status 0, no error reported, a whole PDF. A PDF's existence alone proves nothing."""

from __future__ import annotations

from dataclasses import replace

from texrepair.result import Diagnostic, Pass, Tool
from texrepair.sandboxes import Limits, Ran

_REASONS = {
    "time": ("interrupted", "it did not end within {seconds:g} seconds"),
    "memory": ("capacity-exceeded", "it needed more than {memory} MiB of memory"),
    "output": ("capacity-exceeded", "it wrote a file of more than {file} MiB"),
    "processes": ("capacity-exceeded", "it started more than {processes} processes"),
    "disk": ("capacity-exceeded", "its files filled the {disk} MiB of the work folder"),
}


def whole_pdf(data: bytes) -> bool:
    """Whether a PDF was written to its end: header, cross-reference offset, end mark (ISO 32000, 7.5).

    An xdvipdfmx that fails leaves a file of its first 15 bytes.
    """
    return data.startswith(b"%PDF-") and b"startxref" in data[-2048:] and b"%%EOF" in data[-1024:]


def faults(
    program: str, tool: Tool, ran: Ran, limits: Limits, seconds: float, reported: bool
) -> tuple[Diagnostic, ...]:
    """What is wrong with a run beside what its own report says: a limit, a signal, an exit status without an error.

    `reported` tells whether the report holds an error, `seconds` what the run was allowed.
    """
    if ran.stopped_for is not None:
        if reported and ran.stopped_for == "time":
            return ()  # the engine said itself where it was interrupted
        code, why = _REASONS[ran.stopped_for]
        said = why.format(
            seconds=seconds,
            memory=limits.memory_mb,
            file=limits.file_mb,
            processes=limits.processes,
            disk=limits.disk_mb,
        )
        return (_fault(f"{program} was stopped: {said}", code, tool, {"limit": ran.stopped_for}),)
    if reported or ran.exit_status == 0:
        return ()
    end = _last_words(ran.output)
    how = f"ended with status {ran.exit_status}" if ran.signal is None else f"was killed by signal {ran.signal}"
    message = f"{program} {how}" + (f": {end}" if end else "")
    return (_fault(message, "emergency-stop" if tool == "tex" else f"{tool}-error", tool, {}),)


def of_tool(diagnostic: Diagnostic, tool: Tool, ran: Ran) -> Diagnostic:
    """What a tool reports, as that tool's.

    An error in a file of the system at which it did not fail is a warning: makeindex knows only some of the specifiers
    in the style that nomencl brings.
    """
    harmless = ran.ok and diagnostic.is_error and (diagnostic.file or "").startswith("/")
    said = replace(diagnostic, tool=tool)
    return replace(said, severity="warning", kind="other") if harmless else said


def late(program: str) -> Diagnostic:
    """The error for a program that was not started since the time had ended."""
    return _fault(f"The time ended before {program} could run", "interrupted", "texrepair", {})


def late_pass(program: str) -> Pass:
    """The same as a pass."""
    return Pass(program, 0.0, None, stopped_for="time")


def no_pdf() -> Diagnostic:
    """The error for a driver that ended well and left no whole PDF."""
    return _fault("No whole PDF was written", "driver-error", "driver", {})


def unfit(error: UnicodeEncodeError) -> Diagnostic:
    """The error for a draft with a character that its file's encoding lacks."""
    lacking = error.object[error.start : error.end]
    message = f"The file's encoding ({error.encoding}) has no character {lacking!r}"
    return replace(_fault(message, "invalid-character", "texrepair", {}), token=lacking)


def _fault(message: str, code: str, tool: Tool, detail: dict[str, str | int | float]) -> Diagnostic:
    return Diagnostic("error", "error", message, code=code, tool=tool, detail=detail)


def _last_words(output: bytes) -> str:
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1][:300] if lines else ""
