r"""\verb inside the argument of another command.

Why it breaks: arguments are read before \verb can change how characters are read: "\verb illegal in argument",
"\verb ended by end of line".

What is done: \verb|x_y| becomes \texttt{x\_y} with its characters escaped, in all arguments of commands.

When nothing is done: \verb stands in the text itself, or in a definition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._inside import typewritten

_VERB = re.compile(
    r"\\(?:verb\*?|lstinline(?:\[[^\[\]]*\])?)[ \t]*(?P<mark>[^A-Za-z\s*{\[])(?P<code>[^\r\n]*?)(?P=mark)"
)
_INLINE = re.compile(r"\\lstinline(?:\[[^\[\]]*\])?\{(?P<code>[^{}\r\n]*)\}")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    for path, source in case.tex_files():
        for command in source.command_named("verb", "lstinline"):
            if not source.live(command.start) or source.in_definition(command.start):
                continue
            if not _held(source, command.start):
                continue
            found = _VERB.match(source.text, command.start) or _INLINE.match(source.text, command.start)
            if found:
                edits.append(Edit(path, found.start(), found.end(), typewritten(found["code"])))
    if edits:
        yield Candidate(tuple(edits), "set with \\texttt what \\verb cannot show inside an argument", 0.9)


def _held(source: Source, pos: int) -> bool:
    """Whether the place lies in an argument, or in an environment that reads its body as one."""
    if any(group.opener for group in source.groups_at(pos)):
        return True
    return any(
        re.fullmatch(r"tabularx|tabulary|xltabular|align\*?|gather\*?", e.name) for e in source.environments_at(pos)
    )


RULE = Rule(
    id="verb-in-argument",
    fix=propose,
    answers=(
        "verb-error",
        "runaway-argument",
        "extra-brace",
        "missing-brace",
        "use-does-not-match",
        "missing-endcsname",
    ),
    examples=(
        Example(
            "\\section{The \\verb|grep -c| tool}\nSee \\verb|^a|.\\footnote{In \\verb|log_file{^}--x|.}\n",
            "\\section{The \\texttt{grep -c} tool}\nSee \\verb|^a|.\\footnote{In "
            "\\texttt{log\\_file\\{\\textasciicircum{}\\}-{}-x}.}\n",
            message="LaTeX Error: \\verb illegal in argument",
            path="part.tex",
        ),
        Example(
            "See \\verb|^a| and {\\small \\verb|b|}.\n",
            None,
            message="LaTeX Error: \\verb illegal in argument",
            path="part.tex",
        ),
    ),
)
