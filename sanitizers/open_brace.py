r"""A { that is never closed.

Why it breaks: the argument runs on to the next empty line or to the end of the file: "Runaway argument", "Paragraph
ended before ... was complete", "Missing } inserted".

What is done: } is put where the argument was meant to end, tried in this order: where \} or ] stands in its place, at
the end of a heading's line, of a name, of a table cell, of a label in front of a colon, of a sentence, of the line,
of the paragraph, before the \end around it; in a formula, before a relation, a \right or the end of the formula. A
group that took the } of the one around it is closed in the same way.

When nothing is done: every { has its }.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Group, Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._siunitx import UNITS

LINES = frozenset(
    "title subtitle author date part chapter section subsection subsubsection paragraph subparagraph caption captionof "
    "institute frametitle framesubtitle thanks bibitem institution affiliation".split()
)
"""Commands whose argument is most often one line."""

NAMES = frozenset(
    "label ref eqref pageref cref Cref autoref cite citep citet parencite textcite url href input include begin end "
    "includegraphics SI si num qty unit ang ce usepackage documentclass bibliography bibliographystyle gls".split()
)
"""Commands whose argument holds no running text: it ends where a blank or a full stop comes."""

SHORT = LINES | frozenset(
    "textbf textit emph textsc texttt textsf textrm textsl underline textcolor mbox enquote textsuperscript".split()
)
"""Commands whose argument holds no paragraph end."""

LENGTHS = frozenset(
    "minipage parbox vspace hspace resizebox raisebox setlength addtolength tabularx tabulary adjustwidth".split()
)
"""Commands and environments whose argument is a length."""

_LENGTH = re.compile(r"\s*-?\s*(?:(?:\d+\.?\d*|\.\d+)\s*(?:[a-z]{2}(?![a-z])|\\[A-Za-z]+)|\\[A-Za-z]+)")
_PARAGRAPH = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)")
_STRUCTURE = re.compile(
    r"\\(?:begin|end|section|subsection|subsubsection|chapter|paragraph|item|label|caption|maketitle|centering"
    r"|includegraphics|hline|toprule|midrule|bottomrule|bibitem|usepackage|newcommand|title|author|date)\b"
)
_UNIT = re.compile(
    r"(?:\s*(?:\\(?!SI\b|si\b|qty\b|unit\b|num\b|ce\b)[A-Za-z]+|[\^_](?:\{[^{}]*\}|\d)|\{[^{}]*\}|[./]))+"
)
_SENTENCE = re.compile(r"[.!?](?=\s|$)|[。！？]")
_FENCE = re.compile(r"\\(left|right)(?![A-Za-z])")
_RELATION = re.compile(r"[=<>]|\\(?:leq?|geq?|neq?|equiv|approx|sim|to|in|Rightarrow|implies|iff)(?![A-Za-z])")
_ATOM = re.compile(r"\s*(?:\\[A-Za-z]+(?:\{[^{}]*\})*|[^\s\\{}])")
_BELOW = re.compile(
    r"\\(?:sum|prod|int|oint|lim\w*|max|min|sup|inf|big\w+)(?:\\limits)?(?:\^(?:\{[^{}]*\}|[^{}\\]))?\s*_\s*\Z"
)
"""What stands below such a sign holds a relation itself."""
_START = re.compile(r"\s*\w+\s*(?:=|\\to|\\in)\s*(?:-?\d+|-?\\?[A-Za-z]+)")
_WORDS = re.compile(r"\s*[A-Za-z]{2,}(?:[ \t]+[A-Za-z]{2,})*[ \t]?")
_TEXT = frozenset("text mbox textrm textnormal textit textbf intertext".split())
_LABEL = re.compile(r"[^\s:：]{1,20}(?:[ \t][^\s:：]{1,20}){0,4}?[:：]")


def propose(case: Case) -> Iterator[Candidate]:
    for path, source in sorted(case.tex_files(), key=lambda file: file[0] != case.path):
        suspects = list(_suspects(source))
        limit = case.at if path == case.path else len(source.text)
        token = (case.diagnostic.token or "").strip("\\@") if case.diagnostic else ""
        before = [g for g in suspects if g.open <= limit] or suspects
        before.sort(
            key=lambda g: (not (g.opener and (g.opener in token or token in g.opener) and token != ""), -g.open)
        )
        for rank, group in enumerate(before[:3]):
            for candidate in _closings(source, path, group):
                yield Candidate(candidate.edits, candidate.why, round(candidate.certainty - 0.08 * rank, 3))


def _suspects(source: Source) -> Iterator[Group]:
    for group in source.groups:
        if source.mode(group.open) in (Mode.VERBATIM, Mode.COMMENT, Mode.DEAD):
            continue
        far = (
            group.close is not None
            and group.opener in SHORT
            and _PARAGRAPH.search(source.text, group.open, group.close)
        )
        if group.close is None or far or _crossed(source, group) is not None:
            yield group


def _crossed(source: Source, group: Group) -> int | None:
    """The \\right in a group whose \\left stands before it: the group must end in front of it."""
    if group.close is None or source.mode(group.open) not in (Mode.INLINE, Mode.DISPLAY):
        return None
    depth = 0
    for fence in _FENCE.finditer(source.text, group.open, group.close):
        depth += 1 if fence[1] == "left" else -1
        if depth < 0:
            return fence.start()
    return None


def _closings(source: Source, path: str, group: Group) -> Iterator[Candidate]:
    text, start = source.text, group.open + 1
    what = f"\\{group.opener}{{" if group.opener else "{"
    where = f"of line {source.line(group.open)}"
    stop = _reach(source, group)
    region = text[start:stop]
    escaped = re.search(r"(?<!\\)\\\}", region)
    if escaped and "\\{" not in region[: escaped.start()]:
        at = start + escaped.start()
        yield Candidate((Edit(path, at, at + 2, "}"),), f"write }} for the \\}} that closes {what} {where}", 0.92)
    bracket = re.search(r"\]", region.partition("\n")[0])
    if bracket and region[: bracket.start()].count("[") == region[: bracket.start()].count("]"):
        at = start + bracket.start()
        yield Candidate((Edit(path, at, at + 1, "}"),), f"write }} for the ] that closes {what} {where}", 0.9)
    seen: set[int] = set()
    for at, why, certainty in _places(source, group, start, stop):
        if start <= at <= stop and at not in seen:
            seen.add(at)
            edits: tuple[Edit, ...] = (Edit(path, at, at, "}"),)
            # Its } closes what is open around it, if something is.
            around = [g for g in source.groups_at(group.open) if g.close is None]
            if group.close is not None and not around:
                edits = (*edits, Edit(path, group.close, group.close + 1, ""))
                certainty -= 0.15
            yield Candidate(edits, f"close {what} {where} {why}", certainty)


def _reach(source: Source, group: Group) -> int:
    """How far the argument can reach: to the paragraph's end, or to something that cannot be in it."""
    text, start = source.text, group.open + 1
    stop = min(group.until, len(text)) if group.close is None else group.close
    if group.close is None and group.opener in UNITS | LENGTHS:
        # The lexer takes an open argument of numbers and units for no longer than a name.
        stop = source.paragraph(start)[1]
    crossed = _crossed(source, group)
    stop = stop if crossed is None else crossed
    blank = _PARAGRAPH.search(text, start)
    if blank and group.opener not in ("newcommand", "def", "newenvironment"):
        stop = min(stop, blank.start())
    for found in _STRUCTURE.finditer(text, start, stop):
        if source.live(found.start()) and (found[0] != "\\begin" or group.opener in SHORT | NAMES):
            stop = found.start()
            break
    return start + len(text[start:stop].rstrip())


