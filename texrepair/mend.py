"""Mending: a search over the error rules' candidates, with the compiler as the judge.

Every independent error of a check yields candidates from the rules that answer its code, best first. The best ones of
all errors are tried together; if that does not help clearly, they are tried one by one. A candidate is kept when the
check that follows got further (`better`) and the guard accepts it, and is taken back otherwise. A candidate that helps
but brings new errors to light is kept only when no other candidate for the same error does better.

Where all of them fail, the cause is looked for elsewhere than in the place of the report: where the structure is at
fault, then by bisection. Where that fails too, the search goes back to the last candidate that was kept for want of a
clearly better one, and tries the next best in its place; the branch that got furthest is kept.

A clean check is followed by a compile; what only that finds (bibliography, later passes, the driver) is mended in the
same way, with the compile as the judge. At the end, doubtful candidates that later ones made needless are taken back.
No draft is tried twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from texrepair.better import Carry, Comparison, Order, compared, independent, path_in, stage, stopped_early
from texrepair.candidates import Candidates, name
from texrepair.culprit import bisected, collected, near, suspects
from texrepair.guard import Verdict
from texrepair.judging import Bench, Exhausted, Judge
from texrepair.latex.places import line_of
from texrepair.needless import needless
from texrepair.project import Draft
from texrepair.proposals import FAR, Proposal, Trial, answered, apart, with_program
from texrepair.result import Check, CompileResult, Diagnostic, Fix, Place
from texrepair.rules import Rule, applied, described
from texrepair.steps import Choice, State, Step

FEWEST = 6
"""Candidates that are still tried for an error after one that helped, but brought new errors …"""
WITHIN = 0.3
"""… as long as they are not less certain by so much: a placeholder must not win because it hides more."""
SURE = 0.7
"""Candidates of at least this certainty are tried together: hardly any of them answers a mere consequence."""
LIKELY = 0.5
"""Candidates of at least this certainty are repairs of a likely cause: they are tried before all others."""
WIDEST = 40
"""Errors that are looked at in one round: what follows them is mostly their consequence."""
MOST = 24
"""Candidates that are tried for one error of one draft."""
MOST_ASIDE = 12
"""Candidates that are tried for one error where its cause is looked for elsewhere."""
SOUGHT = 3
"""Errors whose cause is looked for by bisection."""
BRANCHES = 3
"""How often the search goes back to another choice …"""
BRANCH_CHECKS = 30
"""… and the checks that it may then take."""

BEATEN = "another candidate did better"

Guard = Callable[[Draft, Draft, str], Verdict]


@dataclass(frozen=True, slots=True)
class Mended:
    """What mending came to."""

    draft: Draft
    """The draft that got furthest."""
    result: CompileResult
    """What its last check or compile said; `result.ok` and `result.pdf` where it compiles."""
    engine: str
    fixes: tuple[Fix, ...] = ()
    """Every candidate that was tried, in order, kept or taken back."""
    checks: tuple[Check, ...] = ()


def mend(
    draft: Draft,
    result: CompileResult,
    *,
    main: str,
    session: Judge,
    rules: Iterable[Rule],
    guard: Guard,
    engine: str = "xelatex",
    engine_named: bool = False,
    assets: frozenset[str] = frozenset(),
    values: Mapping[str, str] | None = None,
    max_checks: int = 120,
    abreast: int = 1,
    deadline: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Mended:
    """The draft mended as far as the rules can, starting from `result`, what its check (or compile) said.

    `deadline` is a time of `clock`; `abreast` is the number of drafts that are checked at the same time, which changes
    nothing but the time that it takes. The engine is switched only where the caller did not name it, and then the
    switch is written into the main file as `% !TEX program`. The draft that comes back never stands worse than the one
    given.
    """
    bench = Bench(session, main, max_checks, deadline, clock, abreast)
    answering = tuple(rule for rule in rules if not rule.static)
    candidates = Candidates(answering, main, engine_named, assets, values or {}, bench)
    result = bench.began(draft, engine, result)
    compiled = result.pdf is not None or stage(result) in (1, 2, 3)
    search = _Search(State(draft, result, engine, compiled), main, guard, bench, candidates)
    end = search.run()
    return Mended(end.draft, search.result(end), end.engine, tuple(search.fixes), tuple(bench.checks))


@dataclass
class _Search:
    now: State
    main: str
    guard: Guard
    bench: Bench
    candidates: Candidates
    fixes: list[Fix] = field(default_factory=list)
    kept: list[Step] = field(default_factory=list)
    """Every step that was taken, on whatever branch."""
    choices: list[Choice] = field(default_factory=list)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    """The guard's, of drafts that follow this one, by digest."""
    causes: list[tuple[Diagnostic, Place]] = field(default_factory=list)
    """Errors whose cause was found by bisection."""
    sought: int = 0
    start: State = field(init=False)
    """Where it began; with what the compile said, where the first check is clean."""

    def run(self) -> State:
        self.start = self.now
        best = self._followed()
        for _ in range(BRANCHES):
            if best.result.ok or not self.choices or self.bench.late:
                break
            self._go_back(self.choices.pop())
            best = self._further(self._followed(BRANCH_CHECKS), best)
        best = self._further(best, self.start) if best.way else best
        for step in self.kept:
            if step not in best.way:
                for number in range(len(step.proposals)):
                    self._withdraw(step, number, "taken back at last: it led no further")
        if best.result.ok:
            best, dropped = needless(best, self.main, self.bench, self.guard)
            for step, number in dropped:
                self._withdraw(step, number, "taken back at last: it compiles as well without it")
        return best

    def result(self, end: State) -> CompileResult:
        """What was said of a state, with the causes that were found."""
        causes = {id(error): place for error, place in self.causes}
        found = tuple(replace(d, origin=causes.get(id(d), d.origin)) for d in end.result.diagnostics)
        return replace(end.result, diagnostics=found)

    def _followed(self, most: int | None = None) -> State:
        """The state in which nothing helps any more, or the checks are used up, of which `most` may be taken."""
        spare = 0 if most is None else max(0, self.bench.checks_left - most)
        self.bench.checks_left -= spare
        try:
            while self._moved():
                pass
        except Exhausted:
            pass
        self.bench.checks_left += spare
        return self.now

    def _moved(self) -> bool:
        if self.now.result.errors:
            return self._step()
        if self.now.compiled:
            return False
        result = self.bench.whole(self.now.draft, self.now.engine)
        self._stand(replace(self.now, result=result, compiled=True))
        if not self.now.way:
            self.start = self.now
        return bool(result.errors)

    def _step(self) -> bool:
        """Keep one candidate or several together; False where nothing helps."""
        errors = (independent(self.now.result) or self.now.result.errors)[:WIDEST]
        for together, alone in ((SURE, LIKELY), (0.0, 0.0)):
            if self._together(errors, together):
                return True
            if any(self._alone(error, self._fresh(error, alone)) for error in errors):
                return True
        # What was taken back in an earlier draft may help in this one.
        if any(self._alone(error, self.candidates.again(error, *self._here)) for error in errors):
            return True
        return self._seek(next((e for e in errors if e.code in FAR), errors[0]))

    def _together(self, errors: tuple[Diagnostic, ...], least: float) -> bool:
        picks: list[Proposal] = []
        for error in errors:
            best = next(iter(self._fresh(error, least)), None)
            if error.code in FAR and error.code != "missing-dollar" and best is not None:
                break
            if best is not None and best.candidate.engine is None:
                picks.append(best)
        for _ in range(3):
            picks = apart(picks)
            if len(picks) < 2:
                return False
            trial = self._try(picks)
            if trial is None:
                return False
            if trial.comparison.clear:
                self._keep(trial)
                return True
            rest = self._blameless(trial)
            self._take_back(trial, "tried together with others", remember=False)
            if len(rest) == len(picks):
                return False
            picks = rest
        return False

    def _blameless(self, trial: Trial) -> list[Proposal]:
        """The proposals whose error went away, without those that stand nearest before a new error."""
        order, carry = Order(trial.draft, self.main), Carry(self.now.draft, trial.draft)
        gone = {id(d) for d in trial.comparison.gone}
        rest = [(order.line_key(p.diagnostic, carry), p) for p in trial.proposals if id(p.diagnostic) in gone]
        for error in trial.comparison.fresh:
            place = order.key(error)
            before = [key for key, _ in rest if key <= place]
            if before:
                rest = [(key, p) for key, p in rest if key != max(before)]
        return [p for _, p in rest]

    def _alone(
        self,
        error: Diagnostic,
        proposals: Sequence[Proposal],
        left: int = MOST,
        rivals: Sequence[Trial] = (),
        why: str = "",
    ) -> bool:
        """Keep the first of the proposals that helps clearly, else the best of those that help, or of their rivals."""
        better, at = list(rivals), 0
        left = min(left, FEWEST) if better else left
        for at, proposal in enumerate(proposals):
            if left <= 0 or (better and not why and proposal.candidate.certainty <= _certainty(better[0]) - WITHIN):
                break
            try:
                trial = self._try([proposal], proposals[at + 1 :])
            except Exhausted:
                if not better:
                    raise
                break
            if trial is None:
                continue
            left -= 1
            if trial.comparison.clear and any(d is error for d in trial.comparison.gone) and not self._amiss(trial):
                for loser in better:
                    self._take_back(loser, BEATEN, remember=False)
                self._keep(trial, why=why)
                return True
            if not trial.comparison.better:
                self._take_back(trial)
                continue
            left = left if better else min(left, FEWEST)
            better.insert(next((n for n, t in enumerate(better) if self._outdoes(trial, t)), len(better)), trial)
        else:
            at = len(proposals)
        if not better:
            return False
        for loser in better[1:]:
            self._take_back(loser, BEATEN, remember=False)
        state, rest = self.now, tuple(proposals[at:])
        self._keep(better[0], why=why, provisional=True)
        if rest or better[1:]:
            self.choices.append(Choice(state, error, tuple(better[1:]), rest))
        return True

    def _amiss(self, trial: Trial) -> bool:
        """Whether a cure of a far-reported error left something wrong where it was made: another one may be right."""
        (proposal,) = trial.proposals
        if proposal.diagnostic.code not in FAR and proposal.sought is None:
            return False
        carry = Carry(self.now.draft, trial.draft)
        places = [(e.path, carry.offset(e.path, e.start)) for e in proposal.candidate.edits if e.path in self.now.draft]
        return any(
            near(trial.draft.text(path), at, error.line, error.before)
            for error in trial.comparison.fresh
            for path, at in places
            if path_in(trial.draft, error.file, self.main) == path and error.line is not None
        )

    def _outdoes(self, trial: Trial, held: Trial) -> bool:
        """Whether one of two candidates for the same error helps more. What stops the run early hides what follows."""
        if stopped_early(trial.result) != stopped_early(held.result):
            return stopped_early(held.result)
        return compared(trial.result, held.result, after=trial.draft, before=held.draft, main=self.main).better

    def _seek(self, error: Diagnostic) -> bool:
        """Keep what helps against an error where its cause is looked for elsewhere than in the place of the report."""
        for places in self._places(error) if error.tool == "tex" else ():
            proposals = self.candidates.aside(error, places, *self._here)
            if self._alone(error, proposals, MOST_ASIDE):
                return True
        return False

    def _places(self, error: Diagnostic) -> Iterator[tuple[Place, ...]]:
        case = self.candidates.case(*self._here)
        yield suspects(case, error)
        far = error.code in FAR or error.line is None or collected(error.before) is not None
        if not far or self.now.compiled or self.sought >= SOUGHT:
            return
        self.sought += 1
        place = bisected(case, error, self.now.result, self._checked_without)
        if place is not None:
            self.causes.append((error, place))
            yield (place,)

    def _checked_without(self, shown: Draft) -> CompileResult:
        """What a check says of the draft with the texts of `shown`."""
        draft = self.now.draft
        for path in shown.changed_from(draft):
            draft = draft.replace(path, shown.text(path))
        return self.bench.checked(draft, self.now.engine)

    @property
    def _here(self) -> tuple[Draft, CompileResult, str]:
        return self.now.draft, self.now.result, self.now.engine

    def _fresh(self, error: Diagnostic, least: float) -> list[Proposal]:
        return [p for p in self.candidates.fresh(error, *self._here) if p.candidate.certainty >= least]

    def _drafted(self, picks: list[Proposal]) -> tuple[Draft, str]:
        engine = next((p.candidate.engine for p in picks if p.candidate.engine is not None), self.now.engine)
        draft = applied(self.now.draft, dict.fromkeys(edit for pick in picks for edit in pick.candidate.edits))
        return (draft if engine == self.now.engine else with_program(draft, self.main, engine)), engine

    def _try(self, picks: list[Proposal], following: Sequence[Proposal] = ()) -> Trial | None:
        """Apply and judge; None where there is nothing to judge, or the guard refuses."""
        draft, engine = self._drafted(picks)
        if (draft.digest, engine) in self.bench.tried:
            return None
        self.bench.tried.add((draft.digest, engine))
        verdict = self._verdict(draft)
        if not verdict.accepted:
            for pick in picks if len(picks) == 1 else ():
                self._record(pick, False, f"the guard refused: {verdict.reason}")
                self.candidates.refused[name(pick, self.now.draft)] = self.now.draft.digest
            return None
        if self.now.compiled:
            result = self.bench.compiled(draft, engine)
        else:
            later = (self._drafted([pick]) for pick in following)
            result = self.bench.checked(draft, engine, (one for one in later if self._verdict(one[0]).accepted))
        old = self._with_causes(picks)
        comparison = compared(result, old, after=draft, before=self.now.draft, main=self.main)
        return Trial(draft, result, engine, self._back(comparison, old), tuple(picks))

    def _verdict(self, draft: Draft) -> Verdict:
        if draft.digest not in self.verdicts:
            self.verdicts[draft.digest] = self.guard(self.now.draft, draft, self.main)
        return self.verdicts[draft.digest]

    def _with_causes(self, picks: list[Proposal]) -> CompileResult:
        """The current result, in which an error that is reported far from its cause stands where it is mended."""
        draft, result = self.now.draft, self.now.result
        order = Order(draft, self.main)
        causes: dict[int, Diagnostic] = {}
        for pick in picks:
            error = pick.diagnostic
            if error.code not in FAR and pick.sought is None:
                continue
            edits = [e for e in pick.candidate.edits if e.path in draft]
            if not edits:
                continue
            first = min(edits, key=lambda e: order.at(e.path, e.start))
            if order.at(first.path, first.start) < order.key(error):
                line = line_of(draft.text(first.path), first.start)
                causes[id(error)] = replace(error, origin=Place(first.path, line))
        if not causes:
            return result
        return replace(result, diagnostics=tuple(causes.get(id(d), d) for d in result.diagnostics))

    def _back(self, comparison: Comparison, old: CompileResult) -> Comparison:
        """The comparison in terms of the diagnostics as they were reported."""
        reported = {id(shown): own for shown, own in zip(old.diagnostics, self.now.result.diagnostics, strict=True)}
        return replace(comparison, gone=tuple(reported.get(id(d), d) for d in comparison.gone))

    def _further(self, one: State, other: State) -> State:
        """The one of two states that got further; the second where neither did."""
        got = compared(one.result, other.result, after=one.draft, before=other.draft, main=self.main)
        return one if got.better else other

    def _stand(self, state: State) -> None:
        """Go on from here; drop what was worked out for the state before."""
        self.now = state
        self.bench.forget()
        self.candidates.forget(state.draft)
        self.verdicts.clear()

    def _go_back(self, choice: Choice) -> None:
        self._stand(choice.state)
        with suppress(Exhausted):
            self._alone(choice.error, choice.rest, FEWEST, choice.rivals, "in place of another choice")

    def _keep(self, trial: Trial, *, provisional: bool = False, why: str = "") -> None:
        reason = "; ".join(part for part in (why, trial.comparison.reason) if part)
        records = tuple(self._record(proposal, True, reason) for proposal in trial.proposals)
        before = self.now
        switched = trial.engine != before.engine
        step = Step(before.draft, trial.draft, trial.proposals, records, switched, provisional)
        self.kept.append(step)
        self._stand(State(trial.draft, trial.result, trial.engine, before.compiled, (*before.way, step)))

    def _take_back(self, trial: Trial, why: str = "", remember: bool = True) -> None:
        for proposal in trial.proposals:
            reason = "; ".join(part for part in (why, trial.comparison.reason) if part)
            self._record(proposal, False, reason)
            if remember:
                self.candidates.refused[name(proposal, self.now.draft)] = self.now.draft.digest

    def _record(self, proposal: Proposal, kept: bool, verdict: str) -> tuple[int, ...]:
        """Note what became of a proposal; where the notes stand."""
        message, began = answered(proposal), len(self.fixes)
        candidate = proposal.candidate
        for fix in described(proposal.rule, self.now.draft, candidate.edits, candidate.why):
            self.fixes.append(replace(fix, kept=kept, stage="mend", answered=message, verdict=verdict))
        return tuple(range(began, len(self.fixes)))

    def _withdraw(self, step: Step, number: int, why: str) -> None:
        """Note that a proposal that was kept is not in the end."""
        for at in step.records[number]:
            fix = self.fixes[at]
            self.fixes[at] = replace(fix, kept=False, verdict=f"{why}; before that: {fix.verdict}")


def _certainty(trial: Trial) -> float:
    return max(p.candidate.certainty for p in trial.proposals)
