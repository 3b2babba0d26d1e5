r"""A $ that has no partner.

Why it breaks: from a lost $ on, formulas and text are exchanged up to the paragraph's end: "Missing $ inserted",
often at the next empty line, "Extra }, or forgotten $", "Command \item invalid in math mode".

What is done: of the paragraph's (or the cell's) dollar signs that one is taken for the lone one whose removal leaves
pairs with formulas in them and words outside; it is closed behind the formula that follows it, opened before the
formula in front of it, or escaped where it is an amount of money. The next best ones are tried after it.

When nothing is done: the paragraph has as many opening as closing signs and what they enclose is mathematics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.runs import likeness, run_from, run_to
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_DOLLAR = re.compile(r"(?<!\\)\$")
_MONEY = re.compile(
    r"\$[ \t]?\d[\d.,]*(?:[kKMB]|\\,\d+)*(?=[\s.,;:)}\\/-]|[^\x00-\x7f]|$)"
    r"|(?<=[\s(\[{])\$[ \t]*(?=[)\]}])"
)
"""An amount, or the sign alone as the name of a unit: (in $)."""
_ENDS = re.compile(r"(?<!\\)&|\\\\|\\(?:item|section|subsection|begin|end|caption|par)\b")

_COMMA = re.compile(r"[ \t]*,[ \t\n]*(\\[lc]?dots[ \t]*,[ \t\n]*)?")
_ARGUMENT = re.compile(r"\\[A-Za-z]+\*?(?:[ \t]*\{[^{}]*\})*")
_PROSE = re.compile(r"(?<![A-Za-z])[A-Za-z]{2,}[ \t\n]+[A-Za-z]+(?![A-Za-z])")


def propose(case: Case) -> Iterator[Candidate]:
    source = case.source
    amounts = [Edit(path, pos, pos + 1, "\\$") for path, s in case.tex_files() for pos in amounts_of_money(s)]
    low, high = source.paragraph(case.at)
    regions = [*_regions(source, case.at), (low, high)]
    if any(e.path == case.path and any(a <= e.start < b for a, b in regions) for e in amounts):
        # Two amounts in a paragraph make a formula of the words between them, without any error.
        yield Candidate(tuple(amounts), "escape the $ of all amounts of money", 0.88)
    for rank, (low, high) in enumerate(_regions(source, case.at)):
        dollars = _dollars(source, low, high)
        if not dollars:
            continue
        money = _money(source, dollars, high)
        if len(money) == len(dollars) or (len(money) > 1 and len(money) % 2 == len(dollars) % 2):
            edits = tuple(Edit(case.path, pos, pos + 1, "\\$") for pos in money)
            yield Candidate(edits, "escape the $ of amounts of money", round(0.86 - 0.1 * rank, 3))
        if len(dollars) % 2 == 0:
            continue
        ranked = sorted(dollars, key=lambda pos: -_sense(source.text, [d for d in dollars if d != pos]))
        for place, pos in enumerate(ranked[:5]):
            for edit, why, certainty in _cures(source, case.path, pos, dollars, low, high):
                if pos not in money or edit.text == "\\$":  # An amount is no formula to be closed.
                    yield Candidate((edit,), why, round(certainty - 0.06 * place - 0.1 * rank, 3))


def amounts_of_money(source: Source) -> Iterator[int]:
    """The $ of amounts of money in paragraphs where the others pair well without them, and ill with them."""
    start = 0
    while start < len(source.text):
        low, high = source.paragraph(start)
        dollars = _dollars(source, low, high)
        money = _money(source, dollars, high) if dollars else []
        rest = [pos for pos in dollars if pos not in money]
        odd = len(dollars) % 2 == 1 or _prose_between(source.text, dollars)
        if money and odd and len(rest) % 2 == 0 and _sense(source.text, rest) > 0.5:
            yield from money
        start = max(high, start) + 1


def _prose_between(text: str, dollars: list[int]) -> bool:
    """Whether words or the end of a cell stand between two $ that TeX takes for a pair, and nothing of a formula."""
    between = (text[a + 1 : b] for a, b in zip(dollars[::2], dollars[1::2], strict=False))
    return any(
        ("\\begin" not in part and "matrix" not in part and re.search(r"(?<!\\)&|\\\\", part))
        or re.match(r"\d[\d.,]*\s+(?:and|or|to|per|for|from|at|in|on|versus|than)\s", part)
        or (re.search(r"[A-Za-z]{3}", part) and not re.search(r"[=^_\\<>+]", part))
        for part in between
    )


def _dollars(source: Source, low: int, high: int) -> list[int]:
    """The single $ between these places."""
    found = [m.start() for m in _DOLLAR.finditer(source.text, low, high) if _counts(source, m.start())]
    return [pos for at, pos in enumerate(found) if not _double(found, at)]


def _money(source: Source, dollars: list[int], high: int) -> list[int]:
    text = source.text
    return [pos for pos in dollars if _MONEY.match(text, pos) and not _formula_follows(text, pos, high)]


def _regions(source: Source, at: int) -> Iterator[tuple[int, int]]:
    """The stretches to look at: the one where TeX stood, then those before it that hold a formula left open."""
    seen = set()
    places = [at, *sorted((pos for pos in source.open_math if pos <= at + 200), reverse=True)[:3]]
    if not source.text[source.paragraph(at)[0] : source.paragraph(at)[1]].strip():
        places.insert(1, max(0, len(source.text[:at].rstrip()) - 1))
    for pos in places:
        low, high = source.paragraph(pos)
        bounds = [m.start() for m in _ENDS.finditer(source.text, low, high) if source.live(m.start())]
        low = max([b for b in bounds if b < pos], default=low)
        high = min([b for b in bounds if b >= pos and b > low], default=high)
        if (low, high) not in seen and low < high:
            seen.add((low, high))
            yield low, high


def _counts(source: Source, pos: int) -> bool:
    return source.mode(pos) in (Mode.TEXT, Mode.INLINE, Mode.DISPLAY) and not source.in_definition(pos)


def _double(dollars: list[int], at: int) -> bool:
    """Whether this is half of a $$."""
    before = at > 0 and dollars[at - 1] == dollars[at] - 1
    after = at + 1 < len(dollars) and dollars[at + 1] == dollars[at] + 1
    return before or after


def _sense(text: str, paired: list[int]) -> float:
    """How well these signs pair: the worst of the formulas that they make."""
    pairs = zip(paired[::2], paired[1::2], strict=False)
    return min((likeness(text[a + 1 : b]) - 0.001 * (b - a) for a, b in pairs), default=1.0)


def _formula_follows(text: str, pos: int, high: int) -> bool:
    end = run_from(text, pos + 1, high)
    return re.search(r"[=^_\\<>+]", text[pos + 1 : end].rstrip()) is not None


def _list_from(text: str, start: int, end: int) -> int:
    """Where a formula ends that may be a list: x_1, \\dots, x_n."""
    at = run_from(text, start, end)
    while at > start and (comma := _COMMA.match(text, at, end)):
        further = run_from(text, comma.end(), end)
        if further == comma.end() or not (comma[1] or re.search(r"[_^\\\\]", text[comma.end() : further])):
            break
        at = further
    return at


def _words_from(text: str, start: int, end: int) -> int | None:
    """Where the first two words of prose begin, without what separates them from the formula."""
    plain = _ARGUMENT.sub(lambda m: "0" * len(m[0]), text[start:end])
    found = _PROSE.search(plain)
    return start + len(plain[: found.start()].rstrip(" \t\r\n,;:")) if found else None


def _cures(
    source: Source, path: str, pos: int, dollars: list[int], low: int, high: int
) -> Iterator[tuple[Edit, str, float]]:
    text = source.text
    before = max((d + 1 for d in dollars if d < pos), default=low)
    after = min((d for d in dollars if d > pos), default=high)
    end = _list_from(text, pos + 1, after)
    start = run_to(text, before, pos)
    opens = text[pos + 1 : pos + 2].strip() != "" and (pos == 0 or text[pos - 1] in " \t\r\n(~&[{\"'")
    closes = text[pos - 1 : pos].strip() != "" and (text[pos + 1 : pos + 2] or " ") in " \n\r.,;:)~&"
    money = _MONEY.match(text, pos) is not None and not _formula_follows(text, pos, after)
    if money:
        yield Edit(path, pos, pos + 1, "\\$"), "escape the $ of an amount of money", 0.84
    if end > pos + 1 and not text[pos + 1 : end].isspace():
        yield Edit(path, end, end, "$"), "close the formula that a $ opens", 0.85 if opens and not money else 0.6
    words = _words_from(text, pos + 1, after)
    if words is not None and words not in (end, pos + 1) and not money:
        yield Edit(path, words, words, "$"), "close the formula before the words that follow", 0.58 if opens else 0.5
    if start < pos:
        yield Edit(path, start, start, "$"), "open the formula that a $ closes", 0.83 if closes and not opens else 0.55
    if not money:
        yield Edit(path, pos, pos + 1, "\\$"), "escape a $ that has no partner", 0.45
    yield Edit(path, after, after, "$"), "close the formula before what follows", 0.4


RULE = Rule(
    id="lone-dollar",
    fix=propose,
    answers=(
        "missing-dollar",
        "extra-brace",
        "missing-brace",
        "wrong-mode",
        "misplaced-alignment",
        "missing-cr",
        "bad-math-environment",
        "end-inside-group",
        "environment-mismatch",
        "missing-item",
        "undefined-control-sequence",
    ),
    examples=(
        Example(
            "For $f(x)=x^2$ with $p>1 the integral over $[1,2]$ is finite.\n\nMore.\n",
            "For $f(x)=x^2$ with $p>1$ the integral over $[1,2]$ is finite.\n\nMore.\n",
            message="Missing $ inserted",
            path="part.tex",
            line=2,
            context_before="",
        ),
        Example(
            "blue & $n=4\\to 2 & 486 \\\\\n",
            "blue & $n=4\\to 2$ & 486 \\\\\n",
            message="Missing $ inserted",
            path="part.tex",
            context_before="blue & $n=4\\to 2 &",
        ),
        Example(
            "The cost was $340 per household.\n",
            "The cost was \\$340 per household.\n",
            message="Missing $ inserted",
            path="part.tex",
            line=1,
        ),
        Example(
            "\\caption{Costs (in $)}\n\nNorth & $120 & 12\\% \\\\\nSouth & $340 & 1 \\\\\n\n"
            "The total is $1,200 and 3.\n\nCost < $5 and > $3\n",
            "\\caption{Costs (in \\$)}\n\nNorth & \\$120 & 12\\% \\\\\nSouth & \\$340 & 1 \\\\\n\n"
            "The total is \\$1,200 and 3.\n\nCost < \\$5 and > \\$3\n",
            message="Missing $ inserted",
            path="part.tex",
            line=1,
            context_before="\\caption{Costs (in $)}",
        ),
        Example(
            "Choose $u_1, \\dots, u_k of the kernel and extend it.\n",
            "Choose $u_1, \\dots, u_k$ of the kernel and extend it.\n",
            message="Missing $ inserted",
            path="part.tex",
        ),
        Example("A $x$ and \\verb|$|.\n", None, message="Missing $ inserted", path="part.tex"),
    ),
)
