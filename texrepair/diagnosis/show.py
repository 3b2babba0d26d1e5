"""A diagnostic for a person: `file:line:column: error: …`, the form that editors parse, and the lines it is about."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping

from texrepair.result import Diagnostic, Place
from texrepair.visible import visible

Style = Callable[[str, str], str]
"""Gives a piece of text its colour: the piece's role (`place`, `error`, `warning`, `note`, `source`, `marker`), then
the text."""

_AROUND = 1
"""Lines shown before and behind the one that matters."""
_WIDE = 160
"""Columns of a source line that are shown."""


def lines(
    diagnostics: Iterable[Diagnostic],
    texts: Mapping[str, str],
    *,
    answers: Mapping[str, Iterable[str]] | None = None,
    style: Style = lambda role, text: text,
) -> Iterator[str]:
    """The diagnostics as lines of text, errors first. Control characters are made visible.

    `texts` are the sources by path, `answers` the ids of the rules that answer a code.
    """
    every = list(diagnostics)
    for one in every:
        if one.is_error:
            yield from shown(one, texts, answers=tuple((answers or {}).get(one.code, ())), style=style)
    for one in every:
        if not one.is_error:
            yield _headline(one, texts, style)


def shown(
    one: Diagnostic, texts: Mapping[str, str], *, answers: tuple[str, ...] = (), style: Style = lambda role, text: text
) -> Iterator[str]:
    """One error: its headline, a few source lines with a marker under the token, where the cause is, what it means."""
    yield _headline(one, texts, style)
    if not one.independent:
        yield style("note", "    This follows from an error before it.")
        return
    yield from _source(one, texts, style)
    if one.origin is not None and one.origin != Place(one.file or "", one.line):
        place = f"{one.origin.file}:{one.origin.line}" if one.origin.line else one.origin.file
        yield f"{style('place', visible(place) + ':')} {style('note', 'note: the cause is probably here')}"
    if one.explanation:
        yield style("note", f"    {one.explanation}")
    if answers:
        yield style("note", f"    Rules that answer it: {', '.join(answers)}")


def column(one: Diagnostic, texts: Mapping[str, str]) -> int:
    """The 1-based column of the token, or of the place where the program stopped; 1 where nothing tells it."""
    return _span(one, texts)[0] + 1


def _headline(one: Diagnostic, texts: Mapping[str, str], style: Style) -> str:
    place = one.file or one.tool
    if one.line is not None:
        place += f":{one.line}"
        if one.is_error:
            place += f":{column(one, texts)}"
    role = "error" if one.is_error else "warning"
    return f"{style('place', visible(place) + ':')} {style(role, role + ':')} {visible(one.headline)}"


def _line(one: Diagnostic, texts: Mapping[str, str], number: int) -> str | None:
    text = texts.get(one.file or "")
    if text is None or number < 1:
        return None
    found = text.split("\n", number)
    return found[number - 1].rstrip("\r") if len(found) >= number else None


def _span(one: Diagnostic, texts: Mapping[str, str]) -> tuple[int, int]:
    """Start and end (0-based, end exclusive) of the token in its line, or the place where the program stopped."""
    line = _line(one, texts, one.line) if one.line is not None else None
    before = one.before
    if line is not None and before.startswith("..."):
        # TeX shows the end of what it had read; the rest of the line tells where that is.
        tail = before[3:]
        at = line.find(tail)
        before = line[: at + len(tail)] if at >= 0 else ""
    end = len(before)
    if line is not None:
        if before and not line.startswith(before):
            # TeX prints a blank behind a command's name, and ^^ forms of some characters.
            at = line.find(one.token) if one.token else -1
            end = at + len(one.token or "") if at >= 0 else min(end, len(line))
        elif not before and one.token and one.token in line:
            end = line.find(one.token) + len(one.token)
    token = one.token or ""
    if token and line is not None and not line[:end].endswith(token):
        # The error came up in an argument that TeX had read whole.
        at = line.rfind(token, 0, end)
        at = at if at >= 0 else line.find(token)
        end = at + len(token) if at >= 0 else end
    start = end - len(token) if token and (line or before)[:end].endswith(token) else max(end - 1, 0)
    return max(start, 0), max(end, start + 1)


def _source(one: Diagnostic, texts: Mapping[str, str], style: Style) -> Iterator[str]:
    if one.line is None or _line(one, texts, one.line) is None:
        return
    width = len(str(one.line + _AROUND))
    start, end = _span(one, texts)
    for number in range(one.line - _AROUND, one.line + _AROUND + 1):
        text = _line(one, texts, number)
        if text is None:
            continue
        # Long lines are cut so that the place stays in view.
        left = max(0, start - _WIDE // 2) if number == one.line and end > _WIDE else 0
        piece = text[left : left + _WIDE]
        dots = "…" if left else ""
        tail = "…" if len(text) > left + _WIDE else ""
        yield style("source", f"  {number:>{width}} | {dots}{_plain(piece)}{tail}")
        if number == one.line:
            inset = _columns(dots + _plain(text[left:start]))
            marks = max(1, _columns(_plain(text[start:end])))
            yield style("marker", f"  {' ' * width} | {' ' * inset}{'^' * marks}")


def _plain(text: str) -> str:
    return visible(text.replace("\t", "    "))


def _columns(text: str) -> int:
    """The columns that a text takes on a terminal."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
