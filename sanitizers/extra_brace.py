r"""A } too many.

Why it breaks: "Too many }'s", "Extra }, or forgotten \endgroup"; inside an argument the rest of it is cut off.

What is done: { is put behind a command, a _ or a ^ in front of it that lacks it, or the } is removed; where it closes a
\{, it is escaped.

When nothing is done: every } closes a {.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.names import arguments_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_HEADINGS = ("subsubsection", "subsection", "section", "chapter", "caption", "title", "author", "paragraph", "textbf")


def propose(case: Case) -> Iterator[Candidate]:
    for path, source in sorted(case.tex_files(), key=lambda file: file[0] != case.path):
        strays = [pos for pos in source.stray_closers if source.live(pos)]
        if path == case.path:
            strays.sort(key=lambda pos: (pos > case.at + 200, abs(pos - case.at)))
        if case.diagnostic is not None and case.diagnostic.code == "undefined-control-sequence":
            for pos in strays[:3]:
                for edit, why, certainty in _glued(source, path, pos):
                    yield Candidate((edit,), why, certainty)
            continue
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
    yield from _glued(source, path, pos)
    script = re.search(r"[_^](?=[^\s{}\\_^]+$)", text[start:pos])
    if script and source.mode(pos) in (Mode.INLINE, Mode.DISPLAY):
        at = start + script.end()
        yield Edit(path, at, at, "{"), f"open the {script[0]} that this }} closes", 0.87
    begin = re.search(r"\\begin\{[^{}]*\}(?=[^\s{}\[][^{}]*$)", text[start:pos])
    if begin:
        at = start + begin.end()
        yield Edit(path, at, at, "{"), "open the argument of \\begin that this } closes", 0.9
    escaped = list(re.finditer(r"\\[{}]", text[start:pos]))
    if escaped and escaped[-1][0] == "\\{":
        yield Edit(path, pos, pos, "\\"), "escape the } that closes a \\{", 0.8
    if source.mode(pos) in (Mode.INLINE, Mode.DISPLAY):
        yield Edit(path, pos, pos + 1, ""), "remove a } that closes nothing in this formula", 0.82
    else:
        yield Edit(path, pos, pos + 1, ""), "remove a } that closes nothing", 0.84


def _glued(source: Source, path: str, pos: int) -> Iterator[tuple[Edit, str, float]]:
    """A heading whose { is lost looks like an unknown command: \\sectionLoads}."""
    start = source.line_span(source.line(pos))[0]
    for command in source.commands:
        if start <= command.start < pos and "{" not in source.text[command.end : pos]:
            heading = next((h for h in _HEADINGS if command.name.startswith(h) and command.name != h), None)
            if heading is not None and command.name[len(heading)].isupper():
                at = command.start + 1 + len(heading)
                yield Edit(path, at, at, "{"), f"open the argument of \\{heading} that this }} closes", 0.94


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
        "undefined-control-sequence",
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
        Example(
            "So $\\sum_i=1}^n x$ is it.\n",
            "So $\\sum_{i=1}^n x$ is it.\n",
            message="Extra }, or forgotten $",
            path="part.tex",
            context_before="So $\\sum_i=1}",
        ),
        Example(
            "\\sectionLoads}\n",
            "\\section{Loads}\n",
            message="Undefined control sequence",
            code="undefined-control-sequence",
            token="\\sectionLoads",
            path="part.tex",
            context_before="\\sectionLoads",
        ),
        Example("The \\textbf{choir} \\verb|}| sang.\n", None, message="Too many }'s", path="part.tex"),
    ),
)
