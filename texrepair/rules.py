"""What a file in sanitizers/ holds: one Rule, with its examples; and how the rules are found.

A **static** rule (`answers` is None) works on the text alone, before the first compile, and may change only what no
right document can contain. An **error** rule answers diagnostics: it proposes candidates, and the compiler judges them.
Looking is pure: a rule never changes anything, it yields candidates made of edits.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Literal

from texrepair.errors import SettingsError
from texrepair.latex import Source, lex, part_of
from texrepair.latex.places import line_of, line_starts, stopped_at
from texrepair.project import Draft
from texrepair.result import Diagnostic, Fix

Phase = Literal["wrapping", "characters", "text"]
"""When a static rule runs: what stands around the document first, then damaged characters, then everything else."""

_PACKAGE = "texrepair.sanitizers"
_ANSWERS = re.compile(rb"^    answers=\((.*?)\),$", re.MULTILINE | re.DOTALL)
PHASES: tuple[Phase, ...] = ("wrapping", "characters", "text")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters start..end (0-based, end exclusive) of a file, which is created if it is not there yet."""

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
    """0 to 1: candidates are tried in falling order. Repairs of the likely cause have more than 0.5, placeholders less
    than 0.3."""
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
    sources: dict[tuple[str, str], Source] = field(default_factory=dict, repr=False, compare=False)
    """What has been lexed already, by path and text; cases of one stage may share it."""

    @property
    def text(self) -> str:
        return self.draft.text(self.path)

    @cached_property
    def source(self) -> Source:
        """The file at `path`, lexed."""
        return self.lexed(self.path)

    def lexed(self, path: str) -> Source:
        """Any file of the draft, lexed. The main file and packages begin in a preamble, others in the body."""
        text = self.draft.text(path)
        found = self.sources.get((path, text))
        if found is None:
            found = lex(text, part_of(path, self.main))
            self.sources[path, text] = found
        return found

    def line(self, number: int) -> tuple[int, int]:
        """The offsets of a 1-based line of `path`, its line end excluded; the nearest line where there is none such."""
        return self.source.line_span(number)

    @cached_property
    def at(self) -> int:
        """Where in `path` TeX stood when it complained, or where the cause is known to be; else the text's end."""
        found = self.diagnostic
        if found is None:
            return 0
        if found.origin is not None and found.origin.file == self.path:
            return stopped_at(self.text, found.origin.line)
        return stopped_at(self.text, found.line, found.before or None)

    def tex_files(self) -> Iterator[tuple[str, Source]]:
        """The main file and the draft's other .tex and .ltx files, with their paths, lexed."""
        for path in self.draft:
            if path == self.main or path.endswith((".tex", ".ltx")):
                yield path, self.lexed(path)

    @cached_property
    def read(self) -> tuple[Source, ...]:
        """The draft's TeX files, lexed, the main one first."""
        endings = (".tex", ".ltx", ".sty", ".cls", ".tikz")
        others = sorted(p for p in self.draft if p != self.main and p.endswith(endings))
        return tuple(self.lexed(p) for p in (self.main, *others))

    @cached_property
    def packages(self) -> tuple[str, ...]:
        """The names of all packages and classes that the draft's files ask for."""
        return tuple(dict.fromkeys(p.name for s in self.read for p in s.packages if s.live(p.start)))

    @cached_property
    def defined(self) -> frozenset[str]:
        """The macros (without backslash) and environments that the draft's files define."""
        return frozenset(name for s in self.read for name in s.definitions)


Proposal = Callable[[Case], Iterable[Candidate]]


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
    engine: str = "xelatex"
    """The engine, which the caller named: candidates that need another one do not count."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One known pitfall."""

    id: str
    """Names the pitfall, not the cure: reads well after "allow". The file's name with hyphens."""
    fix: Proposal
    examples: tuple[Example, ...]
    answers: tuple[str, ...] | None = None
    """The codes of diagnostics that it answers; None: a static rule."""
    phase: Phase = "text"
    """When it runs, for a static rule."""
    deletes: str = ""
    """What it may delete that is not content, in words; "" where it deletes nothing."""
    fills: bool = False
    """It puts in what the caller gave with --set, so that the guard has no say."""
    doc: str = ""
    """The module's docstring: why it breaks, what is done, when nothing is done. Filled on discovery."""

    @property
    def static(self) -> bool:
        return self.answers is None

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.doc.strip().partition("\n")[0]


