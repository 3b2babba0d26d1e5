"""Every setting once: its name, default, environment variable (TEXREPAIR_NAME) and help.

Order of precedence: arguments, environment, `texrepair.toml` in the current folder, the defaults here. That file may
have come with a document, so it may say little: see _OF_A_DOCUMENT and _LIMITS.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_type_hints

from texrepair.errors import SettingsError
from texrepair.files import Folder

if TYPE_CHECKING:
    from pydantic import BaseModel, SecretStr

EngineName = Literal["xelatex", "pdflatex", "lualatex"]
SandboxName = Literal["auto", "bwrap", "docker", "landlock", "none"]
EditMode = Literal["full", "diff", "auto"]
_FILE = Path("texrepair.toml")
_FILE_BYTES = 64 * 1024
_OF_A_DOCUMENT = frozenset("engine only disable values strict cache max_passes max_checks".split())
"""What a texrepair.toml may choose: what concerns the document, and costs no more than `budget` allows."""
_LIMITS = frozenset(
    "rounds budget pass_seconds memory_mb file_mb disk_mb output_kib processes max_files max_project_mb".split()
)
"""What it may lower, but not raise above the default. All else, settings that are yet to come included, is refused."""
_PREFIX = "TEXREPAIR_"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a build may be told. What is given is converted and checked by pydantic, if it is not the default: importing
    it takes as long as an earlier result does from start to end.

    Raises SettingsError that names the first setting that is wrong.
    """

    engine: EngineName | None = None
    """The engine; never switched when it is named. Default: `% !TEX program`, what the packages need, else xelatex."""
    model: str | None = None
    """PROVIDER:NAME of the model that is asked when no rule helps, e.g. anthropic:claude-sonnet-5."""
    base_url: str | None = None
    """Address of the model's API; the provider's own by default."""
    api_key: SecretStr | None = None
    """Key of the model's API; ANTHROPIC_API_KEY or OPENAI_API_KEY by default."""
    max_tokens: int = field(default=32_000, metadata={"gt": 0})
    """Most tokens that the model may answer with."""
    rounds: int = field(default=2, metadata={"ge": 0})
    """Most calls to the model."""
    budget: float = field(default=600.0, metadata={"gt": 0})
    """Wall-clock seconds for everything together."""
    edit_mode: EditMode = "full"
    """What the model is asked for: the whole file, SEARCH/REPLACE blocks, or (auto) first blocks, then the whole."""
    full_limit: int = field(default=60_000, metadata={"gt": 0})
    """Characters of a file above which the model sees only the part that matters and answers with SEARCH/REPLACE."""
    temperature: float | None = field(default=0.0, metadata={"ge": 0})
    """Sampling temperature; left out for models that take none."""
    api_version: str = field(default="2026-10-21", metadata={"pattern": r"^\d{4}-\d\d-\d\d$"})
    """The `anthropic-version` header. Gateways that know only the earlier one need 2023-06-01."""
    token_field: Literal["max_tokens", "max_completion_tokens"] | None = None
    """What Chat Completions calls the limit of the answer; max_completion_tokens at OpenAI, max_tokens elsewhere."""
    disable_thinking: bool = False
    """Ask the model to answer without thinking first."""
    extra_body: dict[str, Any] = field(default_factory=dict)
    """Further fields of the request to the model, as JSON."""
    silence: float = field(default=180.0, metadata={"gt": 0})
    """Seconds without a sign from the model's server after which it counts as unavailable."""
    max_total_tokens: int | None = field(default=None, metadata={"gt": 0})
    """Most tokens that all rounds together may use, in and out."""
    max_cost: float | None = field(default=None, metadata={"gt": 0})
    """Most money that all rounds together may cost; needs the prices."""
    price_in: float | None = field(default=None, metadata={"ge": 0})
    """Price of a million input tokens."""
    price_cached: float | None = field(default=None, metadata={"ge": 0})
    """Price of a million cached input tokens; that of other input tokens by default."""
    price_out: float | None = field(default=None, metadata={"ge": 0})
    """Price of a million output tokens."""
    sandbox: SandboxName = "auto"
    """Where programs run: bubblewrap, else Docker, else (in a container) Landlock. `none` only by name."""
    docker_image: str = field(default="texrepair", metadata={"pattern": r"^[A-Za-z0-9][\w./:@-]*$"})
    """The image that `--sandbox docker` runs: the Dockerfile's, or any other with a Python 3.11 and TeX."""
    pass_seconds: float = field(default=180.0, metadata={"gt": 0})
    """Seconds for one pass of an engine."""
    max_passes: int = field(default=4, metadata={"ge": 1})
    """Most engine passes of one compile."""
    memory_mb: int = field(default=1800, metadata={"ge": 64})
    """Memory of all programs of a session together, and the address space of each, in MiB."""
    file_mb: int = field(default=100, metadata={"ge": 1})
    """Largest file that a program may write, in MiB."""
    disk_mb: int = field(default=200, metadata={"ge": 1})
    """What the programs of a session may write, in MiB, all files together."""
    output_kib: int = field(default=256, metadata={"ge": 1})
    """What is kept of what a program prints, in KiB."""
    processes: int = field(default=64, metadata={"ge": 8})
    """Most processes of one session."""
    max_checks: int = field(default=120, metadata={"ge": 1})
    """Most checks while mending."""
    max_files: int = field(default=2_000, metadata={"ge": 1})
    """Most files that are taken along from beside the main file."""
    max_project_mb: int = field(default=200, metadata={"ge": 1})
    """Most MiB that are taken along."""
    cache: bool = True
    """Keep results in the user's cache folder, and give them again when nothing has changed."""
    only: tuple[str, ...] = ()
    """Only these rules."""
    disable: tuple[str, ...] = ()
    """Not these rules."""
    rules: Path | None = None
    """A folder of further rules."""
    values: dict[str, str] = field(default_factory=dict)
    """Values of template names (`--set name=value`)."""
    strict: bool = False
    """Objections of the verdict (output that never settled) count as failure."""

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in _DEFAULTS if not _is_default(name, getattr(self, name))}
        if given:
            checked = _checked(given)
            for name in given:
                object.__setattr__(self, name, getattr(checked, name))

    @property
    def told(self) -> dict[str, Any]:
        """All of them as JSON takes them, the key apart."""
        values = {name: getattr(self, name) for name in _DEFAULTS if name != "api_key"}
        return {name: str(value) if isinstance(value, Path) else value for name, value in values.items()}

    def but(self, **changed: Any) -> Settings:
        """These settings with some changed. Raises SettingsError."""
        _must_be_known(changed)
        return replace(self, **changed)


