r"""A } too many.

Why it breaks: "Too many }'s", "Extra }, or forgotten \endgroup"; inside an argument the rest of it is cut off.

What is done: { is put behind a command in front of it that lacks it, or the } is removed; where it closes a \{, it is
escaped.

When nothing is done: every } closes a {.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.names import arguments_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule


def propose(case: Case) -> Iterator[Candidate]:
    for path in sorted(
        (p for p in case.draft if p == case.main or p.endswith((".tex", ".ltx"))), key=lambda p: p != case.path
    ):
        source = case.lexed(path)
        strays = [pos for pos in source.stray_closers if source.live(pos)]
        if path == case.path:
            strays.sort(key=lambda pos: (pos > case.at + 200, abs(pos - case.at)))
        if len(strays) > 1:
            why = "remove every } that closes nothing"
            yield Candidate(tuple(Edit(path, pos, pos + 1, "") for pos in sorted(strays)), why, 0.78)
        for rank, pos in enumerate(strays[:3]):
            for edit, why, certainty in _cures(source, path, pos):
                yield Candidate((edit,), why, round(certainty - 0.06 * rank, 3))


def _cures(source: Source, path: str, pos: int) -> Iterator[tuple[Edit, str, float]]:
    text = source.text
    start = source.line_span(source.line(pos))[0]
    for command in reversed([c for c in source.commands if start <= c.start < pos]):
        takes = arguments_of(command.name) or ""
        between = text[command.end : pos]
        if "m" in takes and not source.arguments(command, 1) and "{" not in between and "\\\\" not in between:
            at = command.end + len(between) - len(between.lstrip(" \t"))
            edit = Edit(path, command.end, at, "{")
            yield edit, f"open the argument of \\{command.name} that this }} closes", 0.88
            break
    escaped = list(re.finditer(r"\\[{}]", text[start:pos]))
    if escaped and escaped[-1][0] == "\\{":
        yield Edit(path, pos, pos, "\\"), "escape the } that closes a \\{", 0.8
    if source.mode(pos) in (Mode.INLINE, Mode.DISPLAY):
        yield Edit(path, pos, pos + 1, ""), "remove a } that closes nothing in this formula", 0.82
    else:
        yield Edit(path, pos, pos + 1, ""), "remove a } that closes nothing", 0.84


RULE = Rule(
    id="extra-brace",
    fix=propose,
    answers=(
        "extra-brace",
        "missing-brace",
        "runaway-argument",
        "environment-mismatch",
        "missing-dollar",
        "missing-cr",
        "extra-right",
        "use-does-not-match",
    ),
    deletes="a } that closes nothing",
    examples=(
        Example(
            "The \\textbf{choir}} sang.\n",
            "The \\textbf{choir} sang.\n",
            message="Too many }'s",
            path="part.tex",
            context_before="The \\textbf{choir}}",
        ),
        Example(
            "The \\textbf choir} sang.\n",
            "The \\textbf{choir} sang.\n",
            message="Too many }'s",
            path="part.tex",
            context_before="The \\textbf choir}",
        ),
        Example("The \\textbf{choir} \\verb|}| sang.\n", None, message="Too many }'s", path="part.tex"),
    ),
)
