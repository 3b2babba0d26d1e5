"""One BuildResult as JSON, and the run log."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import texrepair
from texrepair.project import Project
from texrepair.result import BuildResult, Diagnostic

if TYPE_CHECKING:
    from texrepair.settings import Settings

Json = dict[str, Any]


def as_json(result: BuildResult) -> Json:
    """The result as values that json.dumps takes. What changed is in `diff`, the whole texts in what was delivered."""
    return {
        "status": result.status.value,
        "ok": result.ok,
        "exit_code": result.exit_code,
        "reason": result.reason,
        "main": result.main,
        "engine": result.engine,
        "sandbox": result.sandbox,
        "pdf": plain(result.pdf),
        "delivered": plain(result.delivered),
        "changed": sorted(result.sources),
        "gate": result.gate,
        "seconds": round(result.seconds, 3),
        "cached": result.cached,
        "objections": plain(result.objections),
        "fixes": plain(result.fixes),
        "rounds": plain(result.rounds),
        "usage": plain(result.usage),
        **diagnostics_as_json(result.diagnostics),
        "checks": plain(result.checks),
        "passes": plain(result.passes),
        "steps": plain(result.steps),
        "diff": result.diff,
    }


def failure(status: int, reason: str) -> Json:
    """What stands in the place of a result where there is none."""
    return {"status": None, "ok": False, "exit_code": status, "reason": reason}


def diagnostics_as_json(diagnostics: Iterable[Diagnostic]) -> Json:
    """Errors and warnings, each a flat object with file, line, message, token, code, origin, explanation and more."""
    every = [(one.is_error, {k: v for k, v in plain(one).items() if k != "severity"}) for one in diagnostics]
    return {
        "errors": [values for is_error, values in every if is_error],
        "warnings": [values for is_error, values in every if not is_error],
    }


def run_log(result: BuildResult, project: Project, settings: Settings) -> Json:
    """What was done, and with which settings: enough to replay and to audit. No key, nothing of the environment.

    Its first key tells a later load that this folder is one of ours (belongs.RUN_LOG_HEAD).
    """
    return {
        "texrepair": texrepair.__version__,
        "input": {
            "main": project.main,
            "engine": project.engine,
            "engine_named": project.engine_named,
            "draft": project.draft.digest,
            "texts": sorted(project.draft),
            "other_files": sorted(project.assets),
        },
        "settings": _told(settings),
        **as_json(result),
    }


def _told(settings: Settings) -> Json:
    told: Json = settings.told
    if told.get("base_url"):
        address = urlsplit(told["base_url"])
        told["base_url"] = address._replace(netloc=address.netloc.rpartition("@")[2], query="").geturl()
    if (told.get("model") or "").startswith("cmd:"):
        # A command line may hold a key.
        told["model"] = " ".join(told["model"].split()[:1])
    return told


def plain(value: Any) -> Any:
    """A value of result.py as json.dumps takes it: dataclasses by field, bytes left out, seconds to the millisecond."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items() if not isinstance(item, bytes)}
    if isinstance(value, (tuple, list, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Path):
        return str(value)
    return round(value, 3) if isinstance(value, float) else value
