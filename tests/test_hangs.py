"""How long a check is waited for, by the settings and by what else the machine does."""

from __future__ import annotations

import os
from typing import cast

import pytest

from texrepair import hangs, machine
from texrepair.compile.session import Session
from texrepair.hangs import Watchdog


def until(seconds: float, *, pass_seconds: float = 180.0, deadline: float = 600.0) -> float:
    return Watchdog(cast(Session, None), pass_seconds, deadline, lambda: 100.0).until(seconds)


@pytest.mark.parametrize(("threads_a_core", "times"), [(0.0, 1.0), (1.0, 1.0), (1.5, 1.5), (40.0, hangs.BUSIEST)])
def test_a_check_may_last_longer_where_programs_wait_for_a_core(
    monkeypatch: pytest.MonkeyPatch, threads_a_core: float, times: float
) -> None:
    monkeypatch.setattr(machine, "wanting", lambda: threads_a_core * len(os.sched_getaffinity(0)))
    assert until(8.0) == 100.0 + 8.0 * times


def test_it_may_last_longer_where_a_pass_may_and_never_beyond_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "wanting", lambda: 0.0)
    assert [until(8.0, pass_seconds=seconds) for seconds in (60.0, 180.0, 360.0)] == [108.0, 108.0, 116.0]
    assert until(8.0, deadline=103.0) == 103.0


def test_no_more_threads_want_a_core_than_there_are() -> None:
    assert 0 <= machine.wanting() <= machine.running()
