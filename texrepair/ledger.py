"""What became of every candidate, as the run log tells it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from texrepair.project import Draft
from texrepair.proposals import Proposal, answered
from texrepair.result import Fix
from texrepair.rules import described
from texrepair.steps import Step


@dataclass
class Ledger:
    """Every candidate that was tried, in order, kept or taken back."""

    fixes: list[Fix] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    """What was kept, on whatever branch of the search."""

    def note(self, draft: Draft, proposal: Proposal, kept: bool, verdict: str) -> tuple[int, ...]:
        """Note a candidate for a draft and what the check or the guard said of it; where the notes stand."""
        began = len(self.fixes)
        for fix in described(proposal.rule, draft, proposal.candidate.edits, proposal.candidate.why):
            note = replace(fix, kept=kept, stage="mend", answered=answered(proposal), verdict=verdict)
            self.fixes.append(note)
        return tuple(range(began, len(self.fixes)))

    def close(self, way: Sequence[Step]) -> None:
        """Note what was kept on branches that were left in the end: only the steps of `way` count."""
        of_way = {id(step) for step in way}
        for step in self.steps:
            if id(step) not in of_way:
                for number in range(len(step.proposals)):
                    self.withdraw(step, number, "taken back at last: it led no further")

    def withdraw(self, step: Step, number: int, why: str) -> None:
        """Note that one of a step's proposals is not in the end."""
        for at in step.records[number]:
            fix = self.fixes[at]
            self.fixes[at] = replace(fix, kept=False, verdict=f"{why}; before that: {fix.verdict}")
