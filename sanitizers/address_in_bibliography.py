r"""Addresses in a bibliography, and no package that can set them: \url{a_b%20c} without url.

Why it breaks: styles such as IEEEtran and plainnat print the field url with \url and define it, where it is unknown,
as a command that reads its argument as usual text: _ wants a formula there, % swallows the rest of the line with its
brace; "Missing $ inserted" or "File ended while scanning use of \url".

What is done: url is loaded, with which the signs of an address stand for themselves.

When nothing is done: url, hyperref or another package that loads url is there, or no .bib file holds an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.names import loads
from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_ADDRESS = re.compile(r"\\url\s*\{[^{}]*[_%#&~^][^{}]*\}|(?<![\w-])url\s*=\s*[{\"][^{}\"]*[_%#&~^]", re.IGNORECASE)


def propose(case: Case) -> Iterator[Candidate]:
    bibs = [path for path in case.draft if path.endswith((".bib", ".bbl"))]
    found = case.diagnostic
    if found is None or not (case.path in bibs or found.token == "\\url"):
        return
    if any(name == "url" or "url" in loads(name) for name in case.packages) or "url" in case.defined:
        return
    line = package_line(case.lexed(case.main), "url")
    if line is not None and any(_ADDRESS.search(case.draft.text(path)) for path in bibs):
        edit = Edit(case.main, line[0], line[0], line[1])
        yield Candidate((edit,), "load url, which sets the addresses of the bibliography", 0.96)


_MAIN = (
    "\\documentclass{IEEEtran}\n\\begin{document}\n\\cite{k}\n"
    "\\bibliographystyle{IEEEtran}\n\\bibliography{r}\n\\end{document}\n"
)
_SAYS = "File ended while scanning use of \\url"

RULE = Rule(
    id="address-in-bibliography",
    fix=propose,
    answers=(
        "missing-dollar", "runaway-argument", "parameter-character", "misplaced-alignment", "extra-alignment",
        "illegal-parameter", "missing-brace", "extra-brace", "environment-mismatch", "undefined-control-sequence",
        "double-script",
    ),
    examples=(
        Example(
            _MAIN,
            _MAIN.replace("\\begin{doc", "\\usepackage{url}\n\\begin{doc"),
            message=_SAYS,
            token="\\url",
            code="runaway-argument",
            line=5,
            files={"r.bib": "@misc{k,\n  title = {T},\n  url = {https://example.org/a_b}\n}\n"},
        ),
        Example(
            _MAIN,
            None,
            message=_SAYS,
            token="\\url",
            code="runaway-argument",
            line=5,
            files={"r.bib": "@misc{k,\n  title = {T}\n}\n"},
        ),
    ),
)  # fmt: skip
