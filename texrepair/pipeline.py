"""The path of a build, from top to bottom.

    load ─▶ sanitize ─▶ check ─▶ mend ─▶ rounds ─▶ deliver

A frozen Job passes through the stages; each returns a new one. A job whose status is set is done: the rest is skipped.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from texrepair import earlier
from texrepair.deliver import check_places, deliver, diff
from texrepair.hangs import PATIENCE, STUCK, Watchdog
from texrepair.project import Draft, Project
from texrepair.result import BuildResult, Check, CompileResult, Fix, Round, Status, Step
from texrepair.settings import Settings, read_settings

if TYPE_CHECKING:
    from texrepair.compile.session import Pending, Session
    from texrepair.guard import Verdict
    from texrepair.mend import Mended
    from texrepair.models.base import Model
    from texrepair.relay import Relay
    from texrepair.rules import Rule

Clock = Callable[[], float]
Guard = Callable[[Draft, Draft, str], "Verdict"]


def build(
    source: str | Path,
    *,
    model: str | Callable[[str], str] | Model | None = None,
    output: str | Path | None = None,
    apart: bool = False,
    in_place: bool = False,
    settings: Settings | None = None,
    cores: int | None = None,
    on_step: Callable[[Step], None] | None = None,
    clock: Clock = time.monotonic,
    relay: Relay | None = None,
    **overrides: object,
) -> BuildResult:
    """Repair the project in a .tex file, a folder, a .zip or `-` (standard input) until it compiles; write the results.

    `model` is PROVIDER:NAME, a function from prompt to reply, or anything with `name` and `reply`; None takes the
    setting. Further keywords are settings by name (engine="lualatex", budget=60). Results go where the command line
    puts them: into `output` (with `apart`, all but the PDF into NAME.texrepair in there), else the PDF beside the input
    and all else into NAME.texrepair. `on_step` hears of every stage when it ends. `cores` is the number of programs
    that may run side by side; None: one for each core. `clock` gives seconds, like time.monotonic.
    `relay` hands sessions on to later builds.

    A document that does not compile is not an error: see the result's status. Raises TexrepairError where the input is
    no project, a setting is wrong, or a sandbox or an engine is missing.
    """
    began = clock()
    settings = read_settings(**overrides) if settings is None else settings.but(**overrides)
    asked = model if model is not None else settings.model
    output = Path(output) if output is not None else None
    project = Project.load(source, settings=settings, output=output)
    check_places(project, output, in_place)
    steps = [_step("load", began, clock, on_step)]
    memory = earlier.opened(project, settings)
    found = None if memory is None else memory.recall()
    if found is not None:
        steps.append(_step("recall", began, clock, on_step))
        with found.laid() as pdf:
            result = replace(found.result, pdf=pdf, steps=tuple(steps), seconds=clock() - began, cached=True)
            return deliver(result, project, settings, output=output, apart=apart, in_place=in_place)

    adviser = None if asked is None else _model(asked, settings, clock)
    from texrepair.relay import Relay

    first = memory is None or memory.cache.empty
    start = None if memory is None else memory.generated.left()
    code = None if memory is None else memory.generated.code
    relay = Relay() if relay is None else relay
    with relay.session(code, project, settings, cores, start) as session:
        session.expect(project.draft)  # an engine reads the preamble while the rules are loaded and applied
        from texrepair.guard import guard

        tools = Tools(settings, session, partial(guard, assets=project.assets), adviser, began + settings.budget, clock)
        job = Job(project, project.draft, project.draft, project.engine)
        for name, stage in STAGES:
            at = clock()
            job = stage(job, tools)
            steps.append(_step(name, at, clock, on_step))
            if job.status is not None:
                break
        result = _summed(job, tools, tuple(steps), clock() - began)
        compiled = job.result or CompileResult(ok=False)
        made = result.pdf.read_bytes() if result.pdf else None
        # A large PDF would lie in the session's folder, in ours and in the user's at once.
        if relay.followed and code is not None and result.ok and not result.rounds:
            session.rest(job.unmended, job.engine)
        else:
            session.release()
        delivered = deliver(
            result,
            project,
            settings,
            log=compiled.log,
            generated=compiled.generated,
            output=output,
            apart=apart,
            in_place=in_place,
        )
    if memory is not None and made is not None:
        memory.remember(result, made, session.installed)
        if session.left is not None:
            memory.generated.leave(session.left, session.read, asked=bool(result.rounds))
        if not first:  # it pays from the second document on
            session.keep_format(result.engine)
    return delivered


async def abuild(source: str | Path, **given: object) -> BuildResult:
    """`build` in a thread of its own, for callers that run an event loop. Takes and raises the same."""
    import asyncio

    return await asyncio.to_thread(partial(build, source, **given))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Tools:
    """What a build works with, chosen once at its start."""

    settings: Settings
    session: Session
    guard: Guard
    model: Model | None
    deadline: float
    """On the clock's scale, seconds."""
    clock: Clock

    @cached_property
    def static(self) -> tuple[Rule, ...]:
        """The static rules. Raises SettingsError for an id in the settings that no rule has."""
        return self._loaded(static=True)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """All rules."""
        return self._loaded(static=False)

    @cached_property
    def watchdog(self) -> Watchdog:
        """What tells a document that hangs from one that is slow."""
        return Watchdog(self.session, self.settings.pass_seconds, self.deadline, self.clock)

    def _loaded(self, static: bool) -> tuple[Rule, ...]:
        from texrepair.rules import loaded

        return loaded(self.settings.rules, self.settings.only, self.settings.disable, static=static)


