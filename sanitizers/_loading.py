"""Edits of the calls that load packages and classes, shared by the rules about the preamble."""

from __future__ import annotations

import re

from texrepair.latex import Package, Source
from texrepair.rules import Edit


def split_options(options: str) -> list[str]:
    """The options of a bracket, without what is empty; commas in braces and brackets do not separate."""
    parts, depth, start = [], 0, 0
    for at, sign in enumerate(options):
        depth += (sign in "{[") - (sign in "}]")
        if sign == "," and depth == 0:
            parts.append(options[start:at])
            start = at + 1
    return [p.strip() for p in (*parts, options[start:]) if p.strip()]


def key_of(option: str) -> str:
    """What stands before the equals sign."""
    return option.partition("=")[0].strip()


def whole_line(source: Source, start: int, end: int) -> tuple[int, int]:
    """The same bounds, or those of whole lines, line end included, where nothing else stands on them."""
    text = source.text
    first, last = source.line(start), source.line(max(start, end - 1))
    begin, stop = source.line_span(first)[0], source.line_span(last)[1]
    tail = text[end:stop].strip()
    if text[begin:start].strip() or (tail and not tail.startswith("%")):
        return start, end
    if last < source.line_count:
        return begin, source.line_span(last + 1)[0]
    return begin, stop


def without(path: str, source: Source, load: Package) -> Edit:
    """The edit that no longer loads the package: its name goes, or the call where it names no other."""
    text = source.text
    together = [p for p in source.packages if p.start == load.start]
    if len(together) == 1:
        start, end = whole_line(source, load.start, load.end)
        return Edit(path, start, end, "")
    end = load.name_start + len(load.name)
    comma = re.compile(r"\s*,\s*").match(text, end)
    if comma:
        return Edit(path, load.name_start, comma.end(), "")
    before = re.compile(r",\s*$").search(text[load.start : load.name_start])
    return Edit(path, load.start + before.start() if before else load.name_start, end, "")


def with_options(path: str, source: Source, load: Package, options: str) -> Edit | None:
    """The edit that gives the call these options in place of those that it has; None where they are the same."""
    behind = load.start + 1 + len(load.command)
    bracket = source.text.find("[", behind, load.name_start)
    if bracket < 0:
        return Edit(path, behind, behind, f"[{options}]") if options else None
    close = bracket + 1 + len(load.options)
    if not source.text.startswith(load.options + "]", bracket + 1):
        start = source.text.find(load.options, bracket, load.name_start)
        if start < 0:
            return None
        close = start + len(load.options)
    if load.options == options:
        return None
    if not options and source.text.startswith("]", close):
        return Edit(path, bracket, close + 1, "")
    return Edit(path, bracket + 1, close, options)
