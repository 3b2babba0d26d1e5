"""Models: who can be asked, by name. A complete model is a name and one method; see base.py."""

from __future__ import annotations

import inspect
import os
import shlex
import shutil
import time
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from pydantic import SecretStr

from texrepair.errors import SettingsError
from texrepair.models.base import Function, Model, Reply, Request, Server
from texrepair.settings import Settings

__all__ = ["Model", "Reply", "Request", "chosen"]

PROVIDERS = ("anthropic", "openai", "openai-responses", "cmd")


def chosen(
    spec: str | Callable[[str], str] | Model,
    settings: Settings,
    *,
    clock: Callable[[], float] = time.monotonic,
    environment: Mapping[str, str] = os.environ,
) -> Model:
    """The model that `anthropic:NAME`, `openai:NAME`, `openai-responses:NAME`, `cmd:COMMAND`, or a function from the
    prompt to the answer stands for; a Model is itself.

    `clock` is the one that deadlines are given in. Raises SettingsError for an unknown provider, a missing name or key,
    an address that is none, or a command that is not installed.
    """
    if not isinstance(spec, str):
        if callable(getattr(spec, "reply", None)):
            return spec  # type: ignore[return-value]
        if not callable(spec) or inspect.iscoroutinefunction(spec):
            raise SettingsError("a model is PROVIDER:NAME, a function from str to str, or has name and reply")
        return Function(spec, clock)
    provider, _, name = spec.partition(":")
    if provider not in PROVIDERS or not name.strip():
        known = ", ".join(f"{p}:NAME" for p in PROVIDERS[:-1])
        raise SettingsError(
            f"--model {spec}: write {known} or cmd:COMMAND; a server that speaks OpenAI's protocol (Ollama, vLLM, "
            "llama.cpp, OpenRouter, Gemini) is openai:NAME with --base-url"
        )
    if provider == "cmd":
        return _command(name, clock)
    return _remote(provider, name.strip(), settings, clock, environment)


def _command(line: str, clock: Callable[[], float]) -> Model:
    from texrepair.models.command import Command

    try:
        argv = tuple(shlex.split(line))
    except ValueError as error:
        raise SettingsError(f"--model cmd:{line}: {error}") from error
    if not argv or shutil.which(argv[0]) is None:
        raise SettingsError(f"--model cmd:{line}: no such program")
    return Command(argv, clock)


def _remote(
    provider: str, name: str, settings: Settings, clock: Callable[[], float], environment: Mapping[str, str]
) -> Model:
    from texrepair.models import anthropic, openai_chat, openai_responses
    from texrepair.models.wire import Wire

    vendor, official = (
        ("ANTHROPIC", anthropic.OFFICIAL) if provider == "anthropic" else ("OPENAI", openai_chat.OFFICIAL)
    )
    base_url = settings.base_url or environment.get(f"{vendor}_BASE_URL") or official
    if not _is_address(base_url):
        raise SettingsError(
            f"the base URL of {provider}:{name} is no address: it has to begin with http:// or https://"
        )
    key = settings.api_key
    if key is None and environment.get(f"{vendor}_API_KEY"):
        key = SecretStr(environment[f"{vendor}_API_KEY"])
    if key is not None:
        key = SecretStr(key.get_secret_value().strip())
        if not (key.get_secret_value().isascii() and key.get_secret_value().isprintable()):
            raise SettingsError("the API key holds characters that no key has")
    if not key and base_url == official:
        raise SettingsError(f"--model {provider}:{name} needs a key: set {vendor}_API_KEY")
    server = Server(
        base_url,
        key or None,
        settings.api_version,
        settings.token_field,
        settings.disable_thinking,
        settings.extra_body,
    )
    wire = Wire(silence=settings.silence, clock=clock)
    kinds: Mapping[str, Callable[..., Model]] = {
        "anthropic": anthropic.Anthropic,
        "openai": openai_chat.OpenAIChat,
        "openai-responses": openai_responses.OpenAIResponses,
    }
    return kinds[provider](name, server, wire)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