def _places(source: Source, group: Group, start: int, stop: int) -> Iterator[tuple[int, str, float]]:
    text, opener = source.text, group.opener
    line_stop = min(stop, source.line_span(source.line(start))[1])
    line_stop = start + len(text[start:line_stop].rstrip())
    inner = {g.open: g.until for g in source.groups if start <= g.open < stop}
    cell = _first(source, re.compile(r"(?<!\\)&|\\\\"), start, stop, inner)
    if source.mode(group.open) in (Mode.INLINE, Mode.DISPLAY):
        ends = re.compile(r"(?<!\\)\$|\\[)\]]|(?<!\\)&|\\\\|\\end\b|\\right\b|\\label\b|\\tag\b")
        shift = _first(source, ends, start, stop, inner)
        end = stop if shift is None else _trimmed(text, start, shift)
        relation = _first(source, _RELATION, start, end, inner)
        below = _START.match(text, start, end) if _BELOW.search(text, max(0, group.open - 60), group.open) else None
        atom = _ATOM.match(text, start)
        if below:
            yield below.end(), "behind the value that it begins with", 0.77
        elif relation is not None and relation > start:
            yield _trimmed(text, start, relation), "before the relation", 0.76
        if shift is not None or ends.match(text, stop):
            yield end, "at the end of its formula", 0.72
        if atom:
            yield atom.end(), "behind its first symbol", 0.66
    elif opener in _TEXT and source.math_at(group.open):
        words = _WORDS.match(text, start, stop)
        if words and re.search(r"[_^=<>]|\\[a-z]", text[words.end() : stop if cell is None else cell]):
            yield words.end(), "behind its words, before a formula", 0.82
    if opener in UNITS and re.match(r"\s*\\[A-Za-z]", text[start:stop]):
        unit = _UNIT.match(text, start, stop)
        if unit:
            yield unit.end(), "behind the unit", 0.86
    elif opener in LENGTHS:
        length = _LENGTH.match(text, start, stop)
        if length:
            yield length.end(), "behind the length", 0.86
    elif opener in NAMES:
        named = re.compile(r"[^\s{}\\,;]*(?:\\[A-Za-z]+[^\s{}\\,;]*)*").match(text, start)
        if named:
            name = named[0].rstrip(".:!?)")
            yield start + len(name), "behind the name", 0.84
    if cell is not None:
        yield _trimmed(text, start, cell), "at the end of the cell or row", 0.8
    if opener in LINES:
        yield line_stop, "at the end of the line", 0.83
        yield stop, "before what follows", 0.75
    label = _LABEL.match(text, start, line_stop)
    if label:
        yield label.end(), "behind the colon", 0.76
    sentence = _first(source, _SENTENCE, start, stop, inner)
    if sentence is not None:
        end = sentence + 1
        if opener == "footnote":
            yield end, "at the end of the sentence", 0.74
        elif end in (line_stop, stop):
            yield end, "at the end of the sentence", 0.62
        else:
            yield sentence, "before the full stop", 0.6
    yield line_stop, "at the end of the line", 0.58
    yield stop, "before what follows", 0.56
    comma = _first(source, re.compile(r"[,;]\s|[，；、]"), start, stop, inner)
    if comma is not None:
        yield comma, "before the comma", 0.5
    word = re.compile(r"\s*(?:\\[A-Za-z]+\s*)*[^\s{}\\,.;:]+").match(text, start, stop)
    if word and source.mode(group.open) not in (Mode.INLINE, Mode.DISPLAY):
        yield word.end(), "behind its first word", 0.4


