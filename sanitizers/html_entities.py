r"""HTML entities stand in the text: &amp; &lt; &quot; &#39; &nbsp; &mdash;.

Why it breaks: & separates the cells of tables; elsewhere it is an error ("Misplaced alignment tab character &"), and
&#39; holds a # besides. Text that went through a web page or its tools is full of them.

What is done: where an entity stands outside tables and aligned formulas, all of the file become the characters or
commands that they mean.

When nothing is done: if there are only some inside tables, where & ends a cell; in addresses, verbatim text and
comments.
"""

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source, lex
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._entities import ENTITY, TEXT, meaning
from ._ordinary import in_ordinary_text
from ._rows import ROWS

_CODE = re.compile(r"\\ExplSyntaxOn|\\ProvidesExpl|\\[a-z]+_[a-z_]+:[A-Za-z]*")
"""Programs in the language of LaTeX3 write entities themselves."""
_WRITTEN = frozenset("write special HCode Configure typeout message directlua".split())
"""Commands whose argument is not typeset."""


def fix(case: Case) -> Iterator[Candidate]:
    if not case.path.endswith((".tex", ".ltx")) or not ENTITY.search(case.text) or _CODE.search(case.text):
        return
    source = case.source
    found = [m for m in ENTITY.finditer(case.text) if meaning(m.group()) and _live(case, m.start())]
    if not any(_certain(source, m.start()) for m in found):
        return
    # An & ends a cell and what is open in it, so formulas are looked for in the text without entities.
    without = lex(ENTITY.sub(lambda m: "x" * len(m.group()), case.text), part=source.part)
    edits = []
    for match in found:
        sign = meaning(match.group())
        math = without.mode(match.start()) in (Mode.INLINE, Mode.DISPLAY)
        new = TEXT.get(sign, sign)
        if math:
            new = new.strip("$") if new.startswith("$") else new
        elif sign == '"':
            before = case.text[match.start() - 1 : match.start()]
            new = "``" if not before or before in " \t\n\r([{~" else "''"
        edits.append(Edit(case.path, *match.span(), new))
    yield Candidate(tuple(edits), "characters for HTML entities", 1.0)


def _live(case: Case, pos: int) -> bool:
    source = case.source
    read = source.mode(pos) in (Mode.TEXT, Mode.INLINE, Mode.DISPLAY) and "&" not in source.ordinary(pos)
    return read and in_ordinary_text(case, pos)


def _certain(source: Source, pos: int) -> bool:
    groups = source.groups_at(pos)
    rows = [e.begin for e in source.environments_at(pos) if ROWS.search(e.name)]
    # A group in a cell holds no end of that cell.
    return (
        not any(group.opener in _WRITTEN for group in groups)
        and not source.in_definition(pos)
        and (not rows or any(group.open > max(rows) and group.close is not None for group in groups))
    )


_HEAD = "\\documentclass{article}\n\\begin{document}\n"
RULE = Rule(
    id="html-entities",
    fix=fix,
    phase="characters",
    examples=(
        Example(
            _HEAD
            + "\\[\\begin{cases} x & \\text{if } y, \\\\ z & \\text{if $a &gt; b$} \\end{cases}\\]\n\\end{document}\n",
            _HEAD
            + "\\[\\begin{cases} x & \\text{if } y, \\\\ z & \\text{if $a > b$} \\end{cases}\\]\n\\end{document}\n",
        ),
        Example(
            _HEAD + "Q &amp; A &mdash; it&#39;s &quot;5&nbsp;km&quot;, $n &lt; 5$, 3 &times; 4, 1 &gt; 0, "
            "caf&eacute;.\n"
            "\\begin{tabular}{ll}A &amp; B & $x &gt; 1$\\end{tabular}\n\\end{document}\n",
            _HEAD + "Q \\& A --- it's ``5~km'', $n < 5$, 3 $\\times$ 4, 1 $>$ 0, café.\n"
            "\\begin{tabular}{ll}A \\& B & $x > 1$\\end{tabular}\n\\end{document}\n",
        ),
        Example(_HEAD + "\\begin{tabular}{ll}a&lt;&b; c\\end{tabular} \\&amp; AT\\&T;\n\\end{document}\n"),
        Example(_HEAD + "\\url{a?b&amp;c} \\verb|&lt;| % &amp;\n\\end{document}\n"),
    ),
)