@dataclass(frozen=True)
class Job:
    """A project on its way. The draft is always the best verified one so far."""

    project: Project
    draft: Draft
    unmended: Draft
    """The draft as the static rules left it."""
    engine: str
    result: CompileResult | None = None
    fixes: tuple[Fix, ...] = ()
    checks: tuple[Check, ...] = ()
    rounds: tuple[Round, ...] = ()
    gate: str | None = None
    status: Status | None = None
    reason: str = ""

    @property
    def main(self) -> str:
        return self.project.main

    @property
    def assets(self) -> frozenset[str]:
        return frozenset(self.project.assets)


Stage = Callable[[Job, Tools], Job]


def sanitizing(job: Job, tools: Tools) -> Job:
    """The static rules: cures for what is certainly damage, before anything runs."""
    from texrepair.encoding import readable
    from texrepair.sanitize import sanitize

    draft, recoded = readable(job.draft, job.engine)
    job = replace(job, draft=draft, fixes=job.fixes + recoded)
    draft, fixes = sanitize(
        job.draft, job.main, job.engine, job.assets, tools.static, tools.settings.values, tools.guard
    )
    return replace(job, draft=draft, unmended=draft, fixes=job.fixes + fixes)


def checking(job: Job, tools: Tools) -> Job:
    """One pass for the errors alone; where there are none, the whole compile."""
    result, checks = _verified(job.draft, job.engine, tools, tools.watchdog.until(PATIENCE))
    return _judged(replace(job, result=result, checks=job.checks + checks), tools)


def mending(job: Job, tools: Tools) -> Job:
    """Error rules as candidates, the compiler as the judge. What was only slow is not mended as if it hung."""
    longer = tools.watchdog.begin(job)
    mended = _mend(job, tools)
    assert mended.result is not None
    if not mended.result.ok:
        mended = _given_time(job, mended, longer, tools)
    elif longer is not None:
        tools.session.abandon(longer)
    return _judged(mended, tools)


