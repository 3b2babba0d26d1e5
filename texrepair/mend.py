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

from texrepair.better import independent, stage
from texrepair.candidates import Candidates, name
from texrepair.culprit import bisected, collected, suspects
from texrepair.judging import Bench, Exhausted, Judge
from texrepair.ledger import Ledger
from texrepair.needless import needless
from texrepair.project import Draft
from texrepair.proposals import FAR, Proposal, Trial, apart
from texrepair.result import Check, CompileResult, Diagnostic, Fix, Place
from texrepair.rules import Rule
from texrepair.steps import PLACEHOLDER, Choice, State, Step
from texrepair.trying import Guard, Trying, is_far

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
LEAST = 30
"""Checks that must be left for that: it takes a dozen, and what it finds is to be tried."""
BRANCHES = 3
"""How often the search goes back to another choice …"""
BRANCH_CHECKS = 30
"""… and the checks that it may then take."""

BEATEN = "another candidate did better"


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
    search = _Search(State(draft, result, engine, compiled), main, bench, candidates, Trying(bench, guard, main))
    end = search.run()
    return Mended(end.draft, search.result(end), end.engine, tuple(search.ledger.fixes), tuple(bench.checks))


@dataclass
class _Search:
    now: State
    main: str
    bench: Bench
    candidates: Candidates
    trying: Trying
    ledger: Ledger = field(default_factory=Ledger)
    choices: list[Choice] = field(default_factory=list)
    causes: list[tuple[Diagnostic, Place]] = field(default_factory=list)
    """Errors whose cause was found by bisection."""
    joint: set[tuple[str, str]] = field(default_factory=set)
    """Drafts, with engines, of several candidates that were taken back together."""
    sought: int = 0
    start: State = field(init=False)
    """Where it began; with what the compile said, where the first check is clean."""

    def run(self) -> State:
        self.start = self.now
        best = self._followed()
        for _ in range(BRANCHES):
            if best.result.ok or not self.choices or self.bench.late:
                break
            if self._went_back(self.choices.pop()):
                best = self.trying.further(self._followed(BRANCH_CHECKS), best)
        best = self.trying.further(best, self.start) if best.way else best
        self.ledger.close(best.way)
        if best.result.ok:
            best, dropped = needless(best, self.main, self.bench, self.trying.guard)
            for step, number in dropped:
                self.ledger.withdraw(step, number, "taken back at last: it compiles as well without it")
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
            draft, engine = self.trying.drafted(self.now, picks)
            if (draft.digest, engine) in self.joint:
                return False
            trial = self._try(picks)
            if trial is None:
                return False
            if trial.comparison.clear:
                self._keep(trial)
                return True
            rest = self.trying.blameless(self.now, trial)
            self._take_back(trial, "tried together with others")
            # When one of them has been kept, the last of the others makes this very draft: its turn has to come.
            self.joint.add((draft.digest, engine))
            self.bench.reopen(draft, engine)
            if len(rest) == len(picks):
                return False
            picks = rest
        return False

    def _alone(self, error: Diagnostic, proposals: Sequence[Proposal], left: int = MOST) -> bool:
        """Keep the first of the proposals that helps clearly, else the best of those that help."""
        better: list[Trial] = []
        rest = self._tried(error, proposals, left, better)
        if rest is None:
            return True
        if better and is_far(better[0].proposals[0]):
            # Before one is kept for want of a better one: perhaps the structure tells where the cause is.
            with suppress(Exhausted):
                found = suspects(self.candidates.case(*self._here), error)
                places = [place for place in found if not self.trying.treats(self.now, better[0], place)]
                aside = self.candidates.aside(error, places, *self._here)
                if self._tried(error, aside, MOST_ASIDE, better) is None:
                    return True
        return self._kept_best(error, better, rest)

    def _tried(
        self, error: Diagnostic, proposals: Sequence[Proposal], left: int, better: list[Trial], why: str = ""
    ) -> Sequence[Proposal] | None:
        """Try them one by one. None where one helped clearly and is kept; else those that had no turn.

        Those that help, but not clearly, join `better`, which is in order, best first.
        """
        least, failed = 0.0, False
        for at, proposal in enumerate(proposals):
            if left <= 0 or proposal.candidate.certainty <= least:
                return proposals[at:]
            try:
                # The first one is mostly right. From the second on, the next is checked beside it.
                trial = self._try([proposal], proposals[at + 1 :] if failed else ())
            except Exhausted:
                if not better:
                    raise
                return proposals[at:]
            if trial is None:
                continue
            left, failed = left - 1, True
            cured, held = _cures(trial, error), bool(better) and _cures(better[0], error)
            # One that cures, but leaves something wrong beside it, gives way only to one that leaves nothing new.
            if cured and not (trial.comparison.fresh if held else self.trying.amiss(self.now, trial)):
                for loser in better:
                    self._take_back(loser, BEATEN)
                self._keep(trial, why=why)
                return None
            if not trial.comparison.better:
                self._take_back(trial)
                continue
            rank = next((n for n, t in enumerate(better) if self.trying.outdoes(trial, t)), len(better))
            better.insert(max(rank, 1) if held else 0 if cured else rank, trial)
            left = min(left, FEWEST) if len(better) == 1 else left
            least = _certainty(better[0]) - WITHIN if not why else 0.0
        return ()

    def _kept_best(self, error: Diagnostic, better: Sequence[Trial], rest: Sequence[Proposal], why: str = "") -> bool:
        """Keep the first of those that help, provisionally; False where there is none."""
        if not better:
            return False
        for loser in better[1:]:
            self._take_back(loser, BEATEN)
        # A placeholder helps by hiding what is wrong; it is no rival of a repair.
        rest = tuple(p for p in rest if p.candidate.certainty >= PLACEHOLDER)
        choice = Choice(self.now, error, tuple(better[1:]), rest)
        self._keep(better[0], why=why, provisional=True)
        if choice.rivals or choice.rest:
            self.choices.append(choice)
        return True

    def _seek(self, error: Diagnostic) -> bool:
        """Keep what helps against an error where its cause is looked for elsewhere than in the place of the report."""
        if error.tool != "tex":
            return False
        better: list[Trial] = []
        with suppress(Exhausted):
            for places in self._places(error):
                if self._tried(error, self.candidates.aside(error, places, *self._here), MOST_ASIDE, better) is None:
                    return True
        return self._kept_best(error, better, ())

    def _places(self, error: Diagnostic) -> Iterator[tuple[Place, ...]]:
        """Where the structure is at fault; then what bisection finds."""
        case = self.candidates.case(*self._here)
        yield suspects(case, error)
        place = self._bisected(error)
        if place is not None:
            yield (place,)

    def _bisected(self, error: Diagnostic) -> Place | None:
        """The line without which a far-reported error goes away, if checks are left to find it."""
        far = error.code in FAR or error.line is None or collected(error.before) is not None
        if not far or self.now.compiled or self.sought >= SOUGHT or self.bench.checks_left < LEAST:
            return None
        self.sought += 1
        case = self.candidates.case(*self._here)
        place = bisected(case, error, self.now.result, self._checked_without)
        if place is not None:
            self.causes.append((error, place))
        return place

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

    def _try(self, picks: Sequence[Proposal], following: Sequence[Proposal] = ()) -> Trial | None:
        """Apply and judge; None where there is nothing to judge, or the guard refuses."""
        draft, engine = self.trying.drafted(self.now, picks)
        if not self.bench.first_time(draft, engine):
            return None
        verdict = self.trying.verdict(self.now, draft)
        if verdict.accepted:
            return self.trying.judged(self.now, picks, draft, engine, following)
        if len(picks) == 1:
            self._refuse(picks[0], f"the guard refused: {verdict.reason}")
        return None

    def _stand(self, state: State) -> None:
        """Go on from here; drop what was worked out for the state before."""
        self.now = state
        self.bench.forget()
        self.candidates.forget(state.draft)

    def _went_back(self, choice: Choice) -> bool:
        """Keep something else in place of what was kept in that state; False where there is nothing else."""
        self._stand(choice.state)
        better, why = list(choice.rivals), "in place of another choice"
        with suppress(Exhausted):
            rest = self._tried(choice.error, choice.rest, FEWEST, better, why)
            return rest is None or self._kept_best(choice.error, better, rest, why)
        return False

    def _keep(self, trial: Trial, *, provisional: bool = False, why: str = "") -> None:
        before, reason = self.now, "; ".join(part for part in (why, trial.comparison.reason) if part)
        records = tuple(self.ledger.note(before.draft, proposal, True, reason) for proposal in trial.proposals)
        switched = trial.engine != before.engine
        step = Step(before.draft, trial.draft, trial.proposals, records, switched, provisional)
        self.ledger.steps.append(step)
        self._stand(State(trial.draft, trial.result, trial.engine, before.compiled, (*before.way, step)))

    def _take_back(self, trial: Trial, why: str = "") -> None:
        """Note what did not help; with `why`, what may help another time."""
        reason = "; ".join(part for part in (why, trial.comparison.reason) if part)
        for proposal in trial.proposals:
            if why:
                self.ledger.note(self.now.draft, proposal, False, reason)
            else:
                self._refuse(proposal, reason)

    def _refuse(self, proposal: Proposal, reason: str) -> None:
        self.ledger.note(self.now.draft, proposal, False, reason)
        self.candidates.refused[name(proposal, self.now.draft)] = self.now.draft.digest


def _cures(trial: Trial, error: Diagnostic) -> bool:
    return trial.comparison.clear and any(d is error for d in trial.comparison.gone)


def _certainty(trial: Trial) -> float:
    return max(p.candidate.certainty for p in trial.proposals)
