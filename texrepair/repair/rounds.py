"""The rounds: a model is asked, what it returns is guarded and verified, and code alone decides whether to go on.

They run on the generic loop (loop.py). Its state is an attempt, its verdict is how things stand after it: the best
draft so far, and what the next round has to be told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from texrepair import loop
from texrepair.diagnosis import excerpt, fingerprint
from texrepair.errors import ContextTooSmall, ModelError, ModelReplyInvalid
from texrepair.models.base import Model, Request, estimated_tokens
from texrepair.project import Draft
from texrepair.repair.asking import Answered, ask
from texrepair.repair.part import LIMIT
from texrepair.repair.prompt import Failure, Form, Prompt, composed
from texrepair.repair.spend import Purse
from texrepair.result import Check, CompileResult, Fix, Round, Status, Usage
from texrepair.settings import Settings

SHORT = 6_000
"""Characters of a file that are shown to a model whose context does not hold more: some 2,000 tokens."""


class Verified(Protocol):
    """What verification says of a draft; mending's own result is one."""

    @property
    def draft(self) -> Draft: ...
    @property
    def result(self) -> CompileResult: ...
    @property
    def engine(self) -> str: ...
    @property
    def fixes(self) -> tuple[Fix, ...]: ...
    @property
    def checks(self) -> tuple[Check, ...]: ...


class Judgement(Protocol):
    """What the guard says of an edit."""

    @property
    def accepted(self) -> bool: ...
    @property
    def reason(self) -> str: ...


