r"""The commands of biblatex in a document that loads natbib: \addbibresource{refs.bib}, \printbibliography.

Why it breaks: natbib prints its list with \bibliography and does not know them, "Undefined control sequence"; biblatex
cannot be loaded beside it.

What is done: biblatex is loaded in natbib's place, with its option natbib, which keeps \citet and \citep, and the style
that prints what natbib would have: authoryear, or numeric where natbib had the option numbers.

When nothing is done: biblatex is loaded, or a \bibliography is there as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import split_options, with_options
from ._needs import loads

_COMMANDS = ("addbibresource", "printbibliography", "ExecuteBibliographyOptions")
_NUMERIC = {"numbers", "super"}


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    name = (found.token or "").removeprefix("\\") if found else ""
    if name not in _COMMANDS or "biblatex" in case.packages:
        return
    if any(s.live(c.start) for s in case.read for c in s.command_named("bibliography")):
        return
    for path, source, load in loads(case):
        alone = sum(p.start == load.start for p in source.packages) == 1
        if load.name == "natbib" and alone:
            numeric = _NUMERIC & set(split_options(load.options))
            edits = [Edit(path, load.name_start, load.name_start + len(load.name), "biblatex")]
            options = with_options(path, source, load, f"natbib=true,style={'numeric' if numeric else 'authoryear'}")
            edits += [options] if options is not None else []
            yield Candidate(tuple(edits), "load biblatex, whose commands are used, in the place of natbib", 0.95)
            return


_DOCUMENT = (
    "\\documentclass{article}\n\\usepackage[round]{natbib}\n\\addbibresource{x.bib}\n\\begin{document}\n\\citep{a}\n"
    "\\printbibliography\n\\end{document}\n"
)

RULE = Rule(
    id="biblatex-commands-with-natbib",
    fix=propose,
    answers=("undefined-control-sequence",),
    examples=(
        Example(
            _DOCUMENT,
            _DOCUMENT.replace("[round]{natbib}", "[natbib=true,style=authoryear]{biblatex}"),
            message="Undefined control sequence",
            token="\\addbibresource",
            line=3,
        ),
        Example(
            _DOCUMENT.replace("\\printbib", "\\bibliography{x}\\printbib"),
            None,
            message="Undefined control sequence",
            token="\\addbibresource",
            line=3,
        ),
    ),
)
