r"""An \end without its \begin, or closing the wrong environment.

Why it breaks: LaTeX says "\begin{itemize} ... ended by \end{enumerate}", or "\begin{document} ended by \end{center}".

What is done: crossed ends change places; an end of another or unknown name closes what is open there; where
nothing is open, a \begin that lost its backslash or was commented out is restored, one that was lost is put in front
of its arguments, a list is begun before its first item, a float or a picture before its paragraph, and else the \end
is removed, which is not content.

When nothing is done: all environments are closed in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from texrepair.latex import Environment, Mode, Source
from texrepair.latex.names import is_known_environment
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._closing import FLOATS, LISTS, closing, places

_OF_A_FLOAT = re.compile(r"\\(?:caption|includegraphics)(?![A-Za-z])")
_OF_A_PICTURE = re.compile(r"\\(?:draw|node|path|fill|filldraw|coordinate|shade|clip)(?![A-Za-z])")
_END = re.compile(r"\\end[ \t]*\{([^{}\r\n]*)\}")


class End(NamedTuple):
    name: str
    start: int
    name_start: int
    end: int


def propose(case: Case) -> Iterator[Candidate]:
    for path, source in sorted(case.tex_files(), key=lambda file: file[0] != case.path):
        strays = [end for pos in source.stray_ends if (end := _end_at(source, pos)) is not None]
        if path == case.path:
            strays.sort(key=lambda end: abs(source.line(end.start) - source.line(case.at)))
        for rank, stray in enumerate(strays[:4]):
            for candidate in _for(case, path, source, stray):
                yield Candidate(candidate.edits, candidate.why, round(candidate.certainty - 0.1 * rank, 3))


def _end_at(source: Source, pos: int) -> End | None:
    found = _END.match(source.text, pos)
    return End(found[1], pos, found.start(1), found.end()) if found else None


def _for(case: Case, path: str, source: Source, stray: End) -> Iterator[Candidate]:
    unclosed = [e for e in source.environments if e.end is None and e.begin < stray.start and e.name != "document"]
    crossed = next((e for e in reversed(unclosed) if e.name == stray.name and e.until <= stray.start), None)
    if crossed is not None:
        yield from _crossed(path, source, stray, crossed)
    inside = next((e for e in reversed(unclosed) if e.begin < stray.start <= e.until), None)
    known = is_known_environment(stray.name, case.packages) or stray.name in case.defined
    if inside is not None and inside.name != stray.name:
        lists = inside.name in LISTS and stray.name in LISTS
        alike = inside.name.lower().rstrip("*") == stray.name.lower().rstrip("*")
        certainty = 0.92 if alike or not known else 0.86 if lists else 0.6
        edit = Edit(path, stray.name_start, stray.name_start + len(stray.name), inside.name)
        yield Candidate((edit,), f"close the {inside.name} that is open with its own \\end", certainty)
    yield from _begun(path, source, stray)
    removal = Edit(path, *_line_or_call(source, stray), "")
    yield Candidate((removal,), f"remove an \\end{{{stray.name}}} that closes nothing", 0.58)


def _crossed(path: str, source: Source, stray: End, inner: Environment) -> Iterator[Candidate]:
    removal = Edit(path, *_line_or_call(source, stray), "")
    for place in places(source, inner):
        if place.at <= inner.until and "indented" in place.why:
            edits = (closing(source, path, inner, place.at), removal)
            yield Candidate(edits, f"close the {inner.name} {place.why}, not after what is around it", 0.9)
    outer = _end_at(source, inner.until) or next(
        (
            end
            for e in source.environments
            if e.end is not None and e.end_end == inner.until and (end := _end_at(source, e.end))
        ),
        None,
    )
    if outer is None or outer.name == inner.name:
        return
    edits = (
        Edit(path, outer.name_start, outer.name_start + len(outer.name), inner.name),
        Edit(path, stray.name_start, stray.name_start + len(stray.name), outer.name),
    )
    yield Candidate(edits, f"exchange \\end{{{outer.name}}} and \\end{{{inner.name}}}, which are crossed", 0.88)


def _begun(path: str, source: Source, stray: End) -> Iterator[Candidate]:
    """A \\begin that was lost or damaged before this \\end."""
    text = source.text
    name = re.escape(stray.name)
    damaged = re.compile(rf"(?P<damage>(?<![\\A-Za-z])/?|(?<=\n)%[ \t]*\\)begin[ \t]*\{{{name}\}}")
    low = max((e.until for e in source.environments if e.name == stray.name and e.until <= stray.start), default=0)
    found = list(damaged.finditer(text, low, stray.start))
    if found:
        last = found[-1]
        edit = Edit(path, last.start(), last.end("damage"), "\\")
        yield Candidate((edit,), f"restore the backslash of \\begin{{{stray.name}}}", 0.95)
    yield from _left_over(path, source, stray, low)
    if stray.name not in LISTS:
        return
    lonely = [
        c
        for c in source.command_named("item")
        if low <= c.start < stray.start and not any(e.name in LISTS for e in source.environments_at(c.start))
    ]
    if lonely:
        first = lonely[-1]
        for item in reversed(lonely[:-1]):
            between = text[item.end : first.start]
            if re.search(r"\\(?:section|subsection|chapter|begin|end)\b", between):
                break
            first = item
        start = source.line_span(source.line(first.start))[0]
        indent = text[start : first.start] if not text[start : first.start].strip() else ""
        at = start if not text[start : first.start].strip() else first.start
        edit = Edit(path, at, at, f"{indent}\\begin{{{stray.name}}}{newline_of(text)}")
        yield Candidate((edit,), f"begin the {stray.name} before its first item", 0.87)


def _left_over(path: str, source: Source, stray: End, low: int) -> Iterator[Candidate]:
    """Where the \\begin of this \\end stood, as what is left of it tells: its arguments, or what only it can hold."""
    text, name = source.text, stray.name
    around = source.environments_at(stray.start)
    low = max([low, *(e.begin_end for e in around)])
    arguments = r"\[[htbpH!]+\][ \t]*$" if FLOATS.fullmatch(name) else r"\{[^{}\n]*\}(?=[ \t]*$|\{)"
    left = [
        found
        for found in re.compile(rf"^[ \t]*(?={arguments})", re.MULTILINE).finditer(text, low, stray.start)
        if source.environments_at(found.end()) == around and source.mode(found.end()) is Mode.TEXT
    ]
    if left:
        edit = Edit(path, left[-1].end(), left[-1].end(), f"\\begin{{{name}}}")
        yield Candidate((edit,), f"begin the {name} in front of its arguments", 0.93)
    holds = _OF_A_FLOAT if FLOATS.fullmatch(name) else _OF_A_PICTURE if name == "tikzpicture" else None
    begin = max(low, source.paragraph(max(low, stray.start - 1))[0])
    if holds is None or not holds.search(text, begin, stray.start):
        return
    begin += len(text[begin : stray.start]) - len(text[begin : stray.start].lstrip())
    if source.environments_at(begin)[: len(around)] == around and not left:
        indent = text[source.line_span(source.line(stray.start))[0] : stray.start]
        indent = "" if indent.strip() else indent
        edit = Edit(path, begin, begin, f"\\begin{{{name}}}{newline_of(text)}{indent}")
        yield Candidate((edit,), f"begin the {name} before its paragraph", 0.8)


def _line_or_call(source: Source, stray: End) -> tuple[int, int]:
    """The \\end, with its whole line where nothing else is on it."""
    start, end = source.line_span(source.line(stray.start))
    if source.text[start : stray.start].strip() or source.text[stray.end : end].strip():
        return stray.start, stray.end
    following = (
        source.line_span(source.line(stray.start) + 1)[0] if source.line(stray.start) < source.line_count else end
    )
    return start, max(following, end)


RULE = Rule(
    id="stray-end",
    fix=propose,
    answers=(
        "environment-mismatch",
        "missing-item",
        "extra-brace",
        "missing-brace",
        "misplaced-alignment",
        "misplaced-noalign",
        "end-inside-group",
        "missing-cr",
        "tex-error",
        "runaway-argument",
        "too-many-floats",
    ),
    deletes="an \\end that closes nothing",
    examples=(
        Example(
            "\\begin{enumerate}\n\\item x\n\\end{itemize}\n",
            "\\begin{enumerate}\n\\item x\n\\end{enumerate}\n",
            message="LaTeX Error: \\begin{enumerate} on input line 1 ended by \\end{itemize}",
            token="enumerate",
            path="part.tex",
            line=3,
        ),
        Example(
            "\\begin{figure}\n\\begin{center}\nx\n\\end{figure}\n\\end{center}\n",
            "\\begin{figure}\n\\begin{center}\nx\n\\end{center}\n\\end{figure}\n",
            message="LaTeX Error: \\begin{center} on input line 2 ended by \\end{figure}",
            token="center",
            path="part.tex",
            line=4,
        ),
        Example(
            "Text.\n\n[t]\n  \\caption{A}\n\\end{table}\n",
            "Text.\n\n\\begin{table}[t]\n  \\caption{A}\n\\end{table}\n",
            message="LaTeX Error: \\begin{document} ended by \\end{table}",
            token="document",
            path="part.tex",
            line=5,
        ),
        Example(
            "\\begin{center}\n  \\draw (0,0);\n  \\end{tikzpicture}\n\\end{center}\n",
            "\\begin{center}\n  \\begin{tikzpicture}\n  \\draw (0,0);\n  \\end{tikzpicture}\n\\end{center}\n",
            message="LaTeX Error: \\begin{center} on input line 1 ended by \\end{tikzpicture}",
            token="center",
            path="part.tex",
            line=3,
        ),
        Example(
            "Text.\n\\end{center}\nMore.\n",
            "Text.\nMore.\n",
            message="LaTeX Error: \\begin{document} ended by \\end{center}",
            token="document",
            path="part.tex",
            line=2,
        ),
        Example(
            "\\begin{center}\nx\n\\end{center}\n",
            None,
            message="LaTeX Error: \\begin{center} on input line 1 ended by \\end{document}",
            token="center",
            path="part.tex",
        ),
    ),
)
