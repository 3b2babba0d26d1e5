r"""A Windows path or account name in text.

Why it breaks: TeX takes every part of C:\Users\Public for a command: "Undefined control sequence", or, where the part
happens to be one, nonsense.

What is done: where a drive letter stands in front, or an unknown command directly behind a letter or another such part,
the backslashes of the whole name are written \textbackslash{}, and _ $ & # in it are escaped; everywhere at once.

When nothing is done: in formulas, code, addresses, and where the command is known and nothing else tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.names import is_known, providers
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_PART = r"(?:\\[\w.~$@+-]*(?:(?<!\\)[_$&#][\w.~@+-]*)*)"
_DRIVE = re.compile(rf"(?<![A-Za-z])[A-Za-z]:{_PART}+")
_SHARE = re.compile(rf"\\\\(?=[A-Za-z0-9][\w.-]*\\[A-Za-z0-9$])[\w.-]+{_PART}+")
_NAME = re.compile(rf"(?<![\\A-Za-z0-9])[A-Za-z0-9][\w.-]*{_PART}+")


def propose(case: Case) -> Iterator[Candidate]:
    edits, drives = [], 0
    for path, source in case.tex_files():
        taken: list[tuple[int, int]] = []
        for pattern in (_DRIVE, _SHARE, _NAME):
            for found in pattern.finditer(source.text):
                start, end = found.span()
                if any(a < end and start < b for a, b in taken) or not _in_text(source, start, end):
                    continue
                if pattern is not _DRIVE and not _unknown(case, source, start, end):
                    continue
                taken.append((start, end))
                drives += pattern is _DRIVE
                edits.append(Edit(path, start, end, _written(found[0])))
    if edits:
        yield Candidate(tuple(edits), "write the backslashes of paths as \\textbackslash{}", 0.91 if drives else 0.8)


def _in_text(source: Source, start: int, end: int) -> bool:
    if source.in_preamble(start) or source.in_definition(start):
        return False
    return all(source.mode(pos) is Mode.TEXT for pos in range(start, end) if source.text[pos] == "\\")


def _unknown(case: Case, source: Source, start: int, end: int) -> bool:
    """Whether every part of the name that could be a command is none."""
    names = [c.name for c in source.commands if start <= c.start < end and c.name.isalpha()]
    if not names or source.text[end : end + 1] in ("{", "["):
        return False
    return not any(n in case.defined or is_known(n, case.packages) or providers(n) for n in names)


def _written(name: str) -> str:
    return re.sub(
        r"[\\_$&#~]", lambda m: {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}"}.get(m[0], "\\" + m[0]), name
    )


RULE = Rule(
    id="backslash-in-path",
    fix=propose,
    answers=("undefined-control-sequence", "missing-brace", "missing-dollar", "missing-item", "runaway-argument"),
    examples=(
        Example(
            "See C:\\Users\\the_rest and CORP\\Deployer, not A\\&B.\n",
            "See C:\\textbackslash{}Users\\textbackslash{}the\\_rest and CORP\\textbackslash{}Deployer, not A\\&B.\n",
            message="Undefined control sequence",
            token="\\Users",
            path="part.tex",
            context_before="See C:\\Users",
        ),
        Example(
            "Here:\\newline x\\textbf{y} \\verb|C:\\Users| and $a\\qqzz$.\n",
            None,
            message="Undefined control sequence",
            token="\\qqzz",
            path="part.tex",
        ),
    ),
)