def _given_time(before: Job, mended: Job, longer: Pending | None, tools: Tools) -> Job:
    """The job before mending if that was only slow, else the mended one if that was: with what a longer check came to,
    mended where it found errors. The mended one as it is where both hang. `longer` is such a check of the first."""
    jobs = (mended,) if mended.draft.digest == before.draft.digest else (_undone(before, mended), mended)
    slow, made = tools.watchdog.slow(jobs, longer)
    checks = mended.checks + tuple(_check("check", job.draft, result) for job, result in made)
    if slow is None:
        return replace(mended, checks=checks)
    job, result = slow
    result, checks = _compiled(job.draft, job.engine, result, checks, tools)
    job = replace(job, result=result, checks=checks)
    stopped = any(p.stopped_for for p in result.passes)
    return job if result.ok or stopped else _mend(job, tools)


def _undone(before: Job, mended: Job) -> Job:
    """The mended job with the mending taken back: its fixes are told, but none is kept."""
    tried = mended.fixes[len(before.fixes) :]
    why = "the document is slow, and may not hang"
    fixes = before.fixes + tuple(replace(fix, kept=False, verdict=why) if fix.kept else fix for fix in tried)
    return replace(mended, draft=before.draft, engine=before.engine, result=before.result, fixes=fixes)


def asking(job: Job, tools: Tools) -> Job:
    """The model's rounds, where there is a model. Its drafts are sanitized, guarded, compiled and mended like all."""
    assert job.result is not None
    if tools.model is None:
        reason = "The rules are exhausted and no model is configured: a person is needed."
        return replace(job, status=Status.ESCALATE, reason=reason)
    from texrepair import judging
    from texrepair.better import better
    from texrepair.mend import Mended
    from texrepair.repair.rounds import run_rounds
    from texrepair.sanitize import sanitize

    # Like mending: an answer that hangs must not cost a whole pass's limit.
    seconds = PATIENCE + STUCK if job.result.timed_out else judging.patience(job.result.seconds)

    def verify(draft: Draft) -> Mended:
        result, checks = _verified(draft, job.engine, tools, tools.watchdog.until(seconds))
        if result.ok:
            return Mended(draft, result, job.engine, checks=checks)
        mended = _mended(draft, result, job, tools)
        return replace(mended, checks=checks + mended.checks)

    def sanitized(draft: Draft) -> Draft:
        return sanitize(draft, job.main, job.engine, job.assets, tools.static, tools.settings.values, tools.guard)[0]

    done = run_rounds(
        job.draft,
        job.result,
        main=job.main,
        engine=job.engine,
        model=tools.model,
        settings=tools.settings,
        verify=verify,
        guard=either(tools.guard, job.unmended),
        better=better,
        sanitize=sanitized,
        deadline=tools.deadline,
        clock=tools.clock,
    )
    return replace(
        job,
        draft=done.draft,
        result=done.result,
        engine=done.engine,
        rounds=done.rounds,
        gate=done.gate,
        fixes=job.fixes + done.fixes,
        checks=job.checks + done.checks,
        status=done.status,
        reason=done.reason,
    )


def either(guard: Guard, unmended: Draft) -> Guard:
    """A guard that accepts what is right against the draft before mending too, since mending may have gone astray. The
    reasons of a refusal are those against the draft that the model was shown."""

    def judged(before: Draft, after: Draft, main: str) -> Verdict:
        verdict = guard(before, after, main)
        if not verdict.accepted and (other := guard(unmended, after, main)).accepted:
            return other
        return verdict

    return judged


STAGES: tuple[tuple[str, Stage], ...] = (
    ("sanitize", sanitizing),
    ("check", checking),
    ("mend", mending),
    ("rounds", asking),
)


def _verified(
    draft: Draft, engine: str, tools: Tools, until: float | None = None
) -> tuple[CompileResult, tuple[Check, ...]]:
    """What a check says of a draft, or a compile where the check is clean. The check ends at `until`."""
    result = tools.session.check(draft, engine, deadline=tools.deadline if until is None else until)
    return _compiled(draft, engine, result, (_check("check", draft, result),), tools)


