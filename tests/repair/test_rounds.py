"""The rounds with a scripted model, a toy compiler and a fake clock: gates, refusals, the best draft, what is told."""

from __future__ import annotations

import pytest
from toy import GOOD, MAIN, TEXT, Judgement, Verified, Verify, compiled, draft, guard

from texrepair.better import better
from texrepair.errors import ContextTooSmall, ModelRefused, ModelReplyInvalid, ModelUnavailable, SettingsError
from texrepair.models.base import Reply
from texrepair.models.scripted import Scripted
from texrepair.project import Draft
from texrepair.repair.rounds import run_rounds
from texrepair.result import Fix, Status, Usage
from texrepair.settings import Settings

HALF = TEXT.replace(" \\bada", "")
SAME = TEXT.replace(" \\bada", "~\\bada")
OTHER = TEXT.replace("\\bada", "\\badc \\badd")


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def rounds(*replies, start=None, verify=None, clock=None, guard=guard, sanitize=lambda d: d, model=None, **named):
    start = draft() if start is None else start
    return run_rounds(
        start,
        compiled(start),
        main=MAIN,
        engine="xelatex",
        model=model or Scripted(*replies),
        settings=Settings(**named),
        verify=verify or Verify(),
        guard=guard,
        better=better,
        sanitize=sanitize,
        deadline=100.0,
        clock=clock or Clock(),
    )


def outcomes(ended):
    return [done.outcome for done in ended.rounds]


def test_the_first_round_repairs_it():
    ended = rounds(GOOD)
    assert ended.status is Status.SUCCESS
    assert ended.gate is None
    assert ended.draft.text(MAIN) == GOOD
    assert ended.result.ok
    assert outcomes(ended) == ["repaired"]
    assert ended.rounds[0].files == (MAIN,)
    assert len(ended.checks) == 1


def test_the_first_helps_and_the_second_repairs_it():
    ended = rounds(HALF, GOOD)
    assert ended.status is Status.SUCCESS
    assert outcomes(ended) == ["better", "repaired"]


def test_what_compiles_is_not_asked_about():
    model = Scripted()
    ended = rounds(start=draft(GOOD), model=model)
    assert ended.status is Status.SUCCESS
    assert model.requests == []
    assert ended.rounds == ()


def test_the_last_round_is_verified_and_then_the_rounds_are_used_up():
    verify = Verify()
    three = TEXT.replace("V. \\bada", "V. \\bada\n\\badx")
    ended = rounds(TEXT, HALF.replace("A. ", "A.  "), start=draft(three), verify=verify)
    assert ended.status is Status.MAX_ROUNDS
    assert ended.gate == "max_rounds"
    assert outcomes(ended) == ["better", "better"]
    assert len(verify.seen) == 2
    # Better than what was given, so it is kept although it does not compile.
    assert "\\bada" not in ended.draft.text(MAIN)


def test_the_number_of_rounds_is_a_setting():
    model = Scripted(HALF, GOOD)
    ended = rounds(model=model, rounds=1)
    assert ended.gate == "max_rounds"
    assert len(model.requests) == 1


def test_no_rounds_ask_nobody():
    model = Scripted(GOOD)
    ended = rounds(model=model, rounds=0)
    assert ended.status is Status.ESCALATE
    assert model.requests == []


def test_the_same_error_ends_it_after_one_round():
    model = Scripted(SAME, GOOD)
    ended = rounds(model=model)
    assert ended.status is Status.NO_PROGRESS
    assert ended.gate == "no_progress"
    assert outcomes(ended) == ["no better"]
    assert len(model.requests) == 1
    assert "\\bada" in ended.reason


def test_an_answer_that_changes_nothing_is_no_progress():
    verify = Verify()
    ended = rounds(TEXT, GOOD, verify=verify)
    assert ended.gate == "no_progress"
    assert verify.seen == []
    assert ended.rounds[0].reason == "the answer changed nothing"


