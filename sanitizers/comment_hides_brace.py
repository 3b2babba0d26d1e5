r"""A comment inside a definition hides the brace that closes it.

Why it breaks: \newcommand{\name}{text % remark} ends nowhere: TeX does not see the brace behind the %, reads on to
the end of the file and reports "File ended while scanning use of \newcommand".

What is done: the brace is moved before the comment. Where a digit stands directly before the %, it was meant as a
percent sign and gets its backslash.

When nothing is done: if the definition is closed somewhere, if it is not clear which comment holds the brace, or if the
file changes the category code of % or of braces.
"""

import re
from collections.abc import Iterator

from texrepair.latex import Group, Mode, Source, lex
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_DEFINING = frozenset(
    """
    newcommand renewcommand providecommand DeclareRobustCommand newcommandx renewcommandx newenvironment
    renewenvironment def gdef edef xdef NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand
    DeclareDocumentCommand NewDocumentEnvironment DeclareMathOperator DeclarePairedDelimiter newrobustcmd
    renewrobustcmd
    """.split()
)
_ENDS = re.compile(
    r"\n[ \t]*(?:\r?\n|\\(?:(?:re)?new|provide)\w*|\\[gex]?def\b|\\begin[ \t]*\{document\}|\\usepackage\b)"
)
"""Where a definition that was not closed should have been at the latest: a blank line, another definition."""
_CATCODES = re.compile(r"\\catcode[^\n=]{0,20}\\?[%{}]|\\@makeother\s*\\[%{}]")
"""Where % or a brace may be something else, nothing is certain."""
_BRACES = re.compile(r"\\.|[{}]")


def fix(case: Case) -> Iterator[Candidate]:
    if "%" not in case.text or case.path.endswith(".bib") or _CATCODES.search(case.text):
        return
    source = case.source
    for command in source.commands:
        if command.name in _DEFINING and source.live(command.start):
            for group in _open_groups(source, command.end):
                edits = _edits(case, source, group)
                if edits and _closes(case, source, group, edits):
                    yield Candidate(edits, "move the closing brace out of the comment", 1.0)
                    return


def _open_groups(source: Source, start: int) -> list[Group]:
    """The groups that never close and open on the command's line."""
    end = source.line_span(source.line(start))[1]
    return [g for g in source.groups if g.close is None and start <= g.open < end][:1]


def _edits(case: Case, source: Source, group: Group) -> tuple[Edit, ...]:
    text = source.text
    stop = _ENDS.search(text, group.open)
    end = stop.start() if stop else len(text)
    hidden = []
    for span in source.spans:
        if span.mode is Mode.COMMENT and group.open < span.start < end:
            missing = _unmatched(text[span.start : span.end])
            if missing:
                hidden.append((span, missing))
    if len(hidden) != 1:
        return ()
    span, missing = hidden[0]
    if re.search(r"(?<![#\d.])\d[\d.,]*\Z", text[max(0, span.start - 20) : span.start]):
        return (Edit(case.path, span.start, span.start, "\\"),)
    before = len(text[: span.start].rstrip(" \t"))
    closers = [Edit(case.path, span.start + at, span.start + at + 1, "") for at in missing]
    return (Edit(case.path, before, before, "}" * len(missing)), *closers)


def _unmatched(comment: str) -> list[int]:
    """The offsets of the closing braces that close nothing within the comment."""
    depth, found = 0, []
    for match in _BRACES.finditer(comment):
        if match.group() == "{":
            depth += 1
        elif match.group() == "}":
            if depth:
                depth -= 1
            else:
                found.append(match.start())
    return found


def _closes(case: Case, source: Source, group: Group, edits: tuple[Edit, ...]) -> bool:
    """Is the definition closed by the edits, and nothing else opened or closed by them?"""
    text = source.text
    for edit in sorted(edits, key=lambda e: -e.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    after = lex(text, part=source.part)
    left = sum(g.close is None for g in source.groups) - sum(g.close is None for g in after.groups)
    return left > 0 and after.closing(group.open) is not None and len(after.stray_closers) <= len(source.stray_closers)


RULE = Rule(
    id="comment-hides-brace",
    fix=fix,
    examples=(
        Example(
            "\\newcommand{\\unit}[1]{\\,\\mathrm{#1} % a thin space first}\n\\begin{document}\nHi.\n\\end{document}\n",
            "\\newcommand{\\unit}[1]{\\,\\mathrm{#1}} % a thin space first\n\\begin{document}\nHi.\n\\end{document}\n",
        ),
        Example(
            "\\def\\rate{95% of all}\n\\def\\other{x}\n\\begin{document}\nHi.\n\\end{document}\n",
            "\\def\\rate{95\\% of all}\n\\def\\other{x}\n\\begin{document}\nHi.\n\\end{document}\n",
        ),
        Example(
            "\\newcommand{\\head}[1]{%\n  \\textbf{#1 % bold}\n}\n\\begin{document}\nHi.\n\\end{document}\n",
            "\\newcommand{\\head}[1]{%\n  \\textbf{#1} % bold\n}\n\\begin{document}\nHi.\n\\end{document}\n",
        ),
        Example("\\newcommand{\\a}{x % the end}\n}\n\\begin{document}\nHi.\n\\end{document}\n"),
        Example("\\newcommand{\\a}{%\n  x% }\n  y}\n\\begin{document}\nHi.\n\\end{document}\n"),
    ),
)
