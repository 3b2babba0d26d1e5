r"""A row that begins with a bracket.

Why it breaks: \\ takes a [ that follows, even on the next line, for its optional length: "Missing number", "Illegal
unit of measure"; in a longer table xelatex then loops for ever. \item and rules such as \toprule take it (or a
parenthesis) too.

What is done: {} is put in front of the bracket, wherever what it holds is no length.

When nothing is done: no \\ is followed by a bracket that holds anything but a length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_OPENS = re.compile(
    r"\\\\\*?(?:\s|%[^\r\n]*)*?(?P<at>\[)(?P<length>[^\[\]]*)\]?|\\(?:toprule|midrule|bottomrule|hline|centering)\s*(?P<rule>[\[(])"
)
_LENGTH = re.compile(
    r"\s*(?:[-+]?\s*\d*[.,]?\d*\s*(?:pt|pc|in|bp|cm|mm|dd|cc|sp|ex|em|mu)\b.*|[-+]?[\d.]*\s*\\[A-Za-z]+.*|\s*)",
    re.DOTALL,
)


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    # booktabs.sty: \@@@cmidrule's switches are unknown where \toprule has read a parenthesis.
    if found is not None and found.code == "undefined-control-sequence" and found.token != "\\cmrsideswitch":
        return
    edits = []
    for path, source in case.tex_files():
        for opens in _OPENS.finditer(source.text):
            if source.mode(opens.start()) in (Mode.COMMENT, Mode.VERBATIM, Mode.DEAD) or source.in_definition(
                opens.start()
            ):
                continue
            if opens["rule"]:
                edits.append(Edit(path, opens.start("rule"), opens.start("rule"), "{}"))
            elif not _LENGTH.fullmatch(opens["length"]):
                edits.append(Edit(path, opens.start("at"), opens.start("at"), "{}"))
    if edits:
        yield Candidate(tuple(edits), "keep a bracket at the start of a row from being read as an argument", 0.9)


RULE = Rule(
    id="row-starts-with-bracket",
    fix=propose,
    answers=(
        "missing-number",
        "illegal-unit",
        "interrupted",
        "misplaced-noalign",
        "runaway-argument",
        "use-does-not-match",
        "missing-brace",
        "emergency-stop",
        "undefined-control-sequence",
    ),
    examples=(
        Example(
            "\\begin{tabular}{ll}\na & b \\\\\n[1.2, 3] & c \\\\[2pt]\n\\toprule\n(x) & d\n\\end{tabular}\n",
            "\\begin{tabular}{ll}\na & b \\\\\n{}[1.2, 3] & c \\\\[2pt]\n\\toprule\n{}(x) & d\n\\end{tabular}\n",
            message="Missing number, treated as zero",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\begin{tabular}{ll}\na & [b] \\\\[2pt]\nc & d\n\\end{tabular}\n",
            None,
            message="Missing number, treated as zero",
            path="part.tex",
            line=3,
        ),
    ),
)
