"""Who defines what: the static facts of each package's files put together, then corrected by what TeX said."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from naming.asked import Answer
from naming.definitions import Facts, read
from naming.tree import Tree, text_of

Key = tuple[str, str]
"""Kind (package, class, tikz, pgfplots, tcolorbox, variant, engine, latex) and name."""

_FAMILIES = re.compile(
    r"\\(?:ProcessOptionsX\*?\s*<([^<>]+)>|Process(?:PgfOptions|PgfPackageOptions|KeysOptions|KeyOptions)\s*[\[{]/?([^\]{}]+)[\]}]"
    r"|SetupKeyvalOptions\s*\{[^{}]*?family\s*=\s*([\w@.-]+)|ProcessKeyvalOptions\*?\s*\{([\w@.-]+)\}|ProcessOptionsKV\*?\s*(?:\[\w\])?\s*\{([\w@.-]+)\}|kv@set@family@handler\{([^{}]+)\})"
)
_LANGUAGE = re.compile(
    r"\\lst@definelanguage\s*(?:\[[^\]]*\])?\s*\{([^{}]+)\}|\\lst@definelanguage\s*\[[^\]]*\]([\w+#]+)"
)
_LIBRARY_FILE = (
    ("pgfplots", re.compile(r"tikzlibrarypgfplots\.(.+)\.code\.tex\Z")),
    ("tikz", re.compile(r"tikzlibrary(.+)\.code\.tex\Z")),
    ("tikz", re.compile(r"pgflibrary(.+)\.code\.tex\Z")),
)


@dataclass
class Owner:
    """A package, class, library, or a package with certain options; what it defines itself and what it loads."""

    kind: str
    name: str
    requires: set[Key] = field(default_factory=set)
    commands: dict[str, str | None] = field(default_factory=dict)
    environments: dict[str, str | None] = field(default_factory=dict)
    marked: dict[str, set[str]] = field(default_factory=dict)
    options: set[str] = field(default_factory=set)
    inner: set[str] = field(default_factory=set)
    """Commands that exist only inside its environments or while its macros run."""
    perhaps: set[str] = field(default_factory=set)
    """Commands that its text defines but that TeX did not see: with other options or engines they may be there."""
    folder: Path | None = None
    """Where its main file lies: what lies together is one bundle."""

    @property
    def key(self) -> Key:
        return self.kind, self.name


def owner_of(file: str) -> Key | None:
    """The owner that a file is the main file of: booktabs.sty → package booktabs."""
    if file.endswith(".sty"):
        return "package", file.removesuffix(".sty")
    if file.endswith(".cls"):
        return "class", file.removesuffix(".cls")
    for kind, pattern in _LIBRARY_FILE:
        if match := pattern.match(file):
            return kind, match.group(1)
    return None


class Static:
    """The facts of every file, read once, and those of a package with the files that it reads."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._facts: dict[str, Facts] = {}

    def of_file(self, name: str) -> Facts:
        if name not in self._facts:
            path = self._tree.files[name]
            self._facts[name] = read(text_of(path), expl=name.startswith(("expl3", "l3")))
        return self._facts[name]

    def owner(self, file: str) -> Owner:
        """What the package says with its main file and all files of its own that it reads."""
        key = owner_of(file)
        assert key is not None, file
        owner = Owner(*key, folder=self._tree.files[file].parent)
        waiting, seen = [file], set[str]()
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self._tree.files:
                continue
            seen.add(name)
            facts = self.of_file(name)
            self._take(owner, facts)
            for item in facts.inputs:
                for candidate in (item, item + ".tex", item + ".code.tex"):
                    if candidate in self._tree.files and owner_of(candidate) is None:
                        waiting.append(candidate)
                        break
            text = text_of(self._tree.files[name])
            families = {group for found in _FAMILIES.findall(text) for group in found if group}
            owner.marked.setdefault("family", set()).update(family.strip().strip("/") for family in families)
            if name.startswith("lstlang"):
                languages = {a or b for a, b in _LANGUAGE.findall(text)}
                owner.marked.setdefault("listing", set()).update(languages)
        owner.requires.discard(owner.key)
        return owner

    def _take(self, owner: Owner, facts: Facts) -> None:
        for name, arguments in facts.commands.items():
            if name.isalpha() and (arguments or name not in owner.commands):
                owner.commands[name] = arguments or None
        for name, arguments in facts.environments.items():
            if re.fullmatch(r"[^\W\d_]+\*?", name):
                owner.environments.setdefault(name, arguments or None)
        owner.inner |= facts.inner
        owner.options |= {option for option in facts.options if "#" not in option and "\\" not in option}
        for kind, names in (("colour", facts.colours), ("counter", facts.counters)):
            owner.marked.setdefault(kind, set()).update(name for name in names if re.fullmatch(r"[\w .-]+", name))
        for file, always in facts.loads.items():
            if always and file in self._tree.files and (key := owner_of(file)):
                owner.requires.add(key)


def corrected(owner: Owner, answer: Answer, below: dict[Key, Answer], base: Answer) -> None:
    """Put what TeX said in the owner's place: own is what its dependencies (`below`) and the `base` do not bring.

    What only the text says stays, too: other engines and options define it.
    """
    files = set(answer.files) - set(base.files)
    required = {key for file in files if (key := owner_of(file)) and key != owner.key}
    owner.requires = required
    brought_commands = set(base.commands)
    brought_environments = set(base.environments)
    brought: dict[str, set[str]] = {}
    for key in required:
        if key in below and not any(owner_of(file) == owner.key for file in below[key].files):
            brought_commands |= below[key].commands.keys()
            brought_environments |= below[key].environments.keys()
            for kind, names in below[key].marked.items():
                brought.setdefault(kind, set()).update(names)
    for name, arguments in answer.commands.items():
        if name not in brought_commands:
            owner.commands[name] = owner.commands.get(name) if arguments is None else arguments
    for name, arguments in answer.environments.items():
        if name not in brought_environments:
            owner.environments[name] = owner.environments.get(name) if arguments is None else arguments
    for kind, marked in answer.marked.items():
        own = {name for name in marked if "/." not in name} - brought.get(kind, set())
        owner.marked.setdefault(kind, set()).update(own)
    if not answer.errors:
        for name in owner.commands.keys() & brought_commands:
            del owner.commands[name]
        owner.perhaps = owner.commands.keys() - answer.commands.keys()
        for name in owner.perhaps:
            del owner.commands[name]


def with_key_options(owner: Owner) -> None:
    """Options that are keys: those of the families that the package names when it processes its options."""
    families = owner.marked.pop("family", set()) | {owner.name}
    for key in owner.marked.get("key", ()):
        family, _, name = key.strip("/").rpartition("/")
        if family in families:
            owner.options.add(name)
