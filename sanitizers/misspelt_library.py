r"""A misspelt library of TikZ, pgfplots or tcolorbox: \usetikzlibrary{positionning}.

Why it breaks: libraries are files: "I did not find the tikz library 'positionning'", "I can't find file
`pgflibrarypgfplots.fillbetwen.code.tex'", "I do not know the key '/tcb/library/skinns'".

What is done: the name becomes that of the nearest library that the package has.

When nothing is done: no library is near.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.names import nearest
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_CALLS = {
    "usetikzlibrary": "tikz",
    "usepgflibrary": "tikz",
    "usepgfplotslibrary": "pgfplots",
    "pgfplotslibrary": "pgfplots",
    "tcbuselibrary": "tcolorbox",
}
"""Commands that load libraries, and whose they are."""
_NAMED = re.compile(r"(?:pgf|tikz)library(?:pgfplots\.)?(?P<file>.+)\.code\.tex|(?:/tcb/library/)?(?P<name>.+)")
_ITEM = re.compile(r"[^\s,][^,]*?(?=\s*(?:,|$))")


def propose(case: Case) -> Iterator[Candidate]:
    named = _NAMED.fullmatch(case.diagnostic.token or "") if case.diagnostic else None
    if named is None:
        return
    wrong = named["file"] or named["name"]
    for path, source in case.tex_files():
        for command in source.command_named(*_CALLS):
            argument = next((a for a in source.arguments(command, 1) if not a.optional), None)
            if argument is None or not source.live(command.start):
                continue
            for item in _ITEM.finditer(source.text, argument.start + 1, argument.end - 1):
                if item[0] == wrong:
                    for rank, right in enumerate(nearest(wrong, _CALLS[command.name])[:2]):
                        edit = Edit(path, item.start(), item.end(), right)
                        yield Candidate((edit,), f"write {right} for the library {wrong}", 0.92 - 0.1 * rank)


_HEAD = "\\documentclass{article}\n\\usepackage{tikz}\n"
_END = "\\begin{document}\n\\tikz\\node{x};\n\\end{document}\n"

RULE = Rule(
    id="misspelt-library",
    fix=propose,
    answers=("library-not-found", "file-not-found", "unknown-key"),
    examples=(
        Example(
            _HEAD + "\\usetikzlibrary{calc, positionning, fit}\n" + _END,
            _HEAD + "\\usetikzlibrary{calc, positioning, fit}\n" + _END,
            message="Package tikz Error: I did not find the tikz library 'positionning'",
            token="positionning",
            line=3,
        ),
        Example(
            _HEAD + "\\usepgfplotslibrary{fillbetwen}\n\\tcbuselibrary{skinns,breakable}\n" + _END,
            _HEAD + "\\usepgfplotslibrary{fillbetween}\n\\tcbuselibrary{skinns,breakable}\n" + _END,
            message="I can't find file `pgflibrarypgfplots.fillbetwen.code.tex'",
            code="file-not-found",
            token="pgflibrarypgfplots.fillbetwen.code.tex",
            line=3,
        ),
        Example(
            _HEAD + "\\tcbuselibrary{skinns,breakable}\n" + _END,
            _HEAD + "\\tcbuselibrary{skins,breakable}\n" + _END,
            message="Package pgfkeys Error: I do not know the key '/tcb/library/skinns' and I am going to ignore it",
            code="unknown-key",
            token="/tcb/library/skinns",
            line=3,
        ),
        Example(
            _HEAD + "\\usetikzlibrary{qqzzqq}\n" + _END,
            None,
            message="Package tikz Error: I did not find the tikz library 'qqzzqq'",
            token="qqzzqq",
            line=3,
        ),
    ),
)