_DEFAULTS: dict[str, Any] = {
    one.name: one.default_factory() if callable(one.default_factory) else one.default for one in fields(Settings)
}


def _is_default(name: str, value: object) -> bool:
    return type(value) is type(_DEFAULTS[name]) and value == _DEFAULTS[name]


@cache
def _model() -> type[BaseModel]:
    """What checks settings: the same fields."""
    from pydantic import Field, SecretStr, create_model

    hints = get_type_hints(Settings, localns={"SecretStr": SecretStr})
    every: dict[str, Any] = {
        one.name: (hints[one.name], Field(default=_DEFAULTS[one.name], **one.metadata)) for one in fields(Settings)
    }
    return create_model("Settings", **every)


def _checked(given: Mapping[str, Any]) -> BaseModel:
    from pydantic import ValidationError

    try:
        return _model().model_validate(given)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise SettingsError(f"the setting {name}: {first['msg']}") from wrong


def _must_be_known(given: Mapping[str, Any]) -> None:
    for name in given:
        if name not in _DEFAULTS:
            raise SettingsError(f"the setting {name}: there is none of this name")


def _merged(low: Mapping[str, Any], high: Mapping[str, Any]) -> dict[str, Any]:
    """Both, `high` going first; of what is a mapping in both, each part."""
    both = {name: {**low[name], **high[name]} for name in low.keys() & high.keys()
            if isinstance(low[name], dict) and isinstance(high[name], dict)}  # fmt: skip
    return {**low, **high, **both}


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """What the variables TEXREPAIR_NAME say; lists and mappings are JSON."""
    given = {name.upper(): value for name, value in environment.items()}
    found: dict[str, Any] = {}
    for name, default in _DEFAULTS.items():
        value = given.get(f"{_PREFIX}{name.upper()}")
        if value is None:
            continue
        found[name] = value
        if isinstance(default, (dict, tuple)):
            try:
                found[name] = json.loads(value)
            except ValueError as wrong:
                raise SettingsError(f"the settings cannot be read: {_PREFIX}{name.upper()} is no JSON") from wrong
    return found


def _in_reach() -> bool:
    """Whether the current folder lets us see a texrepair.toml. That of another user, in a container, may not."""
    try:
        return _FILE.is_file()
    except PermissionError:
        return False


def _from_file() -> dict[str, Any]:
    """What texrepair.toml says; no link to it is followed.

    Raises SettingsError that names all that it may not say: what runs here, who is sent the document or a key, what
    that may cost, and more than the usual limits.
    """
    if not _in_reach():
        return {}
    try:
        values = tomllib.loads(Folder(Path()).read(str(_FILE), _FILE_BYTES).decode("utf-8"))
    except (ValueError, OSError, RecursionError) as wrong:
        raise SettingsError(f"the settings cannot be read: {_FILE}: {wrong}") from wrong
    _must_be_known(values)
    limits = Settings(**{name: values[name] for name in values.keys() & _LIMITS})
    bad = {name: name for name in values.keys() - _OF_A_DOCUMENT - _LIMITS} | {
        name: f"{name} above {_DEFAULTS[name]}" for name in _LIMITS if getattr(limits, name) > _DEFAULTS[name]
    }
    if bad:
        what = ", ".join(bad[name] for name in sorted(bad))
        variables = ", ".join(f"{_PREFIX}{name.upper()}" for name in sorted(bad))
        raise SettingsError(
            f"{_FILE} may not set {what}, because it may have come with a document; if you want this, take it "
            f"out there and say it on the command line or in the environment ({variables})"
        )
    return values


def read_settings(**given: Any) -> Settings:
    """Settings from what was given, the environment and texrepair.toml. Raises SettingsError that names it."""
    every = _merged(_merged(_from_file(), _from_environment(os.environ)), given)
    _must_be_known(every)
    return Settings(**every)


def unknown_variables(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The TEXREPAIR_ variables that are no setting's, sorted: a misspelt one would be ignored in silence."""
    known = {f"{_PREFIX}{name.upper()}" for name in _DEFAULTS}
    return tuple(sorted(n for n in environment if n.upper().startswith(_PREFIX) and n.upper() not in known))
