r"""A coordinate that the list of symbolic coordinates of a pgfplots axis lacks.

Why it breaks: with symbolic x coords={Q1,Q3} every coordinate of a plot must be one of the list: "Sorry, the input
coordinate `Q2' has not been defined".

What is done: what is a misspelt one of the list, and that plot lacks, is corrected; else it is put into the list, at
the place that it has among the plot's coordinates.

When nothing is done: no axis has such a list, or no plot such a coordinate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.spelling import distance, reach
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_SAYS = re.compile(r"input coordinate `([^']*)' has not been defined with 'symbolic ([xyz]) coords")
_POINTS = re.compile(r"\(([^()]*)\)")
_PLOT = re.compile(r"coordinates\s*\{")


def propose(case: Case) -> Iterator[Candidate]:
    says = _SAYS.search(case.diagnostic.message) if case.diagnostic else None
    if says is None:
        return
    name, axis = says[1].strip(), says[2]
    source = case.source
    text = source.text
    lists = re.compile(rf"symbolic {axis} coords\s*=\s*\{{([^{{}}]*)\}}")
    for found in lists.finditer(text):
        names = [part.strip() for part in found[1].split(",")]
        # The list stands in the options of an axis, or in \pgfplotsset before it.
        after = lists.search(text, found.end())
        for start, end, points in _plots(text, found.end(), after.start() if after else len(text)):
            used = [point["xyz".index(axis)] for point in points if len(point) > "xyz".index(axis)]
            if name not in used or not source.live(start):
                continue
            near = [n for n in names if n not in used and distance(name, n, reach(name)) is not None]
            digits = [n for n in near if re.sub(r"\D", "", n) == re.sub(r"\D", "", name)]
            if len(digits) == 1:
                wrong = re.compile(rf"(?<=[(,])\s*{re.escape(name)}\s*(?=[,)])")
                edits = tuple(Edit(case.path, *m.span(), digits[0]) for m in wrong.finditer(text, start, end))
                yield Candidate(edits, f"write the coordinate {digits[0]} as the axis has it", 0.93)
                return
            at = used.index(name)
            before = next((n for n in reversed(used[:at]) if n in names), None)
            place = names.index(before) + 1 if before is not None else 0
            behind = next((n for n in used[at:] if n in names), None)
            if before is None and behind is not None:
                place = names.index(behind)
            new = ",".join([*names[:place], name, *names[place:]])
            yield Candidate((Edit(case.path, *found.span(1), new),), f"declare the coordinate {name} of the axis", 0.9)
            return


def _plots(text: str, start: int, end: int) -> Iterator[tuple[int, int, list[list[str]]]]:
    """The coordinates of each plot, with the place where they stand."""
    for found in _PLOT.finditer(text, start, end):
        close = text.find("}", found.end())
        close = end if close < 0 else close
        points = [[part.strip() for part in m[1].split(",")] for m in _POINTS.finditer(text, found.end(), close)]
        yield found.end(), close, points


_AXIS = (
    "\\begin{axis}[symbolic x coords={Q1,Q3}, xtick=data]\n\\addplot coordinates {(Q1,3) (Q2,4) (Q3,5)};\n\\end{axis}\n"
)

RULE = Rule(
    id="undeclared-coordinate",
    fix=propose,
    answers=("package-error",),
    examples=(
        Example(
            _AXIS,
            _AXIS.replace("{Q1,Q3}", "{Q1,Q2,Q3}"),
            message="Package pgfplots Error: Sorry, the input coordinate `Q2' has not been defined with 'symbolic x "
            "coords={Q1,Q3}'",
            path="part.tex",
            line=2,
        ),
        Example(
            _AXIS.replace("Q1,Q3}", "Q1,spring,Q3}").replace("Q2", "sprnig"),
            _AXIS.replace("Q1,Q3}", "Q1,spring,Q3}").replace("Q2", "spring"),
            message="Package pgfplots Error: Sorry, the input coordinate `sprnig' has not been defined with "
            "'symbolic x coords={Q1,spring,Q3}'",
            path="part.tex",
            line=2,
        ),
        Example(_AXIS, None, message="Package pgfplots Error: something else", path="part.tex", line=2),
    ),
)
