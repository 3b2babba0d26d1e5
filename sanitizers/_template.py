"""Variables that a template left in the text: {{ name }}, <<NAME>>, %%NAME%%, \\VAR{name} and the like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_NAME = r"[A-Za-z](?:[\w.\- ]|\\_){0,60}?"
_FORMS = re.compile(
    rf"\\VAR\{{\s*(?P<var>{_NAME})\s*(?:\|[^{{}}]*)?\}}"
    rf"|\{{\{{\s*(?P<mustache>{_NAME})\s*(?:\|[^{{}}]*)?\}}\}}"
    rf"|<<\s*(?P<angle>{_NAME})\s*>>"
    rf"|\[\[\s*(?P<square>{_NAME})\s*\]\]"
    rf"|\$\{{\s*(?P<shell>{_NAME})\s*\}}"
    rf"|(?<!%)%%(?P<percent>{_NAME})%%(?!%)"
    rf"|@@\s*(?P<at>{_NAME})\s*@@"
    rf"|(?<![A-Za-z\d])__(?P<under>[A-Za-z](?:[A-Za-z\d]|_(?!_))*)__(?![A-Za-z\d])"
    rf"|\(\(\(\s*(?P<round>{_NAME})\s*\)\)\)"
)


class Variable(NamedTuple):
    start: int
    end: int
    name: str
    form: str


def variables(text: str) -> Iterator[Variable]:
    """Everything that has the form of a template variable, in order."""
    for match in _FORMS.finditer(text):
        form = str(match.lastgroup)
        yield Variable(match.start(), match.end(), match[form].strip(), form)


def same_name(name: str) -> str:
    """A name without what people write differently: case, underscores, hyphens, dots, spaces."""
    return re.sub(r"[\\_\-. ]", "", name).lower()
