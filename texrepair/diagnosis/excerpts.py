"""The excerpt of a log that a model is shown, and the fingerprint that says what "the same error" is."""

from __future__ import annotations

from collections.abc import Iterable

from texrepair.result import Diagnostic

MOST = 1800
"""Characters of an excerpt."""
FINGERPRINT = 120
"""Characters of a fingerprint."""

_BARE = frozenset({"Undefined control sequence"})


def excerpt(diagnostics: Iterable[Diagnostic]) -> str:
    """The errors in TeX's own form, those that stand on their own first; at most 1,800 characters, "" for none."""
    errors = [d for d in diagnostics if d.is_error]
    errors.sort(key=lambda d: not d.independent)
    out: list[str] = []
    size = 0
    for error in errors:
        block = "\n".join(_lines(error))
        if size and size + len(block) + 1 > MOST:
            break
        out.append(block)
        size += len(block) + 1
    return "\n".join(out)[:MOST]


def fingerprint(diagnostics: Iterable[Diagnostic]) -> str:
    """The first 120 characters of the first `!` line of the excerpt, else of the excerpt; "" without errors."""
    text = excerpt(diagnostics)
    first = next((line for line in text.splitlines() if line.startswith("!")), text)
    return first[:FINGERPRINT]


def _lines(error: Diagnostic) -> Iterable[str]:
    message = error.message
    if message in _BARE and error.token:
        message = f"{message}: {error.token}"
    yield f"! {message}."
    yield from (line for line in error.context if line.startswith("Runaway"))
    if error.line is not None:
        yield f"l.{error.line} {error.before}{error.after}".rstrip()