@cache
def shipped(*, static: bool = False) -> tuple[Rule, ...]:
    """All rules that come with texrepair, or the static ones alone, sorted by id.

    Loading them all takes a third of a second, so that the static ones are told by their text: they answer nothing.
    """
    names = _shipped()
    if static:
        names = tuple(name for name in names if not _ANSWERS.search(_text_of(name)))
    found = (_rule_of(importlib.import_module(f"{_PACKAGE}.{name}")) for name in names)
    return tuple(sorted(found, key=lambda rule: rule.id))


@cache
def _shipped() -> tuple[str, ...]:
    """The names of their modules."""
    path = importlib.import_module(_PACKAGE).__path__
    return tuple(info.name for info in pkgutil.iter_modules(path) if not info.name.startswith("_"))


def answering() -> dict[str, list[str]]:
    """The ids of the shipped rules that answer each code of a diagnostic, told by their text: none is loaded."""
    found: dict[str, list[str]] = {}
    for name in _shipped():
        if answers := _ANSWERS.search(_text_of(name)):
            for code in re.findall(r'"([^"]+)"', answers[1].decode()):
                found.setdefault(code, []).append(name.replace("_", "-"))
    return found


def _text_of(name: str) -> bytes:
    return pkgutil.get_data(_PACKAGE, f"{name}.py") or b""


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
    return replace(rule, doc=module.__doc__ or "")


def loaded(
    folder: Path | None, only: Iterable[str] = (), disable: Iterable[str] = (), *, static: bool = False
) -> tuple[Rule, ...]:
    """The shipped rules and those of a user's folder, as far as the caller wants them; or the static ones alone.

    Raises SettingsError for an id that no rule has.
    """
    own = from_folder(folder) if folder else ()
    only, disable = frozenset(only), frozenset(disable)
    known = {name.replace("_", "-") for name in _shipped()} | {rule.id for rule in own}
    unknown = sorted((only | disable) - known)
    if unknown:
        raise SettingsError(f"no rule is called {', '.join(unknown)}; `texrepair rules` lists them")
    wanted = (rule for rule in shipped(static=static) + own if (not only or rule.id in only) and rule.id not in disable)
    return tuple(rule for rule in wanted if rule.static or not static)


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
        # Of two insertions at the same place the first comes out first.
        for edit in sorted(group, key=lambda e: (e.start, e.end))[::-1]:
            if not 0 <= edit.start <= edit.end <= bound:
                raise ValueError(f"edits of {path} overlap or lie outside the file")
            text = text[: edit.start] + edit.text + text[edit.end :]
            bound = edit.start
        draft = draft.replace(path, text)
    return draft


def described(rule: Rule, draft: Draft, edits: Iterable[Edit], why: str) -> tuple[Fix, ...]:
    """What the edits do to the draft, as the run log tells it: one Fix for each run of lines that they touch."""
    by_path: dict[str, list[Edit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    return tuple(fix for path, group in by_path.items() for fix in _described(rule, draft, path, group, why))


def _described(rule: Rule, draft: Draft, path: str, edits: list[Edit], why: str) -> Iterable[Fix]:
    text = draft.text(path) if path in draft else ""
    starts = line_starts(text)
    runs: list[tuple[int, int, list[Edit]]] = []
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        first, last = line_of(text, edit.start), line_of(text, edit.end)
        whole_lines = edit.start == starts[first - 1] or edit.text.endswith("\n")
        if last > first and whole_lines and edit.end == starts[last - 1]:
            last -= 1
        if runs and first <= runs[-1][1]:
            runs[-1] = (runs[-1][0], max(last, runs[-1][1]), [*runs[-1][2], edit])
        else:
            runs.append((first, last, [edit]))
    for first, last, group in runs:
        start = starts[first - 1]
        end = starts[last] if last < len(starts) else len(text)
        moved = [replace(edit, start=edit.start - start, end=edit.end - start) for edit in group]
        after = applied(Draft({path: text[start:end]}), moved).text(path)
        yield Fix(rule.id, path, first, text[start:end].rstrip("\r\n"), after.rstrip("\r\n"), why)


def table(rules: Iterable[Rule]) -> str:
    """The rules as a Markdown table, for README."""
    rows = [
        f"| `{rule.id}` | {'static' if rule.static else 'error'} | {rule.summary.rstrip('.')} |"
        for rule in sorted(rules, key=lambda rule: (not rule.static, rule.id))
    ]
    return "\n".join(["| rule | kind | pitfall |", "|---|---|---|", *rows])


def stem(path: str) -> str:
    """The file's name without its folder and ending."""
    return PurePosixPath(path).stem