def _first(source: Source, pattern: re.Pattern[str], start: int, stop: int, inner: dict[int, int]) -> int | None:
    """Where the pattern first matches outside inner groups and formulas."""
    at = start
    for found in pattern.finditer(source.text, start, stop):
        if found.start() < at or source.mode(found.start()) in (Mode.COMMENT, Mode.VERBATIM):
            continue
        if any(low <= found.start() < high for low, high in inner.items() if high <= stop):
            continue
        return found.start()
    return None


def _trimmed(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())


RULE = Rule(
    id="open-brace",
    fix=propose,
    answers=(
        "runaway-argument",
        "missing-brace",
        "extra-brace",
        "end-inside-group",
        "environment-mismatch",
        "use-does-not-match",
        "missing-dollar",
        "misplaced-alignment",
        "missing-cr",
        "missing-endcsname",
        "misplaced-noalign",
        "not-in-outer-par-mode",
        "undefined-environment",
        "missing-delimiter",
        "extra-right",
    ),
    examples=(
        Example(
            "\\section{Results\nText.\n\nMore.\n",
            "\\section{Results}\nText.\n\nMore.\n",
            message="Paragraph ended before \\@sect was complete",
            token="\\@sect",
            path="part.tex",
            line=3,
            context_before="",
        ),
        Example(
            "\\textbf{Note\\} this.\n\nMore.\n",
            "\\textbf{Note} this.\n\nMore.\n",
            message="Paragraph ended before \\text@command was complete",
            token="\\text@command",
            path="part.tex",
            line=2,
            context_before="",
        ),
        Example(
            "\\item \\textbf{Repairs: two, both done.\n\nMore.\n",
            "\\item \\textbf{Repairs:} two, both done.\n\nMore.\n",
            message="Paragraph ended before \\text@command was complete",
            token="\\text@command",
            path="part.tex",
            line=2,
            context_before="",
        ),
        Example(
            "At \\SI{8.3}{\\milli\\gram\\per\\litre at \\SI{25}{\\celsius} it ends.\n\nMore.\n",
            "At \\SI{8.3}{\\milli\\gram\\per\\litre} at \\SI{25}{\\celsius} it ends.\n\nMore.\n",
            message="Paragraph ended before \\SI was complete",
            token="\\SI",
            path="part.tex",
            line=2,
            context_before="",
        ),
        Example(
            "\\begin{minipage}{0.4\\textwidth\nWords.\n\n\\end{minipage}\n",
            "\\begin{minipage}{0.4\\textwidth}\nWords.\n\n\\end{minipage}\n",
            message="Paragraph ended before \\@iiiminipage was complete",
            token="\\@iiiminipage",
            path="part.tex",
            line=3,
            context_before="",
        ),
        Example(
            "So $\\frac{a}{b_1 = 5$ holds.\n",
            "So $\\frac{a}{b_1} = 5$ holds.\n",
            message="Missing } inserted",
            code="missing-brace",
            path="part.tex",
        ),
        Example(
            "\\[ \\sqrt{\\left( \\frac{a}{b \\right)^2 + c} \\]\n",
            "\\[ \\sqrt{\\left( \\frac{a}{b} \\right)^2 + c} \\]\n",
            message="Extra \\right",
            code="missing-brace",
            path="part.tex",
        ),
        Example(
            "\\textbf{a} \\verb|{| % {\n",
            None,
            message="Missing } inserted",
            code="missing-brace",
            path="part.tex",
        ),
    ),
)