class Better(Protocol):
    """Whether `new` got further than `old`."""

    def __call__(self, new: CompileResult, old: CompileResult, *, after: Draft, before: Draft, main: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Rounds:
    """What the rounds came to."""

    draft: Draft
    """The best draft: a round's where it is better than the one given, else that."""
    result: CompileResult
    engine: str
    status: Status
    reason: str
    """Why they ended, in a sentence."""
    gate: str | None
    """budget, no_progress or max_rounds; None where the document compiles or the model cannot be asked."""
    rounds: tuple[Round, ...] = ()
    fixes: tuple[Fix, ...] = ()
    """What rules did to the model's drafts; not kept where the draft was not."""
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class _Standing:
    """How things stand after an attempt."""

    draft: Draft
    result: CompileResult
    engine: str
    purse: Purse
    fingerprint: str | None
    """Of the draft that the attempt brought; None where it brought none that could be compiled."""
    better: bool = False
    failure: Failure | None = None
    """What the next round is told of this attempt."""
    round: Round | None = None
    fixes: tuple[Fix, ...] = ()
    checks: tuple[Check, ...] = ()
    short: bool = False
    """The model's context does not hold the whole file: only the part that matters is shown."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What one call to the model brought."""

    before: _Standing
    number: int = 0
    """0: what was there before the first call."""
    draft: Draft | None = None
    outcome: Literal["", "refused by the guard", "unusable reply", "model error"] = ""
    """"" where there is a draft to verify."""
    reason: str = ""
    """Why there is none, or what the guard remarked."""
    missed: str = ""
    """Which blocks of the answer did not match, where others did."""
    purse: Purse | None = None
    usage: Usage = Usage()  # noqa: RUF009
    characters: int = 0
    short: bool = False


def run_rounds(
    draft: Draft,
    result: CompileResult,
    *,
    main: str,
    engine: str,
    model: Model,
    settings: Settings,
    verify: Callable[[Draft], Verified],
    guard: Callable[[Draft, Draft, str], Judgement],
    better: Better,
    sanitize: Callable[[Draft], Draft] = lambda draft: draft,
    deadline: float,
    clock: Callable[[], float] = time.monotonic,
) -> Rounds:
    """Asks the model until the document compiles or a gate is shut, at most `settings.rounds` times.

    `result` is what the last compile said of `draft`. An answer is put through `sanitize` and `guard` (against the best
    draft so far) and then `verify`, which compiles it, and may mend it. The gates are asked before each round: budget
    (the `deadline` on `clock`, tokens, money), no_progress, max_rounds. A model that cannot be reached ends the rounds
    without a gate. Raises SettingsError for a limit of cost without prices, and what the callables raise.
    """
    job = _Job(main, model, settings, verify, guard, better, sanitize, deadline, clock)
    mark = fingerprint(result.diagnostics)
    start = _Attempt(_Standing(draft, result, engine, Purse.of(settings), mark))
    gates: tuple[loop.Gate[_Attempt, _Standing], ...] = (
        loop.deadline(deadline, clock, "budget"),
        loop.Gate("budget", job.is_spent),
        loop.Gate("no_progress", _no_progress),
        loop.most_turns(settings.rounds + 1, "max_rounds"),
        loop.Gate("unreachable", lambda turns: turns[-1].state.outcome == "model error"),
    )
    ended = loop.run(start, verify=job.verified, passed=lambda s: s.result.ok, revise=job.revised, gates=gates)
    return _summed(ended, job)


@dataclass(frozen=True, slots=True)
class _Job:
    main: str
    model: Model
    settings: Settings
    verify: Callable[[Draft], Verified]
    guard: Callable[[Draft, Draft, str], Judgement]
    better: Better
    sanitize: Callable[[Draft], Draft]
    deadline: float
    clock: Callable[[], float]

    def is_spent(self, turns: Sequence[loop.Turn[_Attempt, _Standing]]) -> bool:
        """Whether there are no tokens or no money for another round."""
        now = turns[-1].verdict
        if self.settings.max_total_tokens is None and self.settings.max_cost is None:
            return False
        prompt = self._prompt(now, len(turns), self.settings.max_tokens)
        return not now.purse.allows(estimated_tokens(prompt.system + prompt.text + prompt.coda))

    def revised(self, turns: Sequence[loop.Turn[_Attempt, _Standing]]) -> _Attempt:
        """One call to the model, and what it brought after sanitizers and guard."""
        now, number = turns[-1].verdict, len(turns)
        most = self.settings.max_tokens
        prompt = self._prompt(now, number, most)
        room = now.purse.room(estimated_tokens(prompt.system + prompt.text + prompt.coda))
        if room is not None and room < most:
            # What may still be spent can be too little for a whole file.
            most = room
            prompt = self._prompt(now, number, most)
        asked = _Attempt(now, number, purse=now.purse, characters=prompt.characters, short=now.short)
        try:
            try:
                answer = self._answered(prompt, most, now)
            except ContextTooSmall:
                brief = self._prompt(replace(now, short=True), number, most)
                if now.short or brief.characters >= prompt.characters:
                    raise
                asked = replace(asked, characters=brief.characters, short=True)
                answer = self._answered(brief, most, now)
        except ModelReplyInvalid as error:
            return replace(asked, outcome="unusable reply", reason=str(error))
        except ModelError as error:
            return replace(asked, outcome="model error", reason=str(error))
        asked = replace(asked, purse=answer.purse, usage=answer.usage, short=asked.short or answer.cut)
        if answer.draft is None:
            return replace(asked, outcome="unusable reply", reason=answer.problem)
        candidate = self.sanitize(answer.draft)
        judgement = self.guard(now.draft, candidate, self.main)
        if not judgement.accepted:
            return replace(asked, outcome="refused by the guard", reason=judgement.reason)
        return replace(asked, draft=candidate, reason=judgement.reason, missed=answer.problem)

    def verified(self, attempt: _Attempt) -> _Standing:
        """How things stand after an attempt: compiled, compared, and the better draft kept."""
        before = attempt.before
        if attempt.number == 0:
            return before
        done = Round(
            attempt.number,
            "no better",
            "\n".join(part for part in (attempt.reason, attempt.missed) if part),
            usage=attempt.usage,
            prompt_characters=attempt.characters,
        )
        after = replace(
            before,
            purse=attempt.purse or before.purse,
            fingerprint=None,
            better=False,
            fixes=(),
            checks=(),
            short=attempt.short,
        )
        if attempt.outcome:
            done = replace(done, outcome=attempt.outcome)
            return replace(after, round=done, failure=Failure(attempt.reason))
        assert attempt.draft is not None
        files = attempt.draft.changed_from(before.draft)
        if not files:
            mark = fingerprint(before.result.diagnostics)
            done = replace(done, reason="the answer changed nothing", fingerprint=mark)
            return replace(after, round=done, fingerprint=mark, failure=Failure(done.reason))
        found = self.verify(attempt.draft)
        mark = fingerprint(found.result.diagnostics)
        done = replace(done, fingerprint=mark, errors=len(found.result.errors), files=files)
        after = replace(after, fingerprint=mark, checks=found.checks)
        won = self.better(found.result, before.result, after=found.draft, before=before.draft, main=self.main)
        if not won:
            dropped = tuple(replace(f, kept=False, verdict="the model's draft was dropped") for f in found.fixes)
            failure = Failure(attempt.missed, excerpt(found.result.diagnostics))
            return replace(after, round=done, failure=failure, fixes=dropped)
        return replace(
            after,
            draft=found.draft,
            result=found.result,
            engine=found.engine,
            better=True,
            failure=Failure(attempt.missed, kept=True) if attempt.missed else None,
            round=replace(done, outcome="repaired" if found.result.ok else "better"),
            fixes=found.fixes,
        )

    def _answered(self, prompt: Prompt, most: int, now: _Standing) -> Answered:
        request = Request(prompt.system, prompt.text, prompt.coda, most, self.settings.temperature, self.deadline)
        return ask(self.model, request, prompt, now.draft, self.main, now.purse)

    def _prompt(self, now: _Standing, number: int, max_tokens: int) -> Prompt:
        mode = self.settings.edit_mode
        form: Form = ("diff" if number == 1 else "full") if mode == "auto" else mode
        return composed(
            now.draft,
            self.main,
            now.result,
            engine=now.engine,
            form=form,
            full_limit=0 if now.short else self.settings.full_limit,
            max_tokens=max_tokens,
            failure=now.failure,
            limit=SHORT if now.short else LIMIT,
        )


def _no_progress(turns: Sequence[loop.Turn[_Attempt, _Standing]]) -> bool:
    """Whether the last draft has the error of one before it, and is not better."""
    last = turns[-1].verdict
    if turns[-1].state.number == 0 or last.better or last.fingerprint is None:
        return False
    return any(turn.verdict.fingerprint == last.fingerprint for turn in turns[:-1])


def _summed(ended: loop.Ended[_Attempt, _Standing], job: _Job) -> Rounds:
    last = ended.turns[-1].verdict
    done = tuple(turn.verdict.round for turn in ended.turns if turn.verdict.round is not None)
    status, reason = _told(ended, done, job)
    return Rounds(
        last.draft,
        last.result,
        last.engine,
        status,
        reason,
        None if ended.gate == "unreachable" else ended.gate,
        done,
        tuple(fix for turn in ended.turns for fix in turn.verdict.fixes),
        tuple(check for turn in ended.turns for check in turn.verdict.checks),
    )


def _told(ended: loop.Ended[_Attempt, _Standing], done: tuple[Round, ...], job: _Job) -> tuple[Status, str]:
    """The status, and the sentence that says why."""
    last = ended.turns[-1].verdict
    still = fingerprint(last.result.diagnostics)
    if ended.gate is None:
        return Status.SUCCESS, f"The model repaired it in round {len(done)}." if done else Status.SUCCESS.sentence
    if ended.gate == "budget":
        what = "time budget" if job.clock() >= job.deadline else "tokens or the money for the model"
        return Status.TIMEOUT, f"The {what} ran out after {_rounds(done)}; what remains: {still}"
    if ended.gate == "no_progress":
        return Status.NO_PROGRESS, f"The same error came back after {_rounds(done)}: {last.fingerprint}"
    if ended.gate == "unreachable":
        return Status.ESCALATE, f"The model could not be asked: {done[-1].reason}"
    if any(turn.verdict.fingerprint is not None for turn in ended.turns[1:]):
        return Status.MAX_ROUNDS, f"After {_rounds(done)} with the model errors remain: {still}"
    if not done:
        return Status.ESCALATE, f"No round with the model is allowed; what remains: {still}"
    return Status.ESCALATE, f"No answer of the model could be used: {done[-1].reason}"


def _rounds(done: tuple[Round, ...]) -> str:
    return "1 round" if len(done) == 1 else f"{len(done)} rounds"
