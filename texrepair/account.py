"""What a person reads about a result or a rule."""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.result import BuildResult, Diagnostic
from texrepair.rules import Rule

# Lines of one kind.
_MOST = 20


def account(result: BuildResult) -> Iterator[str]:
    """A short account of a build, line by line: how it ended, what was repaired, what is wrong, what lies where."""
    reason = result.reason or result.status.sentence
    yield f"{result.main}: {result.status.value}. {reason} ({result.engine}, {result.seconds:.1f} s)"
    for fix in result.kept[:_MOST]:
        yield f"  repaired {fix.file}:{fix.line}: {fix.why} [{fix.rule}]"
    if len(result.kept) > _MOST:
        yield f"  and {len(result.kept) - _MOST} more repairs, see the run log"
    for done in result.rounds:
        said = f": {done.reason}" if done.reason else ""
        yield f"  round {done.number}: {done.outcome}{said}"
    errors = [one for one in result.diagnostics if one.is_error]
    for error in errors[:_MOST]:
        yield f"  {_at(error)}error: {error.message}"
    if len(errors) > _MOST:
        yield f"  and {len(errors) - _MOST} more errors"
    for finding in result.diagnostics:
        if finding.tool == "texrepair" and not finding.is_error:
            yield f"  {_at(finding)}warning: {finding.message}"
    for objection in result.objections:
        yield f"  objection: {objection}"
    words = {"pdf": "PDF", "export": "to go on with", "diff": "changes", "run_log": "run log"}
    for kind, word in words.items():
        if kind in result.delivered:
            yield f"  {word}: {result.delivered[kind]}"


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
