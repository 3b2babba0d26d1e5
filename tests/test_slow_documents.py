"""A document that is slow is not mended as if it hung: a judge with a clock of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import pytest

from texrepair import hangs, machine, pipeline
from texrepair.compile.session import Session
from texrepair.guard import Verdict
from texrepair.pipeline import Job, Tools
from texrepair.project import Draft, Project
from texrepair.result import CompileResult, Diagnostic, Pass, Status
from texrepair.settings import Settings

TEXT = "\\documentclass{article}\n\\begin{document}\nslow\nand right\n\\end{document}\n"
RULE = r"""
from texrepair.rules import Candidate, Case, Edit, Example, Rule


def fix(case):
    at = case.text.find("slow")
    if at >= 0:
        yield Candidate((Edit(case.path, at, at + 4, "quick"),), "quick", 0.9)


RULE = Rule("hurry", fix, (), answers=("interrupted",))
"""


@dataclass
class Clock:
    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True)
class Under:
    """A check that is under way."""

    draft: Draft
    began: float
    deadline: float | None


@dataclass
class Slow:
    """A compiler on which a slow document takes `seconds`, a line at a time or (with 0) for ever in one place. Without
    the word it fails further on."""

    clock: Clock
    seconds: float
    cores: int = 1
    cured: bool = False
    """Whether it is right without the word."""
    moves: bool = False
    """Whether it hangs without the word as well, a line further on."""
    deaf: bool = False
    """Whether it does not say where it stands when it has stood for long."""
    log: str = ""
    """What the log of a check that was interrupted holds …"""
    left: float = 1e9
    """… until this second."""
    abandoned: int = 0

    def check(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult:
        quick = "slow" not in draft.text("main.tex")
        if quick and self.cured:
            return CompileResult(True, pdf=Path("main.pdf"), passes=(Pass("xelatex", 0.1, 0),))
        if quick and not self.moves:
            bad = Diagnostic("error", "error", "Missing }", code="missing-brace", file="main.tex", line=5)
            return CompileResult(False, (bad,), passes=(Pass("xelatex", 0.1, 1),))
        allowed = (deadline or 1e9) - self.clock.now
        if self.seconds and allowed >= self.seconds:
            self.clock.now += self.seconds
            return CompileResult(True, pdf=Path("main.pdf"), passes=(Pass("xelatex", self.seconds, 0),))
        self.clock.now += allowed
        line = 3 + int(self.seconds and allowed) + quick
        where = Diagnostic("error", "error", "Interruption", code="interrupted", file="main.tex", line=line)
        if self.deaf and allowed > hangs.PATIENCE:
            where = replace(where, file=None, line=None)
        passed = Pass("xelatex", allowed, None, stopped_for="time")
        return CompileResult(
            False, (where,), passes=(passed,), seconds=allowed, log=self.log * (self.clock.now < self.left)
        )

    def compile(
        self, draft: Draft, engine: str | None = None, *, deadline: float | None = None, last: bool = False
    ) -> CompileResult:
        return self.check(draft, engine, deadline=deadline)

    def begin(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> Under:
        return Under(draft, self.clock.now, deadline)

    def end(self, pending: Under) -> CompileResult:
        now, self.clock.now = self.clock.now, pending.began
        result = self.check(pending.draft, deadline=pending.deadline)
        self.clock.now = max(now, self.clock.now)
        return result

    def abandon(self, pending: Under) -> None:
        self.abandoned += 1

    def checks(
        self, drafts: Sequence[tuple[Draft, str]], *, deadline: float | None = None
    ) -> tuple[CompileResult, ...]:
        return tuple(self.check(draft, engine, deadline=deadline) for draft, engine in drafts)


def accept(before: Draft, after: Draft, main: str) -> Verdict:
    return Verdict(True, (), (), "")


def mended(folder: Path, slow: Slow) -> Job:
    (folder / "hurry.py").write_text(RULE)
    draft = Draft({"main.tex": TEXT})
    project = Project(draft=draft, main="main.tex", engine="xelatex")
    settings = Settings(rules=folder, only=("hurry",))
    tools = Tools(settings, cast(Session, slow), accept, None, 600.0, slow.clock)
    return pipeline.mending(pipeline.checking(Job(project, draft, draft, "xelatex"), tools), tools)


@pytest.fixture(autouse=True)
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing else runs."""
    monkeypatch.setattr(machine, "wanting", lambda: 1.0)


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("seconds", [15.0, 60.0, 200.0])
def test_a_slow_document_is_given_time_and_left_alone(tmp_path: Path, seconds: float, cores: int) -> None:
    job = mended(tmp_path, Slow(Clock(), seconds, cores))
    assert (job.status, job.draft.text("main.tex")) == (Status.SUCCESS, TEXT)
    assert [(fix.rule, fix.kept) for fix in job.fixes] == [("hurry", False)]


@pytest.mark.parametrize("cores", [1, 2])
def test_what_got_a_document_that_hangs_further_is_kept(tmp_path: Path, cores: int) -> None:
    job = mended(tmp_path, Slow(Clock(), 0, cores))
    assert job.status is None
    assert "quick" in job.draft.text("main.tex")
    assert [(fix.rule, fix.kept) for fix in job.fixes] == [("hurry", True)]


def test_nothing_waits_for_a_document_that_a_rule_cured(tmp_path: Path) -> None:
    slow = Slow(Clock(), 0, 2, cured=True)
    job = mended(tmp_path, slow)
    assert (job.status, slow.abandoned) == (Status.SUCCESS, 1)
    assert slow.clock.now < hangs.PATIENCE + hangs.STUCK


def test_a_hang_that_has_to_be_killed_has_come_no_further(tmp_path: Path) -> None:
    slow = Slow(Clock(), 0, 1, moves=True, deaf=True)
    assert mended(tmp_path, slow).status is None
    assert slow.clock.now < 100


def test_a_hang_that_stays_one_is_not_called_better(tmp_path: Path) -> None:
    """Where a run stood when it was interrupted is a matter of the clock."""
    job = mended(tmp_path, Slow(Clock(), 0, 2, moves=True))
    assert job.status is None
    assert job.draft.text("main.tex") == TEXT


@pytest.mark.parametrize("left", [1e9, 10.0], ids=["within the file", "then outside"])
def test_a_loop_over_a_file_is_not_taken_for_a_slow_document(tmp_path: Path, left: float) -> None:
    """It is interrupted in another line each time."""
    slow = Slow(Clock(), 60.0, log="(./main.tex) (./main.tex\n[1]\n) (./main.tex ! Interruption.\n", left=left)
    assert mended(tmp_path, slow).status is None
    assert slow.clock.now < 60.0
