"""Mending: a search over the error rules' candidates, with the compiler as the judge.

Every independent error of a check yields candidates from the rules that answer its code, best first. The best ones of
all errors are tried together; if that does not help clearly, they are tried one by one. A candidate is kept when the
check that follows got further (`better`) and the guard accepts it, and is taken back otherwise. A candidate that helps
but brings new errors to light is kept only when no other candidate for the same error does better. A clean check is
followed by a compile; what only that finds (bibliography, later passes, the driver) is mended in the same way, with the
compile as the judge. No draft is tried twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from texrepair.better import Carry, Comparison, Order, compared, independent, interrupted, path_in, stage, stopped_early
from texrepair.diagnosis import fingerprint
from texrepair.guard import Verdict
from texrepair.latex import Source
from texrepair.latex.places import line_of
from texrepair.project import Draft
from texrepair.proposals import FAR, Proposal, Trial, answered, apart, with_program
from texrepair.reading import files_read
from texrepair.result import Check, CompileResult, Diagnostic, Fix, Place
from texrepair.rules import Case, Rule, applied, described
from texrepair.tracing import traced

PATIENCE = 10.0
"""Seconds that the check of a candidate may always take …"""
PATIENCE_FACTOR = 8.0
"""… and how many times as long as the longest check so far. An engine that hangs must not cost a whole pass's limit."""
UNKNOWN = 4.0
"""Seconds that a check is taken to need where the first one was interrupted."""
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


