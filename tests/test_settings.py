"""Settings: where they come from, that wrong ones are named, and that defaults cost nothing."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from texrepair.errors import SettingsError
from texrepair.settings import Settings, read_settings

pytestmark = pytest.mark.usefixtures("alone")


def test_what_is_nearer_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "texrepair.toml").write_text('rounds = 1\nbudget = 7\nonly = ["a"]\n[values]\none = "1"\ntwo = "2"\n')
    monkeypatch.setenv("TEXREPAIR_BUDGET", "8.5")
    monkeypatch.setenv("texrepair_strict", "yes")
    monkeypatch.setenv("TEXREPAIR_VALUES", '{"two": "zwei", "three": "drei"}')
    settings = read_settings(values={"three": "trois"}, max_passes="3", rules="mine")
    assert (settings.rounds, settings.budget, settings.strict, settings.only) == (1, 8.5, True, ("a",))
    assert settings.values == {"one": "1", "two": "zwei", "three": "trois"}
    assert (settings.max_passes, settings.rules) == (3, Path("mine"))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"rounds": -1}, "the setting rounds"),
        ({"rounds": True, "budget": "soon"}, "the setting budget"),
        ({"engine": "tex"}, "the setting engine"),
        ({"memory_mb": 1}, "the setting memory_mb"),
        ({"api_version": "new"}, "the setting api_version"),
        ({"values": {"a": []}}, "the setting values.a"),
    ],
)
def test_what_is_wrong_is_named(given: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        Settings(**given)  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match=says):
        read_settings().but(**given)


def test_an_unknown_name_is_wrong() -> None:
    with pytest.raises(SettingsError, match="the setting ronds"):
        read_settings(ronds=1)
    with pytest.raises(SettingsError, match="the setting ronds"):
        read_settings().but(ronds=1)


@pytest.mark.parametrize(("name", "value"), [("TEXREPAIR_ONLY", "code-fence"), ("TEXREPAIR_ROUNDS", "few")])
def test_a_wrong_variable(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=r"only|rounds|ONLY"):
        read_settings()


def test_what_a_file_may_say(tmp_path: Path) -> None:
    (tmp_path / "texrepair.toml").write_text(
        'engine = "lualatex"\nonly = ["a"]\ndisable = ["b"]\nstrict = true\ncache = false\nmax_passes = 6\n'
        'max_checks = 9\nrounds = 0\nbudget = 600\nmemory_mb = 64\nvalues = {name = "Li"}\n'
    )
    settings = read_settings()
    assert (settings.engine, settings.only, settings.disable, settings.strict) == ("lualatex", ("a",), ("b",), True)
    assert (settings.cache, settings.max_passes, settings.max_checks, settings.rounds) == (False, 6, 9, 0)
    assert (settings.budget, settings.memory_mb, settings.values) == (600.0, 64, {"name": "Li"})


CONCERN_THE_DOCUMENT = {"engine", "only", "disable", "values", "strict", "cache", "max_passes", "max_checks"}


@pytest.mark.parametrize("name", sorted({one.name for one in fields(Settings)} - CONCERN_THE_DOCUMENT))
def test_what_a_file_may_not_say(name: str, tmp_path: Path) -> None:
    (tmp_path / "texrepair.toml").write_text(f"{name} = 987654321\n")
    with pytest.raises(SettingsError, match=rf"texrepair.toml may not set {name}\b.*\(TEXREPAIR_{name.upper()}\)"):
        read_settings()
    with pytest.raises(SettingsError, match=f"may not set {name}"):
        read_settings(**{name: "given"})


def test_all_that_a_file_may_not_say_is_named_and_no_value_told(tmp_path: Path) -> None:
    (tmp_path / "texrepair.toml").write_text(
        'rounds = 3\nmodel = "openai:x"\napi_key = "KEY-123"\nengine = "pdflatex"\n'
    )
    with pytest.raises(SettingsError, match="may not set api_key, model, rounds above 2, because") as refused:
        read_settings()
    assert "KEY-123" not in str(refused.value)


def test_values_are_converted_even_where_they_equal_the_default() -> None:
    settings = Settings(rounds=2.0, cache=1)  # type: ignore[arg-type]
    assert (type(settings.rounds), type(settings.cache)) == (int, bool)


def test_the_key_is_told_to_nobody() -> None:
    settings = read_settings(api_key="KEY-123", rules="folder")
    assert settings.api_key is not None
    assert settings.api_key.get_secret_value() == "KEY-123"
    assert "KEY-123" not in repr(settings)
    assert "api_key" not in settings.told
    assert settings.told["rules"] == "folder"


def test_defaults_do_not_load_pydantic() -> None:
    probe = (
        "import sys\nfrom texrepair.settings import read_settings\nread_settings()\nprint('pydantic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True).stdout == "False\n"
