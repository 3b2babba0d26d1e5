"""What a person reads about a result or a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from texrepair.result import BuildResult, Diagnostic, Usage

if TYPE_CHECKING:
    from texrepair.rules import Rule

# Lines of one kind.
_MOST = 20
_OPEN_ENDS = {"undefined-reference": "reference", "undefined-citation": "citation", "missing-character": "character"}


def account(result: BuildResult) -> Iterator[str]:
    """A short account of a build, line by line: how it ended, what was repaired, what is wrong, what lies where."""
    reason = result.reason or result.status.sentence
    origin = "as built before, " if result.cached else ""
    yield f"{result.main}: {result.status.value}. {reason} ({result.engine}, {origin}{result.seconds:.1f} s)"
    for fix in result.kept[:_MOST]:
        yield f"  repaired {fix.file}:{fix.line}: {fix.why} [{fix.rule}]"
    if len(result.kept) > _MOST:
        yield f"  and {len(result.kept) - _MOST} more repairs, see the run log"
    for done in result.rounds:
        said = f": {done.reason}" if done.reason else ""
        yield f"  round {done.number}: {done.outcome}{_spent(done.usage)}{said}"
    errors = [one for one in result.diagnostics if one.is_error]
    for error in errors[:_MOST]:
        yield f"  {_at(error)}error: {error.headline}"
    if len(errors) > _MOST:
        yield f"  and {len(errors) - _MOST} more errors"
    for finding in result.diagnostics:
        if finding.tool == "texrepair" and not finding.is_error:
            yield f"  {_at(finding)}warning: {finding.message}"
    if result.ok and (open_ends := _open_ends(result.diagnostics)):
        yield f"  {open_ends}"
    for objection in result.objections:
        yield f"  objection: {objection}"
    words = {"pdf": "PDF", "export": "to go on with", "diff": "changes", "run_log": "run log"}
    for kind, word in words.items():
        if kind in result.delivered:
            yield f"  {word}: {result.delivered[kind]}"
    yield from kept_places(result.delivered)


def kept_places(written: Mapping[str, Path]) -> Iterator[str]:
    """Where files lie now that were in the way of what was written, a line for each."""
    for kind, place in written.items():
        if kind.startswith("kept:"):
            yield f"  {kind.removeprefix('kept:')} was there already and is kept as {place}"


def _spent(usage: Usage) -> str:
    """What a round used, in brackets; nothing where nobody knows."""
    if usage.tokens_in is None and usage.tokens_out is None:
        return ""
    cached = f" ({usage.cached} of them cached)" if usage.cached else ""
    money = "" if usage.cost is None else f", cost {usage.cost:.4f}"
    known = ["?" if number is None else str(number) for number in (usage.tokens_in, usage.tokens_out)]
    return f" ({known[0]} tokens in{cached}, {known[1]} out, {usage.seconds:.1f} s{money})"


def _open_ends(diagnostics: Sequence[Diagnostic]) -> str:
    """What a document that compiles still lacks, in one line: references, citations and characters, each once."""
    found = {kind: {one.token for one in diagnostics if one.kind == kind and one.token} for kind in _OPEN_ENDS}
    counts = {kind: len(tokens) for kind, tokens in found.items() if tokens}
    lost = counts.pop("missing-character", 0)
    said = []
    if counts:
        verb = "is" if sum(counts.values()) == 1 else "are"
        what = " and ".join(_counted(number, _OPEN_ENDS[kind]) for kind, number in counts.items())
        said.append(f"{what} {verb} undefined: {'it shows' if verb == 'is' else 'they show'} as ?? in the PDF")
    if lost:
        said.append(f"{_counted(lost, 'character')} {'is' if lost == 1 else 'are'} missing in the fonts and in the PDF")
    return "; ".join(said)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _at(diagnostic: Diagnostic) -> str:
    place = diagnostic.place
    if place is None:
        return ""
    return f"{place.file}:{place.line}: " if place.line is not None else f"{place.file}: "


def rule_page(rule: Rule) -> str:
    """A rule's docstring and its examples, as text."""
    parts = [f"{rule.id}\n{'=' * len(rule.id)}", rule.doc.strip()]
    if rule.answers is not None:
        parts.append(f"Answers: {', '.join(rule.answers)}")
    for example in rule.examples:
        after = "stays as it is" if example.after is None else f"becomes\n\n{_indented(example.after)}"
        parts.append(f"Example:\n\n{_indented(example.before)}\n\n{after}")
    return "\n\n".join(parts) + "\n"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.rstrip("\n").split("\n"))
