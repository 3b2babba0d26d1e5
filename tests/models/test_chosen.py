"""Models by name, by function and by command."""

from __future__ import annotations

import os
import shlex
import sys
import threading
import time
from contextlib import suppress

import pytest
from pydantic import SecretStr

from texrepair.errors import ModelReplyInvalid, ModelUnavailable, SettingsError
from texrepair.models import chosen
from texrepair.models.anthropic import Anthropic
from texrepair.models.base import Reply, Request, estimated_tokens
from texrepair.models.openai_chat import OpenAIChat
from texrepair.models.openai_responses import OpenAIResponses
from texrepair.models.scripted import Scripted
from texrepair.settings import Settings

KEYS = {"ANTHROPIC_API_KEY": "sk-ant-KEY", "OPENAI_API_KEY": "sk-oai-KEY"}


def choose(spec, environment=KEYS, **settings):
    return chosen(spec, Settings(**settings), environment=environment)


@pytest.mark.parametrize(
    ("spec", "kind", "url", "key"),
    [
        ("anthropic:claude-x", Anthropic, "https://api.anthropic.com", "sk-ant-KEY"),
        ("openai:gpt-x", OpenAIChat, "https://api.openai.com/v1", "sk-oai-KEY"),
        ("openai-responses:gpt-x", OpenAIResponses, "https://api.openai.com/v1", "sk-oai-KEY"),
    ],
)
def test_a_provider_and_a_name(spec, kind, url, key):
    model = choose(spec)
    assert isinstance(model, kind)
    assert model.name == spec
    assert model.server.base_url == url
    assert model.server.key.get_secret_value() == key
    assert key not in repr(model)


def test_a_name_may_hold_colons():
    assert choose("openai:qwen3:8b", base_url="http://127.0.0.1:11434").name == "openai:qwen3:8b"


def test_settings_go_before_the_environment():
    environment = {**KEYS, "OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"}
    assert choose("openai:m", environment).server.base_url == "http://127.0.0.1:8080/v1"
    model = choose("openai:m", environment, base_url="http://127.0.0.1:9090", api_key=SecretStr(" mine\n"))
    assert model.server.base_url == "http://127.0.0.1:9090"
    assert model.server.key.get_secret_value() == "mine"


def test_a_server_of_ones_own_needs_no_key():
    assert choose("openai:m", {}, base_url="http://127.0.0.1:8080").server.key is None


@pytest.mark.parametrize(
    ("spec", "environment", "settings", "says"),
    [
        ("anthropic:m", {}, {}, "set ANTHROPIC_API_KEY"),
        ("openai:m", {}, {}, "set OPENAI_API_KEY"),
        ("openai:", KEYS, {}, "write anthropic:NAME"),
        ("claude", KEYS, {}, "write anthropic:NAME"),
        ("gemini:m", KEYS, {}, "write anthropic:NAME"),
        ("openai:m", KEYS, {"base_url": "127.0.0.1:8080"}, "http://"),
        ("openai:m", KEYS, {"base_url": "http://[::1"}, "http://"),
        ("openai:m", {"OPENAI_API_KEY": "sk\u2026"}, {}, "characters that no key has"),
        ("cmd:no-such-program-here --flag", KEYS, {}, "no such program"),
        ("cmd:'unclosed", KEYS, {}, "No closing quotation"),
    ],
)
def test_a_wrong_choice_is_told_at_once(spec, environment, settings, says):
    with pytest.raises(SettingsError, match=says) as caught:
        choose(spec, environment, **settings)
    assert "KEY" not in str(caught.value).replace("_API_KEY", "")


def test_a_function_is_a_model():
    def echo(prompt: str) -> str:
        return f"<think>hm</think>{prompt.upper()}"

    model = choose(echo)
    assert model.name == "function:echo"
    assert model.reply(Request("be kind", "file", "again")).text == "BE KIND\n\nFILE\n\nAGAIN"


