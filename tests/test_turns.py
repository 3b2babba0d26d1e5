"""Whose turn it is in a batch."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from texrepair.turns import Turns

A, B, C = b"a", b"b", b"c"


def test_the_first_of_each_series_goes_first() -> None:
    turns = Turns([A, A, B, A, C, B])
    assert [turns.take(None) for _ in range(3)] == [0, 2, 4]


def test_a_free_worker_takes_the_series_that_is_slowest_and_stays_with_it() -> None:
    turns = Turns([A, B, A, B, A, B])
    assert (turns.take(None), turns.take(None)) == (0, 1)
    turns.built(0, 1.0)
    turns.built(1, 2.0)
    assert turns.take(0) == 3
    assert turns.take(None) == 2
    assert turns.take(3) == 5
    assert turns.take(2) == 4
    assert turns.take(4) is None


def test_who_has_nothing_of_its_own_helps() -> None:
    turns = Turns([A, A, A])
    assert turns.take(None) == 0
    assert turns.take(None) == 1, "nobody waits for nothing"
    turns.built(0, 1.0)
    assert turns.take(0) == 2
    assert turns.take(1) is None


def test_a_session_goes_on_when_no_first_one_waits_and_another_follows() -> None:
    turns = Turns([A, A, B, A])
    assert turns.take(None) == 0
    assert not turns.followed(0)
    assert turns.take(None) == 2
    assert not turns.followed(2)
    turns.built(0, 1.0)
    assert turns.take(0) == 1
    assert turns.followed(1)
    assert turns.take(1) == 3
    assert not turns.followed(3)


@given(st.lists(st.sampled_from([A, B, C]), max_size=30), st.integers(1, 4), st.randoms())
def test_each_has_one_turn_and_nobody_is_idle_while_there_is_work(
    series: list[bytes], workers: int, random: object
) -> None:
    turns = Turns(series)
    at: dict[int, int | None] = dict.fromkeys(range(workers))
    given_out: list[int] = []
    while len(given_out) < len(series):
        worker = random.randrange(workers)  # type: ignore[attr-defined]
        last = at[worker]
        if last is not None:
            turns.built(last, random.random())  # type: ignore[attr-defined]
        number = turns.take(last)
        assert number is not None
        given_out.append(number)
        at[worker] = number
    assert turns.take(None) is None
    assert Counter(given_out) == Counter(range(len(series)))
