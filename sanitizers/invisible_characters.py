r"""A byte order mark or another invisible character stands where TeX trips over it.

Why it breaks: U+FEFF comes into the middle of a text when files are joined, zero-width spaces come from chat and web
pages. In the preamble they are text ("Missing \begin{document}"); within the name of a command, environment or
package they make another name; pdfLaTeX refuses those that it does not know ("not set up for use with LaTeX").

What is done: they are removed there.

When nothing is done: in the text of XeLaTeX and LuaLaTeX, where joiners shape Arabic and Indic scripts and emoji and
zero-width spaces allow a line break; where the draft says what the character means; at the beginning of a file.
"""

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_INVISIBLE = re.compile("[\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]+")
_KNOWN_TO_PDFLATEX = "\u200c\ufeff"
"""utf8enc.dfu declares them."""
_NAMES = frozenset(
    """begin end usepackage RequirePackage documentclass documentstyle input include includegraphics bibliography
    bibliographystyle addbibresource usetikzlibrary usetheme pagestyle thispagestyle pagenumbering""".split()
)
_DECLARED = re.compile(r"newunicodechar|DeclareUnicodeCharacter|XeTeXcharclass|catcode|ucs|utf8x|CJK")


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if _INVISIBLE.search(text, 1) is None or case.path.endswith(".bib"):
        return
    source = case.source
    declared = any(_DECLARED.search(other.text) for other in case.read)
    for match in _INVISIBLE.finditer(text):
        start, end = match.span()
        if start == 0 or not source.live(start) or source.mode(start) is Mode.VERBATIM:
            continue
        if _trips(case, source, match) or (case.engine == "pdflatex" and not declared and _refused(match.group())):
            yield Candidate((Edit(case.path, start, end, ""),), "remove an invisible character", 1.0)


def _trips(case: Case, source: Source, match: re.Match[str]) -> bool:
    start, end = match.span()
    if (
        source.in_preamble(start)
        and source.mode(start) is Mode.TEXT
        and not source.groups_at(start)
        and not source.in_definition(start)
    ):
        return not _in_environment(source, start) and _at_edge_of_line(source.text, start, end)
    return _in_name(case, source, start, end)


def _in_environment(source: Source, pos: int) -> bool:
    return bool(source.environments_at(pos))


def _at_edge_of_line(text: str, start: int, end: int) -> bool:
    """Elsewhere it may be a delimiter of a definition, or belong to an assignment."""
    line = text[:start].replace("\r", "\n").rpartition("\n")[2]
    rest = text[end : end + 1]
    return not line.strip() or rest in ("", "\n", "\r")


def _in_name(case: Case, source: Source, start: int, end: int) -> bool:
    text = source.text
    if text[start - 1] == "\\" and text[start - 2 : start - 1] != "\\" and text[end : end + 1].isalpha():
        return True
    for command in source.command_named(*_NAMES):
        if command.end > start:
            break
        if start - command.end < 400:
            argument = next((a for a in source.arguments(command, 2) if not a.optional), None)
            if argument is not None and argument.start < start < argument.end:
                name = source.inner(argument)
                return name not in case.defined and not any(name in path for path in (*case.draft, *case.assets))
    return False


def _refused(characters: str) -> bool:
    return not all(c in _KNOWN_TO_PDFLATEX for c in characters)


_BODY = "\\documentclass{article}\n\\begin{document}\n"
RULE = Rule(
    id="invisible-characters",
    fix=fix,
    phase="characters",
    examples=(
        Example(
            "\\documentclass{article}\n\ufeff\\usepackage{booktabs}\n\\title{A\u200bB}\n\u200b\n"
            "\\begin{document}\nx\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{booktabs}\n\\title{A\u200bB}\n\n\\begin{document}\nx\n"
            "\\end{document}\n",
        ),
        Example(
            _BODY + "\\begin{item\u200bize}\n\\item \\\u200btextbf{x}\n\\end{itemize\ufeff}\n\\end{document}\n",
            _BODY + "\\begin{itemize}\n\\item \\textbf{x}\n\\end{itemize}\n\\end{document}\n",
        ),
        Example("\ufeff" + _BODY + "می\u200cخواهم क्\u200dष 👩\u200d🔬 zero\u200bwidth\u2060 \ufeff\n\\end{document}\n"),
        Example(_BODY + "\\begin{verbatim}\n\\\u200bx\n\\end{verbatim}\n% \u200b\n\\end{document}\n"),
    ),
)
