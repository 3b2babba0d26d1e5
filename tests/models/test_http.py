"""The wire against real servers on loopback: retries, silence, the budget, broken connections, the key."""

from __future__ import annotations

import json
import socket
import time

import httpx
import pytest
from pydantic import SecretStr
from raw_server import STREAM, chunk, raw_server
from werkzeug import Response
from wire_fixtures import NAMES, fixture, is_like, provider, wire_text

from texrepair import errors
from texrepair.errors import ModelRefused, ModelReplyInvalid, ModelUnavailable
from texrepair.models.anthropic import Anthropic
from texrepair.models.base import Request, Server
from texrepair.models.openai_chat import OpenAIChat
from texrepair.models.openai_responses import OpenAIResponses
from texrepair.models.wire import Wire, translations

KEY = "sk-test-KEY"
ASKED = Request("You repair LaTeX.", "The file.")
KINDS = {"anthropic": Anthropic, "openai_chat": OpenAIChat, "openai_responses": OpenAIResponses}
PATHS = {"anthropic": "messages", "openai_chat": "chat/completions", "openai_responses": "responses"}
ANSWER = {"choices": [{"message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}]}


def model(base_url, kind="openai_chat", **wire):
    return KINDS[kind]("m", Server(base_url, SecretStr(KEY)), Wire(**{"retries": 0, **wire}))


@pytest.mark.parametrize("name", NAMES)
def test_every_oddity_over_real_http(httpserver, name):
    case = fixture(name)
    kind = provider(name)
    text = wire_text(case)
    content_type = "text/event-stream" if "stream" in case else "application/json"
    httpserver.expect_request(f"/v1/{PATHS[kind]}", method="POST").respond_with_data(
        text, case.get("status", 200), case.get("headers", {}), content_type=content_type
    )
    asked = model(httpserver.url_for("/v1"), kind)
    if "error" not in case:
        is_like(asked.reply(ASKED), case["reply"])
        return
    with pytest.raises(getattr(errors, case["error"]["kind"])) as caught:
        asked.reply(ASKED)
    # A body that ends early arrives whole from this server, which announces its length.
    assert not case.get("whole", True) or case["error"]["says"] in str(caught.value)
    assert KEY not in str(caught.value)


class Waits:
    """Sleeps that take no time, on a clock that only they move."""

    def __init__(self):
        self.now = 100.0
        self.slept = []

    def clock(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds


def answers(httpserver, *responses):
    """The server gives these in order."""
    for response in responses:
        httpserver.expect_ordered_request("/v1/chat/completions").respond_with_response(response)


def failing(status=503, **headers):
    return Response(json.dumps({"error": {"message": "not now"}}), status, headers, content_type="application/json")


def answering():
    return Response(json.dumps(ANSWER), 200, content_type="application/json")


def test_what_may_pass_is_tried_again_with_growing_waits(httpserver):
    answers(httpserver, failing(503), failing(529), answering())
    waits = Waits()
    asked = model(httpserver.url_for("/v1"), retries=2, clock=waits.clock, sleep=waits.sleep, chance=lambda: 0.0)
    assert asked.reply(ASKED).text == "Hello."
    assert waits.slept == [0.5, 1.0]


def test_waits_are_spread_and_the_servers_wish_is_obeyed(httpserver):
    answers(httpserver, failing(503), failing(429, **{"retry-after": "3"}), answering())
    waits = Waits()
    asked = model(httpserver.url_for("/v1"), retries=2, clock=waits.clock, sleep=waits.sleep, chance=lambda: 1.0)
    reply = asked.reply(ASKED)
    assert waits.slept == [0.375, 3.0]
    assert reply.usage.seconds == 3.375


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_a_refusal_is_not_tried_again(httpserver, status):
    answers(httpserver, failing(status))
    waits = Waits()
    with pytest.raises(ModelRefused, match="not now"):
        model(httpserver.url_for("/v1"), retries=2, clock=waits.clock, sleep=waits.sleep).reply(ASKED)
    assert waits.slept == []


def test_the_budget_overrules_a_retry(httpserver):
    answers(httpserver, failing(503, **{"retry-after": "20"}))
    waits = Waits()
    asked = model(httpserver.url_for("/v1"), retries=2, clock=waits.clock, sleep=waits.sleep)
    with pytest.raises(ModelUnavailable, match="not now"):
        asked.reply(Request("s", "p", deadline=115.0))
    assert waits.slept == []


def test_a_server_that_asks_for_a_long_wait_is_unavailable(httpserver):
    answers(httpserver, failing(503, **{"retry-after": "3600"}))
    waits = Waits()
    with pytest.raises(ModelUnavailable):
        model(httpserver.url_for("/v1"), retries=2, clock=waits.clock, sleep=waits.sleep).reply(
            Request("s", "p", deadline=1e6)
        )
    assert waits.slept == []


def test_a_broken_answer_is_asked_for_again(httpserver):
    answers(httpserver, Response("data: {}\n\n", content_type="text/event-stream"), answering())
    waits = Waits()
    asked = model(httpserver.url_for("/v1"), retries=1, clock=waits.clock, sleep=waits.sleep)
    assert asked.reply(ASKED).text == "Hello."


def test_after_the_deadline_nothing_is_sent():
    waits = Waits()
    with pytest.raises(ModelUnavailable, match="budget ended before"):
        model("http://127.0.0.1:9/v1", clock=waits.clock).reply(Request("s", "p", deadline=99.0))


def test_a_server_that_is_down():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(ModelUnavailable, match=rf"http://127.0.0.1:{port} cannot be reached"):
        model(f"http://127.0.0.1:{port}/v1").reply(ASKED)


def test_a_connection_that_breaks_in_the_middle():
    def script(connection):
        connection.send(STREAM + chunk(b'data: {"choices": [{"delta": {"content": "Hel"}}]}\n\n'))

    with raw_server(script) as url, pytest.raises(ModelUnavailable, match="broke off"):
        model(url).reply(ASKED)


def test_a_connection_that_breaks_before_the_answer():
    with raw_server(lambda connection: None) as url, pytest.raises(ModelUnavailable, match="broke off"):
        model(url).reply(ASKED)


def test_something_that_is_not_http():
    with raw_server(lambda c: c.send(b"SSH-2.0-OpenSSH_9.2\r\n")) as url, pytest.raises(ModelUnavailable):
        model(url).reply(ASKED)


def test_a_stream_that_has_ended_is_not_waited_for():
    def script(connection):
        data = json.dumps({"choices": [{"delta": {"content": "Hello."}, "finish_reason": "stop"}]}).encode()
        connection.send(STREAM + chunk(b"data: " + data + b"\n\ndata: [DONE]\n\n"))
        connection.silence()

    with raw_server(script) as url:
        assert model(url).reply(ASKED).text == "Hello."


def test_silence_is_a_time_out_and_a_long_answer_is_not():
    def script(connection):
        connection.send(STREAM)
        for _ in range(9):
            # Nine times this is longer than the silence that is allowed.
            connection.silence(0.2)
            connection.send(chunk(b": still here\n\n"))
        connection.send(chunk(b"data: " + json.dumps(ANSWER).encode() + b"\n\ndata: [DONE]\n\n"))
        connection.silence()

    with raw_server(script) as url:
        assert model(url, silence=1.5).reply(ASKED).text == "Hello."
    silent = raw_server(lambda connection: connection.silence())
    with silent as url, pytest.raises(ModelUnavailable, match="gave no sign"):
        model(url, silence=0.2).reply(ASKED)


def test_a_server_that_overlooks_the_limit_is_left_alone():
    word = chunk(b'data: {"choices": [{"delta": {"content": "so "}}]}\n\n' * 100)

    def script(connection):
        connection.send(STREAM)
        while not connection.silence(0.0) and connection.send(word):
            pass

    with raw_server(script) as url, pytest.raises(ModelReplyInvalid, match="does not end at the 200 tokens"):
        model(url).reply(Request("s", "p", max_tokens=200))


def test_the_budget_ends_an_answer_that_never_ends():
    def script(connection):
        connection.send(STREAM)
        while not connection.silence(0.02) and connection.send(chunk(b": ping\n\n")):
            pass

    with raw_server(script) as url, pytest.raises(ModelUnavailable, match="time budget ended"):
        model(url, retries=2).reply(Request("s", "p", deadline=time.monotonic() + 0.3))


def test_the_budget_ends_a_silence_in_the_middle_of_an_answer():
    def script(connection):
        connection.send(STREAM + chunk(b'data: {"choices": [{"delta": {"content": "Hel"}}]}\n\n'))
        connection.silence()

    with raw_server(script) as url, pytest.raises(ModelUnavailable, match="time budget ended"):
        model(url, silence=60.0, retries=2).reply(Request("s", "p", deadline=time.monotonic() + 0.3))


def test_the_key_is_sent_and_shown_nowhere(httpserver):
    httpserver.expect_request("/v1/messages", headers={"x-api-key": KEY}).respond_with_json(
        {"error": {"type": "authentication_error", "message": f"invalid key {KEY}"}}, status=401
    )
    asked = model(httpserver.url_for("/v1"), "anthropic")
    with pytest.raises(ModelRefused) as caught:
        asked.reply(ASKED)
    assert "invalid key [key]" in str(caught.value)
    assert KEY not in repr(asked) + str(asked) + asked.name + str(caught.value)


def test_a_redirect_does_not_get_the_key(httpserver):
    httpserver.expect_request("/v1/chat/completions").respond_with_data(
        "", 307, {"location": httpserver.url_for("/stolen")}
    )
    with pytest.raises(ModelRefused, match="redirects to"):
        model(httpserver.url_for("/v1")).reply(ASKED)
    assert [request.path for request, _ in httpserver.log] == ["/v1/chat/completions"]


def test_a_model_on_this_machine_is_not_asked_through_a_proxy(httpserver, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    answers(httpserver, answering())
    assert model(httpserver.url_for("/v1")).reply(ASKED).text == "Hello."


def test_bytes_that_are_no_utf_8_can_be_sent(httpserver):
    answers(httpserver, answering())
    assert model(httpserver.url_for("/v1")).reply(Request("s", "caf\udce9")).text == "Hello."


def test_a_field_that_the_server_does_not_take_is_left_out(httpserver):
    answers(
        httpserver,
        Response(json.dumps({"error": {"message": "Unsupported value: 'temperature' does not support 0"}}), 400),
        Response(
            json.dumps({"error": {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'"}}), 400
        ),
        Response(json.dumps({"error": {"message": "max_completion_tokens is too large: 32000, at most 16384"}}), 400),
        answering(),
    )
    assert model(httpserver.url_for("/v1")).reply(ASKED).text == "Hello."
    last = httpserver.log[-1][0].get_json()
    assert "temperature" not in last
    assert last["max_completion_tokens"] == 16_000
    assert "max_tokens" not in last


def test_every_error_of_the_client_has_a_meaning():
    classes = [c for c in vars(httpx).values() if isinstance(c, type) and issubclass(c, Exception)]
    reachable = [c for c in classes if issubclass(c, httpx.RequestError | httpx.InvalidURL)]
    for raised in reachable:
        assert any(parent in translations() for parent in raised.__mro__), raised
    # The others are raised by calls that are not made here.
    assert {c.__name__ for c in classes} - {c.__name__ for c in reachable} == {
        "HTTPError",
        "HTTPStatusError",
        "CookieConflict",
        "StreamError",
        "StreamConsumed",
        "StreamClosed",
        "ResponseNotRead",
        "RequestNotRead",
    }
