r"""An escape sequence ate the head of a command: form feed and "rac" for \frac, tab and "extbf" for \textbf.

Why it breaks: the text was written into a JSON or program string without doubling its backslashes, so \a \b \e \f \n
\r \t \v became bell, backspace, escape, form feed, line feed, carriage return, tab and vertical tab. TeX refuses some
of them ("Text line contains an invalid character") and takes the others for white space: then "extbf" is printed.

What is done: the control character becomes the backslash and its letter again where what follows is the rest of a
command's name. Rests that could be words ("he", "op", "u") are restored only beside certain damage, and tabs, line
ends and returns among them only in mathematics. If no double backslash is left beside such damage, the single ones
that end rows and lines are doubled again.

When nothing is done: where a control character is white space, and in verbatim text.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

from texrepair.latex import Mode, Source, lex
from texrepair.latex.names import is_known
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._beheaded import COMMON, is_plain_word
from ._rows import halved_row_ends

_LETTERS = {"\a": "a", "\b": "b", "\x1b": "e", "\f": "f", "\n": "n", "\r": "r", "\t": "t", "\v": "v"}
_SUSPECT = re.compile(r"([\a\b\x1b\f\v\t]|\r(?!\n)|(?<!\r)\n)([A-Za-z@]+)")
_CERTAIN = re.compile(r"[\a\b\x1b\v]")
_NAME_SLOT = re.compile(r"(?:ewcommand|rovidecommand|eclareMathOperator|eclareRobustCommand)\*?\{\Z")
"""Where a definition takes a command's name …"""
_BARE_NAME_SLOT = re.compile(r"\\[gex]?def\Z|\\let(?:\\[A-Za-z@]+=?)?\Z")
"""… without a brace, so that white space may stand before it."""
_OPENS_BEFORE = re.compile(r"(?:[$({\[^_,=+\-&|<>]|\\[A-Za-z]+|\\[,;!|{(\[])\Z")
_UNREAD = (Mode.VERBATIM, Mode.COMMENT, Mode.DEAD)


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if case.path.endswith(".bib"):
        return
    mac = "\n" not in text
    suspects = [m for m in _SUSPECT.finditer(text) if not (mac and m[1] == "\r")]
    sure = {m.start(): letter for m in suspects if (letter := _surely(m, case))}
    if not sure:
        return
    found = dict(sure)
    order = sorted(sure)
    restored = lex(_restored(text, sure), part=case.source.part)
    known = _Known(case, restored)
    for match in suspects:
        start = match.start()
        if start not in sure and (letter := _likely(match, restored, start + bisect_left(order, start), known)):
            found[start] = letter
    for start, letter in sorted(found.items()):
        edit = Edit(case.path, start, start + 1, "\\" + letter)
        yield Candidate((edit,), "put the backslash and its letter back in place of a control character", 1.0)
    whole = _restored(text, found)
    order = [start + number for number, start in enumerate(sorted(found))]
    for place in halved_row_ends(whole, case.source.part):
        start = place - bisect_left(order, place)
        yield Candidate((Edit(case.path, start, start, "\\"),), "end the row with two backslashes again", 1.0)


class _Known:
    """The names that a command of the draft may have."""

    def __init__(self, case: Case, restored: Source) -> None:
        self._own = restored.definitions.keys() | case.defined
        self._packages = {*case.packages, *(p.name for p in restored.packages)}

    def __contains__(self, name: str) -> bool:
        return name in COMMON or name in self._own or is_known(name, self._packages)

    def is_own(self, name: str) -> bool:
        return name in self._own


def _restored(text: str, letters: dict[int, str]) -> str:
    pieces, pos = [], 0
    for start, letter in sorted(letters.items()):
        pieces += [text[pos:start], "\\" + letter]
        pos = start + 1
    return "".join(pieces) + text[pos:]


