"""Undoing one fix of many: exactly that one, wherever the others have shifted it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.project import Draft
from texrepair.proposals import Proposal
from texrepair.result import Diagnostic
from texrepair.rules import Candidate, Edit, Rule, applied
from texrepair.steps import Step, undone

MAIN = "main.tex"
RULE = Rule("r", lambda case: (), (), answers=("x",))
NEW = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠ"


def proposal(*edits: Edit) -> Proposal:
    return Proposal(RULE, Candidate(edits, "why"), Diagnostic("error", "error", "x", code="x"))


def step(before: Draft, *proposals: Proposal, switched: bool = False) -> Step:
    after = applied(before, [edit for p in proposals for edit in p.candidate.edits])
    return Step(before, after, proposals, tuple((n,) for n, _ in enumerate(proposals)), switched)


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3)), min_size=1, max_size=3), max_size=5), st.data()
)
@settings(max_examples=150, deadline=None)
def test_the_other_fixes_stay_as_they_are(wanted: list[list[tuple[int, int]]], data: st.DataObject) -> None:
    draft, way, letters = Draft({MAIN: "abcdefghijklmnopqrstuvwxyz"}), [], iter(NEW)
    for group in wanted:
        length, last, made = len(draft.text(MAIN)), -1, []
        for start, size in sorted(group):
            if last < start and start + size <= length:
                made.append(proposal(Edit(MAIN, start, start + size, next(letters))))
                last = start + size
        way.append(step(draft, *made))
        draft = way[-1].after
    own = [(at, p) for at, one in enumerate(way) for p in one.proposals]
    if not own:
        return
    at, chosen = data.draw(st.sampled_from(own))
    edits = undone(way, at, chosen)
    (edit,) = chosen.candidate.edits
    if edits is None:
        # Later ones changed what it had put in, or took it away.
        assert at < len(way) - 1
        return
    removed = way[at].before.text(MAIN)[edit.start : edit.end]
    assert applied(draft, edits).text(MAIN) == draft.text(MAIN).replace(edit.text, removed)


def test_what_a_later_fix_changed_again_cannot_be_undone() -> None:
    first = proposal(Edit(MAIN, 0, 1, "XY"))
    one = step(Draft({MAIN: "abc"}), first)
    assert undone((one, step(one.after, proposal(Edit(MAIN, 1, 2, "Z")))), 0, first) is None


def test_neither_a_new_file_nor_another_engine_is_undone() -> None:
    made = proposal(Edit("new.tex", 0, 0, "text"))
    assert undone((step(Draft({MAIN: "abc"}), made),), 0, made) is None
    first = proposal(Edit(MAIN, 0, 1, "XY"))
    one = step(Draft({MAIN: "abc"}), first)
    assert undone((one, step(one.after, proposal(Edit(MAIN, 3, 3, "Z")), switched=True)), 0, first) is None
