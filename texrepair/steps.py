"""The way from one draft to another, step by step, and how one fix of it is undone in the draft at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from texrepair.project import Draft
from texrepair.proposals import Proposal, Trial
from texrepair.result import CompileResult, Diagnostic
from texrepair.rules import Edit

PLACEHOLDER = 0.3
"""Candidates that are less certain are placeholders (see rules.Candidate)."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Proposals that were kept together."""

    before: Draft
    after: Draft
    proposals: tuple[Proposal, ...]
    records: tuple[tuple[int, ...], ...]
    """For each proposal, where its fixes stand in the list of all fixes."""
    switched: bool = False
    """It chose another engine, which the main file names since."""
    provisional: bool = False
    """It was better but not clear: kept for want of a better one."""

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits that made `after`, each once, but for the line that names the engine."""
        return tuple(dict.fromkeys(edit for p in self.proposals for edit in p.candidate.edits))

    def doubtful(self, proposal: Proposal) -> bool:
        """Whether a later step may have made a proposal of this one needless."""
        return not self.switched and (self.provisional or proposal.candidate.certainty < PLACEHOLDER)


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Where a search stands."""

    draft: Draft
    result: CompileResult
    engine: str
    compiled: bool
    """Whether a compile judges, not a check: the first pass is clean."""
    way: tuple[Step, ...] = ()
    """How it came there."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A state in which a candidate was kept provisionally, and what may be kept in its place."""

    state: State
    error: Diagnostic
    """That it answers."""
    rivals: tuple[Trial, ...]
    """Others that helped, too, best first …"""
    rest: tuple[Proposal, ...]
    """… and those that were not tried any more."""


def undone(way: Sequence[Step], at: int, proposal: Proposal) -> tuple[Edit, ...] | None:
    """Edits of the last draft that undo a proposal of step `at`.

    None where a later step changed what it had changed, or the proposal made a file.
    """
    step = way[at]
    if any(later.switched for later in way[at:]):
        return None
    others = {e for p in step.proposals if p is not proposal for e in p.candidate.edits}
    found = []
    for edit in proposal.candidate.edits:
        twins = [e for e in step.edits if e != edit and (e.path, e.start) == (edit.path, edit.start)]
        if edit.path not in step.before or edit in others or twins:
            return None
        low = edit.start + sum(len(e.text) - (e.end - e.start) for e in step.edits if _before(e, edit))
        span = (low, low + len(edit.text))
        for later in way[at + 1 :]:
            carried = _carried(span, edit.path, later.edits)
            if carried is None:
                return None
            span = carried
        found.append(Edit(edit.path, *span, step.before.text(edit.path)[edit.start : edit.end]))
    return tuple(found)


def _before(one: Edit, other: Edit) -> bool:
    return one.path == other.path and (one.start, one.end) < (other.start, other.end)


def _carried(span: tuple[int, int], path: str, edits: Sequence[Edit]) -> tuple[int, int] | None:
    """Where a stretch is after some edits; None where they touch it."""
    low, high = span
    shift = 0
    for edit in edits:
        if edit.path != path or edit.start >= high > low or edit.start > high:
            continue
        if edit.end > low or (low == high and edit.start == low):
            return None
        shift += len(edit.text) - (edit.end - edit.start)
    return low + shift, high + shift
