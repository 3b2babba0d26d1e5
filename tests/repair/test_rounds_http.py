"""The rounds against a real HTTP server that plays the model, in each provider's stream."""

from __future__ import annotations

import json
import re
import threading
import time
from dataclasses import replace

import pytest
from pydantic import SecretStr
from toy import GOOD, MAIN, TEXT, Verify, compiled, draft, guard
from werkzeug import Response

from texrepair.better import better
from texrepair.models import chosen
from texrepair.repair.rounds import run_rounds
from texrepair.result import Status
from texrepair.settings import Settings

KEY = "sk-test-KEY"
HALF = TEXT.replace(" \\bada", "")


def sse(*events):
    return "".join((f"event: {e['type']}\n" if "type" in e else "") + f"data: {json.dumps(e)}\n\n" for e in events)


def anthropic(text, stop="end_turn"):
    pieces = re.findall(r"(?s).{1,40}", text)
    return sse(
        {"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 900, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": p}} for p in pieces),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 300}},
        {"type": "message_stop"},
    )


def openai(text, stop="stop"):
    pieces = re.findall(r"(?s).{1,40}", text)
    return (
        sse(
            *({"choices": [{"index": 0, "delta": {"content": p}, "finish_reason": None}]} for p in pieces),
            {"choices": [{"index": 0, "delta": {}, "finish_reason": stop}]},
            {"choices": [], "usage": {"prompt_tokens": 900, "completion_tokens": 300}},
        )
        + "data: [DONE]\n\n"
    )


def responses(text, stop="completed"):
    item = {"type": "message", "content": [{"type": "output_text", "text": text}]}
    body = {"status": stop, "output": [item], "usage": {"input_tokens": 900, "output_tokens": 300}}
    if stop == "incomplete":
        body["incomplete_details"] = {"reason": "max_output_tokens"}
    return sse({"type": f"response.{stop}", "response": body})


WIRES = {
    "anthropic": ("/v1/messages", anthropic, "max_tokens"),
    "openai": ("/v1/chat/completions", openai, "length"),
    "openai-responses": ("/v1/responses", responses, "incomplete"),
}


@pytest.fixture(params=sorted(WIRES))
def provider(request):
    return request.param


@pytest.fixture
def play(httpserver, provider):
    """Runs the rounds with a server that gives these answers in order; a tuple is an answer with its reason to stop."""
    path, stream, _ = WIRES[provider]

    def run(*answers, seconds=60.0, **named):
        for answer in answers:
            text, *stop = answer if isinstance(answer, tuple) else (answer,)
            response = (
                text if isinstance(text, Response) else Response(stream(text, *stop), mimetype="text/event-stream")
            )
            httpserver.expect_ordered_request(path, method="POST").respond_with_response(response)
        settings = Settings(base_url=httpserver.url_for("/v1"), api_key=SecretStr(KEY), **named)
        model = chosen(f"{provider}:m", settings)
        model = replace(model, wire=replace(model.wire, sleep=lambda seconds: None))
        return run_rounds(
            draft(),
            compiled(draft()),
            main=MAIN,
            engine="xelatex",
            model=model,
            settings=settings,
            verify=Verify(),
            guard=guard,
            better=better,
            deadline=time.monotonic() + seconds,
        )

    yield run
    httpserver.check_assertions()


def said(httpserver, number):
    return httpserver.log[number][0].get_data(as_text=True)


def test_round_one_fails_and_round_two_repairs_it(play, httpserver):
    ended = play(f"```latex\n{HALF}```", f"Here it is:\n\n```latex\n{GOOD}```\nDone.")
    assert ended.status is Status.SUCCESS
    assert ended.draft.text(MAIN) == GOOD
    assert [done.outcome for done in ended.rounds] == ["better", "repaired"]
    assert [done.usage.tokens_in for done in ended.rounds] == [900, 900]
    assert [done.usage.tokens_out for done in ended.rounds] == [300, 300]
    assert "badb" in said(httpserver, 1)
    assert "bada" not in said(httpserver, 1)
    assert KEY not in repr(ended)


def test_the_same_error_returns_and_the_loop_stops_after_round_one(play, httpserver):
    ended = play(TEXT.replace(" \\bada", "~\\bada"))
    assert ended.status is Status.NO_PROGRESS
    assert ended.gate == "no_progress"
    assert len(httpserver.log) == 1


def test_a_lost_number_is_refused_and_told(play, httpserver):
    ended = play(GOOD.replace("3.14", "3.1"), GOOD)
    assert [done.outcome for done in ended.rounds] == ["refused by the guard", "repaired"]
    assert "lost: 3.14" in said(httpserver, 1)


def test_an_answer_that_breaks_off_is_gone_on_with(play, provider, httpserver):
    at = GOOD.index("The current") + 9
    ended = play((GOOD[:at], WIRES[provider][2]), GOOD[GOOD.index("The current") :])
    assert ended.status is Status.SUCCESS
    assert ended.draft.text(MAIN) == GOOD
    assert len(ended.rounds) == 1
    assert ended.rounds[0].usage.tokens_out == 600


def test_a_server_that_fails_for_a_moment(play):
    busy = Response('{"error": {"message": "busy"}}', 503)
    assert play((busy,), GOOD).status is Status.SUCCESS


def test_a_server_that_refuses_the_key(play):
    ended = play((Response(json.dumps({"error": {"message": f"bad key {KEY}"}}), 401),))
    assert ended.status is Status.ESCALATE
    assert ended.gate is None
    assert "401" in ended.reason
    assert KEY not in repr(ended)


def test_a_page_instead_of_an_answer(play):
    page = Response("<html><title>Sign in</title></html>", 200, mimetype="text/html")
    ended = play((page,), (page,), (page,))
    assert ended.status is Status.ESCALATE
    assert "HTML page (Sign in)" in ended.reason


@pytest.mark.parametrize("answer", ["", "I am sorry.", "\\documentclass{article}\n"])
def test_nothing_that_could_be_used(play, answer):
    # What begins like a document is gone on with once in each round.
    answers = [answer] * (4 if answer.startswith("\\") else 2)
    ended = play(*answers)
    assert ended.status is Status.ESCALATE
    assert ended.gate == "max_rounds"


def test_blocks(play):
    answer = "".join(f"<<<<<<< SEARCH\n{x}. \\bad{y}\n=======\n{x}.\n>>>>>>> REPLACE\n" for x, y in ("Va", "Ab"))
    assert play(answer, edit_mode="diff").draft.text(MAIN) == GOOD


@pytest.mark.parametrize("provider", ["openai"], indirect=True)
def test_the_budget_ends_a_round(provider, httpserver):
    over = threading.Event()

    def never(request):
        def body():
            yield b": waiting\n\n"
            over.wait()

        return Response(body(), mimetype="text/event-stream")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(never)
    settings = Settings(base_url=httpserver.url_for("/v1"))
    try:
        ended = run_rounds(
            draft(),
            compiled(draft()),
            main=MAIN,
            engine="xelatex",
            model=chosen("openai:m", settings, environment={}),
            settings=settings,
            verify=Verify(),
            guard=guard,
            better=better,
            deadline=time.monotonic() + 0.5,
        )
    finally:
        over.set()
    assert ended.status is Status.TIMEOUT
    assert ended.gate == "budget"
    assert ended.draft == draft()