def test_the_same_fingerprint_with_fewer_errors_is_progress():
    twice = draft(TEXT.replace("\\badb", "\\bada"))
    first = twice.text(MAIN).replace("V. \\bada", "V.")
    ended = rounds(first, GOOD, start=twice)
    assert ended.rounds[0].fingerprint == "! Undefined control sequence. \\bada"
    assert outcomes(ended) == ["better", "repaired"]


def test_an_error_that_returns_ends_it():
    # The start has error a, round 1 leads to c, round 2 back to a.
    model = Scripted(OTHER, SAME, GOOD)
    ended = rounds(model=model, rounds=3)
    assert outcomes(ended) == ["no better", "no better"]
    assert ended.gate == "no_progress"


def test_no_progress_goes_before_max_rounds():
    assert rounds(SAME, rounds=1).gate == "no_progress"


def test_a_worse_draft_is_dropped_and_round_two_is_told_its_error_alone():
    model = Scripted(OTHER, GOOD)
    ended = rounds(model=model)
    assert ended.status is Status.SUCCESS
    first, second = model.requests
    assert first.coda == ""
    assert "! Undefined control sequence." in second.coda
    assert "\\badc" in second.coda
    # The draft is the best one, so the beginning is the same, for the server's cache.
    assert (second.system, second.prompt) == (first.system, first.prompt)
    assert OTHER not in second.text


def test_a_better_draft_is_what_round_two_sees():
    model = Scripted(HALF, GOOD)
    rounds(model=model)
    second = model.requests[1]
    assert HALF in second.prompt
    assert "l.4 " not in second.prompt
    assert second.coda == ""


def test_a_worse_draft_never_replaces_the_best():
    ended = rounds(OTHER, OTHER.replace("badc", "bade"))
    assert ended.draft == draft()
    assert ended.result.errors[0].token == "\\bada"
    assert ended.gate == "max_rounds"


def test_a_refused_answer_costs_its_round_and_round_two_is_told_why():
    verify = Verify()
    model = Scripted(GOOD.replace("3.14", "3.15"), GOOD)
    ended = rounds(model=model, verify=verify)
    assert ended.status is Status.SUCCESS
    assert outcomes(ended) == ["refused by the guard", "repaired"]
    assert ended.rounds[0].reason == "lost: 3.14"
    assert ended.rounds[0].fingerprint is None
    assert "lost: 3.14" in model.requests[1].coda
    assert [seen.text(MAIN) for seen in verify.seen] == [GOOD]


@pytest.mark.parametrize(
    "answer",
    [
        "I am sorry.",
        "",
        TEXT[:90],
        Reply("", "refusal", note="Not this."),
        Reply(None or "", "length"),
        ModelReplyInvalid("no content"),
        GOOD.replace("2.72", "2.73"),
    ],
)
def test_if_no_answer_can_be_used_a_person_is_needed(answer):
    # An answer that breaks off is gone on with once, in the same round.
    broken = answer == TEXT[:90]
    replies = [answer, "", answer, ""] if broken else [answer, answer]
    verify = Verify()
    ended = rounds(*replies, verify=verify)
    assert ended.status is Status.ESCALATE
    assert ended.gate == "max_rounds"
    assert len(ended.rounds) == 2
    assert all(done.fingerprint is None for done in ended.rounds)
    assert verify.seen == []
    assert ended.draft == draft()


@pytest.mark.parametrize("error", [ModelUnavailable("down"), ModelRefused("no such key", 401)])
def test_a_model_that_cannot_be_asked_ends_it(error):
    model = Scripted(error, GOOD)
    ended = rounds(model=model)
    assert ended.status is Status.ESCALATE
    assert ended.gate is None
    assert outcomes(ended) == ["model error"]
    assert str(error) in ended.reason
    assert len(model.requests) == 1


