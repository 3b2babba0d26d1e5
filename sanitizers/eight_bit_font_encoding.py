r"""An 8-bit font encoding under XeTeX or LuaTeX, in a text with characters that it puts elsewhere.

Why it breaks: \usepackage[T1]{fontenc} makes these engines take the place of a character in Unicode for its place in an
encoding of 256: dashes, quotation marks and other signs vanish or come out as others, without an error.

What is done: the encoding is not loaded, so that the engine's own stays; inputenc, which these engines do not need,
goes too.

When nothing is done: fontspec is loaded, which sets the right encoding itself; the text holds only characters that have
the same place in both; or the document asks which engine reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.names import loads as loads_itself
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import split_options, without
from ._needs import loads

_ENCODINGS = {"T1", "OT1", "LY1"}
# The T1 encoding agrees with Latin-1 on these letters (cork encoding, encguide).
_ELSEWHERE = re.compile(r"[^\x00-\x7fÀ-ÖØ-Þà-öø-þ]")
_ASKS = re.compile(r"\\(?:if(?:lua|xe|pdf|tu)?tex\b|if(?:Lua|XeTeX|LuaTeX|PDFTeX|TUTeX)|newunicodechar)|\{iftex\}")
_SETS_FONTS = {"fontspec", "unicode-math", "polyglossia", "xeCJK", "ctex", "mathspec", "luatexja"}


def fix(case: Case) -> Iterator[Candidate]:
    if case.path != case.main or case.engine == "pdflatex" or any(_ASKS.search(s.text) for s in case.read):
        return
    edits: list[Edit] = []
    wrong = False
    for path, source, load in loads(case):
        options = split_options(load.options)
        if load.name == "fontenc" and options and set(options) <= _ENCODINGS and path == case.main:
            edits.append(without(path, source, load))
            wrong = True
        elif load.name == "inputenc" and path == case.main:
            edits.append(without(path, source, load))
    if not wrong or any(name in _SETS_FONTS or _SETS_FONTS & loads_itself(name) for name in case.packages):
        return
    if any(_lost(source) for source in case.read):
        yield Candidate(tuple(edits), f"do not load an encoding of 256 characters, which {case.engine} cannot use", 1.0)


def _lost(source: Source) -> bool:
    return any(
        source.mode(found.start()) in (Mode.TEXT, Mode.VERBATIM)
        and not source.in_preamble(found.start())
        and found[0] not in "\u00a0\ufeff\u200b\u00ad"
        for found in _ELSEWHERE.finditer(source.text)
    )


_BODY = "\\begin{document}\nEins – „zwei“\n\\end{document}\n"

RULE = Rule(
    id="eight-bit-font-encoding",
    fix=fix,
    deletes="the loading of an encoding that the engine cannot use",
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n" + _BODY,
            "\\documentclass{article}\n" + _BODY,
        ),
        Example("\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\begin{document}\nä\n\\end{document}\n", None),
        Example("\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{fontspec}\n" + _BODY, None),
    ),
)
