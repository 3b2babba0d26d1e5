r"""A command has lost its backslash and its first letter: extbf{…} for \textbf{…}, rac{1}{2} for \frac{1}{2}.

Why it breaks: the text went through an escape sequence (\t, \f, \b …) whose control character somebody then removed, or
took for a space. What is left is printed.

What is done: the head is put back before a brace, where the rest is no word; beside such damage also before
the rests of other common commands (heta, oprule, extwidth).

When nothing is done: for rests that could be words; in verbatim text, comments and names.
"""

import re
from collections.abc import Iterable, Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._beheaded import COMMON, WORDS
from ._ordinary import in_ordinary_text, is_read

_BEFORE_BRACE = {
    name[1:]: name
    for name in """
    textbf textit texttt textsc textrm textsf textsl textup textmd textcolor textsuperscript textsubscript begin
    texorpdfstring
    title frac binom footnote footnotetext newcommand renewcommand newenvironment renewenvironment newtheorem
    bibliography bibliographystyle bibitem rowcolor resizebox raisebox reflectbox rotatebox autoref boldsymbol tilde
    ensuremath emph eqref enquote
    """.split()
}
"""Rests that are no words, by which a brace must follow."""
_ALSO_WORDS = frozenset("Dash dash center colorbox dots line phantom skip space lign reve rown symp lert oxed".split())
_ELSEWHERE = {
    name[1:]: name
    for name in COMMON
    if len(name) > 4 and name[0] in "abfrtv" and name[1:] not in WORDS | COMMON | _ALSO_WORDS
} | {"rac": "frac"}
"""Rests that are no words either, but are only trusted beside certain damage."""


def _one_of(rests: Iterable[str]) -> str:
    return "|".join(sorted(rests, key=len, reverse=True))


_BRACED = re.compile(rf"(?<![A-Za-z\\@:*/\a\b\x1b\f\v\t\r-])({_one_of(_BEFORE_BRACE)})(?=\{{)")
_BARE = re.compile(rf"(?<![A-Za-z\\@\a\b\x1b\f\v\t\r])({_one_of(_ELSEWHERE)})(?![A-Za-z])")


def fix(case: Case) -> Iterator[Candidate]:
    if case.path.endswith(".bib"):
        return
    braced = [m for m in _BRACED.finditer(case.text) if _is_damage(case, m)]
    if not braced:
        return
    found = {m.start(): "\\" + _BEFORE_BRACE[m[1]][0] for m in braced}
    for match in _BARE.finditer(case.text):
        if is_read(case, match.start()):
            found[match.start()] = "\\" + _ELSEWHERE[match[1]][0]
    for at, head in sorted(found.items()):
        yield Candidate((Edit(case.path, at, at, head),), "put the head of a command back", 1.0)


def _is_damage(case: Case, match: re.Match[str]) -> bool:
    # Behind a line end, \n or \r may have become that line end: the rule for control characters knows.
    if _BEFORE_BRACE[match[1]][0] in "nr" and case.text[match.start() - 1 : match.start()] == "\n":
        return False
    read = case.source.mode(match.start()) in (Mode.TEXT, Mode.INLINE, Mode.DISPLAY)
    return read and in_ordinary_text(case, match.start())


RULE = Rule(
    id="beheaded-commands",
    fix=fix,
    phase="characters",
    examples=(
        Example(
            "The extbf{bold} word, $rac{1}{2} imes heta$. egin{itemize}\n",
            "The \\textbf{bold} word, $\\frac{1}{2} \\times \\theta$. \\begin{itemize}\n",
            path="chapter.tex",
        ),
        Example("A note{} on itle and extbf, {rac}, \\verb|extbf{x}|, $imes$.\n% extbf{x}\n", path="chapter.tex"),
    ),
)
