"""Doubtful fixes that later ones made needless are taken back where the document compiles as well without them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from texrepair.culprit import faults
from texrepair.guard import Verdict
from texrepair.judging import Bench
from texrepair.latex import lex, part_of
from texrepair.project import Draft
from texrepair.proposals import Proposal
from texrepair.result import CompileResult
from texrepair.rules import applied
from texrepair.steps import State, Step, undone

MOST = 4
"""Compiles that this may take."""

_OPEN_ENDS = ("undefined-reference", "undefined-citation", "missing-character")


def needless(
    end: State, main: str, bench: Bench, guard: Callable[[Draft, Draft, str], Verdict]
) -> tuple[State, tuple[tuple[Step, int], ...]]:
    """The state without the needless fixes, and which those were: a step and the number of its proposal.

    Asked are the provisional ones and the placeholders, the last first. One goes only if the document compiles without
    it, as cleanly as before, the guard accepts it, and nothing is left open that was closed: a group that reaches to
    the end of the document is no error for TeX, but changes how everything behind it looks.
    """
    state, dropped, left = end, [], MOST
    for at, step in reversed(list(enumerate(end.way))):
        if step is end.way[-1] and len(step.proposals) == 1:
            continue  # It has just made the document compile.
        for number, proposal in reversed(list(enumerate(step.proposals))):
            edits = undone(state.way, at, proposal) if step.doubtful(proposal) else None
            if not edits or left <= 0 or bench.late:
                continue
            draft = applied(state.draft, edits)
            if _looser(draft, state.draft, main) or not guard(state.draft, draft, main).accepted:
                continue
            left -= 1
            result = bench.whole(draft, state.engine)
            if _as_clean(result, state.result):
                back = replace(proposal.candidate, edits=edits)
                undoing = Step(state.draft, draft, (Proposal(proposal.rule, back, proposal.diagnostic),), ((),))
                state = replace(state, draft=draft, result=result, way=(*state.way, undoing))
                dropped.append((step, number))
    return state, tuple(dropped)


def _looser(draft: Draft, before: Draft, main: str) -> bool:
    """Whether more is open, stray or crossed than before."""

    def count(one: Draft, path: str) -> int:
        return sum(1 for _ in faults(lex(one.text(path), part_of(path, main))))

    return any(count(draft, path) > count(before, path) for path in draft.changed_from(before))


def _as_clean(result: CompileResult, before: CompileResult) -> bool:
    return (
        result.ok
        and result.pdf is not None
        and len(result.objections) <= len(before.objections)
        and _open_ends(result) <= _open_ends(before)
    )


def _open_ends(result: CompileResult) -> set[tuple[str, str | None]]:
    return {(d.kind, d.token) for d in result.warnings if d.kind in _OPEN_ENDS}
