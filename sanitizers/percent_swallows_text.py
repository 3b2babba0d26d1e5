r"""A bare % that swallows the rest of its line.

Why it breaks: everything behind % is a comment. "50% of the rows}" loses its closing brace, a table row its \\, and TeX
complains much later: "Runaway argument", "Missing } inserted", "Extra alignment tab".

What is done: a % behind a number is escaped where text follows it: those whose line lost a brace, a row end or a
column, and with them all others that touch their number and go on like a sentence, as they swallow words without any
error, and what is special in these words; then those that lost something alone, then all that stand behind numbers.

When nothing is done: at line ends, and where the comment reads like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._cells import HOLDS_CELLS
from .lone_dollar import amounts_of_money

SENTENCE = re.compile(
    r"[ \t]+(?!TODO|FIXME|XXX|NOTE)(?:[\w($#&]|\\(?:text|emph|cite|ref|[&%$#]))|[,;.:)}，。；：、）]|[^\x00-\x7f]"
)
"""How a sentence goes on behind a sign that touches its number: "5% of", "5%，"."""
_SHARE = re.compile(r"[A-Za-z][ \t]*=[ \t]*[\d.]+$|\\(?:parbox|resizebox|begin\{(?:minipage|tabular[xy*])\})\{[\d.]+$")
"""A share of a width, which escaping would not make a length: width=50%."""
_MONEY = re.compile(r"\$(?=[ ]?\d)")
_LOST = re.compile(r"[{}]|\\\\|\\end\b|\\hline|(?<!\\)[&$]|\\item\b")


def propose(case: Case) -> Iterator[Candidate]:
    plain, telling, worded = [], [], []
    for path, source in case.tex_files():
        for pos, lost in swallowing(source):
            edits = [Edit(path, pos, pos + 1, "\\%"), *bare_behind(source, path, pos)]
            plain += edits
            if lost:
                telling += edits
            if lost or (source.text[pos - 1].isdigit() and SENTENCE.match(source.text, pos + 1)):
                worded += edits
    taken = {(edit.path, edit.start) for edit in telling}
    money = [
        Edit(path, pos, pos + 1, "\\$")
        for path, source in case.tex_files()
        for pos in amounts_of_money(source)
        if (path, pos) not in taken
    ]
    if telling and money:
        # Who leaves the % of a number bare leaves the $ of an amount bare, which shows only once the brace is found.
        yield Candidate(
            (*telling, *money), "escape the % that swallow a brace or a row end, and the $ of amounts", 0.93
        )
    if telling and len(worded) > len(telling):
        yield Candidate(tuple(worded), "escape the % of numbers in sentences: some swallow a brace or a row end", 0.9)
    if telling:
        yield Candidate(tuple(telling), "escape the % that swallow a brace, a cell or a row end", 0.88)
    near = [e for e in telling if e.path == case.path and e.start <= case.at]
    if near and len(telling) > 1:
        yield Candidate(
            (near[-1],), "escape the last % before the error: it swallows a brace, a cell or a row end", 0.7
        )
    if plain and len(plain) > len(telling):
        yield Candidate(tuple(plain), "escape every % that stands behind a number and swallows text", 0.45)


def bare_behind(source: Source, path: str, pos: int) -> Iterator[Edit]:
    """The special characters of words that the sign at `pos` has hidden, up to the next sign."""
    end = source.line_span(source.line(pos))[1]
    tail = source.text[pos + 1 : end].partition("%")[0]
    formula = "$" in _MONEY.sub("", tail)
    cells = any(HOLDS_CELLS.search(e.name) for e in source.environments_at(pos))
    for found in re.finditer(rf"(?<!\\)(?:[#&_]|{_MONEY.pattern})", tail):
        if not formula and not (cells and found[0] == "&"):
            at = pos + 1 + found.start()
            yield Edit(path, at, at + 1, "\\" + found[0])


def swallowing(source: Source) -> Iterator[tuple[int, bool]]:
    text = source.text
    for span in source.spans:
        if span.mode is not Mode.COMMENT or source.in_preamble(span.start) or text[span.start] != "%":
            continue
        line_start = source.line_span(source.line(span.start))[0]
        head, tail = text[line_start : span.start], text[span.start + 1 : span.end]
        if not head.strip() or not tail.strip() or tail.startswith("%") or _SHARE.search(head):
            continue
        number = re.search(r"\d(?:\s|~|\\,)?$", head) is not None
        unbalanced = tail.count("}") != tail.count("{")
        lost = _LOST.search(tail) is not None and (unbalanced or "\\\\" in tail or "&" in tail)
        if number or (lost and re.search(r"[\w)}{]\s?$", head)):
            yield span.start, lost
            # Once that one is text, the next sign of the line behind a number would swallow the same.
            for again in re.finditer(r"(?<=\d)%(?=[ )},;.~]|[^\x00-\x7f])", tail):
                rest = tail[again.end() :]
                yield span.start + 1 + again.start(), lost and _LOST.search(rest) is not None


RULE = Rule(
    id="percent-swallows-text",
    fix=propose,
    answers=(
        "runaway-argument",
        "missing-brace",
        "extra-brace",
        "environment-mismatch",
        "end-inside-group",
        "missing-end-document",
        "extra-alignment",
        "misplaced-noalign",
        "missing-dollar",
        "missing-cr",
    ),
    examples=(
        Example(
            "Half\\footnote{About 50% of the rows} of it.\n\nMore % a remark\n",
            "Half\\footnote{About 50\\% of the rows} of it.\n\nMore % a remark\n",
            message="Paragraph ended before \\@footnotetext was complete",
            path="part.tex",
            line=2,
            context_before="",
        ),
        Example(
            "\\section{Growth of 12% in Q1}\n误差为 5%，见表。\n\\item 50% off, 100% of it.\nx = 3 % half\n",
            "\\section{Growth of 12\\% in Q1}\n误差为 5\\%，见表。\n\\item 50\\% off, 100\\% of it.\nx = 3 % half\n",
            message="Paragraph ended before \\@sect was complete",
            path="part.tex",
        ),
        Example(
            "\\section{By 3% in Q3 & Q4}\nBy 5% for a_b, #4 at $650.\n",
            "\\section{By 3\\% in Q3 \\& Q4}\nBy 5\\% for a\\_b, \\#4 at \\$650.\n",
            message="Paragraph ended before \\@sect was complete",
            path="part.tex",
        ),
        Example(
            "\\includegraphics[width=50%]{a}\n\nText\n",
            None,
            message="Paragraph ended before \\Gin@ii was complete",
            path="part.tex",
        ),
        Example(
            "Text % and a remark\nmore 50\\% of it\n",
            None,
            message="Paragraph ended before \\x was complete",
            path="part.tex",
        ),
    ),
)
