r"""Control characters stand in the text: what copying out of a PDF or a terminal leaves.

Why it breaks: LaTeX declares them invalid ("Text line contains an invalid character"). A soft hyphen of a PDF comes out
as character 2 in the middle of a word, and programs colour what they print with escape sequences.

What is done: they are removed, colour sequences of a terminal as a whole.

When nothing is done: in comments, where TeX reads past them; in verbatim text, but for colour sequences; where the
draft changes the category codes of such characters; before the rest of a command's name, which another rule restores.
"""

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_COLOUR = r"\x1b\[[0-9;?]*[A-Za-z]"
_CONTROL = re.compile(rf"{_COLOUR}|[\x01-\x08\x0b\x0e-\x1f\x7f]+")
_CATCODES = re.compile(r"\\catcode\s*`?\s*\\?\^\^|\\catcode\s*(?:\d|\"|')|\^\^[A-Z@?]")


def fix(case: Case) -> Iterator[Candidate]:
    if case.path.endswith(".bib") or not _CONTROL.search(case.text):
        return
    if any(_CATCODES.search(source.text) for source in case.read):
        return
    for match in _CONTROL.finditer(case.text):
        mode = case.source.mode(match.start())
        colour = len(match.group()) > 2 and match.group().startswith("\x1b[")
        if mode in (Mode.COMMENT, Mode.DEAD) or (mode is Mode.VERBATIM and not colour):
            continue
        yield Candidate((Edit(case.path, *match.span(), ""),), "remove control characters", 1.0)


RULE = Rule(
    id="unprintable-characters",
    fix=fix,
    phase="characters",
    deletes="control characters",
    examples=(
        Example(
            "A night\x02jar, $\\Delta m = 1.7\x08$, over\x1fwintering.\n\\begin{verbatim}\n"
            "\x1b[31merror\x1b[0m: x\n\\end{verbatim}\n",
            "A nightjar, $\\Delta m = 1.7$, overwintering.\n\\begin{verbatim}\nerror: x\n\\end{verbatim}\n",
            path="chapter.tex",
        ),
        Example("A tab\there, a page\f% break \x02\n\\verb|\x02|\n", path="chapter.tex"),
        Example("\\catcode`\\^^B=13 \\def\x02{x}\x02\n", path="chapter.tex"),
    ),
)
