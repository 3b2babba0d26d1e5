"""Whatever a server sends becomes the reply, or the error, that its fixture says."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire_fixtures import NAMES, READERS, fixture, is_like, provider, received

from texrepair import errors
from texrepair.models.base import without_thinking
from texrepair.models.received import Event, Events, Received, refusal


@pytest.mark.parametrize("name", NAMES)
def test_every_oddity_is_read_as_its_fixture_says(name):
    case = fixture(name)
    got = received(case)
    if "error" in case:
        wanted = case["error"]
        with pytest.raises(getattr(errors, wanted["kind"])) as caught:
            if not 200 <= got.status < 300:
                raise refusal(got, "https://example.org/v1")
            READERS[provider(name)](got)
        assert wanted["says"].replace("[key]", "") in str(caught.value)
        if "wait" in wanted:
            assert caught.value.wait == wanted["wait"]
    else:
        is_like(READERS[provider(name)](got), case["reply"])


def test_events_do_not_depend_on_where_the_bytes_are_cut():
    stream = 'event: a\r\ndata: {"x": "é\u2028"}\r\n\r\n: comment\ndata: 1\ndata: 2\n\ndata:3\r\rdata: last'.encode()
    wanted = [Event('{"x": "é\u2028"}', "a"), Event("1\n2"), Event("3"), Event("last")]
    for size in range(1, len(stream) + 1):
        events = Events()
        found = [e for at in range(0, len(stream), size) for e in events.feed(stream[at : at + size])]
        assert found + events.rest() == wanted


@given(st.lists(st.binary(max_size=60), max_size=6))
@settings(max_examples=60, deadline=None)
def test_any_bytes_are_read_without_an_error(chunks):
    events = Events()
    for chunk in chunks:
        events.feed(chunk)
    events.rest()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "choices message delta content type text output status usage error tool_calls function arguments "
                "finish_reason index response item content_block stop_reason id name incomplete_details".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@pytest.mark.parametrize("name", sorted(READERS))
@given(body=_JSON, streamed=st.booleans(), kind=st.sampled_from(["", "message_delta", "content_block_delta"]))
@settings(max_examples=150, deadline=None)
def test_any_json_becomes_a_reply_or_a_model_error(name, body, streamed, kind):
    text = json.dumps(body)
    got = Received(events=(Event(text, kind), Event("[DONE]"))) if streamed else Received(text=text)
    with suppress(errors.ModelError):
        READERS[name](got)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Hello.", "Hello."),
        ("<think>a</think>Hello.", "Hello."),
        ("<think>a <think>b</think> c</think>\n\nHello.", "Hello."),
        ("<think>a mention of <think> in it</think>Hello.", "Hello."),
        ("reasoning\n</think>\nHello.", "Hello."),
        ("◁think▷a◁/think▷Hello.", "Hello."),
        ("<thinking>a</thinking>\nHello.", "Hello."),
        ("<think>\nnever ends", ""),
        ("\\begin{verbatim}\n</think>\n\\end{verbatim}", "\\begin{verbatim}\n</think>\n\\end{verbatim}"),
        ("The tags <think>x</think> stay.", "The tags <think>x</think> stay."),
        ("<think>a</think>\\verb|<think>x</think>|", "\\verb|<think>x</think>|"),
    ],
)
def test_reasoning_is_no_part_of_an_answer(text, answer):
    assert without_thinking(text) == answer
