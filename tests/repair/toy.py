"""A toy compiler for the rounds: `\\badN` is an undefined command, everything else compiles."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from texrepair.diagnosis import fingerprint
from texrepair.project import Draft
from texrepair.result import Check, CompileResult, Diagnostic, Fix

MAIN = "main.tex"

TEXT = """\\documentclass{article}
\\begin{document}
\\section{One}
The voltage is 3.14 V. \\bada
\\section{Two}
The current is 2.72 A. \\badb
\\end{document}
"""

GOOD = TEXT.replace(" \\bada", "").replace(" \\badb", "")


def draft(text=TEXT, **others):
    return Draft({MAIN: text, **others})


def compiled(given: Draft) -> CompileResult:
    """One error for each undefined command."""
    found = []
    for path, text in given.texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            for bad in re.finditer(r"\\bad\w*", line):
                found.append(
                    Diagnostic(
                        "error",
                        "error",
                        "Undefined control sequence",
                        code="undefined-control-sequence",
                        file=path,
                        line=number,
                        token=bad[0],
                        before=line[: bad.end()],
                        after=line[bad.end() :],
                    )
                )
    return CompileResult(not found, tuple(found))


@dataclass(frozen=True)
class Verified:
    draft: Draft
    result: CompileResult
    engine: str = "xelatex"
    fixes: tuple[Fix, ...] = ()
    checks: tuple[Check, ...] = ()


@dataclass
class Verify:
    """Compiles, and keeps what it was given."""

    seen: list[Draft] = field(default_factory=list)

    def __call__(self, given: Draft) -> Verified:
        self.seen.append(given)
        result = compiled(given)
        check = Check("round", given.digest[:12], result.ok, len(result.errors), fingerprint(result.diagnostics), 0.0)
        return Verified(given, result, checks=(check,))


@dataclass(frozen=True)
class Judgement:
    accepted: bool
    reason: str = ""


def guard(before: Draft, after: Draft, main: str) -> Judgement:
    """Refuses what lacks a number or a section."""
    for path in before:
        for kept in re.findall(r"\d+\.\d+|\\section\{.*?\}", before.text(path)):
            if kept not in after.text(path):
                return Judgement(False, f"lost: {kept}")
    return Judgement(True)
