"""What is sent: each provider's form of one request, and the dialects."""

from __future__ import annotations

import pytest

from texrepair.errors import ModelRefused
from texrepair.models import anthropic, openai_chat, openai_responses
from texrepair.models.base import Answer, Call, Reply, Request, Server, Tool, Turn
from texrepair.models.dialect import adapted, asked, joined

ASKED = Request("You repair LaTeX.", "The file.", "Again.", max_tokens=1234)
ANTHROPIC = Server("https://api.anthropic.com")
OPENAI = Server("https://api.openai.com/v1")
LOCAL = Server("http://127.0.0.1:8080")


def test_anthropic():
    assert anthropic.body_of(ASKED, "m", ANTHROPIC) == {
        "model": "m",
        "max_tokens": 1234,
        "system": "You repair LaTeX.",
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "The file.", "cache_control": {"type": "ephemeral"}},
                    {"type": "text", "text": "Again."},
                ],
            }
        ],
        "stream": True,
    }


def test_chat_completions():
    assert openai_chat.body_of(ASKED, "qwen3", LOCAL) == {
        "model": "qwen3",
        "messages": [
            {"role": "system", "content": "You repair LaTeX."},
            {"role": "user", "content": "The file.\n\nAgain."},
        ],
        "max_tokens": 1234,
        "temperature": 0.0,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_responses():
    assert openai_responses.body_of(ASKED, "gpt-4.1", OPENAI) == {
        "model": "gpt-4.1",
        "instructions": "You repair LaTeX.",
        "input": [{"role": "user", "content": "The file.\n\nAgain."}],
        "max_output_tokens": 1234,
        "temperature": 0.0,
        "store": False,
        "stream": True,
    }


@pytest.mark.parametrize("name", ["temperature", "top_p", "top_k"])
def test_the_current_anthropic_version_gets_no_sampling_parameter(name):
    assert name not in anthropic.body_of(ASKED, "m", ANTHROPIC)


def test_the_earlier_anthropic_version_gets_a_temperature():
    server = Server("http://127.0.0.1:11434", api_version="2023-06-01")
    assert anthropic.body_of(ASKED, "m", server)["temperature"] == 0.0


@pytest.mark.parametrize(
    ("model", "takes"),
    [("gpt-4.1", True), ("qwen3-8b", True), ("o3-mini", False), ("gpt-5.4", False), ("openai/gpt-6", False)],
)
def test_reasoning_models_get_no_temperature(model, takes):
    assert ("temperature" in openai_chat.body_of(ASKED, model, LOCAL)) is takes
    assert ("temperature" in openai_responses.body_of(ASKED, model, OPENAI)) is takes


def test_the_limit_has_openais_name_at_openai_and_the_old_one_elsewhere():
    assert openai_chat.body_of(ASKED, "m", OPENAI)["max_completion_tokens"] == 1234
    assert "max_tokens" not in openai_chat.body_of(ASKED, "m", OPENAI)
    named = Server("http://127.0.0.1:8080", token_field="max_completion_tokens")
    assert "max_completion_tokens" in openai_chat.body_of(ASKED, "m", named)


def test_thinking_can_be_switched_off_everywhere():
    def off(url):
        return Server(url, disable_thinking=True)

    assert anthropic.body_of(ASKED, "m", off("https://api.anthropic.com"))["thinking"] == {"type": "disabled"}
    assert openai_chat.body_of(ASKED, "m", off("https://api.openai.com/v1"))["reasoning_effort"] == "none"
    local = openai_chat.body_of(ASKED, "m", off("http://127.0.0.1:8080"))
    assert local["chat_template_kwargs"] == {"enable_thinking": False}
    assert openai_responses.body_of(ASKED, "m", off("https://api.openai.com/v1"))["reasoning"] == {"effort": "none"}


def test_further_fields_of_the_settings_go_along():
    server = Server("http://127.0.0.1:8080", extra_body={"num_ctx": 32768, "stream": False})
    assert openai_chat.body_of(ASKED, "m", server)["num_ctx"] == 32768
    assert openai_chat.body_of(ASKED, "m", server)["stream"] is False


LOOK = Tool("look", "Shows a line.", {"type": "object", "properties": {"at": {"type": "integer"}}})
CALL = Call("abc", "look", {"at": 3})


def turn(sent):
    return Turn(Reply("", "calls", calls=(CALL,), sent=sent), (Answer(CALL, "line 3"),), "Go on.")


def test_anthropic_tools_and_turns():
    sent = [{"type": "thinking", "thinking": "", "signature": "x"}, {"type": "tool_use", "id": "abc"}]
    body = anthropic.body_of(Request("s", "p", tools=(LOOK,), turns=(turn(sent),)), "m", ANTHROPIC)
    assert body["tools"] == [{"name": "look", "description": "Shows a line.", "input_schema": dict(LOOK.schema)}]
    assert body["messages"][1:] == [
        {"role": "assistant", "content": sent},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "abc", "content": "line 3", "is_error": False},
                {"type": "text", "text": "Go on."},
            ],
        },
    ]