def _surely(match: re.Match[str], case: Case) -> str:
    """The letter, if this is damage whatever stands around it; else ""."""
    if case.source.mode(match.start()) in _UNREAD:
        return ""
    text, control, rest = match.string, match[1], match[2]
    letter = _LETTERS[control]
    before = max(0, match.start() - 40), match.start()
    if _NAME_SLOT.search(text, *before) or (_CERTAIN.match(control) and _BARE_NAME_SLOT.search(text, *before)):
        return letter
    plain = is_plain_word(rest, text[match.end() : match.end() + 1], 2 if control == "\f" else 3)
    if letter + rest in COMMON and (_CERTAIN.match(control) or not plain):
        return letter
    if _CERTAIN.match(control) and is_known(letter + rest, case.packages):
        return letter
    # A carriage return may have become a line feed on its way through a text file.
    return "r" if control == "\n" and f"r{rest}" in COMMON and not plain else ""


def _likely(match: re.Match[str], restored: Source, place: int, known: _Known) -> str:
    """The letter, if this is damage in a file that has certain damage; else "". `place`: where it is in `restored`."""
    text, control, rest, start = match.string, match[1], match[2], match.start()
    mode = restored.mode(place)
    letter = _LETTERS[control]
    name = letter + rest
    follows = text[match.end() : match.end() + 1]
    if mode in _UNREAD:
        return letter if mode is Mode.VERBATIM and name in COMMON and not is_plain_word(rest, follows) else ""
    if _CERTAIN.match(control):
        return letter if name in known or not text[start - 1 : start].isalpha() else ""
    if control == "\f":
        return letter if name in known or (follows == "{" and len(rest) > 2) else ""
    if name not in known:
        # No file that ends its lines with line feeds holds a lone carriage return.
        return letter if control == "\r" and not is_plain_word(rest, follows) else ""
    if not is_plain_word(rest, follows):
        return letter
    around = [environment.name for environment in restored.environments_at(place)]
    if name == "node" and "tikzpicture" in around and follows in ("[", " "):
        return letter
    in_formula = mode in (Mode.INLINE, Mode.DISPLAY)
    if in_formula and (control != "\n" or _OPENS_BEFORE.search(text, max(0, start - 40), start)):
        return letter
    if control == "\r" or follows == "*":
        return letter
    indents = control == "\n" or not text[:start].rpartition("\n")[2].strip()
    return letter if (known.is_own(name) or follows == "\\") and not indents else ""


RULE = Rule(
    id="control-characters",
    fix=fix,
    phase="characters",
    examples=(
        Example(
            "\\documentclass{article}\n\begin{document}\nA $\frac{1}{2}$, $\theta$, \textbf{bold}, $\n"
            "u\to\nabla$, Table~\ref{t}.\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\nA $\\frac{1}{2}$, $\\theta$, \\textbf{bold}, "
            "$\\nu\\to\\nabla$, Table~\\ref{t}.\n\\end{document}\n",
        ),
        Example(
            "Let $\alpha = \vec{a}$ be\n\vspace{4mm}\n",
            "Let $\\alpha = \\vec{a}$ be\n\\vspace{4mm}\n",
            path="chapter.tex",
        ),
        Example(
            "\\documentclass{article}\n\newcommand{\\tbd}{?}\n\\begin{document}\nIt is \tbd.\n\\end{document}\n",
            "\\documentclass{article}\n\\newcommand{\\tbd}{?}\n\\begin{document}\nIt is \\tbd.\n\\end{document}\n",
        ),
        Example(
            "\begin{tabular}{ll}\n\toprule\na & b \\\n$\begin{pmatrix} 1 \\ 2 \\end{pmatrix}$ & 5\\ kg "
            "\\\n\\end{tabular}\n",
            "\\begin{tabular}{ll}\n\\toprule\na & b \\\\\n$\\begin{pmatrix} 1 \\\\ 2 \\end{pmatrix}$ & "
            "5\\ kg \\\\\n\\end{tabular}\n",
            path="chapter.tex",
        ),
        Example("\tan apple a day\n\the doctor said\n\n\top of the list\n\ncon\bfiguration\n", path="chapter.tex"),
        Example("\\begin{verbatim}\n\textbf{x} \frac\n\\end{verbatim}\n% \textbf{x}\n", path="chapter.tex"),
        Example("One line\rnext line\rule of thumb\r", path="chapter.tex"),
    ),
)
