"""The static stage: rules that work on the text alone, before the first compile and on every reply of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from texrepair.latex import Source
from texrepair.project import Draft
from texrepair.reading import files_read
from texrepair.result import Fix
from texrepair.rules import PHASES, Candidate, Case, Edit, Rule, applied, described

_MOST_CHANGES = 200
"""No draft needs as many: each change removes damage, and the examples' tests show that every rule comes to rest."""
_MOST_READ = 5_000_000
"""Characters of changed files, which are read anew: a bound for texts that are made to be changed without end."""


class Judgement(Protocol):
    """What the guard says of an edit."""

    @property
    def accepted(self) -> bool: ...
    @property
    def reason(self) -> str: ...


def sanitize(
    draft: Draft,
    main: str,
    engine: str,
    assets: frozenset[str],
    rules: Iterable[Rule],
    values: Mapping[str, str],
    guard: Callable[[Draft, Draft, str], Judgement] | None = None,
) -> tuple[Draft, tuple[Fix, ...]]:
    """The draft after the static ones of `rules`, and what they changed, in order; what the guard refused is
    among them, not kept.

    Rules run by phase, then by id; after each change the first one begins again, until none changes anything. Only
    files that TeX or BibTeX reads as such are looked at: what is shown as a listing, or not read at all, stays.
    """
    ordered = sorted((r for r in rules if r.static), key=lambda rule: (PHASES.index(rule.phase), rule.id))
    sources: dict[tuple[str, str], Source] = {}
    fixes: list[Fix] = []
    refused: set[tuple[str, str, str]] = set()

    def changed(draft: Draft) -> Draft | None:
        start = Case(draft, main, main, None, engine, assets, values, sources)
        paths = files_read(start)
        for rule in ordered:
            for path in paths:
                case = Case(draft, main, path, None, engine, assets, values, sources)
                taken = _compatible(rule.fix(case))
                after = applied(draft, (edit for candidate in taken for edit in candidate.edits))
                if after.texts != draft.texts:
                    refusal = "" if guard is None or rule.fills else _refusal(guard(draft, after, main))
                    if refusal:
                        name = (rule.id, path, after.text(path))
                        if name in refused:
                            continue
                        refused.add(name)
                    for why in dict.fromkeys(candidate.why for candidate in taken):
                        edits = (edit for candidate in taken if candidate.why == why for edit in candidate.edits)
                        found = described(rule, draft, edits, why)
                        fixes.extend(replace(fix, kept=False, verdict=refusal) if refusal else fix for fix in found)
                    if not refusal:
                        return after
        return None

    read = 0
    for _ in range(_MOST_CHANGES):
        after = changed(draft)
        if after is None:
            break
        read += sum(len(after.text(path)) for path in after.changed_from(draft))
        draft = after
        if read > _MOST_READ:
            break
    return draft, tuple(fixes)


def _refusal(judgement: Judgement) -> str:
    return "" if judgement.accepted else f"the guard refused: {judgement.reason}"


def _compatible(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates, without those that overlap an earlier one; they come again on the next run."""
    taken: list[Candidate] = []
    spans: list[Edit] = []
    for candidate in candidates:
        if not any(_overlap(edit, other) for edit in candidate.edits for other in spans):
            taken.append(candidate)
            spans.extend(candidate.edits)
    return taken


def _overlap(a: Edit, b: Edit) -> bool:
    return a.path == b.path and a.start < b.end and b.start < a.end
