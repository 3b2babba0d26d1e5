"""Every setting once: its name, default, environment variable (TEXREPAIR_NAME) and help.

Order of precedence: arguments, environment, `texrepair.toml` in the current folder, the defaults here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

EngineName = Literal["xelatex", "pdflatex", "lualatex"]
SandboxName = Literal["auto", "bwrap", "landlock", "docker", "none"]


class Settings(BaseSettings):
    """What a build may be told. Frozen; an unknown name is an error."""

    model_config = SettingsConfigDict(
        env_prefix="TEXREPAIR_",
        frozen=True,
        extra="forbid",
        toml_file="texrepair.toml",
        use_attribute_docstrings=True,
    )

    engine: EngineName | None = None
    """The engine; never switched when it is named. Default: the document's `% !TEX program`, its packages, else xelatex."""
    model: str | None = None
    """PROVIDER:NAME of the model that is asked when no rule helps, e.g. anthropic:claude-sonnet-5."""
    base_url: str | None = None
    """Address of the model's API; the provider's own by default."""
    api_key: SecretStr | None = None
    """Key of the model's API; ANTHROPIC_API_KEY or OPENAI_API_KEY by default."""
    max_tokens: int = Field(32_000, gt=0)
    """Most tokens that the model may answer with."""
    rounds: int = Field(2, ge=0)
    """Most calls to the model."""
    budget: float = Field(600.0, gt=0)
    """Wall-clock seconds for everything together."""
    edit_mode: Literal["full", "diff"] = "full"
    """What the model is asked for: the whole file, or SEARCH/REPLACE blocks."""
    sandbox: SandboxName = "auto"
    """Where programs run. `none` only by name."""
    pass_seconds: float = Field(180.0, gt=0)
    """Seconds for one pass of an engine."""
    max_passes: int = Field(4, ge=1)
    """Most engine passes of one compile."""
    memory_mb: int = Field(1800, ge=64)
    """Address space of one program, in MiB."""
    file_mb: int = Field(100, ge=1)
    """Largest file that a program may write, in MiB."""
    processes: int = Field(64, ge=8)
    """Most processes of one session."""
    max_checks: int = Field(120, ge=1)
    """Most checks while mending."""
    max_files: int = Field(2_000, ge=1)
    """Most files that are taken along from beside the main file."""
    max_project_mb: int = Field(200, ge=1)
    """Most MiB that are taken along."""
    only: tuple[str, ...] = ()
    """Only these rules."""
    disable: tuple[str, ...] = ()
    """Not these rules."""
    rules: Path | None = None
    """A folder of further rules."""
    values: dict[str, str] = {}
    """Values of template names (`--set name=value`)."""
    strict: bool = False
    """Objections of the verdict (output that never settled) count as failure."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)
