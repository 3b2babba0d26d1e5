r"""A language that listings does not know.

Why it breaks: listings has no JSON, YAML, TypeScript, Rust ...: "Couldn't load requested language".

What is done: an empty language of that name is defined behind \usepackage{listings}, so that the code is set as it is.

When nothing is done: all languages are known or defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.names import is_name, nearest
from texrepair.latex.preamble import line_end, newline_of, preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_LANGUAGE = re.compile(
    r"(?<![A-Za-z])(?:alsolanguage|language)[ \t]*=[ \t]*(?:\{(?P<held>[^{}]*)\}|(?P<bare>[\w+#./-]+))"
)
_DEFINED = re.compile(r"\\lst(?:definelanguage|alias)[ \t]*(?:\[[^\[\]]*\])?[ \t]*\{(?P<name>[^{}]+)\}")


def propose(case: Case) -> Iterator[Candidate]:
    asked: dict[str, None] = {}
    known: set[str] = set()
    for source in case.read:
        known |= {m["name"].strip().lower() for m in _DEFINED.finditer(source.text)}
    for _, source in case.tex_files():
        for command in source.command_named(
            "lstset", "lstinputlisting", "lstinline", "lstdefinestyle", "lstnewenvironment"
        ):
            for argument in source.arguments(command, 4):
                asked |= dict.fromkeys(_names(source.text, argument.start, argument.end))
        for environment in source.environments:
            if environment.name == "lstlisting":
                for argument in source.arguments_at(environment.begin_end, 1):
                    asked |= dict.fromkeys(_names(source.text, argument.start, argument.end))
    unknown = [n for n in asked if n.lower() not in known and not _is_known(n)]
    main = case.lexed(case.main)
    if not unknown:
        return
    newline = newline_of(main.text)
    body = newline.join(f"\\lstdefinelanguage{{{name}}}{{}}" for name in unknown)
    loads = [p for p in main.packages if p.name == "listings" and main.live(p.start)]
    if loads:
        at = line_end(main, loads[-1].end)
        edit = Edit(case.main, at, at, newline + body)
    else:
        line = preamble_line(main, body)
        if line is None:
            return
        edit = Edit(case.main, line[0], line[0], line[1])
    yield Candidate((edit,), "define the languages that listings does not know, without keywords", 0.85)


def _names(text: str, start: int, end: int) -> Iterator[str]:
    for found in _LANGUAGE.finditer(text, start, end):
        name = (found["held"] or found["bare"] or "").strip()
        name = re.sub(r"^\[[^\[\]]*\]", "", name)
        if name:
            yield name


def _is_known(name: str) -> bool:
    """Whether listings has it; letter case does not matter there."""
    spellings = (name, name.upper(), name.capitalize(), *nearest(name, kind="listing", limit=8))
    return any(is_name(n, "listing") and n.lower() == name.lower() for n in spellings)


RULE = Rule(
    id="unknown-listings-language",
    fix=propose,
    answers=("undefined-language", "package-error"),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{listings}\n\\begin{document}\n\\begin{lstlisting}[language=JSON]\n"
            "{}\n\\end{lstlisting}\n\\lstinputlisting[language=Python]{a.py}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{listings}\n\\lstdefinelanguage{JSON}{}\n\\begin{document}\n"
            "\\begin{lstlisting}[language=JSON]\n{}\n\\end{lstlisting}\n\\lstinputlisting[language=Python]{a.py}\n"
            "\\end{document}\n",
            message="Package Listings Error: Couldn't load requested language",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{listings}\n\\lstset{language=[LaTeX]TeX}\n\\begin{document}\n"
            "\\end{document}\n",
            None,
            message="Package Listings Error: Couldn't load requested language",
            line=3,
        ),
    ),
)
