r"""A definition that uses #1 without declaring an argument.

Why it breaks: \newcommand{\x}{... #1 ...} declares no argument: "Illegal parameter number in definition of \x". The
end part of \newenvironment cannot use the arguments at all.

What is done: [1], [2] ... is put behind the name, or raised, everywhere; where the one argument that is declared is
not used, and no use has more, it is put in the place of the one that is not; an environment that uses its arguments in
its end part is defined with \NewDocumentEnvironment, which allows that (LaTeX since 2020); a definition inside a body
gets ##1.

When nothing is done: every parameter is declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._definitions import Defined, definitions, parameters

_INNER = re.compile(r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|[gex]?def)\b")


def propose(case: Case) -> Iterator[Candidate]:
    declared: list[Edit] = []
    doubled: list[Edit] = []
    for path, source in case.tex_files():
        for defined in definitions(source):
            if source.in_definition(defined.command.start):
                doubled += _doubled(path, source, defined)
                continue
            declared += _declared(path, source, defined)
    renumbered = [edit for path, source in case.tex_files() for edit in _renumbered(path, source)]
    if renumbered:
        yield Candidate(tuple(renumbered), "use the argument that a definition declares, and no later one", 0.94)
    if declared:
        yield Candidate(tuple(declared), "declare the arguments that definitions use", 0.92)
    if doubled:
        yield Candidate(tuple(doubled), "write ## for the parameters of definitions inside definitions", 0.8)
        if declared:
            yield Candidate((*declared, *doubled), "declare arguments, and write ## in inner definitions", 0.85)


def _renumbered(path: str, source: Source) -> Iterator[Edit]:
    """#1 for #2 in a definition that declares one argument and does not use it."""
    for defined in definitions(source):
        if len(defined.bodies) != 1 or not defined.number or source.in_definition(defined.command.start):
            continue
        body = defined.bodies[0]
        found = list(re.finditer(r"(?<![\\#])#([1-9])", source.text[body.start : body.end]))
        unused = set(range(1, defined.number + 1)) - {int(m[1]) for m in found}
        beyond = [m for m in found if int(m[1]) > defined.number]
        given = (sum(not a.optional for a in source.arguments(c, 9)) for c in source.command_named(defined.name))
        fits = all(number <= defined.number for number in given)
        if fits and len(unused) == 1 and len({m[1] for m in beyond}) == 1:
            for m in beyond:
                yield Edit(path, body.start + m.start(1), body.start + m.end(1), str(*unused))


def _declared(path: str, source: Source, defined: Defined) -> Iterator[Edit]:
    texts = [source.inner(body) for body in defined.bodies]
    if not texts or _INNER.search(texts[0]):
        return
    used = parameters(texts[0])
    ending = parameters(texts[1]) if len(texts) > 1 else 0
    number = max(used, ending, defined.number)
    if ending:
        kinds = "m" * (number - (defined.default is not None))
        if defined.default is not None:
            kinds = f"O{{{source.inner(defined.default)}}}" + kinds
        stop = defined.bodies[0].start
        new = "NewDocumentEnvironment" if defined.command.name == "newenvironment" else "RenewDocumentEnvironment"
        yield Edit(path, defined.command.start + 1, defined.command.end, new)
        tail = source.text[defined.name_end : stop]
        yield Edit(path, defined.name_end, stop, f"{{{kinds}}}" + tail[len(tail.rstrip()) :])
    elif used > defined.number:
        if defined.digit is None:
            yield Edit(path, defined.name_end, defined.name_end, f"[{used}]")
        else:
            yield Edit(path, *defined.digit, str(used))


def _doubled(path: str, source: Source, defined: Defined) -> Iterator[Edit]:
    for body in defined.bodies:
        for found in re.finditer(r"(?<![\\#])#(?=[1-9])", source.text[body.start : body.end]):
            if defined.number and parameters(source.inner(body)) <= defined.number:
                at = body.start + found.start()
                yield Edit(path, at, at, "#")


RULE = Rule(
    id="undeclared-argument",
    fix=propose,
    answers=("illegal-parameter", "parameter-character", "use-does-not-match"),
    examples=(
        Example(
            "\\newcommand{\\norm}[1]{\\lVert #2 \\rVert}\n",
            "\\newcommand{\\norm}[1]{\\lVert #1 \\rVert}\n",
            message="Illegal parameter number in definition of \\norm",
            path="part.tex",
        ),
        Example(
            "\\newcommand{\\term}{\\textbf{#1}}\n\\newcommand\\pair[1]{(#1, #2)}\n",
            "\\newcommand{\\term}[1]{\\textbf{#1}}\n\\newcommand\\pair[2]{(#1, #2)}\n",
            message="Illegal parameter number in definition of \\term",
            path="part.tex",
        ),
        Example(
            "\\newenvironment{voice}[1]\n  {\\begin{quote}}\n  {\\par #1\\end{quote}}\n",
            "\\NewDocumentEnvironment{voice}{m}\n  {\\begin{quote}}\n  {\\par #1\\end{quote}}\n",
            message="Illegal parameter number in definition of \\endvoice",
            path="part.tex",
        ),
        Example(
            "\\newcommand{\\outer}[1]{\\newcommand{\\inner}[1]{(##1)}#1}\n",
            None,
            message="Illegal parameter number in definition of \\outer",
            path="part.tex",
        ),
    ),
)
