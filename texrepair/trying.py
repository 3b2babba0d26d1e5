"""Trying proposals: guard and compiler judge the draft that they make, and it is compared with the one before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from texrepair.better import Carry, Comparison, Order, compared, interrupted, path_in, stopped_early
from texrepair.culprit import near
from texrepair.guard import Verdict
from texrepair.judging import Bench
from texrepair.latex.places import line_of
from texrepair.project import Draft
from texrepair.proposals import FAR, Proposal, Trial, with_program
from texrepair.result import CompileResult, Diagnostic, Place
from texrepair.rules import applied
from texrepair.steps import State

Guard = Callable[[Draft, Draft, str], Verdict]


@dataclass
class Trying:
    """Trials from one state after the other."""

    bench: Bench
    guard: Guard
    main: str
    _verdicts: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    """The guard's, by the digests of the two drafts."""

    def drafted(self, state: State, picks: Sequence[Proposal]) -> tuple[Draft, str]:
        """The draft that proposals make of a state's, and its engine."""
        engine = next((p.candidate.engine for p in picks if p.candidate.engine is not None), state.engine)
        draft = applied(state.draft, dict.fromkeys(edit for pick in picks for edit in pick.candidate.edits))
        return (draft if engine == state.engine else with_program(draft, self.main, engine)), engine

    def verdict(self, state: State, draft: Draft) -> Verdict:
        """What the guard says of a draft that follows a state's."""
        name = (state.draft.digest, draft.digest)
        if name not in self._verdicts:
            self._verdicts[name] = self.guard(state.draft, draft, self.main)
        return self._verdicts[name]

    def judged(
        self, state: State, picks: Sequence[Proposal], draft: Draft, engine: str, following: Sequence[Proposal]
    ) -> Trial:
        """The trial of a draft. Those of `following`, which come next, may be checked at the same time.

        Raises Exhausted.
        """
        if state.compiled:
            result = self.bench.compiled(draft, engine)
        else:
            later = (self.drafted(state, [pick]) for pick in following)
            accepted = (one for one in later if self.verdict(state, one[0]).accepted)
            result = self.bench.checked(draft, engine, accepted)
        before, after = state.result, result
        if interrupted(before) and interrupted(after):
            # How far two runs came that did not end is a matter of the clock.
            before, after = _without_interruption(before), _without_interruption(after)
        old = self._with_causes(replace(state, result=before), picks)
        comparison = compared(after, old, after=draft, before=state.draft, main=self.main)
        return Trial(draft, result, engine, _as_reported(comparison, old, before), tuple(picks))

    def amiss(self, state: State, trial: Trial) -> bool:
        """Whether a cure of a far-reported error left something wrong where it was made: another one may be right."""
        carry = Carry(state.draft, trial.draft)
        places = [
            (e.path, carry.offset(e.path, e.start))
            for p in trial.proposals
            for e in p.candidate.edits
            if is_far(p) and e.path in state.draft
        ]
        return any(
            near(trial.draft.text(path), at, error.line, error.before)
            for error in trial.comparison.fresh
            for path, at in places
            if error.line is not None and path_in(trial.draft, error.file, self.main) == path
        )

    def treats(self, state: State, trial: Trial, place: Place) -> bool:
        """Whether a trial already changes something in the paragraph of a place of the state's draft."""
        return any(
            edit.path == place.file and near(state.draft.text(edit.path), edit.start, place.line)
            for proposal in trial.proposals
            for edit in proposal.candidate.edits
            if edit.path in state.draft and place.line is not None
        )

    def outdoes(self, trial: Trial, held: Trial) -> bool:
        """Whether one of two candidates for the same error helps more. What stops the run early hides what follows."""
        if stopped_early(trial.result) != stopped_early(held.result):
            return stopped_early(held.result)
        return compared(trial.result, held.result, after=trial.draft, before=held.draft, main=self.main).better

    def further(self, one: State, other: State) -> State:
        """The one of two states that got further; the second where neither did."""
        got = compared(one.result, other.result, after=one.draft, before=other.draft, main=self.main)
        return one if got.better else other

    def blameless(self, state: State, trial: Trial) -> list[Proposal]:
        """The proposals whose error went away, without those that stand nearest before a new error."""
        order, carry = Order(trial.draft, self.main), Carry(state.draft, trial.draft)
        gone = {id(d) for d in trial.comparison.gone}
        rest = [(order.line_key(p.diagnostic, carry), p) for p in trial.proposals if id(p.diagnostic) in gone]
        for error in trial.comparison.fresh:
            place = order.key(error)
            before = [key for key, _ in rest if key <= place]
            if before:
                rest = [(key, p) for key, p in rest if key != max(before)]
        return [p for _, p in rest]

    def _with_causes(self, state: State, picks: Sequence[Proposal]) -> CompileResult:
        """The state's result, in which an error that is reported far from its cause stands where it is mended."""
        order = Order(state.draft, self.main)
        causes: dict[int, Diagnostic] = {}
        for pick in picks:
            error = pick.diagnostic
            edits = [e for e in pick.candidate.edits if is_far(pick) and e.path in state.draft]
            if not edits:
                continue
            first = min(edits, key=lambda e: order.at(e.path, e.start))
            if order.at(first.path, first.start) < order.key(error):
                line = line_of(state.draft.text(first.path), first.start)
                causes[id(error)] = replace(error, origin=Place(first.path, line))
        if not causes:
            return state.result
        return replace(state.result, diagnostics=tuple(causes.get(id(d), d) for d in state.result.diagnostics))


def is_far(proposal: Proposal) -> bool:
    """Whether it cures something that was not, or perhaps not, reported where it stands."""
    return proposal.diagnostic.code in FAR or proposal.sought is not None


def _without_interruption(result: CompileResult) -> CompileResult:
    return replace(result, diagnostics=tuple(d for d in result.diagnostics if d.code != "interrupted"))


def _as_reported(comparison: Comparison, old: CompileResult, reported: CompileResult) -> Comparison:
    """The comparison in terms of the diagnostics as they were reported."""
    own = {id(shown): d for shown, d in zip(old.diagnostics, reported.diagnostics, strict=True)}
    return replace(comparison, gone=tuple(own.get(id(d), d) for d in comparison.gone))
