r"""Curly quotation marks around the value of an option: [language=“Python”, width=”8cm”], \textcolor{“red”}{…}.

Why it breaks: LaTeX takes no quotation marks around values. A length that begins with one is no number, and no language
or colour is called “red”.

What is done: the marks are removed around lengths, languages and the names of colours.

When nothing is done: around values that are text (titles, captions), and in the text.
"""

import re
from collections.abc import Iterator

from texrepair.latex import Mode
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_MARKS = "“”„‟‘’‚"
_OPTION = re.compile(
    rf"\b(?:width|height|totalheight|scale|angle|language|linewidth|textwidth|margin|top|bottom|left|right|"
    rf"inner|outer|numbers"
    rf"|fontsize|backgroundcolor|rulecolor|colback|colframe|linkcolor|citecolor|urlcolor)[ \t]*=[ "
    rf"\t]*([{_MARKS}])([^{_MARKS},\]\n]*)([{_MARKS}])"
)
_COLOUR = re.compile(
    rf"\\(?:textcolor|color|colorbox|pagecolor|cellcolor|rowcolor)[ \t]*\{{[ "
    rf"\t]*([{_MARKS}])([\w!.\-]+)([{_MARKS}])[ \t]*\}}"
)


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if case.path.endswith(".bib"):
        return
    for match in (*_OPTION.finditer(text), *_COLOUR.finditer(text)):
        start = match.start(1)
        if case.source.mode(start) is not Mode.ARGUMENT:
            continue
        edits = (Edit(case.path, start, start + 1, ""), Edit(case.path, match.start(3), match.end(3), ""))
        yield Candidate(edits, "remove curly quotation marks around the value of an option", 1.0)


RULE = Rule(
    id="quoted-options",
    fix=fix,
    phase="characters",
    examples=(
        Example(
            "\\begin{lstlisting}[language=“Python”]\nx\n\\end{lstlisting}\n"
            "\\includegraphics[width=”8cm”]{a}\\textcolor{“red”}{“red”}\n",
            "\\begin{lstlisting}[language=Python]\nx\n\\end{lstlisting}\n"
            "\\includegraphics[width=8cm]{a}\\textcolor{red}{“red”}\n",
            path="chapter.tex",
        ),
        Example(
            "\\begin{tcolorbox}[title=“A”]The width=“8cm” is said.\\end{tcolorbox}\n"
            '\\begin{lstlisting}\nwidth="8cm"\n\\end{lstlisting}\n',
            path="chapter.tex",
        ),
    ),
)
