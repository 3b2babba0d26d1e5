r"""A misspelt option of a package: \usepackage[sortcite=true]{biblatex}.

Why it breaks: packages that read keys stop at one they do not know: "Package keyval Error: sortcite undefined",
"Unknown option `ngermann' for package `babel'".

What is done: the name becomes that of the nearest option that the package has.

When nothing is done: no option is near, or the option is not written where the package is loaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.names import options_of
from texrepair.latex.spelling import distance, reach
from texrepair.rules import Candidate, Case, Example, Rule

from ._biblatex import OPTIONS
from ._loading import key_of, split_options, with_options
from ._needs import loads


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None:
        return
    wrong = str(found.detail.get("option") or found.token or "")
    stem = re.sub(r"^.*/|\.(?:sty|cls)$", "", found.file or "")
    bound = reach(wrong)
    for path, source, load in loads(case):
        options = split_options(load.options)
        if not wrong or wrong not in map(key_of, options):
            continue
        # The error is met in the package's own file, in the one that reads keys, or where the package is loaded.
        if load.name not in (stem, found.token) and path != case.path:
            continue
        known = OPTIONS if load.name == "biblatex" else options_of(load.name)
        near = [(far, name) for name in known - {wrong} if (far := distance(wrong, name, bound)) is not None]
        for rank, (_, name) in enumerate(sorted(near)[:3]):
            changed = [name + o[len(key_of(o)) :] if key_of(o) == wrong else o for o in options]
            edit = with_options(path, source, load, ",".join(changed))
            if edit is not None:
                why = f"write {name} for the option {wrong} of {load.name}"
                yield Candidate((edit,), why, round(0.92 - 0.06 * rank, 2))


_HEAD = "\\documentclass{article}\n\\usepackage[style=apa,sortcite=true]{biblatex}\n"
_END = "\\begin{document}\n\\cite{a}\n\\end{document}\n"

RULE = Rule(
    id="misspelt-option",
    fix=propose,
    answers=("unknown-key", "unknown-option"),
    examples=(
        Example(
            _HEAD + _END,
            _HEAD.replace("sortcite", "sortcites") + _END,
            message="Package keyval Error: sortcite undefined",
            token="sortcite",
            line=2,
        ),
        Example(
            _HEAD.replace("sortcite", "sortcites") + _END,
            None,
            message="Package keyval Error: colour undefined",
            token="colour",
            line=2,
        ),
    ),
)
