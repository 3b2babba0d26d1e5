"""The generic loop: the last revision is verified too, gates are asked in the order given, the reviser has no say."""

from __future__ import annotations

from texrepair import loop


def run(verdicts, *gates, calls=None):
    """A loop over states 0, 1, 2 …, whose verdicts are given."""
    calls = [] if calls is None else calls

    def verify(state):
        calls.append(f"verify {state}")
        return verdicts[state]

    def revise(turns):
        calls.append(f"revise {turns[-1].state}")
        return turns[-1].state + 1

    return loop.run(0, verify=verify, passed=bool, revise=revise, gates=gates)


def test_what_passes_at_once_is_never_revised():
    calls = []
    ended = run([True], loop.most_turns(1, "max"), calls=calls)
    assert (ended.gate, calls) == (None, ["verify 0"])


def test_the_last_revision_is_verified_too():
    calls = []
    ended = run([False, False, True], loop.most_turns(3, "max"), calls=calls)
    assert ended.gate is None
    assert calls == ["verify 0", "revise 0", "verify 1", "revise 1", "verify 2"]


def test_a_gate_ends_it_before_the_next_revision():
    calls = []
    ended = run([False] * 9, loop.most_turns(2, "max"), calls=calls)
    assert ended.gate == "max"
    assert calls == ["verify 0", "revise 0", "verify 1"]
    assert [turn.state for turn in ended.turns] == [0, 1]


def test_the_order_of_the_gates_is_the_callers():
    always = loop.Gate("always", lambda turns: True)
    assert run([False], always, loop.most_turns(1, "max")).gate == "always"
    assert run([False], loop.most_turns(1, "max"), always).gate == "max"


def test_the_deadline_is_on_the_clock_that_is_given():
    times = iter([0.0, 9.9, 10.0])
    ended = run([False] * 9, loop.deadline(10.0, lambda: next(times), "budget"), loop.most_turns(9, "max"))
    assert ended.gate == "budget"
    assert len(ended.turns) == 3


def test_gates_see_every_turn():
    seen = []
    watch = loop.Gate("watch", lambda turns: seen.append(len(turns)) is not None)
    run([False, False, False], watch, loop.most_turns(3, "max"))
    assert seen == [1, 2, 3]
