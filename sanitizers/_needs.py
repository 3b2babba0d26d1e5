"""What a document needs of the packages that it loads: shared by the rules that load, leave out or exchange one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from texrepair.latex import Package, Source
from texrepair.latex.names import commands_of, environments_of, is_known, is_known_environment
from texrepair.rules import Case


class Unknown(NamedTuple):
    """A name that TeX does not know."""

    name: str
    """Without the backslash."""
    environment: bool
    message: str
    """What TeX says of it."""

    @property
    def kind(self) -> str:
        """As texrepair.latex.names calls it."""
        return "environment" if self.environment else "command"

    @property
    def shown(self) -> str:
        """As it stands in the document."""
        return self.name if self.environment else f"\\{self.name}"


def unknown(case: Case) -> Unknown | None:
    """The name that the error is about; None where it names none."""
    found = case.diagnostic
    if found is None or not found.token:
        return None
    environment = found.code == "undefined-environment"
    return Unknown(found.token if environment else found.token.removeprefix("\\"), environment, found.message)


def loads(case: Case) -> Iterator[tuple[str, Source, Package]]:
    """Every live call in the document's files that loads a package; the main file's first."""
    for path in (case.main, *sorted(p for p in case.draft if p != case.main)):
        if path == case.main or path.endswith((".tex", ".ltx", ".sty", ".cls")):
            source = case.lexed(path)
            for load in source.packages:
                if load.command in ("usepackage", "RequirePackage") and source.live(load.start):
                    yield path, source, load


def used(case: Case) -> tuple[frozenset[str], frozenset[str]]:
    """The commands and environments that the document uses and does not define itself."""
    written = [s for s in case.read if s.part != "style"]
    commands = {c.name for s in written for c in s.commands if s.live(c.start)} - {""}
    environments = {e.name for s in written for e in s.environments if s.live(e.begin)}
    return frozenset(commands - case.defined), frozenset(environments - case.defined)


def needed(case: Case, package: str, others: Iterable[str]) -> frozenset[str]:
    """The names in use that this package brings and neither the kernel nor the others do."""
    commands, environments = used(case)
    others = tuple(p for p in others if p != package)
    return frozenset(
        {name for name in commands & commands_of(package) if not is_known(name, others)}
        | {name for name in environments & environments_of(package) if not is_known_environment(name, others)}
    )
