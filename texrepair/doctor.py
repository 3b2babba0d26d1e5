"""What a build finds here: sandboxes, engines, the programs around them and models, each of them tried."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from texrepair.compile.engines import ENGINES, PACKAGES
from texrepair.compile.session import Session
from texrepair.errors import TexrepairError
from texrepair.project import Draft, Project
from texrepair.sandboxes import sandboxes
from texrepair.settings import Settings

_PAGE = "\\documentclass{article}\n\\begin{document}\nTried.\n\\end{document}\n"
_KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "TEXREPAIR_API_KEY")


@dataclass(frozen=True, slots=True)
class Finding:
    """How one thing fares here."""

    what: str
    well: bool
    said: str
    needed: bool = False
    """Whether a build is impossible without it."""

    @property
    def line(self) -> str:
        return f"{'ok  ' if self.well else 'no  '}{self.what:<20}{self.said}"


def examine(settings: Settings, environment: Mapping[str, str]) -> Iterator[Finding]:
    """Each thing as it is tried; nothing is changed, no model is asked and no key is shown."""
    tried = sandboxes(settings.docker_image)
    troubles = {name: sandbox.trouble() for name, sandbox in tried.items() if name != "none"}
    for name, trouble in troubles.items():
        yield Finding(f"sandbox {name}", trouble is None, trouble or "works here")
    works = [name for name, trouble in troubles.items() if trouble is None]
    if not works:
        yield Finding("a sandbox", False, "none works here: a build refuses with status 69", needed=True)
    engines = []
    for name in ENGINES:
        said = _compiles(name, settings) if works else "not tried: no sandbox works here"
        if said is None:
            engines.append(name)
        yield Finding(name, said is None, said or "compiles a page")
    if works and not engines:
        yield Finding("an engine", False, "none compiles here: apt-get install texlive-xetex", needed=True)
    for name in sorted(set(PACKAGES) - set(ENGINES)):
        path = shutil.which(name)
        yield Finding(name, path is not None, path or f"not installed: apt-get install {PACKAGES[name]}")
    yield Finding("model", settings.model is not None, settings.model or "none is configured: rules alone")
    for name in _KEYS:
        yield Finding(name, name in environment, "set" if name in environment else "not set")


def _compiles(engine: str, settings: Settings) -> str | None:
    """Why the engine does not compile a page here, or None."""
    project = Project("tried.tex", Draft({"tried.tex": _PAGE}), engine=engine, engine_named=True)
    try:
        with Session(project, settings) as session:
            result = session.compile(project.draft, engine)
    except TexrepairError as error:
        return str(error)
    return None if result.ok else "; ".join(one.message for one in result.errors[:1]) or "it made no PDF"
