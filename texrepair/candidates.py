"""Asking the rules: what they propose for an error of a draft, best first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from texrepair.better import path_in
from texrepair.judging import Bench, Exhausted
from texrepair.latex import Source
from texrepair.project import Draft
from texrepair.proposals import FAR, Proposal
from texrepair.reading import files_read
from texrepair.result import CompileResult, Diagnostic, Place
from texrepair.rules import Case, Rule

ASIDE = 0.2
"""By how much less certain a structural rule's candidate is for an error that the rule does not answer."""


@dataclass
class Candidates:
    """What the rules propose, for one draft after the other."""

    rules: tuple[Rule, ...]
    main: str
    engine_named: bool
    assets: frozenset[str]
    values: Mapping[str, str]
    bench: Bench
    refused: dict[tuple[object, ...], str] = field(default_factory=dict)
    """Candidates that were taken back, and the draft in which they were."""
    _found: dict[int, list[Proposal]] = field(default_factory=dict)
    """For the errors of the current result, by identity."""
    _shown: Draft | None = None
    """What the rules see of the current draft."""
    _sources: dict[tuple[str, str], Source] = field(default_factory=dict)

    def fresh(self, error: Diagnostic, draft: Draft, result: CompileResult, engine: str) -> list[Proposal]:
        """What the rules propose for an error, best first, without what was refused before."""
        return [p for p in self._all(error, draft, result, engine) if name(p, draft) not in self.refused]

    def again(self, error: Diagnostic, draft: Draft, result: CompileResult, engine: str) -> list[Proposal]:
        """The same, without what this very draft has refused."""
        found = self._all(error, draft, result, engine)
        return [p for p in found if self.refused.get(name(p, draft)) != draft.digest]

    def aside(
        self, error: Diagnostic, places: Iterable[Place], draft: Draft, result: CompileResult, engine: str
    ) -> list[Proposal]:
        """What all rules that answer this error, and those that answer far-reported ones, propose as though TeX had
        reported it at each of these places."""
        found: list[Proposal] = []
        for place in places:
            moved = replace(error, file=place.file, line=place.line, before="", after="", context=(), origin=None)
            for rule in self.rules:
                if rule.answers is None or not (error.code in rule.answers or FAR.intersection(rule.answers)):
                    continue
                less = 0.0 if error.code in rule.answers else ASIDE
                for proposal in self._of(rule, moved, error, place.file, draft, result, engine):
                    candidate = replace(proposal.candidate, certainty=proposal.candidate.certainty - less)
                    found.append(replace(proposal, candidate=candidate, sought=place))
        found.sort(key=_order)
        return [p for p in found if self.refused.get(name(p, draft)) != draft.digest]

    def case(self, draft: Draft, result: CompileResult, engine: str, path: str | None = None) -> Case:
        """The draft as the rules see it, without an error."""
        return self._case(None, path or self.main, draft, result, engine)

    def forget(self, draft: Draft) -> None:
        """Drop what was worked out for the draft or result before this one."""
        self._found.clear()
        self._shown = None
        self._sources = {key: s for key, s in self._sources.items() if draft.texts.get(key[0]) == key[1]}

    def _all(self, error: Diagnostic, draft: Draft, result: CompileResult, engine: str) -> list[Proposal]:
        if id(error) not in self._found:
            path = path_of(error, draft, self.main)
            found: list[Proposal] = []
            for rule in self.rules if path is not None else ():
                if rule.answers is not None and error.code in rule.answers:
                    assert path is not None
                    found += self._of(rule, error, error, path, draft, result, engine)
            self._found[id(error)] = sorted(found, key=_order)
        return self._found[id(error)]

    def _of(
        self,
        rule: Rule,
        shown: Diagnostic,
        error: Diagnostic,
        path: str,
        draft: Draft,
        result: CompileResult,
        engine: str,
    ) -> Iterator[Proposal]:
        # In a very large document a rule takes its time, and the budget covers that too.
        if self.bench.late:
            raise Exhausted
        engines = () if self.engine_named else ("xelatex", "pdflatex", "lualatex")
        for candidate in rule.fix(self._case(shown, path, draft, result, engine)):
            if candidate.engine is None or (candidate.engine in engines and candidate.engine != engine):
                yield Proposal(rule, candidate, error)

    def _case(self, error: Diagnostic | None, path: str, draft: Draft, result: CompileResult, engine: str) -> Case:
        if self._shown is None:
            self._shown = self._read(draft, result, engine)
        return Case(
            draft=self._shown,
            main=self.main,
            path=path,
            diagnostic=error,
            engine=engine,
            assets=self.assets.union(p for p in draft if p not in self._shown),
            values=self.values,
            sources=self._sources,
        )

    def _read(self, draft: Draft, result: CompileResult, engine: str) -> Draft:
        """The draft without the files that the document does not read: rules leave those alone."""
        case = Case(draft, self.main, self.main, engine=engine, sources=self._sources)
        paths = (path_of(d, draft, self.main) for d in result.errors)
        read = {*files_read(case), *(path for path in paths if path is not None)}
        return Draft({p: t for p, t in draft.texts.items() if p in read}, draft.encodings)


def path_of(error: Diagnostic, draft: Draft, main: str) -> str | None:
    """The draft's file that an error is about."""
    for place in (error.origin, Place(error.file, error.line) if error.file else None):
        path = path_in(draft, place.file, main) if place else None
        if path is not None:
            return path
    return main if main in draft else None


def name(proposal: Proposal, draft: Draft) -> tuple[object, ...]:
    """What makes a candidate for an error the same one in a later draft, where its offsets have shifted.

    What did not help against one kind of error may be the best answer to another.
    """
    edits = []
    for edit in proposal.candidate.edits:
        text = draft.text(edit.path) if edit.path in draft else ""
        edits.append((edit.path, text[max(0, edit.start - 16) : edit.end + 16], edit.end - edit.start, edit.text))
    error = proposal.diagnostic
    return (proposal.rule.id, proposal.candidate.engine, error.code, error.token, *edits)


def _order(proposal: Proposal) -> tuple[float, str]:
    return -proposal.candidate.certainty, proposal.rule.id
