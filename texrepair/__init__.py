"""texrepair: LaTeX that does not compile, repaired with the compiler as the judge.

result = texrepair.build("article.tex")
result.ok, result.status, result.pdf, result.fixes, result.diagnostics
"""

from importlib import import_module as _import_module
from pathlib import Path as _Path
from typing import TYPE_CHECKING

# In a checkout sanitizers/ and templates/ lie beside this package; in a wheel, inside it.
_checkout = _Path(__file__).resolve().parent.parent
if (_checkout / "sanitizers" / "__init__.py").is_file():
    __path__.append(str(_checkout))

__version__ = "0.1.0"

if TYPE_CHECKING:
    from texrepair.compile.session import Session
    from texrepair.diagnosis import diagnose
    from texrepair.errors import TexrepairError
    from texrepair.pipeline import abuild, build
    from texrepair.project import Draft, Project
    from texrepair.result import BuildResult, CompileResult, Diagnostic, Fix, Round, Status
    from texrepair.settings import Settings

# Public names and the modules that hold them: imported when first used, so that `import texrepair` stays fast.
_homes = {
    "BuildResult": "result",
    "CompileResult": "result",
    "Diagnostic": "result",
    "Draft": "project",
    "Fix": "result",
    "Project": "project",
    "Round": "result",
    "Session": "compile.session",
    "Settings": "settings",
    "Status": "result",
    "TexrepairError": "errors",
    "abuild": "pipeline",
    "build": "pipeline",
    "diagnose": "diagnosis",
}

__all__ = [
    "BuildResult",
    "CompileResult",
    "Diagnostic",
    "Draft",
    "Fix",
    "Project",
    "Round",
    "Session",
    "Settings",
    "Status",
    "TexrepairError",
    "abuild",
    "build",
    "diagnose",
]


def __getattr__(name: str) -> object:
    if name not in _homes:
        raise AttributeError(f"module 'texrepair' has no attribute {name!r}")
    return getattr(_import_module(f"texrepair.{_homes[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes})