def test_a_function_that_fails_or_gives_no_string():
    def fail(prompt: str) -> str:
        raise ConnectionError("no route")

    with pytest.raises(ModelUnavailable, match="ConnectionError: no route"):
        choose(fail).reply(Request("s", "p"))
    with pytest.raises(ModelReplyInvalid, match="returned int"):
        choose(lambda prompt: 3).reply(Request("s", "p"))


def test_a_function_is_not_waited_for_beyond_the_deadline():
    over = threading.Event()
    try:
        with pytest.raises(ModelUnavailable, match="time budget ended"):
            choose(lambda prompt: str(over.wait())).reply(Request("s", "p", deadline=time.monotonic() + 0.05))
    finally:
        over.set()


def test_an_object_with_a_name_and_a_reply_is_itself():
    model = Scripted("a")
    assert choose(model) is model


@pytest.mark.parametrize("spec", [3, None])
def test_what_is_no_model(spec):
    with pytest.raises(SettingsError):
        choose(spec)


def test_a_coroutine_function_is_no_model():
    async def later(prompt: str) -> str:
        return prompt

    with pytest.raises(SettingsError):
        choose(later)


def python(code):
    return f"cmd:{sys.executable} -c {shlex.quote(code)}"


def test_a_command_gets_the_prompt_and_gives_the_answer():
    model = choose(python("import sys; print(sys.stdin.read().upper())"))
    long = "x" * 300_000
    assert model.reply(Request("s", long)).text == f"S\n\n{long.upper()}\n"
    assert model.name == f"cmd:{sys.executable}"


def test_a_command_need_not_read():
    assert choose(python("print('hello')")).reply(Request("s", "x" * 300_000)).text == "hello\n"


def test_a_command_that_fails_says_why():
    with pytest.raises(ModelUnavailable, match="status 3: no key"):
        choose(python("import sys; print('no key', file=sys.stderr); sys.exit(3)")).reply(Request("s", "p"))


def test_a_command_that_answers_nothing():
    with pytest.raises(ModelReplyInvalid, match="answered nothing"):
        choose(python("pass")).reply(Request("s", "p"))


class UntilUp:
    """A clock that stands still until something was written into a pipe, and then is far on."""

    def __init__(self, pipe):
        self.pipe = pipe
        self.now = 0.0

    def __call__(self):
        with suppress(BlockingIOError):
            if os.read(self.pipe, 9):
                self.now = 100.0
        return self.now


def test_a_command_and_its_children_are_killed_at_the_deadline(tmp_path):
    fifo = tmp_path / "alive"
    os.mkfifo(fifo)
    child = f"import time; f = open({str(fifo)!r}, 'w'); f.write('up'); f.flush(); print('partial'); time.sleep(600)"
    parent = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-uc', {child!r}]); time.sleep(600)"
    pipe = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        model = chosen(python(parent), Settings(), clock=UntilUp(pipe))
        with pytest.raises(ModelUnavailable, match="still at work"):
            model.reply(Request("s", "p", deadline=50.0))
        # The pipe ends when the last process that holds it does.
        os.set_blocking(pipe, True)
        assert os.read(pipe, 9) == b""
    finally:
        os.close(pipe)


def test_the_scripted_model_answers_from_its_list():
    model = Scripted("a", ModelUnavailable("down"), Reply("b", "length"))
    asked = Request("s", "p")
    assert model.reply(asked).text == "a"
    with pytest.raises(ModelUnavailable, match="down"):
        model.reply(asked)
    assert model.reply(asked).finish == "length"
    with pytest.raises(ModelUnavailable, match="no reply left"):
        model.reply(asked)
    assert model.requests == [asked] * 4


def test_tokens_are_estimated_by_script():
    assert estimated_tokens("") == 0
    assert estimated_tokens("\\section{Results} " * 100) == pytest.approx(545, rel=0.1)
    assert estimated_tokens("实验结果" * 100) == pytest.approx(360, rel=0.1)