def test_chat_tools_and_turns():
    sent = {"role": "assistant", "content": None, "reasoning_content": "hm", "tool_calls": [{"id": "abc"}]}
    body = openai_chat.body_of(Request("s", "p", tools=(LOOK,), turns=(turn(sent),)), "m", LOCAL)
    assert body["tools"][0]["function"]["parameters"] == dict(LOOK.schema)
    assert body["messages"][2:] == [
        sent,
        {"role": "tool", "tool_call_id": "abc", "content": "line 3"},
        {"role": "user", "content": "Go on."},
    ]


def test_responses_tools_and_turns():
    sent = [{"type": "reasoning", "id": "r"}, {"type": "function_call", "call_id": "abc"}]
    body = openai_responses.body_of(Request("s", "p", tools=(LOOK,), turns=(turn(sent),)), "m", OPENAI)
    assert body["tools"][0]["name"] == "look"
    assert body["input"][1:] == [
        *sent,
        {"type": "function_call_output", "call_id": "abc", "output": "line 3"},
        {"role": "user", "content": "Go on."},
    ]


@pytest.mark.parametrize(
    ("base", "chat"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
        ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/chat/completions"),
        ("http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1/chat/completions"),
        ("https://openrouter.ai/api/v1/", "https://openrouter.ai/api/v1/chat/completions"),
        (
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
        ),
        ("https://gateway.example/llm", "https://gateway.example/llm/chat/completions"),
        ("http://127.0.0.1:1/v1/chat/completions", "http://127.0.0.1:1/v1/chat/completions"),
    ],
)
def test_any_base_url_of_a_compatible_server(base, chat):
    assert joined(base, "chat/completions", below_paths=False) == chat


@pytest.mark.parametrize(
    ("base", "messages"),
    [
        ("https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
        ("https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"),
        ("https://gateway.example/anthropic", "https://gateway.example/anthropic/v1/messages"),
    ],
)
def test_any_base_url_of_a_messages_server(base, messages):
    assert joined(base, "messages", below_paths=True) == messages


@pytest.mark.parametrize(
    ("message", "gone"),
    [
        ("`temperature` is deprecated for this model", "temperature"),
        ("Unrecognized request argument supplied: stream_options", "stream_options"),
        ("Unsupported parameter: 'reasoning_effort' is not supported with this model", "reasoning_effort"),
        ("body.chat_template_kwargs: Extra inputs are not permitted", "chat_template_kwargs"),
    ],
)
def test_what_a_server_complains_of_is_left_out(message, gone):
    body = {
        "temperature": 0,
        "stream_options": {},
        "reasoning_effort": "none",
        "chat_template_kwargs": {},
        "model": "m",
    }
    changed = adapted(body, message)
    assert changed is not None
    assert body.keys() - changed.keys() == {gone}


def test_cache_marks_are_left_out_for_a_gateway_that_knows_none():
    body = anthropic.body_of(ASKED, "m", ANTHROPIC)
    changed = adapted(body, "messages.0.content.0.cache_control: Extra inputs are not permitted")
    assert changed is not None
    assert "cache_control" not in str(changed)
    assert adapted(changed, "cache_control: Extra inputs are not permitted") is None


@pytest.mark.parametrize(
    "message",
    [
        "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for m",
        "max_tokens is too large: 32000. This model supports at most 16384 completion tokens",
        "'max_tokens' or 'max_completion_tokens' is too large: 32000. The maximum context length is 8192 tokens",
        "This model's maximum context length is 4096 tokens. However, you requested 33000 tokens",
    ],
)
def test_a_limit_that_is_too_high_is_halved(message):
    assert adapted({"max_tokens": 32_000}, message) == {"max_tokens": 16_000}


@pytest.mark.parametrize("message", ["No such model", "messages: at least one message is required", "Invalid value"])
def test_other_refusals_change_nothing(message):
    body = {"model": "m", "max_tokens": 32_000, "temperature": 0}
    assert adapted(body, message) is None


def test_a_server_that_takes_nothing_is_not_asked_for_ever():
    bodies = []

    def refuse(body):
        bodies.append(dict(body))
        said = "max_tokens unsupported, use max_completion_tokens instead"
        raise ModelRefused(said if len(bodies) % 2 else "max_completion_tokens unsupported", 400)

    with pytest.raises(ModelRefused):
        asked(refuse, {"max_tokens": 32_000})
    assert len(bodies) == 2


def test_only_a_refusal_of_the_body_is_answered_with_another_one():
    def refuse(body):
        raise ModelRefused("temperature", 401)

    with pytest.raises(ModelRefused):
        asked(refuse, {"temperature": 0})
