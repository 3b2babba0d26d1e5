r"""A bare % behind a number in a sentence, in a text that gives away that it was meant to be printed.

Why it breaks: it does not break, which is worse: "rose by 12% to \$4.3 million" compiles, and the rest of the line is
not printed.

What is done: the % is escaped where a word stands before the number and a sentence goes on behind it, if the words that
it hides hold escaped signs, references or formulas, as no remark does.

When nothing is done: elsewhere, where a comment may be meant: behind a command, at the end of the line, in code, and
where nothing in the words says that they are no remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from .percent_swallows_text import bare_behind, swallowing

_BEFORE = re.compile(r"(?:^|[ \t(~])[A-Za-z]*[a-z]{2,},?[ \t~]+(?:\\?\$)?\d[\d.,]*$")
_BEHIND = re.compile(
    r"[ \t]+(?:of|in|to|from|and|or|with|for|on|at|per|more|less|fewer|higher|lower|faster|slower|compared|over|than"
    r"|during|after|when|while|increase|decrease|reduction|growth|year|each|every|within|between|against|below|above)"
    r"[ \t]+(?!course)[\w\\$(]"
)
_GOES_ON = re.compile(r"[ \t]+[a-z(]|[,;.:)](?:[ \t]|$)")
_TEXTUAL = re.compile(r"\\[&$#_%]|\\(?:cite[tp]?|ref|eqref|textbf|emph|textit|texttt|SI|si|qty|num)\b|\$[^$\n]+\$")
_CODE = re.compile(r"tikz|axis|listing|verbatim|Verbatim|minted|algorithm|picture|array|matrix|tabular")


def fix(case: Case) -> Iterator[Candidate]:
    if not case.path.endswith((".tex", ".ltx")) or "%" not in case.text:
        return
    source = case.source
    hidden = [pos for pos, _ in swallowing(source)]
    places = {pos for pos in hidden if _sentence(source, pos)}
    edits: list[Edit] = []
    lines: set[int] = set()
    for pos in hidden:
        line = source.line(pos)
        tail = source.text[pos + 1 : source.line_span(line)[1]]
        # What follows on the line was hidden with it.
        if _GOES_ON.match(tail) if line in lines else pos in places and _TEXTUAL.search(tail):
            lines.add(line)
            edits += [Edit(case.path, pos, pos + 1, "\\%"), *bare_behind(source, case.path, pos)]
    if edits:
        yield Candidate(tuple(dict.fromkeys(edits)), "escape the % of numbers in sentences", 1.0)


def _sentence(source: Source, pos: int) -> bool:
    start, end = source.line_span(source.line(pos))
    head, tail = source.text[start:pos], source.text[pos + 1 : end]
    if not _BEFORE.search(head) or not _BEHIND.match(tail) or len(re.findall(r"[A-Za-z]{2,}", tail)) < 2:
        return False
    return not source.in_definition(pos) and not any(_CODE.search(e.name) for e in source.environments_at(pos))


_HEAD = "\\documentclass{article}\n\\begin{document}\n"
_END = "\n\\end{document}\n"
RULE = Rule(
    id="percent-in-sentence",
    fix=fix,
    examples=(
        Example(
            _HEAD + "Costs fell by 5\\% then. Sales rose by 12% to \\$4.3 million, by 2%. Then May & June." + _END,
            _HEAD
            + "Costs fell by 5\\% then. Sales rose by 12\\% to \\$4.3 million, by 2\\%. Then May \\& June."
            + _END,
        ),
        Example(_HEAD + "It keeps 70% of the moisture in it.\n\nThe rest, about 30% in dry years, is lost." + _END),
        Example(_HEAD + "The tank holds 40% of course this is a remark\nlitres, which is 5\\% more." + _END),
        Example(_HEAD + "The tank holds 40% in the old version\nlitres, which is 5\\% more." + _END),
        Example(_HEAD + "It keeps 70% of the moisture in it." + _END),
        Example(_HEAD + "\\vspace{5pt}% of the page only\nSee page 7% todo\n and 8." + _END),
    ),
)
