r"""A style that biblatex does not have: style=harvard, style=plain, style=apalike.

Why it breaks: BibTeX's styles and the names of citation habits are not biblatex's: "Style 'harvard' not found", and
without a style biblatex has no \cite.

What is done: the style that comes nearest in spelling, or the one that prints the same kind of citations takes its
place: authoryear for Harvard's and other author-year styles, numeric for plain.

When nothing is done: nothing is known of the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.spelling import distance, reach
from texrepair.rules import Candidate, Case, Example, Rule

from ._biblatex import STYLES, load_of
from ._loading import key_of, split_options, with_options

_MEANT = {
    "authoryear": "harvard agsm dcu kluwer plainnat abbrvnat unsrtnat apalike natbib aer elsarticle-harv author-year"
    " authordate",
    "numeric": "plain abbrv acm siam amsplain elsarticle-num numbers numerical number",
    "numeric,sorting=none": "unsrt ama",
    "alphabetic": "alpha amsalpha",
    "apa": "apa7 apacite apa-7 apa7th apalike2 apastyle",
    "ieee": "ieeetr ieeetran",
    "chicago-authordate": "chicago chicagoa chicago-author-date",
    "vancouver": "vancouver-numeric",
    "gb7714-2015": "gb7714 gbt7714 gbt7714-numerical gb7714-2015-numerical gbt7714-2015",
    "gb7714-2015ay": "gbt7714-author-year gb7714-2015-authoryear",
}
_BY_NAME = {name: style for style, names in _MEANT.items() for name in names.split()}
_NOT_FOUND = re.compile(r"Style '([^']+)' not found")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    wrong = _NOT_FOUND.search(found.message) if found else None
    call = load_of(case)
    if wrong is None or call is None:
        return
    path, source, load = call
    for rank, style in enumerate(_likely(wrong[1])):
        options = []
        for option in split_options(load.options):
            key, _, value = option.partition("=")
            if key_of(option) in ("style", "citestyle", "bibstyle") and value.strip(" {}") == wrong[1]:
                name, _, more = style.partition(",")
                options.append(f"{key}={name}")
                options += [more] if more and not any(o.startswith("sorting") for o in load.options.split(",")) else []
            else:
                options.append(option)
        edit = with_options(path, source, load, ",".join(options))
        if edit is not None:
            yield Candidate((edit,), f"use biblatex's style {style} for {wrong[1]}", round(0.93 - 0.05 * rank, 2))


def _likely(name: str) -> list[str]:
    low = name.lower()
    meant = [low] if low in STYLES and low != name else []
    meant += [_BY_NAME[low]] if low in _BY_NAME else []
    bound = reach(name)
    near = [(far, style) for style in STYLES - {name} if (far := distance(name, style, bound)) is not None]
    meant += [style for _, style in sorted(near)]
    return list(dict.fromkeys(meant))[:4]


_HEAD = "\\documentclass{article}\n\\usepackage[backend=biber,style=numeric,maxnames=2]{biblatex}\n"
_END = "\\begin{document}\n\\cite{a}\n\\end{document}\n"

RULE = Rule(
    id="unknown-biblatex-style",
    fix=propose,
    answers=("package-error",),
    examples=(
        *(
            Example(
                _HEAD.replace("style=numeric", f"style={wrong}") + _END,
                _HEAD.replace("style=numeric", f"style={right}") + _END,
                message=f"Package biblatex Error: Style '{wrong}' not found",
                path="main.tex",
                line=2,
            )
            for wrong, right in (
                ("harvard", "authoryear"),
                ("unsrt", "numeric,sorting=none"),
                ("authoryaer", "authoryear"),
                ("IEEE", "ieee"),
            )
        ),
        Example(
            _HEAD.replace("style=numeric", "style=qwertz") + _END,
            None,
            message="Package biblatex Error: Style 'qwertz' not found",
            line=2,
        ),
    ),
)
