r"""Chinese text under XeTeX or LuaTeX, in a document that names no Chinese font.

Why it breaks: TeX's usual fonts have no Chinese characters, and what a font lacks is left out without an error: the
document compiles, and its text is not there.

What is done: ctex is loaded, which sets the fonts and breaks the lines; with scheme=plain headings and sizes stay.

When nothing is done: a package, a class or a file of the project could set fonts; the text is not in simplified
Chinese; it holds hardly a Chinese character; under pdfTeX, which reports an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.latex.fonts import fits_fandol, region_of
from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_HAN = re.compile(r"[\u4e00-\u9fff]")
_MOST = 12
"""So many characters are no stray name."""
_SETS_FONTS = re.compile(
    r"CJK|ctex|luatexja|fontspec|font|zh|babel|polyglossia|unicode-math|\\(?:font|XeTeX|input|RequirePackage)",
    re.IGNORECASE,
)
_CLASSES = frozenset({"article", "report", "book", "beamer", "scrartcl", "scrreprt", "scrbook", "letter", "memoir"})


def fix(case: Case) -> Iterator[Candidate]:
    if case.path != case.main or case.engine == "pdflatex" or len(_HAN.findall(case.text)) < _MOST:
        return
    source = case.source
    if source.document is None or any(p.endswith((".sty", ".cls", ".cfg", ".def", ".fd")) for p in case.draft):
        return
    classes = [p.name for p in source.packages if p.command == "documentclass"]
    if len(classes) != 1 or classes[0] not in _CLASSES:
        return
    preamble = source.text[: source.document[0]]
    if _SETS_FONTS.search(re.sub(r"\\fontsize|\[T1\]\{fontenc\}|\\usepackage\{lmodern\}", "", preamble)):
        return
    live = [m for m in _HAN.finditer(source.text) if source.mode(m.start()) is Mode.TEXT and source.live(m.start())]
    if len(live) < _MOST or region_of(source.text) != "SC" or not fits_fandol(source.text):
        return
    if re.search(r"\\(?:fontspec|setmainfont|newfontfamily|setCJKmainfont)\b", source.text):
        return
    line = package_line(source, "ctex", "scheme=plain")
    if line is not None:
        yield Candidate((Edit(case.main, line[0], line[0], line[1]),), "load ctex: no font has the Chinese text", 1.0)


_TEXT = "噪声影响健康与睡眠，测量仪器的误差不超过百分之一。\n"
RULE = Rule(
    id="chinese-without-fonts",
    fix=fix,
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n" + _TEXT + "\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\usepackage[scheme=plain]{ctex}\n\\begin{document}\n"
            + _TEXT
            + "\\end{document}\n",
        ),
        Example("\\documentclass{ctexart}\n\\begin{document}\n" + _TEXT + "\\end{document}\n"),
        Example(
            "\\documentclass{article}\n\\usepackage{fontspec}\n\\setmainfont{Noto Serif CJK SC}\n\\begin{document}\n"
            + _TEXT
            + "\\end{document}\n"
        ),
        Example("\\documentclass{article}\n\\begin{document}\nThe sign 水.\n\\end{document}\n"),
    ),
)
