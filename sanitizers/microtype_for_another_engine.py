r"""What microtype can do with another engine only: expansion under XeTeX.

Why it breaks: XeTeX can let characters protrude, but neither stretch fonts nor space letters: "Font expansion does not
work with xetex"; the option stands in the call that loads microtype, or in \microtypesetup.

What is done: the option is taken out; the other ones stay.

When nothing is done: the document does not ask for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import key_of, split_options, with_options
from ._needs import loads

_SAYS = re.compile(
    r"microtype (?:Error|Warning): .*?(expansion|tracking|kerning|spacing)\b.*(?:does not work|not available)",
    re.IGNORECASE | re.DOTALL,
)
_DEPENDING = {"expansion": ("expansion", "stretch", "shrink", "step", "auto", "selected"), "tracking": ("letterspace",)}


def propose(case: Case) -> Iterator[Candidate]:
    says = _SAYS.search(case.diagnostic.message) if case.diagnostic else None
    if says is None:
        return
    feature = says[1].lower()
    gone = {feature, *_DEPENDING.get(feature, ())}
    edits: list[Edit] = []
    for path, source, load in loads(case):
        if load.name == "microtype":
            kept = [o for o in split_options(load.options) if key_of(o) not in gone]
            edit = with_options(path, source, load, ",".join(kept))
            edits += [edit] if edit is not None else []
    for path in case.draft:
        if path != case.main and not path.endswith((".tex", ".ltx", ".sty", ".cls")):
            continue
        source = case.lexed(path)
        for command in source.command_named("microtypesetup"):
            for argument in source.arguments(command, 1):
                options = source.inner(argument)
                kept = [o for o in split_options(options) if key_of(o) not in gone]
                if source.live(command.start) and len(kept) < len(split_options(options)):
                    edits.append(Edit(path, argument.start + 1, argument.end - 1, ",".join(kept)))
    if edits:
        yield Candidate(tuple(edits), f"do without microtype's {feature}, which {case.engine} does not have", 0.96)


_HEAD = "\\documentclass{article}\n\\usepackage[protrusion=true,expansion=true]{microtype}\n"
_END = "\\begin{document}\nx\n\\end{document}\n"
_MESSAGE = "Package microtype Error: Font expansion does not work with xetex"

RULE = Rule(
    id="microtype-for-another-engine",
    fix=propose,
    answers=("package-error", "wrong-engine"),
    examples=(
        Example(_HEAD + _END, _HEAD.replace(",expansion=true", "") + _END, message=_MESSAGE, line=2),
        Example(_HEAD.replace(",expansion=true", "") + _END, None, message=_MESSAGE, line=2),
    ),
)
