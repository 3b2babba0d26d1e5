r"""Escaped signs in keys and file names: \label{sec:res\_dose}, \cite{lee\_2011}, \includegraphics{set\_up.png}.

Why it breaks: labels, citation keys and file names are no text; a \_ in them is a command, which cannot stand in a
name: "Missing \endcsname inserted", or a file that is not found.

What is done: the backslash goes in every key of the document at once, in the .bib files' too; in a file name where
the file is there without it.

When nothing is done: no key holds an escaped sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

_KEYS = re.compile(
    r"\\(?:label|(?:page|eq|auto|name|sub|full|v|vpage|lst|zc?|[cC](?:page|label|name)?)?ref(?:range)?|hyperref"
    r"|[A-Za-z]*[cC]ite[A-Za-z]*|bibitem|hypertarget|hyperlink|(?:gls|Gls|GLS|acr?)(?:pl|short|long|full)?)\*?"
    r"(?P<options>(?:\s*\[[^\[\]]*\]){0,2})\s*(?P<key>\{[^{}]*\})?(?P<second>\s*\{[^{}]*\})?"
)
_FILES = re.compile(
    r"\\(?:includegraphics|input|include|includepdf|lstinputlisting|verbatiminput|inputminted|bibliography"
    r"|addbibresource|includesvg)\*?(?:\s*\[[^\[\]]*\])?\s*(?P<key>\{[^{}]*\})"
)
_LABEL_KEY = re.compile(r"\blabel\s*=\s*(?P<key>\{[^{}]*\}|[^,\]\s]+)")
_ENTRY = re.compile(r"^[ \t]*@\w+\s*[{(]\s*(?P<key>[^\s,=]+)\s*,", re.MULTILINE)
_ESCAPED = re.compile(r"\\(?=[_&])")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    files = {path.rpartition("/")[2] for path in (*case.assets, *case.draft)}
    stems = files | {name.rpartition(".")[0] for name in files}
    for path in case.draft:
        text = case.draft.text(path)
        if path.endswith(".bib"):
            spans = [found.span("key") for found in _ENTRY.finditer(text)]
        elif path == case.main or path.endswith((".tex", ".ltx")):
            source = case.lexed(path)
            spans = []
            for found in _KEYS.finditer(text):
                if source.live(found.start()) and not source.in_definition(found.start()):
                    start, end = found.span("options" if found[0].startswith("\\hyperref[") else "key")
                    spans += [(start, end), *([found.span("second")] if "range" in found[0][:20] else [])]
            for found in _LABEL_KEY.finditer(text):
                if source.live(found.start()) and source.command_named("begin", "lstinputlisting"):
                    spans.append(found.span("key"))
            for found in _FILES.finditer(text):
                name = found["key"].strip("{} \t").rpartition("/")[2]
                if source.live(found.start()) and name not in stems and _ESCAPED.sub("", name) in stems:
                    spans.append(found.span("key"))
        else:
            continue
        for start, end in spans:
            edits += [Edit(path, m.start(), m.end(), "") for m in _ESCAPED.finditer(text, max(start, 0), max(end, 0))]
    if edits:
        yield Candidate(tuple(dict.fromkeys(edits)), "take the backslash before signs in keys and file names", 0.95)


RULE = Rule(
    id="escaped-keys",
    fix=propose,
    answers=("missing-endcsname", "extra-endcsname", "file-not-found", "image-not-found"),
    examples=(
        Example(
            "\\section{A\\_b}\\label{sec:a\\_b} See \\cref{sec:a\\_b}, \\hyperref[sec:a\\_b]{A\\_b}, \\cite{k\\_1}.\n"
            "\\bibitem{k\\_1} Of \\texttt{a\\_b}.\n",
            "\\section{A\\_b}\\label{sec:a_b} See \\cref{sec:a_b}, \\hyperref[sec:a_b]{A\\_b}, \\cite{k_1}.\n"
            "\\bibitem{k_1} Of \\texttt{a\\_b}.\n",
            message="Missing \\endcsname inserted",
            path="part.tex",
        ),
        Example(
            "\\includegraphics[width=3cm]{fig/set\\_up.png} \\includegraphics{no\\_such}\n",
            "\\includegraphics[width=3cm]{fig/set_up.png} \\includegraphics{no\\_such}\n",
            message="Missing \\endcsname inserted",
            path="part.tex",
            assets=frozenset({"fig/set_up.png"}),
        ),
        Example("A\\_b \\label{a_b} \\texttt{c\\_d}.\n", None, message="Missing \\endcsname inserted", path="part.tex"),
    ),
)
