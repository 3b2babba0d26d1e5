r"""A mark of soul around what soul cannot read: \st{...}, \hl{...} around Chinese text, \cite or another command.

Why it breaks: soul takes its argument apart into syllables and puts it together again; characters beyond the eight-bit
ones and commands with arguments stop that: "Package soul Error: Reconstruction failed".

What is done: \st, \ul and \hl are made with ulem, which reads any text, behind the loading of soul; xeCJKfntef, if the
document's Chinese package is there, lets ulem break lines in Chinese text.

When nothing is done: the document uses none of the three.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import newline_of, package_line, preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_MADE = {
    "st": "\\renewcommand{\\st}{\\bgroup\\markoverwith{\\rule[0.5ex]{2pt}{0.4pt}}\\ULon}",
    "ul": "\\renewcommand{\\ul}{\\bgroup\\markoverwith{\\rule[-0.5ex]{2pt}{0.4pt}}\\ULon}",
    "hl": "\\renewcommand{\\hl}{\\bgroup\\markoverwith{\\textcolor{yellow}{\\rule[-0.5ex]{2pt}{2.5ex}}}\\ULon}",
}
"""ulem's manual, "How to add your own": \\markoverwith with what is repeated under or through the text."""
_CHINESE = frozenset({"xeCJK", "ctex", "ctexart", "ctexrep", "ctexbook", "ctexbeamer"})


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or "Reconstruction failed" not in found.message:
        return
    main = case.lexed(case.main)
    used = {c.name for s in case.read for c in s.command_named(*_MADE) if s.live(c.start)}
    if not used:
        return
    wanted = ["ulem[normalem]"]
    if case.engine == "xelatex" and _CHINESE & set(case.packages):
        wanted.append("xeCJKfntef")
    if "hl" in used:
        wanted.insert(0, "xcolor")
    edits: list[Edit] = []
    for spec in wanted:
        package, _, options = spec.removesuffix("]").partition("[")
        line = package_line(main, package, options) if package not in case.packages else None
        if line is not None:
            edits.append(Edit(case.main, line[0], line[0], line[1]))
    body = preamble_line(main, newline_of(main.text).join(_MADE[name] for name in _MADE if name in used))
    if body is not None:
        edits.append(Edit(case.main, body[0], body[0], body[1]))
        yield Candidate(tuple(edits), "make the marks with ulem, which reads what soul cannot", 0.9)


_HEAD = "\\documentclass{article}\n\\usepackage{soul}\n"
_SAYS = "Package soul Error: Reconstruction failed"

RULE = Rule(
    id="soul-cannot-read",
    fix=propose,
    answers=("package-error",),
    examples=(
        Example(
            _HEAD + "\\begin{document}\n\\st{第一}\n\\end{document}\n",
            _HEAD + "\\usepackage[normalem]{ulem}\n"
            "\\renewcommand{\\st}{\\bgroup\\markoverwith{\\rule[0.5ex]{2pt}{0.4pt}}\\ULon}\n"
            "\\begin{document}\n\\st{第一}\n\\end{document}\n",
            message=_SAYS,
            line=4,
        ),
        Example(_HEAD + "\\begin{document}\n\\so{第一}\n\\end{document}\n", None, message=_SAYS, line=4),
    ),
)
