r"""natbib cites by author and year, and the bibliography has only numbers.

Why it breaks: natbib is loaded without the option numbers, while the style (plain, unsrt) or the \bibitem's written by
hand give no authors and years: "Bibliography not compatible with author-year citations".

What is done: natbib gets the option numbers, in place of authoryear.

When nothing is done: it has that option, or one that implies it.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Example, Rule

from ._loading import split_options, with_options
from ._needs import loads

_NUMERIC = {"numbers", "super"}


def propose(case: Case) -> Iterator[Candidate]:
    if case.diagnostic is None or "author-year" not in case.diagnostic.message:
        return
    for path, source, load in loads(case):
        options = split_options(load.options)
        if load.name != "natbib" or _NUMERIC & set(options):
            continue
        wanted = ",".join(["numbers", *(o for o in options if o != "authoryear")])
        edit = with_options(path, source, load, wanted)
        if edit is not None:
            yield Candidate((edit,), "let natbib cite by numbers, as the bibliography does", 0.95)


_BODY = "\\begin{document}\n\\citep{k}\n\\bibliographystyle{plain}\n\\bibliography{refs}\n\\end{document}\n"
_SAYS = "Package natbib Error: Bibliography not compatible with author-year citations"

RULE = Rule(
    id="numeric-bibliography",
    fix=propose,
    answers=("incompatible-packages", "package-error"),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage[authoryear,round]{natbib}\n" + _BODY,
            "\\documentclass{article}\n\\usepackage[numbers,round]{natbib}\n" + _BODY,
            message=_SAYS,
        ),
        Example("\\documentclass{article}\n\\usepackage[numbers]{natbib}\n" + _BODY, None, message=_SAYS),
    ),
)
