r"""Full-width signs in the place of LaTeX's own: \begin｛itemize｝, \usepackage{a，b}, {l｜r}.

Why it breaks: input methods and translators write ｛ ｝ ， ｜ ＆ ＄ where { } , | & $ belong. TeX takes them for
letters: "Environment ｛ undefined", "File `a，b.sty' not found", "Illegal pream-token".

What is done: they become ASCII in names of environments, packages, files and labels and in column specifications. In a
file that holds such damage also ＆ between the cells of a row that has no &, and short formulas between two ＄.

When nothing is done: in the text, where they are characters of Chinese and Japanese.
"""

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._ordinary import is_read
from ._rows import ROWS

_BRACED = re.compile(
    r"\\(?:begin|end|usepackage|documentclass|input|include|includegraphics)[ \t]*(?:\[[^\]\n]*\])?[ \t]*"
    r"(｛)[^｛｝{}\n]*(｝)"
)
_OTHER = re.compile(
    r"\\(?:label|ref|eqref|cite|bibliography|bibliographystyle|(?:sub){0,2}section|title|author|caption|textbf|emph)"
    r"[ \t]*(｛)[^｛｝{}\n]*(｝)"
)
_MIXED = re.compile(r"\\(?:begin|end)[ \t]*(?:(｛)[A-Za-z]+\*?(\})|(\{)[A-Za-z]+\*?(｝))")
_PACKAGES = re.compile(r"\\(?:usepackage|RequirePackage)[ \t]*(?:\[[^\]\n]*\])?[ \t]*\{([^{}\n]*，[^{}\n]*)\}")
_COLUMNS = re.compile(
    r"\\begin[ \t]*\{(?:tabular|array|longtable)\}(?:\[\w\])?[ \t]*\{([^\n｛｝]*｜[^\n]*)\}[ \t]*\r?$", re.MULTILINE
)
_FORMULA = re.compile(r"＄([!-~ ]{1,60}?)＄")
_ASCII = {"｛": "{", "｝": "}", "，": ",", "｜": "|", "＆": "&", "＄": "$"}


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if case.path.endswith(".bib") or not any(sign in text for sign in _ASCII):
        return
    source = case.source
    places = [at for match in (*_BRACED.finditer(text), *_MIXED.finditer(text)) for at in _braces(match)]
    for match in (*_PACKAGES.finditer(text), *_COLUMNS.finditer(text)):
        places += [at for at in range(match.start(1), match.end(1)) if text[at] in "，｜"]
    places = [at for at in places if is_read(case, at)]
    if not places:
        return
    places += [at for match in _OTHER.finditer(text) if is_read(case, match.start()) for at in _braces(match)]
    places += _cells(case)
    for match in _FORMULA.finditer(text):
        if source.mode(match.start()) is Mode.TEXT and source.live(match.start()):
            places += [match.start(), match.end() - 1]
    edits = tuple(Edit(case.path, at, at + 1, _ASCII[text[at]]) for at in sorted(set(places)))
    yield Candidate(edits, "ASCII signs for full-width ones", 1.0)


def _braces(match: re.Match[str]) -> list[int]:
    return [start for start, _ in match.regs[1:] if start >= 0 and match.string[start] in "｛｝"]


def _cells(case: Case) -> Iterator[int]:
    """＆ in rows without &, where the other rows of the table have as many &."""
    text = case.text
    for environment in case.source.environments:
        if not ROWS.search(environment.name) or environment.end is None:
            continue
        rows = [(m.start(), m.group()) for m in re.finditer(r"[^\n\r]+", text[environment.begin_end : environment.end])]
        counts = {row.count("&") for _, row in rows if "&" in row}
        for start, row in rows:
            if "＆" in row and "&" not in row and row.count("＆") in counts:
                yield from (environment.begin_end + start + at for at, sign in enumerate(row) if sign == "＆")


_HEAD = "\\documentclass{ctexart}\n\\begin{document}\n"
RULE = Rule(
    id="full-width-syntax",
    fix=fix,
    phase="characters",
    examples=(
        Example(
            _HEAD + "\\begin｛itemize｝\n\\item 一，二｛三｝＆\n\\end｛itemize｝\n量为 ＄t_0＄。\n\\end{document}\n",
            _HEAD + "\\begin{itemize}\n\\item 一，二｛三｝＆\n\\end{itemize}\n量为 $t_0$。\n\\end{document}\n",
        ),
        Example(
            _HEAD + "\\begin{tabular}{l｜r}\na & b \\\\\n照明 ＆ 36 \\\\\n\\end{tabular}\n\\end{document}\n",
            _HEAD + "\\begin{tabular}{l|r}\na & b \\\\\n照明 & 36 \\\\\n\\end{tabular}\n\\end{document}\n",
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{amsmath，booktabs}\n\\begin{document}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{amsmath,booktabs}\n\\begin{document}\n\\end{document}\n",
        ),
        Example(
            _HEAD + "价格为 ＄5＄，见｛花括号｝。\n\\begin{tabular}{ll}\na & b \\\\\n甲＆乙 \\\\\n\\end{tabular}\n"
            "\\end{document}\n"
        ),
        Example(_HEAD + "\\verb|\\begin｛x｝|\n% \\end｛x｝\n\\end{document}\n"),
    ),
)
