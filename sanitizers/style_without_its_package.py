r"""A bibliography style that needs its own package, which is not loaded.

Why it breaks: styles such as apacite and gbt7714-numerical write commands into the .bbl that the package of the same
name defines: "Undefined control sequence" in the .bbl, or entries that come out wrong.

What is done: the package that is called like the style, or like its name up to the first hyphen, is loaded; natbib for
the styles in -nat.

When nothing is done: there is no such package, or it is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.names import is_package
from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_BIBTEX = frozenset(("plain", "abbrv", "alpha", "unsrt"))
"""BibTeX's own styles, which need none."""


def propose(case: Case) -> Iterator[Candidate]:
    main = case.lexed(case.main)
    for source in case.read:
        for command in source.command_named("bibliographystyle"):
            arguments = source.arguments(command, 1)
            if not arguments or not source.live(command.start):
                continue
            package = _package(source.inner(arguments[0]).strip())
            if package is None or package in case.packages:
                continue
            line = package_line(main, package)
            if line is not None:
                edit = Edit(case.main, line[0], line[0], line[1])
                yield Candidate((edit,), f"load {package}, which the bibliography style needs", 0.94)


def _package(style: str) -> str | None:
    if style in _BIBTEX:
        return None
    if style.endswith("nat"):
        return "natbib"
    return next((name for name in (style, style.partition("-")[0]) if name and is_package(name)), None)


_HEAD = "\\documentclass{article}\n"
_BODY = "\\begin{document}\nText \\cite{k}.\n\\bibliographystyle{apacite}\n\\bibliography{refs}\n\\end{document}\n"

RULE = Rule(
    id="style-without-its-package",
    fix=propose,
    answers=("undefined-control-sequence", "undefined-environment", "latex-error", "package-error"),
    examples=(
        Example(
            _HEAD + _BODY,
            _HEAD + "\\usepackage{apacite}\n" + _BODY,
            message="Undefined control sequence",
            line=3,
            token="\\BCBT",
        ),
        Example(_HEAD + _BODY.replace("apacite", "plain"), None, message="Undefined control sequence", line=3),
    ),
)
