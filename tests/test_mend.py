"""The search over candidates, with a judge that is a plain function of the draft."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.better import better
from texrepair.guard import Verdict
from texrepair.judging import THOUGHT
from texrepair.mend import Mended, mend
from texrepair.project import Draft
from texrepair.proposals import with_program
from texrepair.result import CompileResult, Diagnostic, Pass
from texrepair.rules import Candidate, Case, Edit, Rule

MAIN = "main.tex"
PDF = Path("main.pdf")
Finds = Callable[[str, str], Iterable[Diagnostic]]


@dataclass
class Compiler:
    """Judges a draft by its main file's text. `finds` and `later` say what a check and what only a compile reports."""

    finds: Finds
    later: Finds = lambda text, engine: ()
    seconds: float = 0.1
    pdf: Path | None = None
    """What a compile without errors makes."""
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    together: list[int] = field(default_factory=list)
    """How many drafts were given at a time, for those that were given together."""

    def check(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult:
        return self._run("check", draft, engine or "xelatex", self.finds)

    def checks(
        self, drafts: Sequence[tuple[Draft, str]], *, deadline: float | None = None
    ) -> tuple[CompileResult, ...]:
        self.together.append(len(drafts))
        return tuple(self.check(draft, engine) for draft, engine in drafts)

    def compile(self, draft: Draft, engine: str | None = None, *, deadline: float | None = None) -> CompileResult:
        def both(text: str, engine: str) -> Iterable[Diagnostic]:
            return tuple(self.finds(text, engine)) or self.later(text, engine)

        result = self._run("compile", draft, engine or "xelatex", both)
        return replace(result, pdf=self.pdf if result.ok else None)

    def _run(self, kind: str, draft: Draft, engine: str, finds: Finds) -> CompileResult:
        text = draft.text(MAIN)
        self.asked.append((kind, text, engine))
        errors = tuple(finds(text, engine))
        return CompileResult(not errors, errors, passes=(Pass("xelatex", self.seconds, 0),), seconds=self.seconds)


def error(text: str, at: int, code: str, **more: object) -> Diagnostic:
    line = text.count("\n", 0, at) + 1
    start = text.rfind("\n", 0, at) + 1
    return Diagnostic("error", "error", code, code=code, file=MAIN, line=line, before=text[start : at + 1], **more)  # type: ignore[arg-type]


def words(*bad: str) -> Finds:
    """Every occurrence of a bad word is an error whose code is the word."""

    def finds(text: str, engine: str) -> Iterator[Diagnostic]:
        for found in re.finditer("|".join(bad), text):
            yield error(text, found.start(), found[0])

    return finds


def replacing(identifier: str, code: str, *cures: tuple[str, str, float]) -> Rule:
    """A rule that replaces the first occurrence in the reported line: (old, new, certainty)."""

    def fix(case: Case) -> Iterator[Candidate]:
        assert case.diagnostic is not None and case.diagnostic.line is not None
        start, end = case.line(case.diagnostic.line)
        for old, new, certainty in cures:
            at = case.text.find(old, start, end)
            if at >= 0:
                yield Candidate((Edit(case.path, at, at + len(old), new),), f"{old} to {new}", certainty)

    return Rule(identifier, fix, (), answers=(code,))


def accept(before: Draft, after: Draft, main: str) -> Verdict:
    return Verdict(True, (), (), "")


def mended(text: str, compiler: Compiler, *rules: Rule, **more: object) -> Mended:
    draft = Draft({MAIN: text})
    result = compiler.check(draft)
    compiler.asked.clear()
    return mend(draft, result, main=MAIN, session=compiler, rules=rules, guard=more.pop("guard", accept), **more)  # type: ignore[arg-type]


def test_independent_errors_are_mended_together() -> None:
    compiler = Compiler(words("cat", "dog"))
    rules = replacing("c", "cat", ("cat", "CAT", 0.9)), replacing("d", "dog", ("dog", "DOG", 0.9))
    done = mended("a cat\na dog\n", compiler, *rules)
    assert done.draft.text(MAIN) == "a CAT\na DOG\n"
    assert done.result.ok
    assert [kind for kind, *_ in compiler.asked] == ["check", "compile"]
    assert [(fix.rule, fix.line, fix.kept, fix.stage) for fix in done.fixes] == [
        ("c", 1, True, "mend"),
        ("d", 2, True, "mend"),
    ]


def test_what_does_not_help_is_taken_back_and_the_next_one_tried() -> None:
    compiler = Compiler(words("cat"))
    done = mended("a cat\n", compiler, replacing("r", "cat", ("a", "the", 0.9), ("cat", "CAT", 0.6)))
    assert done.draft.text(MAIN) == "a CAT\n"
    assert [(fix.after, fix.kept) for fix in done.fixes] == [("the cat", False), ("a CAT", True)]
    assert "same errors" in done.fixes[0].verdict
    assert done.fixes[1].answered == "main.tex:1: cat"
    assert done.fixes[1].verdict == "clean"


def test_a_culprit_does_not_keep_the_others_from_being_mended_together() -> None:
    compiler = Compiler(words("cat", "dog", "cow", "ERROR"))
    rules = (
        replacing("c", "cat", ("cat", "ERROR", 0.9)),
        replacing("d", "dog", ("dog", "DOG", 0.9)),
        replacing("w", "cow", ("cow", "COW", 0.9)),
    )
    done = mended("a cat\n\na dog\na cow\n", compiler, *rules)
    assert done.draft.text(MAIN) == "a cat\n\na DOG\na COW\n"
    assert not done.result.ok
    assert len(compiler.asked) <= 3


def test_a_new_error_before_the_old_place_is_refused() -> None:
    compiler = Compiler(words("cat", "ERROR"))

    def early(case: Case) -> Iterator[Candidate]:
        at = case.text.find("cat")
        yield Candidate((Edit(MAIN, 0, 0, "ERROR\n"), Edit(MAIN, at, at + 3, "CAT")), "wrong", 0.9)

    done = mended("x\na cat\n", compiler, Rule("early", early, (), answers=("cat",)))
    assert done.draft.text(MAIN) == "x\na cat\n"
    assert [fix.kept for fix in done.fixes] == [False, False]


def test_what_brings_new_errors_is_kept_only_if_nothing_else_does_better() -> None:
    compiler = Compiler(words("cat", "ERROR"))
    brings = ("cat\n", "CAT\nERROR ", 0.9)

    def two(case: Case) -> Iterator[Candidate]:
        at = case.text.find("cat")
        yield Candidate((Edit(MAIN, at, at + 4, brings[1]),), "brings an error", 0.9)
        yield Candidate((Edit(MAIN, at, at + 3, "CAT"),), "clean", 0.7)

    done = mended("a cat\nb\n", compiler, Rule("two", two, (), answers=("cat",)))
    assert done.draft.text(MAIN) == "a CAT\nb\n"

    def one(case: Case) -> Iterator[Candidate]:
        yield next(two(case))

    done = mended("a cat\nb\n", compiler, Rule("one", one, (), answers=("cat",)))
    assert done.draft.text(MAIN) == "a CAT\nERROR b\n"


def test_a_placeholder_does_not_win_because_it_hides_more() -> None:
    compiler = Compiler(words("cat", "ERROR"))
    rule = replacing("r", "cat", ("cat b", "CAT ERROR", 0.9), ("cat b", "nothing", 0.2))
    done = mended("a cat b\n", compiler, rule)
    assert done.draft.text(MAIN) == "a CAT ERROR\n"


def test_likely_repairs_of_all_errors_come_before_placeholders() -> None:
    compiler = Compiler(words("cat", "dog"))
    rules = replacing("c", "cat", ("cat", "-", 0.2)), replacing("d", "dog", ("dog", "DOG", 0.9))
    done = mended("a cat\na dog\n", compiler, *rules)
    assert [fix.rule for fix in done.fixes] == ["d", "c"]
    assert done.result.ok


def test_the_guard_sees_every_candidate() -> None:
    compiler = Compiler(words("cat"))

    def careful(before: Draft, after: Draft, main: str) -> Verdict:
        kept = "a" in after.text(main)
        return Verdict(kept, (), (), "" if kept else "a word is gone")

    done = mended("a cat\n", compiler, replacing("r", "cat", ("a cat", "", 0.9), ("cat", "CAT", 0.6)), guard=careful)
    assert done.draft.text(MAIN) == "a CAT\n"
    assert done.fixes[0].verdict == "the guard refused: a word is gone"
    assert all(text for _, text, _ in compiler.asked)


def test_no_draft_is_tried_twice() -> None:
    compiler = Compiler(words("cat"))
    same = replacing("r1", "cat", ("a", "the", 0.9)), replacing("r2", "cat", ("a", "the", 0.8))
    mended("a cat\n", compiler, *same)
    assert len(compiler.asked) == len(set(compiler.asked)) == 1


def test_mending_ends_with_the_checks_or_the_time() -> None:
    text = "".join(f"cat {n}\n" for n in range(20))
    rule = replacing("r", "cat", ("cat", "Cat", 0.4), ("cat", "CAT", 0.3))
    compiler = Compiler(words("cat", "Cat"))
    done = mended(text, compiler, rule, max_checks=5)
    assert len([kind for kind, *_ in compiler.asked if kind == "check"]) <= 5
    assert len(done.checks) == len(compiler.asked)
    times = iter(range(1000))
    compiler = Compiler(words("cat", "Cat"))
    mended(text, compiler, rule, deadline=6.5, clock=lambda: float(next(times)))
    assert len(compiler.asked) <= 7


def test_mending_ends_where_our_own_work_takes_long_and_not_where_checks_do() -> None:
    now = 0.0

    def passing(seconds: float) -> Callable[[str, str], Iterable[Diagnostic]]:
        def finds(text: str, engine: str) -> Iterable[Diagnostic]:
            nonlocal now
            now += seconds
            return words("cat", "Cat")(text, engine)

        return finds

    text = "".join(f"cat {n}\n" for n in range(20))
    rule = replacing("r", "cat", ("cat", "Cat", 0.4), ("cat", "CAT", 0.3))
    slow = Compiler(passing(THOUGHT))
    mended(text, slow, rule, max_checks=5, clock=lambda: now)
    assert len(slow.asked) == 5

    def guard(before: Draft, after: Draft, main: str) -> Verdict:
        nonlocal now
        now += THOUGHT
        return accept(before, after, main)

    quick = Compiler(words("cat", "Cat"))
    mended(text, quick, rule, max_checks=5, clock=lambda: now, guard=guard)
    assert len(quick.asked) <= 1


def test_a_clean_check_is_followed_by_a_compile_whose_errors_are_mended_too() -> None:
    compiler = Compiler(words("cat"), later=lambda text, engine: [error(text, 0, "dog")] if "dog" in text else ())
    rules = replacing("c", "cat", ("cat", "CAT", 0.9)), replacing("d", "dog", ("dog", "DOG", 0.9))
    done = mended("a dog cat\n", compiler, *rules)
    assert done.result.ok
    assert [kind for kind, *_ in compiler.asked] == ["check", "compile", "compile"]


def test_a_document_that_compiles_is_left_alone() -> None:
    compiler = Compiler(words("cat"))
    done = mended("a dog\n", compiler)
    assert done.draft.text(MAIN) == "a dog\n"
    assert done.fixes == () and done.result.ok


@pytest.mark.parametrize("named", [False, True])
def test_an_engine_is_switched_only_where_nobody_named_it(named: bool) -> None:
    compiler = Compiler(lambda text, engine: [error(text, 0, "wrong-engine")] if engine == "xelatex" else ())

    def other(case: Case) -> Iterator[Candidate]:
        yield Candidate((), "use lualatex", 0.8, engine="lualatex")

    rule = Rule("other", other, (), answers=("wrong-engine",))
    done = mended("a\n", compiler, rule, engine_named=named)
    assert done.engine == ("xelatex" if named else "lualatex")
    assert done.draft.text(MAIN) == ("a\n" if named else "% !TEX program = lualatex\na\n")


def test_the_program_line_is_replaced_where_there_is_one() -> None:
    draft = Draft({MAIN: "%!TEX TS-program = pdflatex\r\na\r\n"})
    assert with_program(draft, MAIN, "xelatex").text(MAIN) == "% !TEX program = xelatex\r\na\r\n"
    assert with_program(Draft({MAIN: "\ufeffa\n"}), MAIN, "xelatex").text(MAIN) == "\ufeff% !TEX program = xelatex\na\n"


def test_an_error_reported_far_from_its_cause_may_uncover_what_it_swallowed() -> None:
    def finds(text: str, engine: str) -> Iterator[Diagnostic]:
        if "{" in text and "}" not in text:
            yield error(text, len(text) - 1, "runaway-argument")
        else:
            yield from words("cat")(text, engine)

    closes = replacing("close", "runaway-argument", ("end", "end}", 0.5))

    def close_early(case: Case) -> Iterator[Candidate]:
        at = case.text.find("\n")
        yield Candidate((Edit(MAIN, at, at, "}"),), "close it", 0.8)

    rules = (
        Rule("early", close_early, (), answers=("runaway-argument",)),
        closes,
        replacing("c", "cat", ("cat", "CAT", 0.9)),
    )
    done = mended("a {b\na cat\nend", Compiler(finds), *rules)
    assert done.draft.text(MAIN) == "a {b}\na CAT\nend"


def groups(text: str, engine: str) -> Iterator[Diagnostic]:
    """A { without its } is reported at the end of the text, and hides everything else; bad words are errors."""
    if text.count("{") > text.count("}"):
        yield error(text, len(text) - 1, "runaway-argument")
    elif text.count("{") < text.count("}"):
        yield error(text, text.rindex("}"), "extra-brace")
    else:
        yield from words("cat", "ERROR")(text, engine)


def test_a_cure_that_leaves_an_error_where_it_was_made_waits_for_a_better_one() -> None:
    """Both get further than before; the second leaves nothing wrong in the paragraph that it mends."""
    rule = replacing("close", "runaway-argument", ("two", "} ERROR two", 0.8), ("three", "three}", 0.6))

    def fix(case: Case) -> Iterator[Candidate]:
        for old, new, certainty in (("two", "} ERROR two", 0.8), ("three", "three}", 0.6)):
            at = case.text.find(old)
            yield Candidate((Edit(MAIN, at, at + len(old), new),), "close it", certainty)

    done = mended("one {two three\n\nfour\n", Compiler(groups), replace(rule, fix=fix))
    assert done.draft.text(MAIN) == "one {two three}\n\nfour\n"
    assert [fix.kept for fix in done.fixes] == [False, True]


def test_a_cure_beside_another_fault_gives_way_to_none_that_only_moves_the_error_on() -> None:
    def fix(case: Case) -> Iterator[Candidate]:
        at = case.text.find("two")
        yield Candidate((Edit(MAIN, at, at + 3, "two}"),), "the cause; a cat stands beside it", 0.8)
        at = case.text.find("three")
        yield Candidate((Edit(MAIN, at, at + 5, "} {"),), "moves it on", 0.7)

    rules = Rule("r", fix, (), answers=("runaway-argument",)), replacing("c", "cat", ("cat", "CAT", 0.9))
    done = mended("one {two cat\n\nthree\n", Compiler(groups), *rules)
    assert done.draft.text(MAIN) == "one {two} CAT\n\nthree\n"


def test_a_dead_end_is_left_for_the_next_best_choice() -> None:
    """Two candidates help; the better-looking one brings an error that nobody can mend."""

    def finds(text: str, engine: str) -> Iterator[Diagnostic]:
        yield from words("cat", "WALL", "DOOR")(text, engine)

    choice = replacing("choice", "cat", ("cat x", "fine WALL", 0.8), ("cat x", "DOOR fine", 0.7))

    def fix(case: Case) -> Iterator[Candidate]:
        yield Candidate((Edit(MAIN, 0, 5, "fine WALL"),), "to the wall", 0.8)
        yield Candidate((Edit(MAIN, 0, 5, "fine DOOR"),), "to the door", 0.7)

    done = mended(
        "cat x\nmore\n", Compiler(finds), replace(choice, fix=fix), replacing("open", "DOOR", ("DOOR", "x", 0.9))
    )
    assert done.draft.text(MAIN) == "fine x\nmore\n"
    assert done.result.ok
    left = [fix for fix in done.fixes if "WALL" in fix.after][-1]
    assert not left.kept and left.verdict.startswith("taken back at last: it led no further")
    assert [fix.after for fix in done.fixes if fix.kept] == ["fine DOOR", "fine x"]


def test_where_no_branch_ends_well_the_one_that_got_furthest_is_kept() -> None:
    def fix(case: Case) -> Iterator[Candidate]:
        yield Candidate((Edit(MAIN, 0, 3, "a\n\nWALL"),), "far", 0.8)
        yield Candidate((Edit(MAIN, 0, 3, "WALL"),), "near", 0.7)

    done = mended("cat\nmore\n", Compiler(words("cat", "WALL")), Rule("r", fix, (), answers=("cat",)))
    assert done.draft.text(MAIN) == "a\n\nWALL\nmore\n"


def test_a_placeholder_that_a_later_repair_made_needless_is_taken_back() -> None:
    """The placeholder answers what only follows from the second error."""

    def finds(text: str, engine: str) -> Iterator[Diagnostic]:
        if "dog" in text and "(stub)" not in text:
            yield error(text, text.index("x"), "follows")
        yield from words("dog")(text, engine)

    rules = replacing("stub", "follows", ("x", "x (stub)", 0.2)), replacing("d", "dog", ("dog", "DOG", 0.1))
    done = mended("x\ndog\n", Compiler(finds, pdf=PDF), *rules)
    assert done.draft.text(MAIN) == "x\nDOG\n"
    assert done.result.ok and done.result.pdf is not None
    stub = next(fix for fix in done.fixes if fix.rule == "stub")
    assert not stub.kept and stub.verdict.startswith("taken back at last: it compiles as well without it")
    assert [fix.rule for fix in done.fixes if fix.kept] == ["d"]


def test_a_needed_or_certain_fix_is_never_taken_back() -> None:
    """One is needed; the other is as sure as repairs are, and stays although the document compiles without it."""

    def finds(text: str, engine: str) -> Iterator[Diagnostic]:
        if "dog" in text and "(sure)" not in text:
            yield error(text, text.index("x"), "follows")
        yield from words("cat", "dog")(text, engine)

    rules = (
        replacing("sure", "follows", ("x", "x (sure)", 0.6)),
        replacing("c", "cat", ("cat", "CAT", 0.2)),
        replacing("d", "dog", ("dog", "DOG", 0.1)),
    )
    done = mended("x\ncat\ndog\n", Compiler(finds, pdf=PDF), *rules)
    assert done.draft.text(MAIN) == "x (sure)\nCAT\nDOG\n"
    assert all(fix.kept for fix in done.fixes)


def test_what_the_guard_would_miss_is_not_taken_back() -> None:
    def finds(text: str, engine: str) -> Iterator[Diagnostic]:
        if "dog" in text and "(stub)" not in text:
            yield error(text, text.index("x"), "follows")
        yield from words("dog")(text, engine)

    def careful(before: Draft, after: Draft, main: str) -> Verdict:
        kept = "stub" in after.text(main) or "stub" not in before.text(main)
        return Verdict(kept, (), (), "" if kept else "a word is gone")

    rules = replacing("stub", "follows", ("x", "x (stub)", 0.2)), replacing("d", "dog", ("dog", "DOG", 0.1))
    done = mended("x\ndog\n", Compiler(finds, pdf=PDF), *rules, guard=careful)
    assert done.draft.text(MAIN) == "x (stub)\nDOG\n"


def test_candidates_for_one_error_are_checked_side_by_side() -> None:
    cures = [("cat", word, 0.9 - n / 100) for n, word in enumerate(("the cat", "a cat", "CAT", "Cat", "cAt"))]
    compiler = Compiler(words("cat"))
    done = mended("cat\n", compiler, replacing("r", "cat", *cures), abreast=2)
    alone = mended("cat\n", Compiler(words("cat")), replacing("r", "cat", *cures))
    assert done.draft.text(MAIN) == "CAT\n"
    assert set(compiler.together) == {2}
    assert done.fixes == alone.fixes and done.checks == alone.checks


def test_a_log_tells_of_every_candidate_its_rule_its_place_and_what_was_said_before_and_after() -> None:
    done = mended("a cat\n", Compiler(words("cat")), replacing("r", "cat", ("a", "the", 0.9), ("cat", "CAT", 0.6)))
    told = [(fix.rule, fix.file, fix.line, fix.kept, fix.answered, fix.verdict) for fix in done.fixes]
    assert told == [
        ("r", MAIN, 1, False, "main.tex:1: cat", "the same errors; 1 error, was 1"),
        ("r", MAIN, 1, True, "main.tex:1: cat", "clean"),
    ]


@given(
    st.lists(st.sampled_from(["cat", "dog", "cow", "x", "\n"]), max_size=12),
    st.lists(
        st.tuples(
            st.sampled_from(["cat", "dog", "cow"]),
            st.sampled_from(["cat", "dog", "cow", "x", "", "\n", "cat dog"]),
            st.sampled_from([0.2, 0.5, 0.8]),
        ),
        max_size=6,
    ),
)
@settings(max_examples=60, deadline=None)
def test_whatever_the_rules_propose_mending_ends_and_is_never_worse(
    text: list[str], cures: list[tuple[str, str, float]]
) -> None:
    compiler = Compiler(words("cat", "dog", "cow"))
    rules = [replacing(f"r{n}", cure[0], cure) for n, cure in enumerate(cures)]
    before = Draft({MAIN: " ".join(text)})
    first = compiler.check(before)
    done = mended(before.text(MAIN), compiler, *rules, max_checks=30)
    assert not better(first, done.result, after=before, before=done.draft, main=MAIN)
    again = mended(before.text(MAIN), Compiler(compiler.finds), *rules, max_checks=30, abreast=3)
    assert again.draft.texts == done.draft.texts and again.fixes == done.fixes and again.checks == done.checks
