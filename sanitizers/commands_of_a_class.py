r"""A document that is written for one class and names another: frames in an article, IEEE's author blocks.

Why it breaks: \usetheme, \alert and frames are beamer's, \IEEEauthorblockN is IEEEtran's: in article they are
undefined, or, worse, packages with such names do something else.

What is done: the class that has most of the names that are lacking takes the place of the standard class; options that
it does not know go, and those that its commands need are given.

When nothing is done: the class is no standard class, or no class has two of the lacking names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from texrepair.latex.names import (
    commands_of,
    environments_of,
    is_known,
    is_known_environment,
    options_of,
    popularity,
    providers,
)
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import key_of, split_options
from ._needs import used

_STANDARD = {"article", "report", "book", "extarticle", "scrartcl", "letter", "minimal", "ctexart"}
_NEEDS = {"IEEEtran": "conference"}
"""Options without which a class does not define its authors' blocks (IEEEtran's manual)."""

_COMMON = frozenset({"10pt", "11pt", "12pt", "a4paper", "letterpaper"})
"""Options that classes hand on to the standard class below them, without declaring them."""


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not found.token:
        return
    kind = "environment" if found.code == "undefined-environment" else "command"
    name = found.token.removeprefix("\\")
    main = case.lexed(case.main)
    loads = [p for p in main.packages if p.command == "documentclass" and main.live(p.start)]
    ranked = providers(name, kind)
    if not loads or loads[0].name not in _STANDARD or not ranked or not ranked[0].is_class:
        return
    load = loads[0]
    commands, environments = used(case)
    others = [p for p in case.packages if p != load.name]
    lacking = {n for n in commands if not is_known(n, case.packages)}
    lacking_too = {n for n in environments if not is_known_environment(n, case.packages)}
    classes = [p.package for p in ranked if p.is_class and popularity(p.package) >= 10][:6]
    brings = Counter({c: len(lacking & commands_of(c)) + len(lacking_too & environments_of(c)) for c in classes})
    for rank, (other, count) in enumerate(brings.most_common(2)):
        if count < 2:
            continue
        missed = {n for n in commands & commands_of(load.name) if not is_known(n, (*others, other))}
        known = options_of(other) | _COMMON
        options = [o for o in split_options(load.options) if o in known or key_of(o) in known]
        if other in _NEEDS and any(n.endswith(("blockN", "blockA")) for n in lacking):
            options = [*(o for o in options if o not in ("onecolumn", "twocolumn")), _NEEDS[other]]
        start, end = load.start + len("\\documentclass"), load.end
        written = f"[{','.join(options)}]" if options else ""
        if re.fullmatch(r"\s*(?:\[[^\[\]]*\])?\s*\{[^{}]*\}(?:\s*\[[^\[\]]*\])?", main.text[start:end]):
            edit = Edit(case.main, start, end, f"{written}{{{other}}}")
            why = f"use the class {other}, which the document is written for"
            yield Candidate((edit,), why, round((0.6 if missed else 0.95) - 0.1 * rank, 2))


RULE = Rule(
    id="commands-of-a-class",
    fix=propose,
    answers=("undefined-control-sequence", "undefined-environment"),
    examples=(
        Example(
            "\\documentclass[12pt,foo]{article}\n\\begin{document}\n\\begin{questions}\n\\question[5] a\n"
            "\\begin{choices}\n\\choice b\n\\end{choices}\n\\end{questions}\n\\end{document}\n",
            "\\documentclass[12pt]{exam}\n\\begin{document}\n\\begin{questions}\n\\question[5] a\n"
            "\\begin{choices}\n\\choice b\n\\end{choices}\n\\end{questions}\n\\end{document}\n",
            message="LaTeX Error: Environment questions undefined",
            code="undefined-environment",
            token="questions",
            line=3,
        ),
        Example(
            "\\documentclass[11pt]{article}\n\\usetheme{Madrid}\n\\begin{document}\n\\begin{frame}\n\\alert{x}\n"
            "\\end{frame}\n\\end{document}\n",
            "\\documentclass[11pt]{beamer}\n\\usetheme{Madrid}\n\\begin{document}\n\\begin{frame}\n\\alert{x}\n"
            "\\end{frame}\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\usetheme",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\nosuchthing\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\nosuchthing",
            line=3,
        ),
    ),
)
