r"""A second \documentclass or \begin{document} stands inside the document.

Why it breaks: two answers or files were joined. "Two \documentclass or \documentstyle commands" and "Can be used only
in preamble" follow.

What is done: the second head is taken apart. Its packages that are not loaded yet, and what else may only stand in a
preamble, move up before \begin{document}; what may stand in the body stays where it is; \documentclass and
\begin{document} go. A \documentclass that directly follows another one goes, too.

When nothing is done: where a conditional chooses between two heads; in files other than the main one (subfiles,
standalone); behind \end{document}.
"""

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._ordinary import in_ordinary_text

_BEGIN = re.compile(r"\\begin[ \t]*\{document\}[ \t]*(?:\r?\n|\r)?")
_CLASS = re.compile(r"\\document(?:class|style)\s*(?:\[[^\[\]]*\])?\s*\{[^{}]*\}(?:\[[^\[\]]*\])?[ \t]*(?:\r?\n|\r)?")
_PREAMBLE_ONLY = frozenset(
    """
    usepackage RequirePackage PassOptionsToPackage geometry DeclareMathOperator addbibresource makeindex
    makeglossaries ExecuteBibliographyOptions newfontfamily usetheme usecolortheme usetikzlibrary pgfplotsset
    newunicodechar
    """.split()
)


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if case.path != case.main or len(_CLASS.findall(text)) + len(_BEGIN.findall(text)) < 3:
        return
    source = case.source
    classes = [c.start for c in source.command_named("documentclass", "documentstyle") if _plain(case, c.start)]
    begins = [c.start for c in source.command_named("begin") if _BEGIN.match(text, c.start) and _plain(case, c.start)]
    if not classes or not begins or classes[0] > begins[0]:
        return
    if any(_conditional(source, classes[0], later) for later in (*classes[1:2], *begins[1:2])):
        return
    first = begins[0]
    if len(classes) > 1 and classes[1] < first:
        match = _CLASS.match(text, classes[1])
        if match is not None and not text[_end_of_class(text, classes[0]) : classes[1]].strip():
            yield Candidate((Edit(case.path, *match.span(), ""),), "remove the second document class", 1.0)
        return
    if len(begins) > 1:
        head = next((c for c in classes if first < c < begins[1]), None)
        edits = _merged(case, source, first, begins[1], head)
        yield Candidate(edits, "make one document of two", 1.0)


def _end_of_class(text: str, start: int) -> int:
    match = _CLASS.match(text, start)
    return match.end() if match else start


def _plain(case: Case, pos: int) -> bool:
    """Does the command at `pos` begin a line of the document itself, not of a listing, a group or a definition?"""
    source = case.source
    return (
        not source.text[source.line_span(source.line(pos))[0] : pos].strip()
        and source.mode(pos) is not Mode.VERBATIM
        # A second \\begin{document} is not taken to lie in what is open before it.
        and in_ordinary_text(case, max(0, pos - 1))
        and source.live(pos)
        and not source.groups_at(pos)
        and not source.in_definition(pos)
    )


def _conditional(source: Source, start: int, end: int) -> bool:
    """Is a conditional open between the two places, or does one begin before and end between them?"""
    names = [c.name for c in source.commands if start < c.start < end]
    opened = sum(name.startswith("if") and name not in ("iff", "ifthenelse") for name in names)
    return "else" in names or "or" in names or opened != names.count("fi")


def _merged(case: Case, source: Source, first: int, second: int, head: int | None) -> tuple[Edit, ...]:
    text = source.text
    begin = _BEGIN.match(text, second)
    assert begin is not None
    edits = [Edit(case.path, *begin.span(), "")]
    if head is None:
        return tuple(edits)
    cls = _CLASS.match(text, head)
    edits.append(Edit(case.path, head, cls.end() if cls else head, ""))
    loaded = {p.name for p in source.packages if p.start < first}
    up = []
    for command in source.commands:
        if not head < command.start < second or command.name not in _PREAMBLE_ONLY or not _plain(case, command.start):
            continue
        start, end = source.line_span(source.line(command.start))
        arguments = source.arguments(command, 4)
        end = max(end, arguments[-1].end if arguments else end)
        line = text[start:end]
        after = end + (2 if text.startswith("\r\n", end) else 1 if end < len(text) else 0)
        if text[start : command.start].strip() or any(e.start <= start < e.end for e in edits):
            continue
        edits.append(Edit(case.path, start, after, ""))
        names = [p.name for p in source.packages if p.start == command.start]
        if line not in text[:first] and not (names and set(names) <= loaded):
            up.append(line)
            loaded.update(names)
    if up:
        edits.append(Edit(case.path, first, first, "".join(line + "\n" for line in up)))
    return tuple(sorted(edits, key=lambda e: e.start))


RULE = Rule(
    id="second-document-head",
    fix=fix,
    deletes="the second \\documentclass and \\begin{document}, and packages that are loaded already",
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\nOne.\n\n"
            "\\documentclass[11pt]{article}\n\\usepackage[margin=1in]{geometry}\n"
            "\\usepackage{amsmath}\n\\newcommand{\\x}{y}\n\\begin{document}\n\\x\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\usepackage[margin=1in]{geometry}\n"
            "\\begin{document}\nOne.\n\n\\newcommand{\\x}{y}\n\\x\n\\end{document}\n",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nOne.\n\\begin{document}\nTwo.\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\nOne.\nTwo.\n\\end{document}\n",
        ),
        Example(
            "\\documentclass{article}\n\\documentclass[12pt]{report}\n\\begin{document}\nOne.\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\nOne.\n\\end{document}\n",
        ),
        Example(
            "\\ifdefined\\x\n\\documentclass{article}\n\\else\n\\documentclass{report}\n\\fi\n"
            "\\begin{document}\nOne.\n\\end{document}\n"
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{verbatim}\n\\documentclass{article}\n"
            "\\begin{document}\n\\end{verbatim}\n"
            "\\end{document}\n\\documentclass{article}\n\\begin{document}\n"
        ),
    ),
)
