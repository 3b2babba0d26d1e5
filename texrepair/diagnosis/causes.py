"""The codes of diagnostics: what exactly a message reports, what it is about, and a plain explanation.

`classified` is the one place where a message becomes a code; rules answer codes, never wordings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from texrepair.diagnosis.table_latex import LATEX
from texrepair.diagnosis.table_packages import PACKAGES
from texrepair.diagnosis.table_tex import TEX
from texrepair.diagnosis.table_tools import TOOLS

_PREFIX = re.compile(
    r"(?:!\s*)?(?:(?:Fatal|Critical)\s+)?"
    r"(?:(?P<latex>LaTeX3?(?: [A-Za-z]\S*)?)|(?P<kind>Package|Class|Module)\s+(?P<name>[^:]{1,60}?))\s+[Ee]rror:\s*"
)


@dataclass(frozen=True, slots=True)
class Cause:
    """One kind of error."""

    code: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Classified:
    """What a message says."""

    code: str
    token: str | None
    detail: Mapping[str, str]
    explanation: str


def classified(message: str) -> Classified:
    """The code, token and explanation of an error message; `tex-error` and the like where it is none of the known."""
    return _classified(message[:2000])


@lru_cache(maxsize=4096)
def _classified(message: str) -> Classified:
    text = message.removeprefix("! ")
    prefix = _PREFIX.match(text)
    bare = text[prefix.end() :] if prefix else text
    name = (prefix["name"] if prefix else "") or ""
    detail: dict[str, str] = {prefix["kind"].lower(): name} if prefix and name else {}
    for code, pattern, of_package in _patterns():
        found = pattern.match(f"{name}: {bare}" if of_package else bare)
        if found:
            groups = {k: v.strip() for k, v in found.groupdict().items() if v}
            token = groups.pop("token", None)
            return Classified(code, token or None, {**detail, **groups}, causes()[code].explanation)
    if prefix is None:
        code = "tex-error"
    elif prefix["latex"]:
        code = "latex-error"
    else:
        code = "class-error" if prefix["kind"] == "Class" else "package-error"
    return Classified(code, None, detail, causes()[code].explanation)


@cache
def causes() -> Mapping[str, Cause]:
    """Every code with its explanation."""
    return {code: Cause(code, explanation) for code, explanation, _ in (*TEX, *LATEX, *PACKAGES, *TOOLS)}


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str], bool], ...]:
    return tuple(
        (code, re.compile(pattern, re.DOTALL), table is PACKAGES)
        for table in (PACKAGES, LATEX, TEX)
        for code, _, patterns in table
        for pattern in patterns
    )
