"""The words of content: tokens, and the units that a person would name."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from texrepair.latex import scanning

CELL = "&&"
"""The token between two cells of a table."""


class Unit(NamedTuple):
    """A piece of the document that a person would name: a paragraph, a table row, a section title."""

    kind: str
    start: int
    end: int
    tokens: tuple[str, ...]
    places: tuple[int, ...]
    """Where each token stands."""


class Input(NamedTuple):
    """A file that another one reads."""

    command: str
    path: str


Key = tuple[str, tuple[str, ...]]


def kind_of(token: str) -> str:
    """What a token is: word, number, symbol, cell, macro, mark (a list's number written by hand), link, or the kind of
    a key (citation, label, reference, picture …)."""
    if token == CELL:
        return "cell"
    head, colon, _ = token.partition(":")
    if colon and head:
        return head
    if token[0].isdigit():
        return "number"
    if token[0] == "\\" and token[1:].isalpha():
        return "macro"
    return "word" if token[0].isalpha() else "symbol"


def shown(token: str) -> str:
    """The token as a person would write it."""
    return token.partition(":")[2] if ":" in token[1:] else token.strip("⟨⟩")


@dataclass(frozen=True)
class Content:
    """The content of one file."""

    text: str
    units: tuple[Unit, ...]
    faint: Counter[str]
    """Tokens that nobody sees: white, of no size, written to a file. They are in no unit."""
    conditional: Counter[str]
    """Tokens that are printed on a condition, once for each condition around them. They are in units too."""
    soft: Counter[str]
    """Punctuation in text, which is not in the units."""
    defined: Counter[str]
    """Tokens in the bodies of definitions."""
    stray: Counter[str]
    """Tokens of the preamble that belong to none of its known entries."""
    commands: Counter[str]
    """Names of the commands and environments in use."""
    arguments: Counter[str]
    """What is read but not printed: names, keys, options."""
    definitions: frozenset[str]
    swallowing: frozenset[str]
    """Macros that the file redefines so that they print nothing of their arguments."""
    open_conditionals: int
    """\\if… without \\fi."""
    inputs: tuple[Input, ...]
    include_only: frozenset[str] | None

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """Of each unit, what it is compared by: a table row stays one, otherwise only the tokens count."""
        return tuple(("table row" if unit.kind == "table row" else "", unit.tokens) for unit in self.units)

    @cached_property
    def counts(self) -> Counter[Key]:
        return Counter(self.keys)


@lru_cache(maxsize=64)
def raw_words(text: str) -> Counter[str]:
    """The words and numbers of any text, live or not, read without knowing TeX. Not to be changed."""
    return Counter(token for _, token in scanning.raw(text, 0, len(text), Counter()) if token[0].isalnum())


_SIGN = re.compile(r"\\(?:percentsign|hashsign|tildesign|string|@percentchar)(?![A-Za-z])(?:\{\}| )?")
"""Macros that stand for a sign which cannot be written in a name."""


def file_key(path: str) -> str:
    """What is compared of a picture's name: not its folder, ending, case and punctuation, which repairs correct."""
    name = _SIGN.sub("", path).replace("\\", "/").rpartition("/")[2]
    stem, dot, _ = name.rpartition(".")
    return re.sub(r"[\W_]+", "", (stem if dot else name).casefold())