def test_a_model_that_goes_away_later_leaves_what_it_did():
    ended = rounds(HALF, ModelUnavailable("down"), rounds=3)
    assert ended.status is Status.ESCALATE
    assert ended.gate is None
    assert ended.draft.text(MAIN) == HALF
    # Where it was the last round anyway, the rounds are used up.
    assert rounds(HALF, ModelUnavailable("down")).gate == "max_rounds"


def test_the_budget_is_asked_before_each_round():
    clock = Clock()
    model = Scripted(HALF, GOOD)

    def slow(given):
        clock.now = 100.0
        return Verify()(given)

    ended = rounds(model=model, verify=slow, clock=clock)
    assert ended.status is Status.TIMEOUT
    assert ended.gate == "budget"
    assert len(model.requests) == 1
    assert ended.draft.text(MAIN) == HALF


def test_the_budget_goes_before_no_progress():
    clock = Clock()

    def slow(given):
        clock.now = 100.0
        return Verify()(given)

    assert rounds(SAME, verify=slow, clock=clock).gate == "budget"


def test_a_call_that_the_budget_ended_is_a_matter_of_the_budget():
    clock = Clock()

    class Slow:
        name = "slow"

        def reply(self, request):
            assert request.deadline == 100.0
            clock.now = 100.0
            raise ModelUnavailable("the time budget ended while the model was answering")

    ended = rounds(model=Slow(), clock=clock)
    assert ended.gate == "budget"
    assert outcomes(ended) == ["model error"]


def test_an_answer_that_broke_off_is_gone_on_with_once():
    at = GOOD.index("The current") + 5
    model = Scripted(Reply(GOOD[:at], "length"), GOOD[GOOD.index("The current") :])
    ended = rounds(model=model)
    assert ended.status is Status.SUCCESS
    assert ended.draft.text(MAIN) == GOOD
    first, second = model.requests
    assert second.prompt == first.prompt
    assert "\\section{Two}" in second.coda
    assert len(ended.rounds) == 1


def test_an_answer_that_broke_off_twice_is_not_compiled():
    verify = Verify()
    at = GOOD.index("The current")
    ended = rounds(Reply(GOOD[:at], "length"), Reply("The curr", "length"), GOOD, verify=verify)
    assert outcomes(ended) == ["unusable reply", "repaired"]
    assert "stops before" in ended.rounds[0].reason
    assert len(verify.seen) == 1


def test_going_on_may_fail():
    at = GOOD.index("The current")
    ended = rounds(Reply(GOOD[:at], "length"), ModelUnavailable("down"), GOOD)
    assert outcomes(ended) == ["unusable reply", "repaired"]
    assert "going on failed: down" in ended.rounds[0].reason


def test_sanitizers_run_before_the_guard():
    order = []

    def sanitize(given):
        order.append("sanitize")
        return given.replace(MAIN, given.text(MAIN).replace("{{volts}}", "3.14"))

    def watch(before, after, main):
        order.append("guard")
        return guard(before, after, main)

    ended = rounds(GOOD.replace("3.14", "{{volts}}"), sanitize=sanitize, guard=watch)
    assert order == ["sanitize", "guard"]
    assert ended.draft.text(MAIN) == GOOD


def test_what_rules_mended_after_the_model_is_in_the_result():
    fix = Fix("some-rule", MAIN, 6, "\\badb", "", stage="mend")

    def mending(given):
        mended = given.replace(MAIN, given.text(MAIN).replace(" \\badb", ""))
        return Verified(mended, compiled(mended), engine="lualatex", fixes=(fix,))

    ended = rounds(HALF, verify=mending)
    assert ended.status is Status.SUCCESS
    assert ended.draft.text(MAIN) == GOOD
    assert ended.engine == "lualatex"
    assert ended.fixes == (fix,)


