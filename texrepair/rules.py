"""What a file in sanitizers/ holds: one Rule, with its examples; and how the rules are found.

A **static** rule (`answers` is None) works on the text alone, before the first compile, and may change only what no
right document can contain. An **error** rule answers diagnostics: it proposes candidates, and the compiler judges them.
Looking is pure: a rule never changes anything, it yields candidates made of edits.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import ModuleType

from texrepair.errors import SettingsError
from texrepair.latex import Source, lex
from texrepair.project import Draft
from texrepair.result import Diagnostic


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters start..end (0-based, end exclusive) of a file of the draft. A file that is not there yet is created."""

    path: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """Edits that belong together: all or none."""

    edits: tuple[Edit, ...]
    why: str
    """What it does, for the run log and for a person: "load the package that defines \\toprule"."""
    certainty: float = 0.5
    """0 to 1: candidates are tried in falling order. Repairs of the likely cause stand above 0.5, placeholders below 0.3."""
    engine: str | None = None
    """Another engine that this candidate needs; never taken where the caller named one."""


@dataclass(frozen=True)
class Case:
    """What a rule is shown. Built by sanitize.py (no diagnostic) and mend.py (one)."""

    draft: Draft
    main: str
    """The main file's path in the draft."""
    path: str
    """The file to look at: each text file in turn (static), or the file that the diagnostic is about (error)."""
    diagnostic: Diagnostic | None = None
    engine: str = "xelatex"
    assets: frozenset[str] = frozenset()
    """Paths of the project's other files (figures, fonts)."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What `--set name=value` gave."""

    @property
    def text(self) -> str:
        return self.draft.text(self.path)

    @cached_property
    def source(self) -> Source:
        """The file at `path`, lexed."""
        return self.lexed(self.path)

    def lexed(self, path: str) -> Source:
        """Any file of the draft, lexed. Files other than the main one start in the body, packages and classes in the preamble."""
        return _lex(self.draft.text(path), path, path == self.main)

    def line(self, number: int) -> tuple[int, int]:
        """The offsets of a 1-based line of `path`, its line end excluded; the nearest line where there is none such."""
        return self.source.line_span(number)


def _lex(text: str, path: str, main: bool) -> Source:
    style = path.endswith((".sty", ".cls", ".def", ".cfg"))
    return lex(text, part="style" if style else "main" if main else "body")


Fix = Callable[[Case], Iterable[Candidate]]


@dataclass(frozen=True, slots=True)
class Example:
    """A text and what the rule makes of it. `after=None`: it must stay as it is."""

    before: str
    after: str | None = None
    message: str = ""
    """For error rules: the message of the diagnostic …"""
    code: str = ""
    """… its code (default: the first that the rule answers) …"""
    line: int = 1
    """… its line in `before` …"""
    token: str | None = None
    """… its token …"""
    context_before: str | None = None
    """… and the first half of TeX's context line; None: the whole line."""
    path: str = "main.tex"
    values: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """Other text files of the draft."""
    assets: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """One known pitfall."""

    id: str
    """Names the pitfall, not the cure: reads well after "allow". The file's name with hyphens."""
    fix: Fix
    examples: tuple[Example, ...]
    answers: tuple[str, ...] | None = None
    """The codes of diagnostics that it answers; None: a static rule."""
    deletes: str = ""
    """What it may delete that is not content, in words; "" where it deletes nothing."""
    doc: str = ""
    """The module's docstring: why it breaks, what is done, when nothing is done. Filled on discovery."""

    @property
    def static(self) -> bool:
        return self.answers is None

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.doc.strip().partition("\n")[0]


def shipped() -> tuple[Rule, ...]:
    """All rules that come with texrepair, sorted by id."""
    package = importlib.import_module("texrepair.sanitizers")
    found = (
        _rule_of(importlib.import_module(f"{package.__name__}.{info.name}"))
        for info in pkgutil.iter_modules(package.__path__)
        if not info.name.startswith("_")
    )
    return tuple(sorted(found, key=lambda rule: rule.id))


def from_folder(folder: Path) -> tuple[Rule, ...]:
    """A user's own rules: every .py file of the folder that does not begin with an underscore.

    Raises SettingsError where the folder does not exist or a file holds no RULE.
    """
    if not folder.is_dir():
        raise SettingsError(f"--rules {folder}: no such folder")
    rules = []
    for path in sorted(folder.glob("[!_]*.py")):
        spec = importlib.util.spec_from_file_location(f"texrepair_user_rules.{path.stem}", path)
        if spec is None or spec.loader is None:
            raise SettingsError(f"{path}: cannot be loaded as a Python file")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        rules.append(_rule_of(module))
    return tuple(rules)


def _rule_of(module: ModuleType) -> Rule:
    rule = getattr(module, "RULE", None)
    if not isinstance(rule, Rule):
        raise SettingsError(f"{module.__file__}: a rule file holds RULE = Rule(…)")
    return Rule(
        id=rule.id,
        fix=rule.fix,
        examples=rule.examples,
        answers=rule.answers,
        deletes=rule.deletes,
        doc=module.__doc__ or "",
    )


def chosen(rules: Iterable[Rule], only: Iterable[str] = (), disable: Iterable[str] = ()) -> tuple[Rule, ...]:
    """The rules that the caller wants. Raises SettingsError for an id that no rule has."""
    rules, only, disable = tuple(rules), frozenset(only), frozenset(disable)
    unknown = sorted((only | disable) - {rule.id for rule in rules})
    if unknown:
        raise SettingsError(f"no rule is called {', '.join(unknown)}; `texrepair rules` lists them")
    return tuple(rule for rule in rules if (not only or rule.id in only) and rule.id not in disable)


def applied(draft: Draft, edits: Iterable[Edit]) -> Draft:
    """The draft with the edits made, from the end of each file backwards so that earlier offsets stay true.

    Raises ValueError where two edits overlap or one lies outside its file.
    """
    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    for path, group in by_path.items():
        text = draft.text(path) if path in draft else ""
        bound = len(text)
        for edit in sorted(group, key=lambda e: (e.start, e.end), reverse=True):
            if not 0 <= edit.start <= edit.end <= bound:
                raise ValueError(f"edits of {path} overlap or lie outside the file")
            text = text[: edit.start] + edit.text + text[edit.end :]
            bound = edit.start
        draft = draft.replace(path, text)
    return draft


def stem(path: str) -> str:
    """The file's name without its folder and ending."""
    return PurePosixPath(path).stem
