"""The generic loop: verify, gates, revise, again. The model's rounds run on it, as can any work that code can verify.

A state is verified; if it passes, the loop ends. If not, the gates are asked in the order in which they were given, and
the first that is shut ends it. Only then is the state revised. So the last revision is verified too, and whoever
revises has no say in when to stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

State = TypeVar("State")
Verdict = TypeVar("Verdict")


@dataclass(frozen=True, slots=True)
class Turn(Generic[State, Verdict]):
    """A state and what the verifier said of it."""

    state: State
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Gate(Generic[State, Verdict]):
    """A deterministic reason to stop."""

    name: str
    shut: Callable[[Sequence[Turn[State, Verdict]]], bool]
    """Told all turns so far, the latest last."""


@dataclass(frozen=True, slots=True)
class Ended(Generic[State, Verdict]):
    """How a loop ended."""

    turns: tuple[Turn[State, Verdict], ...]
    """Every state that was verified, the first one first; never empty."""
    gate: str | None
    """The gate that ended it; None where the last state passed."""


def run(
    start: State,
    *,
    verify: Callable[[State], Verdict],
    passed: Callable[[Verdict], bool],
    revise: Callable[[Sequence[Turn[State, Verdict]]], State],
    gates: Sequence[Gate[State, Verdict]],
) -> Ended[State, Verdict]:
    """Verifies and revises until a state passes or a gate is shut.

    One of the gates has to shut at some time: `most_turns` always does. Raises what `verify` and `revise` raise.
    """
    turns: list[Turn[State, Verdict]] = []
    state = start
    while True:
        turns.append(Turn(state, verify(state)))
        if passed(turns[-1].verdict):
            return Ended(tuple(turns), None)
        for gate in gates:
            if gate.shut(turns):
                return Ended(tuple(turns), gate.name)
        state = revise(turns)


def most_turns(most: int, name: str) -> Gate[State, Verdict]:
    """Shut after so many verifications."""
    return Gate(name, lambda turns: len(turns) >= most)


def deadline(at: float, clock: Callable[[], float], name: str) -> Gate[State, Verdict]:
    """Shut from that time of the clock on."""
    return Gate(name, lambda turns: clock() >= at)
