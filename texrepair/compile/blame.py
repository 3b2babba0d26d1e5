"""Whether an error may come from generated files that no pass of the draft has written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence

from texrepair.compile.passes import EnginePass
from texrepair.result import Diagnostic

_USE = re.compile(
    r"\\[A-Za-z@]*(?:[rR]ef|[cC]ite|tableofcontents|listof)[A-Za-z@]*\*?(?:\s*\[[^\[\]]*\])*(?:\s*\{[^{}]*\})*[\]}\s]*\Z"
)
"""At the end of what TeX had read of a line: a command that prints what generated files hold."""

_USED = re.compile(r"\\(?!refstep)(?:[A-Za-z@]*(?:[rR]ef|[cC]ite)|NAT@)[A-Za-z@]* ")
"""At the start of a line of context: such a command."""

_OF_EXPANSION = frozenset({"runaway-argument", "missing-endcsname", "capacity-exceeded", "undefined-control-sequence"})
_LONGEST = 300


def files(done: EnginePass, names: Collection[str], outside: Callable[[str], str]) -> bool:
    """Whether an error stands in one of those files, or is about something that stands there.

    `names` are files that the pass found and no pass of the draft had written; `outside` turns a name into the user's
    path.
    """
    found = {name: data for name, data in done.before.items() if name in names}
    paths = {outside(name) for name in found}
    guessed = b"\n".join(found[name] for name in found.keys() & done.guessed)
    left = b"\n".join(found[name] for name in found.keys() - done.guessed)
    return any(
        error.file in paths or _named(error, left) or (_is_command(error) and _named(error, guessed))
        for error in done.diagnostics
        if error.is_error
    )


def guesses(done: EnginePass) -> bool:
    """Whether an error of the document's own files stands where what was guessed is used, or where pages end."""
    if not done.guessed & done.before.keys():
        return False
    own = (error for error in done.diagnostics if error.is_error and not (error.file or "").startswith("/"))
    errors = [error for error in own if not _typed(error)]
    return _at_ends_of_pages(errors) or any(
        _USE.search(error.before[-_LONGEST:]) is not None or any(map(_USED.match, error.context)) for error in errors
    )


def _at_ends_of_pages(errors: Sequence[Diagnostic]) -> bool:
    """Whether one is of what is written with the last page, or an unknown command in a macro comes again elsewhere.

    What is written with a page is expanded when the page ends; the macro may be the head of a page.
    """
    unknown = (error for error in errors if error.code == "undefined-control-sequence" and error.context)
    elsewhere = Counter((error.token, error.context) for error in unknown if not _called(error))
    return any(times > 1 for times in elsewhere.values()) or any(
        error.code in _OF_EXPANSION and error.before.endswith("\\end{document}") for error in errors
    )


def _called(error: Diagnostic) -> bool:
    """Whether the innermost macro of an error may stand in its line."""
    macro = error.context[0].partition(" ")[0]
    return not macro.startswith("\\") or macro in error.before + error.after


def _named(error: Diagnostic, text: bytes) -> bool:
    if not error.token:
        return False
    whole = rb"(?![A-Za-z@])" if error.token[-1].isalpha() else b""
    return re.search(re.escape(error.token.encode("utf-8", "surrogateescape")) + whole, text) is not None


def _is_command(error: Diagnostic) -> bool:
    """A guess holds names of environments and packages as well, but not for TeX to call them."""
    return error.token is not None and re.match(r"\\[A-Za-z@]", error.token) is not None


def _typed(error: Diagnostic) -> bool:
    """Whether it is about an unknown command that stands in the line itself."""
    if error.code != "undefined-control-sequence" or not error.token:
        return False
    return not error.context and error.before.endswith(error.token)
