"""Generated files before the first pass, guessed from the sources: with them the first pass breaks most pages where
the last one will, and what it writes is stable one pass earlier.

A guess holds letters, digits and LaTeX's own words for them, nothing that a document defines. It lives for one pass:
what that pass writes counts, and what it does not write is gone (EnginePass.kept).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from texrepair.compile.outline import Entry, Item, Label, Outline

_NOT_PLAIN = re.compile(r"\\[A-Za-z@]+\*?|[^\w .,:()-]|_")
_KEY = re.compile(r"[\w :./+*!-]+\Z")
_LONGEST_TITLE = 400
_EVERYWHERE = frozenset({"section", "subsection", "subsubsection", "paragraph", "figure", "table"})
"""Kinds of entries that nearly every class knows."""

# ltxref.dtx: LaTeX from 2023-06 on, nameref and hyperref write five fields, older ones two. The .aux file is read while
# @ is a letter (latex.ltx, \\document), in a group.
_LABEL = r"""\def\texrepair@label#1#2#3{\newlabel{#1}{{#2}{1}}}
\def\texrepair@five#1#2#3{\newlabel{#1}{{#2}{1}{#3}{Doc-Start}{}}}
\@ifpackageloaded{nameref}{\let\texrepair@label\texrepair@five}{}
\@ifpackageloaded{hyperref}{\let\texrepair@label\texrepair@five}{}
\ifdefined\@kernel@reserved@label@data\let\texrepair@label\texrepair@five\fi
"""


def guessed(found: Outline, items: Sequence[Item], job: str, unicode: bool) -> dict[str, bytes]:
    """The .aux file and the lists that a document with this outline is likely to write, by name.

    `items` are the entries of its bibliography; `unicode` tells whether its engine has every letter.
    """
    files = {}
    aux = [*_bibcites(items, unicode), *_newlabels(found.labels, unicode)]
    if aux:
        files[f"{job}.aux"] = "\n".join(["\\relax", *aux, ""])
    for kind in found.lists:
        lines = [_contentsline(entry, unicode) for entry in found.entries if entry.list == kind]
        if lines:
            files[f"{job}.{kind}"] = "\n".join([*lines, ""])
    return {name: text.encode("utf-8") for name, text in files.items()}


def _bibcites(items: Sequence[Item], unicode: bool) -> Iterator[str]:
    known = [(item, n) for n, item in enumerate(items, 1) if _KEY.match(item.key)]
    if not known:
        return
    yield "\\@ifpackageloaded{natbib}{%"
    for item, n in known:
        short, _, rest = (item.label or "").partition("(")
        year = _plain(rest.partition(")")[0], unicode)
        yield f"\\bibcite{{{item.key}}}{{{{{n}}}{{{year}}}{{{{{_plain(short, unicode)}}}}}{{{{}}}}}}%"
    yield "}{%"
    for item, n in known:
        label = n if item.label is None else _plain(item.label, unicode)
        yield f"\\bibcite{{{item.key}}}{{{label}}}%"
    yield "}"


def _newlabels(labels: Sequence[Label], unicode: bool) -> Iterator[str]:
    known = [label for label in labels if _KEY.match(label.key)]
    if not known:
        return
    yield _LABEL.rstrip()
    for label in known:
        yield f"\\texrepair@label{{{label.key}}}{{{label.number}}}{{{_plain(label.title, unicode)}}}"
    # cleveref.sty, \label: kind, number, what resets the counter, the number as printed; then the same of the page.
    yield "\\@ifpackageloaded{cleveref}{%"
    for label in known:
        fields = f"[{label.kind}][1][]{label.number}"
        yield f"\\newlabel{{{label.key}@cref}}{{{{{fields}}}{{[1][1][]1}}}}%"
    yield "}{}"


def _contentsline(entry: Entry, unicode: bool) -> str:
    """A line as \\addcontentsline writes it (latex.ltx). Its page is never right, and as wide as most."""
    title = _plain(entry.title, unicode)
    number = f"\\numberline {{{entry.number}}}" if entry.number else ""
    line = f"\\contentsline {{{entry.kind}}}{{{number}{title}}}{{1}}{{}}"
    return f"{line}%" if entry.kind in _EVERYWHERE else f"\\ifcsname l@{entry.kind}\\endcsname{line}\\fi%"


def _plain(source: str, unicode: bool) -> str:
    """The letters that are printed for a source, as far as can be told."""
    text = " ".join(_NOT_PLAIN.sub("", source.replace("~", " ")).split())[:_LONGEST_TITLE]
    return text if unicode else text.encode("ascii", "replace").decode("ascii").replace("?", "x")
