r"""A key of adjustbox at \includegraphics: \includegraphics[max width=\textwidth]{...}.

Why it breaks: graphicx does not know max width, frame, valign and the like; adjustbox gives them to \includegraphics
only if it is loaded with the option export: "Package keyval Error: max width undefined".

What is done: adjustbox is loaded with export, or gets the option.

When nothing is done: it has the option, or the key is not one of adjustbox's.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import loads_of, package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import split_options, with_options

_KEYS = frozenset(
    """
    max width|max height|max totalheight|max size|max totalsize|min width|min height|min totalheight|min size
    min totalsize|frame|cframe|cfbox|fbox|fboxrule|fboxsep|rndframe|rndfbox|rndfcbox|cbox|margin|margin*|vspace|padding
    valign|raise|lower|set height|set depth|center|left|right|inner|outer|bgcolor|fgcolor|decorate|varwidth|minipage
    tabular|rotate|rndcorners|captionabove|captionbelow|figure|float|gstore totalheight|precode|appcode|clip*|Clip
    trim*|split|foreground|background|image|stack|outerenv|innerenv|verbatim|tics|keepaspectratio*
    """.replace("\n", "|")
    .replace("    ", "")
    .split("|")
) - {""}
"""Sections 4.1 to 4.6 of adjustbox's manual."""


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or "keyval" not in found.message or (found.token or "").strip() not in _KEYS:
        return
    why = f"load adjustbox with the option export, which gives \\includegraphics the key {found.token}"
    for source in case.read:
        for load in loads_of(source, "adjustbox"):
            path = next(p for p in case.draft if case.lexed(p) is source)
            options = split_options(load.options)
            edit = with_options(path, source, load, ",".join([*options, "export"])) if "export" not in options else None
            if edit is not None:
                yield Candidate((edit,), why, 0.95)
            return
    line = package_line(case.lexed(case.main), "adjustbox", "export")
    if line is not None and "adjustbox" not in case.packages:
        yield Candidate((Edit(case.main, line[0], line[0], line[1]),), why, 0.95)


_HEAD = "\\documentclass{article}\n\\usepackage{graphicx}\n"
_BODY = "\\begin{document}\n\\includegraphics[max width=\\textwidth]{a}\n\\end{document}\n"
_SAYS = "Package keyval Error: max width undefined"

RULE = Rule(
    id="graphics-key-of-adjustbox",
    fix=propose,
    answers=("unknown-key",),
    examples=(
        Example(
            _HEAD + _BODY,
            _HEAD + "\\usepackage[export]{adjustbox}\n" + _BODY,
            message=_SAYS,
            token="max width",
            line=4,
        ),
        Example(
            _HEAD + "\\usepackage{adjustbox}\n" + _BODY,
            _HEAD + "\\usepackage[export]{adjustbox}\n" + _BODY,
            message=_SAYS,
            token="max width",
            line=5,
        ),
        Example(
            _HEAD + _BODY.replace("max width", "widht"),
            None,
            message="Package keyval Error: widht undefined",
            token="widht",
            line=4,
        ),
    ),
)