def test_what_rules_mended_in_a_draft_that_was_dropped_is_not_kept():
    fix = Fix("some-rule", MAIN, 6, "a", "b", stage="mend")
    ended = rounds(OTHER, rounds=1, verify=lambda given: Verified(given, compiled(given), fixes=(fix,)))
    assert [f.kept for f in ended.fixes] == [False]


def test_a_remark_of_the_guard_is_in_the_round():
    ended = rounds(GOOD, guard=lambda before, after, main: Judgement(True, "a trace: one word"))
    assert ended.rounds[0].reason == "a trace: one word"


BLOCK = "<<<<<<< SEARCH\n{}\n=======\n{}\n>>>>>>> REPLACE\n"


def test_search_replace():
    answer = BLOCK.format("V. \\bada", "V.") + BLOCK.format("A. \\badb", "A.")
    ended = rounds(answer, edit_mode="diff")
    assert ended.draft.text(MAIN) == GOOD


def test_a_block_that_misses_is_answered_with_the_nearest_text():
    model = Scripted(BLOCK.format("V. \\bada", "V.") + BLOCK.format("The currents are 2.72 A. \\badb", ""), GOOD)
    ended = rounds(model=model, edit_mode="auto")
    assert outcomes(ended) == ["better", "repaired"]
    assert "The current is 2.72 A. \\badb" in model.requests[1].coda
    assert "this part was not used" in model.requests[1].coda


def test_auto_asks_for_blocks_first_and_for_the_file_then():
    model = Scripted("nothing", GOOD)
    ended = rounds(model=model, edit_mode="auto")
    assert "SEARCH/REPLACE" in model.requests[0].system
    assert "whole corrected file" in model.requests[1].system
    assert ended.status is Status.SUCCESS


def test_blocks_are_taken_where_a_whole_file_was_asked_for():
    ended = rounds(BLOCK.format("V. \\bada", "V.") + BLOCK.format("A. \\badb", "A."))
    assert ended.status is Status.SUCCESS


def test_a_file_outside_the_draft_cannot_be_changed():
    two = draft(TEXT, **{"ch.tex": "x\n"})
    answer = "<<< path=../../etc/passwd >>>\n" + BLOCK.format("root", "toor")
    ended = rounds(answer, answer, start=two, edit_mode="diff")
    assert ended.status is Status.ESCALATE
    assert "none of the files" in ended.rounds[0].reason


def test_the_file_with_the_first_error_is_asked_for():
    start = Draft({MAIN: GOOD.replace("\\end{document}", "\\input{ch}\n\\end{document}"), "ch.tex": "Three. \\badx\n"})
    model = Scripted("```latex\nThree.\n```")
    ended = rounds(model=model, start=start)
    assert ended.status is Status.SUCCESS
    assert ended.draft.text("ch.tex") == "Three.\n"
    assert ended.rounds[0].files == ("ch.tex",)


def test_an_answer_that_the_files_encoding_cannot_hold():
    start = Draft({MAIN: TEXT}, {MAIN: "latin-1"})
    ended = rounds(GOOD.replace("A.", "A. \u2192"), GOOD, start=start)
    assert outcomes(ended) == ["unusable reply", "repaired"]
    assert "no character U+2192" in ended.rounds[0].reason


def test_tokens_and_cost_are_reported_for_each_round():
    usage = Usage(1000, 400, 200, 1.5)
    ended = rounds(Reply(GOOD, usage=usage), price_in=3.0, price_cached=0.3, price_out=15.0)
    got = ended.rounds[0].usage
    assert (got.tokens_in, got.cached, got.tokens_out, got.seconds) == (1000, 400, 200, 1.5)
    assert got.cost == pytest.approx((600 * 3 + 400 * 0.3 + 200 * 15) / 1e6)
    assert ended.rounds[0].prompt_characters > len(TEXT)


def test_without_prices_there_is_no_cost():
    assert rounds(Reply(GOOD, usage=Usage(1000, None, 200))).rounds[0].usage.cost is None


