r"""An escape sequence ate the head of a command: form feed and "rac" for \frac, tab and "extbf" for \textbf.

Why it breaks: the text was written into a JSON or program string without doubling its backslashes, so \a \b \e \f \n
\r \t \v became bell, backspace, escape, form feed, line feed, carriage return, tab and vertical tab. TeX refuses some
of them ("Text line contains an invalid character") and takes the others for white space: then "extbf" is printed.

What is done: the control character becomes the backslash and its letter again where what follows is the rest of a
command's name. Rests that could be words ("he", "op", "u") are restored only beside certain damage, and tabs, line
ends and returns among them only in mathematics. If no double backslash is left beside such damage, the single ones
that end the rows of tables and matrices are doubled again.

When nothing is done: where a control character is white space, and in verbatim text.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator

from texrepair.latex import Mode, lex
from texrepair.latex.names import is_known
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._beheaded import COMMON, is_plain_word
from ._rows import ROWS

_LETTERS = {"\a": "a", "\b": "b", "\x1b": "e", "\f": "f", "\n": "n", "\r": "r", "\t": "t", "\v": "v"}
_SUSPECT = re.compile(r"([\a\b\x1b\f\v\t]|\r(?!\n)|(?<!\r)\n)([A-Za-z@]+)")
_CERTAIN = re.compile(r"[\a\b\x1b\v]")
_NAME_SLOT = re.compile(r"(?:ewcommand|rovidecommand|eclareMathOperator|eclareRobustCommand)\*?\{\Z")
"""Where a definition takes a command's name."""
_HALF_ROW_END = re.compile(r"(?<=[ \t])\\(?=\s)")
_OPENS_BEFORE = re.compile(r"(?:[$({\[^_,=+\-&|<>]|\\[A-Za-z]+|\\[,;!|{(\[])\Z")


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if case.path.endswith(".bib"):
        return
    mac = "\n" not in text
    suspects = [m for m in _SUSPECT.finditer(text) if not (mac and m[1] == "\r")]
    sure = {m.start(): letter for m in suspects if (letter := _surely(m, case, text))}
    if not sure:
        return
    restored = lex(_restored(text, sure), part=case.source.part)
    names = COMMON | restored.definitions.keys()
    order = sorted(sure)
    found = dict(sure)
    for match in suspects:
        start = match.start()
        if start not in sure and (
            letter := _likely(match, restored.mode(start + bisect_left(order, start)), text, names)
        ):
            found[start] = letter
    for start, letter in sorted(found.items()):
        edit = Edit(case.path, start, start + 1, "\\" + letter)
        yield Candidate((edit,), "put the backslash and its letter back in place of a control character", 1.0)
    if "\\\\" not in text:
        whole = lex(_restored(text, found), part=case.source.part)
        order = [start + number for number, start in enumerate(sorted(found))]
        for match in _HALF_ROW_END.finditer(whole.text):
            if whole.live(match.start()) and any(ROWS.search(e.name) for e in whole.environments_at(match.start())):
                start = match.start() - bisect_left(order, match.start())
                yield Candidate((Edit(case.path, start, start, "\\"),), "end the row with two backslashes again", 1.0)


def _restored(text: str, letters: dict[int, str]) -> str:
    pieces, pos = [], 0
    for start, letter in sorted(letters.items()):
        pieces += [text[pos:start], "\\" + letter]
        pos = start + 1
    return "".join(pieces) + text[pos:]


def _surely(match: re.Match[str], case: Case, text: str) -> str:
    """The letter, if this is damage whatever stands around it; else ""."""
    if case.source.mode(match.start()) in (Mode.VERBATIM, Mode.COMMENT, Mode.DEAD):
        return ""
    control, rest = match[1], match[2]
    if _NAME_SLOT.search(text, max(0, match.start() - 40), match.start()):
        return _LETTERS[control]
    plain = is_plain_word(rest, text[match.end() : match.end() + 1], 2 if control == "\f" else 3)
    letter = _LETTERS[control]
    if letter + rest in COMMON and (_CERTAIN.match(control) or not plain):
        return letter
    if _CERTAIN.match(control) and is_known(letter + rest, case.packages):
        return letter
    # A carriage return may have become a line feed on its way through a text file.
    return "r" if control == "\n" and f"r{rest}" in COMMON and not plain else ""


def _likely(match: re.Match[str], mode: Mode, text: str, names: frozenset[str]) -> str:
    """The letter, if this is damage in a file that has certain damage; else ""."""
    start = match.start()
    if mode in (Mode.VERBATIM, Mode.COMMENT, Mode.DEAD):
        return ""
    control, rest = match[1], match[2]
    follows = text[match.end() : match.end() + 1]
    letter = _LETTERS[control]
    known = letter + rest in names
    if _CERTAIN.match(control):
        return letter if known or not text[start - 1 : start].isalpha() else ""
    if control == "\f":
        return letter if known or (follows == "{" and len(rest) > 2) else ""
    if not known:
        return ""
    if follows == "{" and len(rest) > 1:
        return letter
    if mode in (Mode.INLINE, Mode.DISPLAY) and (
        control != "\n" or _OPENS_BEFORE.search(text, max(0, start - 40), start)
    ):
        return letter
    indents = control == "\n" or not text[:start].rpartition("\n")[2].strip()
    return letter if letter + rest not in COMMON and not indents else ""


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
