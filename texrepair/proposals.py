"""What mending tries: proposals, alone or together, and what became of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from texrepair.better import Comparison
from texrepair.project import Draft
from texrepair.result import CompileResult, Diagnostic, Place
from texrepair.rules import Candidate, Edit, Rule

FAR = frozenset(
    {
        "missing-brace",
        "extra-brace",
        "runaway-argument",
        "environment-mismatch",
        "end-inside-group",
        "missing-end-document",
        "extra-right",
        "missing-delimiter",
        "use-does-not-match",
        "incomplete-conditional",
        "extra-or",
        "bad-math-environment",
        "missing-dollar",
        "wrong-mode",
        "missing-endcsname",
        "missing-cr",
        "emergency-stop",
        "interrupted",
    }
)
"""Codes of errors that TeX often reports far behind their cause: what stands between the edit and the report was read
astray, so that errors which appear there are not new."""

_PROGRAM = re.compile(r"^[ \t]*%[ \t]*!\s*T[eE]X[ \t]+(?:TS-)?program[ \t]*=[ \t]*\S+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rule's candidate for one diagnostic."""

    rule: Rule
    candidate: Candidate
    diagnostic: Diagnostic
    sought: Place | None = None
    """Where the cause was looked for, if not where the report says."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A draft that was tried, and how it compares with the one before."""

    draft: Draft
    result: CompileResult
    engine: str
    comparison: Comparison
    proposals: tuple[Proposal, ...]


def with_program(draft: Draft, main: str, engine: str) -> Draft:
    """The draft whose main file names the engine in its first line, as `% !TEX program`."""
    text = draft.text(main)
    line = f"% !TEX program = {engine}"
    found = _PROGRAM.search(text)
    if found and text.count("\n", 0, found.start()) < 20:
        return draft.replace(main, text[: found.start()] + line + text[found.end() :])
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    end = "\r\n" if "\r\n" in text else "\n"
    return draft.replace(main, mark + line + end + text[len(mark) :])


def apart(picks: Iterable[Proposal]) -> list[Proposal]:
    """The proposals whose edits do not touch those of an earlier one, and say something new."""
    taken: dict[str, list[Edit]] = {}
    rest = []
    for pick in picks:
        edits = [e for e in pick.candidate.edits if e not in taken.get(e.path, ())]
        if not edits or any(_touch(e, other) for e in edits for other in taken.get(e.path, ())):
            continue
        rest.append(pick)
        for edit in edits:
            taken.setdefault(edit.path, []).append(edit)
    return rest


def _touch(one: Edit, other: Edit) -> bool:
    if one.start == one.end and other.start == other.end:
        return False
    return one.start == other.start or (one.start < other.end and other.start < one.end)


def answered(proposal: Proposal) -> str:
    """The report that a proposal answers, in one line, and where its cause was looked for."""
    error, sought = proposal.diagnostic, proposal.sought
    token = f" {error.token}" if error.token and error.token not in error.message else ""
    place = f"{error.file}:{error.line}: " if error.file and error.line else ""
    cause = f"; cause looked for in {sought.file}:{sought.line}" if sought is not None else ""
    return f"{place}{error.message}{token}{cause}"
