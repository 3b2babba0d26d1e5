r"""A definition of a name that exists.

Why it breaks: \newcommand, \newenvironment and \newtheorem refuse a name that LaTeX or a package has: "Command ...
already defined".

What is done: \renewcommand or \renewenvironment is written; a definition that the document gives twice in the same
words is removed the second time.

When nothing is done: the definition stands in a package, or the document gives the name two different meanings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

RENEWED = {
    "newcommand": "renewcommand",
    "newenvironment": "renewenvironment",
    "NewDocumentCommand": "RenewDocumentCommand",
    "NewDocumentEnvironment": "RenewDocumentEnvironment",
    "newrobustcmd": "renewrobustcmd",
    "DeclareMathOperator": "",
    "newtheorem": "",
    "newcounter": "",
    "newlength": "",
    "newif": "",
}


def propose(case: Case) -> Iterator[Candidate]:
    if case.diagnostic is None or not case.diagnostic.token:
        return
    name = case.diagnostic.token.removeprefix("\\")
    found = [
        (path, source, command)
        for path in case.draft
        if path == case.main or path.endswith((".tex", ".ltx", ".sty", ".cls"))
        for source in [case.lexed(path)]
        for command in _definitions(source, name)
    ]
    if not found:
        return
    path, source, last = found[-1]
    texts = [_whole(s, c) for _, s, c in found]
    repeated = len(texts) > 1 and re.sub(r"\s+", "", texts[-1]) in [re.sub(r"\s+", "", t) for t in texts[:-1]]
    if repeated or (len(found) > 1 and last.name in ("newtheorem", "newcounter", "newlength", "newif")):
        start, end = _line_of(source, last, len(texts[-1]))
        why = f"remove the second definition of {name}"
        yield Candidate((Edit(path, start, end, ""),), why, 0.88 if repeated else 0.6)
    renewed = RENEWED[last.name]
    if len(found) > 1:
        return  # two meanings of one name: the later one would hold in the whole document
    if renewed:
        edit = Edit(path, last.start + 1, last.end, renewed)
        yield Candidate((edit,), f"redefine {name}, which exists, with \\{renewed}", 0.85)
    elif last.name == "DeclareMathOperator":
        command = re.compile(r"\{?\\[A-Za-z]+\}?").search(source.text, last.end)
        if command:
            undefine = f"\\let{command[0].strip('{}')}\\relax "
            yield Candidate((Edit(path, last.start, last.start, undefine),), f"free the name {name} first", 0.8)
    elif last.name == "newtheorem" and len(found) == 1:
        start, end = _line_of(source, last, len(texts[-1]))
        yield Candidate((Edit(path, start, end, ""),), f"leave {name} to the package that defines it", 0.55)


def _definitions(source: Source, name: str) -> Iterator[Command]:
    target = re.compile(r"\*?[ \t]*(?:\{[ \t]*)?\\?" + re.escape(name) + r"(?![A-Za-z@])")
    for command in source.command_named(*RENEWED):
        if (
            target.match(source.text, command.end)
            and source.live(command.start)
            and not source.in_definition(command.start)
        ):
            yield command


def _whole(source: Source, command: Command) -> str:
    arguments = source.arguments(command, 5)
    if not arguments:
        name = re.compile(r"\*?[ \t]*\\[A-Za-z@]+").match(source.text, command.end)
        arguments = source.arguments_at(name.end(), 4) if name else ()
    return source.text[command.start : arguments[-1].end if arguments else command.end]


def _line_of(source: Source, command: Command, length: int) -> tuple[int, int]:
    start, end = command.start, command.start + length
    low = source.line_span(source.line(start))[0]
    high = source.line_span(source.line(end))[1]
    if source.text[low:start].strip() or source.text[end:high].strip() or source.line(end) >= source.line_count:
        return start, end
    return low, source.line_span(source.line(end) + 1)[0]


RULE = Rule(
    id="already-defined",
    fix=propose,
    answers=("already-defined",),
    deletes="a definition that stands in the document twice, or in a package too",
    examples=(
        Example(
            "\\newcommand{\\vec}[1]{\\mathbf{#1}}\n",
            "\\renewcommand{\\vec}[1]{\\mathbf{#1}}\n",
            message="LaTeX Error: Command \\vec already defined",
            token="\\vec",
            path="part.tex",
        ),
        Example(
            "\\newtheorem{lemma}{Lemma}\nText.\n\\newtheorem{lemma}{Lemma}\nMore.\n",
            "\\newtheorem{lemma}{Lemma}\nText.\nMore.\n",
            message="LaTeX Error: Command \\lemma already defined",
            token="\\lemma",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\newcommand{\\other}{x}\n",
            None,
            message="LaTeX Error: Command \\vec already defined",
            token="\\vec",
            path="part.tex",
        ),
    ),
)