def _compiled(
    draft: Draft, engine: str, result: CompileResult, checks: tuple[Check, ...], tools: Tools
) -> tuple[CompileResult, tuple[Check, ...]]:
    """What a compile says of a draft whose check was clean; else what the check said."""
    if not result.errors:
        result = tools.session.compile(draft, engine, deadline=tools.deadline, last=True)
        checks += (_check("compile", draft, result),)
    return result, checks


def _mend(job: Job, tools: Tools) -> Job:
    assert job.result is not None
    mended = _mended(job.draft, job.result, job, tools)
    return replace(
        job,
        draft=mended.draft,
        result=mended.result,
        engine=mended.engine,
        fixes=job.fixes + mended.fixes,
        checks=job.checks + mended.checks,
    )


def _mended(draft: Draft, result: CompileResult, job: Job, tools: Tools) -> Mended:
    from texrepair.mend import mend

    return mend(
        draft,
        result,
        main=job.main,
        session=tools.session,
        rules=tools.rules,
        guard=tools.guard,
        engine=job.engine,
        engine_named=job.project.engine_named,
        assets=job.assets,
        values=tools.settings.values,
        max_checks=tools.settings.max_checks,
        abreast=tools.session.cores,
        deadline=tools.deadline,
        clock=tools.clock,
    )


def _judged(job: Job, tools: Tools) -> Job:
    """The job with its status, where the compiler or the budget has decided."""
    assert job.result is not None
    if job.result.ok:
        changed = bool(job.draft.changed_from(job.project.draft))
        reason = "Rules repaired it." if changed else "It compiles as it is."
        return replace(job, status=Status.SUCCESS, reason=reason)
    if tools.clock() >= tools.deadline:
        from texrepair.diagnosis import fingerprint

        reason = f"The time budget ran out; what remains: {fingerprint(job.result.diagnostics)}"
        return replace(job, status=Status.TIMEOUT, gate="budget", reason=reason)
    return job


def _summed(job: Job, tools: Tools, steps: tuple[Step, ...], seconds: float) -> BuildResult:
    """The one value of which everything that the user sees is a view."""
    assert job.status is not None
    compiled = job.result or CompileResult(ok=False)
    status, reason = job.status, job.reason
    objections = compiled.objections
    if status is Status.SUCCESS and objections and tools.settings.strict:
        status, reason = Status.NO_PROGRESS, f"It compiles, but: {'; '.join(objections)}"
    changed = job.draft.changed_from(job.project.draft)
    return BuildResult(
        status=status,
        reason=reason,
        main=job.main,
        engine=job.engine,
        pdf=compiled.pdf if job.status is Status.SUCCESS else None,
        sources={path: job.draft.encoded(path) for path in changed},
        diff=diff(job.project.draft, job.draft),
        fixes=job.fixes,
        rounds=job.rounds,
        diagnostics=(*compiled.diagnostics, *job.project.findings),
        checks=job.checks,
        passes=compiled.passes,
        steps=steps,
        gate=job.gate,
        objections=objections,
        sandbox=tools.session.sandbox,
        seconds=seconds,
    )


def _check(stage: str, draft: Draft, result: CompileResult) -> Check:
    from texrepair.better import engine_passes
    from texrepair.diagnosis import fingerprint

    return Check(
        stage,
        draft.digest[:12],
        result.ok,
        len(result.errors),
        fingerprint(result.diagnostics),
        result.seconds,
        engine_passes(result),
    )


def _step(stage: str, began: float, clock: Clock, on_step: Callable[[Step], None] | None) -> Step:
    step = Step(stage, clock() - began)
    if on_step is not None:
        on_step(step)
    return step


def _model(asked: str | Callable[[str], str] | Model, settings: Settings, clock: Clock) -> Model:
    from texrepair import models
    from texrepair.repair.spend import Purse

    Purse.of(settings)  # a limit that cannot be kept is told before anything runs
    return models.chosen(asked, settings, clock=clock)