class Judge(Protocol):
    """What mending needs of a session."""

    def check(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult: ...

    def compile(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult: ...


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


class Exhausted(Exception):
    """The bound on checks or the deadline was reached; never leaves this module."""


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
    deadline: float | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Mended:
    """The draft mended as far as the rules can, starting from `result`, what its check (or compile) said.

    `deadline` is a time of `clock`. The engine is switched only where the caller did not name it, and then the switch
    is written into the main file as `% !TEX program`. The draft that comes back never stands worse than the one given.
    """
    search = _Search(
        draft=draft,
        result=result,
        main=main,
        session=session,
        rules=tuple(rule for rule in rules if not rule.static),
        guard=guard,
        engine=engine,
        engine_named=engine_named,
        assets=assets,
        values=values or {},
        checks_left=max_checks,
        deadline=deadline,
        clock=clock,
    )
    return search.run()


@dataclass
class _Search:
    draft: Draft
    result: CompileResult
    main: str
    session: Judge
    rules: tuple[Rule, ...]
    guard: Guard
    engine: str
    engine_named: bool
    assets: frozenset[str]
    values: Mapping[str, str]
    checks_left: int
    deadline: float | None
    clock: Callable[[], float]
    fixes: list[Fix] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    tried: set[tuple[str, str]] = field(default_factory=set)
    """Digest and engine of every draft that was judged."""
    refused: dict[tuple[object, ...], str] = field(default_factory=dict)
    """Candidates that were taken back, and the draft in which they were."""
    proposed: dict[int, list[Proposal]] = field(default_factory=dict)
    """What the rules propose for the errors of the current result, by identity."""
    shown: Draft | None = None
    """What the rules see of the current draft."""
    sources: dict[tuple[str, str], Source] = field(default_factory=dict)
    slowest: float = 0.0

    def run(self) -> Mended:
        self.tried.add((self.draft.digest, self.engine))
        self.result = traced(self.result, self.draft, self.main)
        # How long a run that hung had yet to go is unknown.
        self.slowest = min(self.result.seconds, UNKNOWN) if interrupted(self.result) else self.result.seconds
        compiled = self.result.pdf is not None or stage(self.result) in (1, 2, 3)
        first = (self.draft, self.result, self.engine)
        kept = False
        try:
            while True:
                if not self.result.errors:
                    if compiled:
                        break
                    self.result = self._compiled()
                    self._forget()
                    compiled = True
                    if not kept:
                        first = (self.draft, self.result, self.engine)
                    if not self.result.errors:
                        break
                if not self._step(compiled):
                    break
                kept = True
        except Exhausted:
            pass
        if kept and not compared(self.result, first[1], after=self.draft, before=first[0], main=self.main).better:
            self.draft, self.result, self.engine = first
        return Mended(self.draft, self.result, self.engine, tuple(self.fixes), tuple(self.checks))

    def _compiled(self) -> CompileResult:
        result = self.session.compile(self.draft, self.engine, deadline=self.deadline)
        return self._note(traced(result, self.draft, self.main), self.draft)

    def _step(self, compiled: bool) -> bool:
        """Keep one candidate or several together; False where nothing helps."""
        errors = (independent(self.result) or self.result.errors)[:WIDEST]
        for together, alone in ((SURE, LIKELY), (0.0, 0.0)):
            if self._together(errors, compiled, together):
                return True
            if any(self._alone(error, compiled, alone) for error in errors):
                return True
        # What was taken back in an earlier draft may help in this one.
        return any(self._alone(error, compiled, 0.0, again=True) for error in errors)

    def _together(self, errors: tuple[Diagnostic, ...], compiled: bool, least: float) -> bool:
        picks: list[Proposal] = []
        for error in errors:
            best = next(self._fresh_proposals(error, least), None)
            if error.code in FAR and error.code != "missing-dollar" and best is not None:
                break
            if best is not None and best.candidate.engine is None:
                picks.append(best)
        for _ in range(3):
            picks = apart(picks)
            if len(picks) < 2:
                return False
            trial = self._try(picks, compiled)
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
        order, carry = Order(trial.draft, self.main), Carry(self.draft, trial.draft)
        gone = {id(d) for d in trial.comparison.gone}
        rest = [(order.line_key(p.diagnostic, carry), p) for p in trial.proposals if id(p.diagnostic) in gone]
        for error in trial.comparison.fresh:
            place = order.key(error)
            before = [key for key, _ in rest if key <= place]
            if before:
                rest = [(key, p) for key, p in rest if key != max(before)]
        return [p for _, p in rest]

    def _alone(self, error: Diagnostic, compiled: bool, least: float, again: bool = False) -> bool:
        held: Trial | None = None
        left = MOST
        for proposal in self._proposals(error) if again else self._fresh_proposals(error, least):
            if left <= 0:
                break
            if held is not None:
                certain = max(p.candidate.certainty for p in held.proposals)
                if proposal.candidate.certainty <= certain - WITHIN:
                    break
            try:
                trial = self._try([proposal], compiled)
            except Exhausted:
                if held is None:
                    raise
                break
            if trial is None:
                continue
            left -= 1
            if trial.comparison.clear and any(d is error for d in trial.comparison.gone):
                if held is not None:
                    self._take_back(held, "another candidate did better", remember=False)
                self._keep(trial)
                return True
            if not trial.comparison.better:
                self._take_back(trial)
            elif held is None:
                held, left = trial, min(left, FEWEST)
            else:
                loser, held = (held, trial) if self._outdoes(trial, held) else (trial, held)
                self._take_back(loser, "another candidate did better", remember=False)
        if held is not None:
            self._keep(held)
        return held is not None

    def _outdoes(self, trial: Trial, held: Trial) -> bool:
        """Whether one of two candidates for the same error helps more. What stops the run early hides what follows."""
        if stopped_early(trial.result) != stopped_early(held.result):
            return stopped_early(held.result)
        return compared(trial.result, held.result, after=trial.draft, before=held.draft, main=self.main).better

    def _fresh_proposals(self, error: Diagnostic, least: float) -> Iterator[Proposal]:
        return (
            p for p in self._proposals(error) if p.candidate.certainty >= least and self._name(p) not in self.refused
        )

    def _proposals(self, error: Diagnostic) -> Iterator[Proposal]:
        """What the rules propose for an error, best first, without what this very draft has refused."""
        if id(error) not in self.proposed:
            self.proposed[id(error)] = self._asked(error)
        return (p for p in self.proposed[id(error)] if self.refused.get(self._name(p)) != self.draft.digest)

    def _asked(self, error: Diagnostic) -> list[Proposal]:
        path = self._path(error)
        if path is None:
            return []
        shown = self._shown()
        case = Case(
            draft=shown,
            main=self.main,
            path=path,
            diagnostic=error,
            engine=self.engine,
            assets=self.assets.union(p for p in self.draft if p not in shown),
            values=self.values,
            sources=self.sources,
        )
        answering = [rule for rule in self.rules if rule.answers is not None and error.code in rule.answers]
        found: list[Proposal] = []
        for rule in answering:
            # In a very large document a rule takes its time, and the budget covers that too.
            if self.deadline is not None and self.clock() >= self.deadline:
                raise Exhausted
            found += (Proposal(rule, c, error) for c in rule.fix(case))
        found.sort(key=lambda p: (-p.candidate.certainty, p.rule.id))
        return [p for p in found if p.candidate.engine in (None, *self._other_engines())]

    def _shown(self) -> Draft:
        """The draft without the files that the document does not read: rules leave those alone."""
        if self.shown is not None:
            return self.shown
        case = Case(self.draft, self.main, self.main, engine=self.engine, sources=self.sources)
        read = {*files_read(case), *(path for d in self.result.errors if (path := self._path(d)) is not None)}
        self.shown = Draft({p: t for p, t in self.draft.texts.items() if p in read}, self.draft.encodings)
        return self.shown

    def _other_engines(self) -> tuple[str, ...]:
        """The engines that may be tried in place of this one."""
        return () if self.engine_named else tuple(e for e in ("xelatex", "pdflatex", "lualatex") if e != self.engine)

    def _path(self, error: Diagnostic) -> str | None:
        for place in (error.origin, Place(error.file, error.line) if error.file else None):
            path = path_in(self.draft, place.file, self.main) if place else None
            if path is not None:
                return path
        return self.main if self.main in self.draft else None

    def _name(self, proposal: Proposal) -> tuple[object, ...]:
        """What makes a candidate for an error the same one in a later draft, where its offsets have shifted.

        What did not help against one kind of error may be the best answer to another.
        """
        edits = []
        for edit in proposal.candidate.edits:
            text = self.draft.text(edit.path) if edit.path in self.draft else ""
            edits.append((edit.path, text[max(0, edit.start - 16) : edit.end + 16], edit.end - edit.start, edit.text))
        error = proposal.diagnostic
        return (proposal.rule.id, proposal.candidate.engine, error.code, error.token, *edits)

    def _try(self, picks: list[Proposal], compiled: bool) -> Trial | None:
        """Apply and judge; None where there is nothing to judge, or the guard refuses."""
        engine = next((p.candidate.engine for p in picks if p.candidate.engine is not None), self.engine)
        edits = dict.fromkeys(edit for pick in picks for edit in pick.candidate.edits)
        draft = applied(self.draft, edits)
        if engine != self.engine:
            draft = with_program(draft, self.main, engine)
        if (draft.digest, engine) in self.tried:
            return None
        self.tried.add((draft.digest, engine))
        verdict = self.guard(self.draft, draft, self.main)
        if not verdict.accepted:
            for pick in picks if len(picks) == 1 else ():
                self._record(pick, False, f"the guard refused: {verdict.reason}")
                self.refused[self._name(pick)] = self.draft.digest
            return None
        result = self._judged(draft, engine, compiled)
        old = self._with_causes(picks)
        comparison = compared(result, old, after=draft, before=self.draft, main=self.main)
        return Trial(draft, result, engine, self._back(comparison, old), tuple(picks))

    def _judged(self, draft: Draft, engine: str, compiled: bool) -> CompileResult:
        now = self.clock()
        if self.checks_left <= 0 or (self.deadline is not None and now >= self.deadline):
            raise Exhausted
        self.checks_left -= 1
        patience = now + max(PATIENCE, PATIENCE_FACTOR * self.slowest)
        until = patience if self.deadline is None else min(patience, self.deadline)
        ask = self.session.compile if compiled else self.session.check
        result = traced(ask(draft, engine, deadline=until), draft, self.main)
        if not stopped_early(result):
            self.slowest = max(self.slowest, result.seconds)
        return self._note(result, draft)

    def _note(self, result: CompileResult, draft: Draft) -> CompileResult:
        self.checks.append(
            Check(
                stage="mend",
                draft=draft.digest[:12],
                ok=result.ok,
                errors=len(result.errors),
                fingerprint=fingerprint(result.diagnostics),
                seconds=result.seconds,
            )
        )
        return result

    def _with_causes(self, picks: list[Proposal]) -> CompileResult:
        """The current result, in which an error that is reported far from its cause stands where it is mended."""
        order = Order(self.draft, self.main)
        causes: dict[int, Diagnostic] = {}
        for pick in picks:
            error = pick.diagnostic
            if error.code not in FAR:
                continue
            edits = [e for e in pick.candidate.edits if e.path in self.draft]
            if not edits:
                continue
            first = min(edits, key=lambda e: order.at(e.path, e.start))
            if order.at(first.path, first.start) < order.key(error):
                line = line_of(self.draft.text(first.path), first.start)
                causes[id(error)] = replace(error, origin=Place(first.path, line))
        if not causes:
            return self.result
        return replace(self.result, diagnostics=tuple(causes.get(id(d), d) for d in self.result.diagnostics))

    def _back(self, comparison: Comparison, old: CompileResult) -> Comparison:
        """The comparison in terms of the diagnostics as they were reported."""
        reported = {id(shown): own for shown, own in zip(old.diagnostics, self.result.diagnostics, strict=True)}
        return replace(comparison, gone=tuple(reported.get(id(d), d) for d in comparison.gone))

    def _keep(self, trial: Trial) -> None:
        for proposal in trial.proposals:
            self._record(proposal, True, trial.comparison.reason)
        self.draft, self.result, self.engine = trial.draft, trial.result, trial.engine
        self._forget()
        self.sources = {key: source for key, source in self.sources.items() if self.draft.texts.get(key[0]) == key[1]}

    def _forget(self) -> None:
        """Drop what was worked out for the result before this one."""
        self.proposed.clear()
        self.shown = None

    def _take_back(self, trial: Trial, why: str = "", remember: bool = True) -> None:
        for proposal in trial.proposals:
            reason = "; ".join(part for part in (why, trial.comparison.reason) if part)
            self._record(proposal, False, reason)
            if remember:
                self.refused[self._name(proposal)] = self.draft.digest

    def _record(self, proposal: Proposal, kept: bool, verdict: str) -> None:
        message = answered(proposal.diagnostic)
        candidate = proposal.candidate
        for fix in described(proposal.rule, self.draft, candidate.edits, candidate.why):
            self.fixes.append(replace(fix, kept=kept, stage="mend", answered=message, verdict=verdict))
