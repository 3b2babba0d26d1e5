"""The excerpt of a log that a model is shown, and the fingerprint that says what "the same error" is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from texrepair.result import Diagnostic

MOST = 1800
"""Characters of an excerpt."""
FINGERPRINT = 120
"""Characters of a fingerprint."""

_TEMPORARY = re.compile(r"\S*/biber_tmp_\w+/\S+\.utf8")


def excerpt(diagnostics: Iterable[Diagnostic]) -> str:
    """The errors in TeX's own form: `!` lines, `l.` lines, Runaway and Emergency stop lines.

    Those that stand on their own come first, and of those that say the same the first. At most 1,800 characters;
    "" where there is no error.
    """
    out: list[str] = []
    size = 0
    for error in _ordered(diagnostics):
        block = "\n".join(_lines(error))
        if out and size + 1 + len(block) > MOST:
            continue
        out.append(block[:MOST])
        size += len(block) + (1 if size else 0)
        if size >= MOST:
            break
    return "\n".join(out)


def fingerprint(diagnostics: Iterable[Diagnostic]) -> str:
    """What "the same error" means: the first 120 characters of the excerpt's first `!` line; "" where there is none.

    A message that does not name what it is about (`Undefined control sequence.`) takes its token in.
    """
    first = next(iter(_ordered(diagnostics)), None)
    if first is None:
        return ""
    return _with_token(_message(first), first.token)[:FINGERPRINT]


def _ordered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    errors = [d for d in diagnostics if d.is_error]
    seen: set[tuple[str, str | None]] = set()
    ranks = []
    for error in errors:
        said = (error.message, error.token)
        ranks.append((not error.independent, said in seen))
        seen.add(said)
    return [error for _, error in sorted(zip(ranks, errors, strict=True), key=lambda pair: pair[0])]


def _message(error: Diagnostic) -> str:
    """TeX's `!` line."""
    message = _TEMPORARY.sub(lambda _: error.file or "the database", error.message)
    return f"! {message}" if message.endswith((".", "!", "?")) else f"! {message}."


def _with_token(message: str, token: str | None) -> str:
    return f"{message} {token}" if token and token not in message else message


def _lines(error: Diagnostic) -> Iterator[str]:
    if error.context and error.context[0].startswith("Runaway "):
        yield error.context[0]
        # The text under `Runaway argument?` is set apart by TeX's own brace or macro, never by a context's arrow.
        if len(error.context) > 1 and not error.context[1].startswith("<"):
            yield error.context[1]
    message = _message(error)
    yield message if error.token and error.token in error.before else _with_token(message, error.token)
    if error.line is not None:
        rest = error.before if error.tool == "tex" else f"of file {error.file}" if error.file else ""
        yield f"l.{error.line} {rest}".rstrip()
    if reason := error.detail.get("reason"):
        yield f"*** ({reason})"
