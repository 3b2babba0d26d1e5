r"""Two backslashes stand where one belongs: \\section{…}, \\begin{itemize}, \\textbf{…}.

Why it breaks: the text was escaped once too often, as for a JSON or program string. \\ is a line break, so "section"
and "begin" are printed, or TeX says "There's no line here to end".

What is done: if the file begins with \\documentclass, every pair of backslashes becomes one, also where line ends
were escaped to \n. If only a part is affected (a line begins with \\begin{…}, \\section{…} or the like), the
backslashes before command names are halved, and the row ends inside tables whose \\begin was doubled.

When nothing is done: in rows of tables and formulas, where \\ ends a row and what follows may be a word; in verbatim
text.
"""

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._escapes import decode
from ._ordinary import in_ordinary_text
from ._rows import ROWS
from ._wrapping import first_token

_WHOLE = re.compile(r"\\\\(?:documentclass|documentstyle|RequirePackage|PassOptionsToPackage|usepackage|begin)\s*[\[{]")
_RUN = re.compile(r"\\+")
_LINE_HEAD = re.compile(
    r"^[ \t]*\\\\(?=(?:(?:begin|end|part|chapter|(?:sub){0,2}section|(?:sub)?paragraph|usepackage|title|"
    r"author|caption|label|input"
    r"|include|bibliography|bibliographystyle|includegraphics|newcommand|renewcommand|newtheorem)\*?\s*[\[{])|item\b)",
    re.MULTILINE,
)
_WITHIN = re.compile(
    r"(?<!\\)\\\\(?=(?:text\w{2,}|emph|cite\w*|ref|eqref|cref|autoref|pageref|label|footnote|url|href|"
    r"underline|texttt|section|subsection"
    r"|begin|end|frac|sqrt|caption|includegraphics|SI|si|num|qty|enquote|mathbf|mathrm|mathcal|mathbb)\*?\s*[\[{])"
)
_FORMULA = re.compile(r"(?<!\\)\\\\(?=[A-Za-z]+)")
_ROW_END = re.compile(r"(?<!\\)\\\\(?=\s|\Z|\[-?[\d.])")
_NOT_ROW_END = re.compile(r"(?<!\\)\\\\(?=[^\s\\*\[]|\[(?!-?[\d.]))")
"""Where only the backslashes of commands were doubled, those at row ends are right."""
_FOUR = re.compile(r"(?<!\\)\\{4}(?!\\)")


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if "\\\\" not in text or not case.path.endswith((".tex", ".ltx")):
        return
    why = "one backslash for two"
    if _WHOLE.match(text, first_token(text)):
        halved = _halved(text)
        if halved != text:
            yield Candidate((Edit(case.path, 0, len(text), halved),), why + ", throughout", 1.0)
        return
    source = case.source
    heads = [m.end() - 2 for m in _LINE_HEAD.finditer(text) if _in_prose(case, m.end() - 2)]
    if not heads:
        return
    within = [m.start() for m in _WITHIN.finditer(text) if _in_prose(case, m.start())]
    formula = [
        m.start()
        for m in _FORMULA.finditer(text)
        if source.mode(m.start()) is Mode.INLINE and not _in_rows(source, m.start())
    ]
    halves = dict.fromkeys((*heads, *within, *formula), 1)
    halves |= {m.start(): 2 for start, end in _doubled_tables(text) for m in _FOUR.finditer(text, start, end)}
    yield Candidate(tuple(Edit(case.path, at, at + n, "") for at, n in sorted(halves.items())), why, 1.0)


def _halved(text: str) -> str:
    """One level of escaping taken off the whole text."""
    if "\\n" in text and text.count("\n") <= text.count("\\n") // 4:
        return decode(text.strip())
    runs = [len(m.group()) for m in _RUN.finditer(text)]
    even = all(n % 2 == 0 for n in runs)
    if even and (max(runs) > 2 or not _ROW_END.search(text)):
        return _RUN.sub(lambda m: "\\" * (len(m.group()) // 2), text)
    return _NOT_ROW_END.sub(lambda m: "\\", text)


def _in_rows(source: Source, pos: int) -> bool:
    return any(ROWS.search(e.name) for e in source.environments_at(pos))


def _in_prose(case: Case, pos: int) -> bool:
    source = case.source
    return (
        source.mode(pos) in (Mode.TEXT, Mode.ARGUMENT)
        and not _in_rows(source, pos)
        and not source.in_definition(pos)
        and in_ordinary_text(case, pos)
    )


def _doubled_tables(text: str) -> Iterator[tuple[int, int]]:
    """From a doubled \\begin of a table to its doubled \\end."""
    for begin in re.finditer(r"(?<!\\)\\\\begin\{(\w+\*?)\}", text):
        if ROWS.search(begin[1]):
            end = text.find("\\\\end{" + begin[1] + "}", begin.end())
            if end >= 0:
                yield begin.end(), end


_BODY = "\\documentclass{article}\n\\begin{document}\n"
RULE = Rule(
    id="doubled-backslashes",
    fix=fix,
    phase="characters",
    examples=(
        Example(
            "\\\\documentclass{article}\n\\\\begin{document}\nA \\\\textbf{b} \\\\\\\\\n5\\\\%\n\\\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\nA \\textbf{b} \\\\\n5\\%\n\\end{document}\n",
        ),
        Example(
            "\\\\documentclass{article}\\n\\\\begin{document}\\nA "
            "\\\\textbf{b}\\\\\\\\\\n$\\\\nu$\\n\\\\end{document}\\n",
            "\\documentclass{article}\n\\begin{document}\nA \\textbf{b}\\\\\n$\\nu$\n\\end{document}\n",
        ),
        Example(
            _BODY
            + (
                "\\\\section{Limits}\nThe \\\\textbf{north} side,\n\\\\begin{itemize}\n  \\\\item one "
                "$\\\\alpha$\n\\\\end{itemize}\n"
            )
            + "\\begin{tabular}{l}a \\\\ b\\\\\\hline\\end{tabular}\n\\end{document}\n",
            _BODY
            + "\\section{Limits}\nThe \\textbf{north} side,\n\\begin{itemize}\n  \\item one $\\alpha$\n\\end{itemize}\n"
            "\\begin{tabular}{l}a \\\\ b\\\\\\hline\\end{tabular}\n\\end{document}\n",
        ),
        Example(
            _BODY + "\\\\begin{tabular}{l}\na \\\\\\\\\nb\n\\\\end{tabular}\n\\end{document}\n",
            _BODY + "\\begin{tabular}{l}\na \\\\\nb\n\\end{tabular}\n\\end{document}\n",
        ),
        Example(
            _BODY
            + (
                "Street 5\\\\Town\\\\item one\n\n\\begin{tabular}{ll}\na\\\\textbf & b\\\\\n\\end{tabular}\n"
                "\\end{document}\n"
            )
        ),
        Example("\\begin{verbatim}\n\\\\section{x}\n\\\\begin{y}\n\\end{verbatim}\n", path="chapter.tex"),
    ),
)