def test_the_limit_of_tokens_ends_it_before_a_round():
    model = Scripted(Reply(HALF, usage=Usage(4000, None, 500)), GOOD)
    ended = rounds(model=model, max_total_tokens=5000)
    assert ended.gate == "budget"
    assert ended.status is Status.TIMEOUT
    assert len(model.requests) == 1
    assert model.requests[0].max_tokens < 5000


def test_the_limit_of_money_ends_it_even_if_the_server_counts_nothing():
    long = HALF.replace("The voltage", "The voltage " * 2000)
    model = Scripted(long, GOOD)
    ended = rounds(model=model, max_cost=0.2, price_in=3.0, price_out=30.0)
    assert ended.gate == "budget"
    assert len(model.requests) == 1
    assert model.requests[0].max_tokens * 30 / 1e6 <= 0.2


def test_a_limit_of_money_needs_prices():
    with pytest.raises(SettingsError, match="price_in"):
        rounds(GOOD, max_cost=1.0)


LONG = TEXT.replace("\\section{Two}", "A paragraph about the weather of that day.\n\n" * 400 + "\\section{Two}")
REPAIR = BLOCK.format("V. \\bada", "V.") + BLOCK.format("A. \\badb", "A.")


def test_of_a_file_that_the_context_does_not_hold_the_part_that_matters_is_shown():
    model = Scripted(ContextTooSmall("too long"), REPAIR)
    ended = rounds(model=model, start=draft(LONG))
    assert ended.status is Status.SUCCESS
    assert outcomes(ended) == ["repaired"]
    first, second = model.requests
    assert len(second.text) < len(first.text) / 2
    assert "SEARCH/REPLACE" in second.system
    assert ended.rounds[0].prompt_characters < len(LONG)


def test_a_context_that_holds_no_part_either_ends_it():
    model = Scripted(ContextTooSmall("too long"), ContextTooSmall("still too long"))
    ended = rounds(model=model, start=draft(LONG))
    assert ended.status is Status.ESCALATE
    assert "still too long" in ended.reason
    # A small file has no smaller part.
    model = Scripted(ContextTooSmall("too long"))
    assert rounds(model=model).status is Status.ESCALATE
    assert len(model.requests) == 1


def test_after_an_answer_from_a_context_that_was_cut_the_part_that_matters_is_shown():
    model = Scripted(Reply("I see no file.", usage=Usage(300, None, 5)), REPAIR)
    ended = rounds(model=model, start=draft(LONG))
    assert outcomes(ended) == ["unusable reply", "repaired"]
    assert len(model.requests[1].text) < len(LONG)


def test_code_that_other_programs_run_cannot_be_changed():
    answer = "<<< path=fit.lua >>>\n" + BLOCK.format("x", "os.execute('y')")
    ended = rounds(answer, answer, start=draft(TEXT, **{"fit.lua": "x\n"}), edit_mode="diff")
    assert ended.status is Status.ESCALATE
    assert "none of the files" in ended.rounds[0].reason


def test_blocks_for_two_files_are_taken_where_one_was_asked_for_whole():
    start = draft(TEXT.replace("\\section{Two}", "\\input{ch}\n\\section{Two}"), **{"ch.tex": "Three. \\badx\n"})
    answer = f"<<< path={MAIN} >>>\n{REPAIR}<<< path=ch.tex >>>\n" + BLOCK.format("Three. \\badx", "Three.")
    ended = rounds(answer, start=start)
    assert ended.status is Status.SUCCESS
    assert set(ended.rounds[0].files) == {MAIN, "ch.tex"}


def test_a_context_that_is_too_small_is_named():
    long = draft(TEXT.replace("The voltage", "The voltage " * 500))
    ended = rounds(Reply("I see no file.", usage=Usage(300, None, 5)), start=long, rounds=1)
    assert "its context is too small" in ended.rounds[0].reason
