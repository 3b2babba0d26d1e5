r"""A verbatim environment whose end TeX does not see.

Why it breaks: verbatim, lstlisting, comment and their kin read everything up to exactly \end{name}: a blank or a
misspelt name in it, text behind \end{comment} on its line, or no end at all, and the rest of the file is swallowed:
"File ended while scanning use of ...", "Emergency stop".

What is done: the blank is removed, a near name corrected, what stands behind \end{comment} goes to the next line, and
a missing \end is put before the first line that is LaTeX again, or at the end of the file.

When nothing is done: every such environment ends as it should.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

NAMES = frozenset(
    {
        "verbatim",
        "verbatim*",
        "lstlisting",
        "comment",
        "Verbatim",
        "BVerbatim",
        "LVerbatim",
        "minted",
        "alltt",
        "luacode",
    }
    | {"luacode*", "filecontents", "filecontents*", "tcblisting", "verbatimtab", "spverbatim"}
)
_BEGIN = re.compile(r"\\begin\{(" + "|".join(map(re.escape, sorted(NAMES))) + r")\}")
_END = re.compile(r"\\end[ \t]*\{([^{}\r\n]*)\}(?P<rest>[^\r\n]*)")
_LATEX_AGAIN = re.compile(
    r"^[ \t]*\\(?:section|subsection|subsubsection|chapter|paragraph|begin\{|end\{|item\b|bibliography|caption|label)"
    r"[^\r\n]*$",
    re.MULTILINE,
)


def propose(case: Case) -> Iterator[Candidate]:
    for path, source in sorted(case.tex_files(), key=lambda file: file[0] != case.path):
        found = list(_cures(source, path))
        for certainty in (0.93, 0.8, 0.6):
            edits = [edit for edit, why, sure in found if sure == certainty]
            if edits:
                why = next(why for _, why, sure in found if sure == certainty)
                if certainty > 0.85:
                    yield Candidate(tuple(edits), why, certainty)
                else:
                    yield from (Candidate((edit,), why, certainty) for edit, why, sure in found if sure == certainty)


def _cures(source: Source, path: str) -> Iterator[tuple[Edit, str, float]]:
    text, at = source.text, 0
    while (begin := _BEGIN.search(text, at)) is not None:
        at = begin.end()
        if source.mode(begin.start()) in (Mode.COMMENT, Mode.DEAD) or source.in_definition(begin.start()):
            continue
        name = begin[1]
        exact = text.find(f"\\end{{{name}}}", at)
        following = next((m.start() for m in _BEGIN.finditer(text, at) if m[1] == name), len(text))
        damaged = next((m for m in _END.finditer(text, at, following) if _means(m, name)), None)
        if damaged is not None and (exact < 0 or damaged.start() < exact):
            edit = Edit(path, damaged.start(), damaged.end(1) + 1, f"\\end{{{name}}}")
            yield edit, f"write \\end{{{name}}} exactly, as the environment wants it", 0.93
            at = damaged.end()
        elif exact >= 0 and exact < following:
            rest = re.compile(r"[^\r\n]*").match(text, exact + len(name) + 6)
            if name in ("comment", "filecontents", "filecontents*") and rest and rest[0].strip():
                start = rest.start()
                spaces = len(rest[0]) - len(rest[0].lstrip())
                edit = Edit(path, start, start + spaces, newline_of(text))
                yield edit, f"put what follows \\end{{{name}}} on the next line: there it would not be seen", 0.93
            at = exact + 1
        else:
            yield from _unclosed(source, path, name, at, following)
            return


def _means(end: re.Match[str], name: str) -> bool:
    if end[1] == name:
        return not end[0].startswith(f"\\end{{{name}}}")
    return end[1].strip() == name or (
        end[1] not in NAMES and difflib.SequenceMatcher(None, end[1].lower(), name.lower()).ratio() >= 0.8
    )


def _unclosed(source: Source, path: str, name: str, at: int, stop: int) -> Iterator[tuple[Edit, str, float]]:
    text, end = source.text, newline_of(source.text)
    structure = _LATEX_AGAIN.search(text, at, stop)
    if structure is not None:
        place = len(text[: structure.start()].rstrip())
        yield Edit(path, place, place, f"{end}\\end{{{name}}}"), f"close the {name} before LaTeX begins again", 0.8
    else:
        document = text.rfind("\\end{document}", at)
        place = len(text[: document if document >= 0 else len(text)].rstrip())
        yield Edit(path, place, place, f"{end}\\end{{{name}}}"), f"close the {name} at the end", 0.6


RULE = Rule(
    id="open-verbatim",
    fix=propose,
    answers=("runaway-argument", "missing-end-document", "emergency-stop", "environment-mismatch", "end-inside-group"),
    examples=(
        Example(
            "\\begin{verbatim}\na\n\\end {verbatim}\nText.\n\\begin{lstlisting}\nb\n\\end{lstlising}\nMore.\n",
            "\\begin{verbatim}\na\n\\end{verbatim}\nText.\n\\begin{lstlisting}\nb\n\\end{lstlisting}\nMore.\n",
            message="File ended while scanning use of \\@xverbatim",
            path="part.tex",
        ),
        Example(
            "\\begin{comment}\na\n\\end{comment} Text.\n",
            "\\begin{comment}\na\n\\end{comment}\nText.\n",
            message="File ended while scanning use of \\next",
            path="part.tex",
        ),
        Example(
            "\\begin{verbatim}\n\\end{verse}\n\\end{verbatim}\n",
            None,
            message="File ended while scanning use of \\x",
            path="part.tex",
        ),
    ),
)
