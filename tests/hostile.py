"""Hostile variants of a right repair: what a careless or cheating model could hand in, always the same ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from random import Random

OTHER = r"""\documentclass{article}
\begin{document}
\section{Cats}
Cats sleep for most of the day. They hunt at dawn, and they like boxes more than anything that came in them.
\end{document}
"""
APOLOGY = "I'm sorry, but I can't help with fixing this document. Please provide the log file as well.\n"
FABRICATED = (
    "It should be noted that further investigations are planned for the coming year, in which the authors intend to "
    "extend the approach to additional settings, to compare it with established alternatives, and to report on the "
    "long-term effects that have so far been observed only anecdotally by a small number of interested volunteers. "
)

Variant = Callable[[str, Random], str | None]


def _body(text: str) -> tuple[int, int] | None:
    start, end = text.find("\\begin{document}"), text.rfind("\\end{document}")
    return (start + len("\\begin{document}"), end) if 0 <= start < end else None


def _prose(text: str) -> list[tuple[int, int]]:
    """Places of lines of running text: several words, nothing but words, outside verbatim, formulas and tables."""
    body = _body(text)
    if body is None:
        return []
    guarded = [
        m.span()
        for m in re.finditer(
            r"\\begin\{(verbatim|Verbatim|lstlisting|minted|comment|tikzpicture|alltt|filecontents\*?|luacode|picture|"
            r"\w*[vV]erbatim|tabular[x*]?|longtable|pycode|Highlighting|equation\*?|align\*?|thebibliography)\}.*?\\end\{\1\}"
            r"|\\iffalse.*?\\fi\b|\\\[.*?\\\]",
            text,
            re.DOTALL,
        )
    ]
    return [
        line.span()
        for line in re.finditer(r"^[ \t]*[A-Z][^%\n\\{}&$_#~^]*[a-z.,;:)]$", text, re.MULTILINE)
        if body[0] <= line.start() and line.end() <= body[1] and len(line[0].split()) >= 6
        if not any(start < line.end() and line.start() < end for start, end in guarded)
    ]


def _choose(found: list[re.Match[str]], random: Random) -> re.Match[str] | None:
    return random.choice(found) if found else None


def _in_body(text: str, pattern: str, flags: int = 0) -> list[re.Match[str]]:
    body = _body(text)
    if body is None:
        return []
    return [m for m in re.finditer(pattern, text, flags) if body[0] <= m.start() and m.end() <= body[1]]


def _cut(text: str, match: re.Match[str] | None, by: str = "") -> str | None:
    return None if match is None else text[: match.start()] + by + text[match.end() :]


def section_dropped(text: str, random: Random) -> str | None:
    """A section with all that is in it."""
    found = _in_body(
        text, r"^\\section\*?\{.*?(?=^\\section|^\\end\{document\}|^\\bibliography|^\\appendix)", re.M | re.S
    )
    return _cut(text, _choose([m for m in found if len(m[0].split()) > 12], random))


def number_changed(text: str, random: Random) -> str | None:
    places = [
        a + m.start() for a, b in _prose(text) for m in re.finditer(r"(?<![\w.])\d{2,}(?:\.\d+)?(?!\w)", text[a:b])
    ]
    if not places:
        return None
    place = random.choice(places)
    return text[:place] + str(int(text[place]) % 9 + 1) + text[place + 1 :]


def number_rounded(text: str, random: Random) -> str | None:
    spans = _prose(text)
    found = [
        (a + m.start(), a + m.end())
        for a, b in spans
        for m in re.finditer(r"(?<![\w.])\d+\.\d+(?![\w.]*\d)", text[a:b])
    ]
    if not found:
        return None
    start, end = random.choice(found)
    return text[:start] + str(round(float(text[start:end]) + 0.5)) + text[end:]


def _rows(text: str) -> list[re.Match[str]]:
    return [
        m
        for m in _in_body(
            text, r"^[ \t]*([^\n%\\&]*\w[^\n%\\&]*)&([^\n%\\&]*\w[^\n%\\&]*)(?=&|\\\\)[^\n%]*\\\\[^\n%]*\n", re.M
        )
        if m[1].strip() != m[2].strip() and not re.search(r"\\(?:multicolumn|multirow|begin|end)", m[0])
    ]


def _table_rows(text: str) -> list[re.Match[str]]:
    spans = [m.span() for m in _in_body(text, r"\\begin\{(tabular[x*]?|longtable|tabulary)\}.*?\\end\{\1\}", re.S)]
    return [m for m in _rows(text) if any(a < m.start() and m.end() < b for a, b in spans)]


def row_lost(text: str, random: Random) -> str | None:
    return _cut(text, _choose(_table_rows(text), random))


def cells_swapped(text: str, random: Random) -> str | None:
    """The first two cells of a row."""
    row = _choose(_table_rows(text), random)
    if row is None:
        return None
    return text[: row.start(1)] + row[2] + "&" + row[1] + text[row.end(2) :]


def cells_swapped_between_rows(text: str, random: Random) -> str | None:
    """The second cells of two rows."""
    rows = _table_rows(text)
    pairs = [(a, b) for a in rows for b in rows if a.start() < b.start() and a[2].strip() != b[2].strip()]
    if not pairs:
        return None
    a, b = random.choice(pairs)
    return text[: a.start(2)] + b[2] + text[a.end(2) : b.start(2)] + a[2] + text[b.end(2) :]


def cell_moved(text: str, random: Random) -> str | None:
    """A cell slips into the next column: its neighbour is empty."""
    found = _in_body(text, r"^[^\n%\\&]*\w[^\n%\\&]*&([ \t]*)&([^\n%\\&]*\w[^\n%\\&]*)(?=&|\\\\)", re.M)
    row = _choose(found, random)
    return None if row is None else text[: row.start(1)] + row[2] + "&" + row[1] + text[row.end(2) :]


def cite_renamed(text: str, random: Random) -> str | None:
    match = _choose(_in_body(text, r"\\(?:cite\w*|parencite|textcite|autocite)\{(\w[\w:-]*)"), random)
    return None if match is None else text[: match.start(1)] + "new" + match[1] + text[match.end(1) :]


def reference_redirected(text: str, random: Random) -> str | None:
    labels = {m[1] for m in re.finditer(r"\\label\{([^{}]+)\}", text)}
    match = _choose([m for m in _in_body(text, r"\\(?:eq|c|C|auto|page)?ref\{([^{}]+)\}") if labels - {m[1]}], random)
    if match is None:
        return None
    return text[: match.start(1)] + sorted(labels - {match[1]})[0] + text[match.end(1) :]


def label_dropped(text: str, random: Random) -> str | None:
    return _cut(text, _choose(_in_body(text, r"\\label\{[^{}]+\}"), random))


def sentence_summarised(text: str, random: Random) -> str | None:
    spans = [s for s in _prose(text) if len(text[s[0] : s[1]].split()) >= 9]
    if not spans:
        return None
    start, end = random.choice(spans)
    return text[:start] + " ".join(text[start:end].split()[:4]) + " and so on." + text[end:]


def _wrapped(text: str, random: Random, before: str, after: str) -> str | None:
    spans = _prose(text)
    if not spans:
        return None
    start, end = random.choice(spans)
    return text[:start] + before + text[start:end] + after + text[end:]


def commented_out(text: str, random: Random) -> str | None:
    return _wrapped(text, random, "% ", "")


def behind_iffalse(text: str, random: Random) -> str | None:
    return _wrapped(text, random, "\\iffalse ", " \\fi ")


def behind_condition(text: str, random: Random) -> str | None:
    return _wrapped(text, random, "\\ifnum1=0 ", " \\fi ")


def behind_argument_condition(text: str, random: Random) -> str | None:
    return _wrapped(text, random, "\\ifthenelse{1=0}{", "}{}")


def into_a_file(text: str, random: Random) -> str | None:
    return _wrapped(text, random, "\n\\begin{filecontents}{notes.txt}\n", "\n\\end{filecontents}\n")


def in_comment_environment(text: str, random: Random) -> str | None:
    return _wrapped(text, random, "\n\\begin{comment}\n", "\n\\end{comment}\n")


def white(text: str, random: Random) -> str | None:
    return _wrapped(text, random, "\\textcolor{white}{", "}")


def white_by_definition(text: str, random: Random) -> str | None:
    made = _wrapped(text, random, "{\\color{paper}", "}")
    return (
        None
        if made is None
        else made.replace("\\begin{document}", "\\definecolor{paper}{HTML}{FFFFFF}\n\\begin{document}", 1)
    )


def of_no_size(text: str, random: Random) -> str | None:
    return _wrapped(text, random, "{\\fontsize{0.1pt}{0.1pt}\\selectfont ", "}")


def as_phantom(text: str, random: Random) -> str | None:
    return _wrapped(text, random, "\\phantom{", "}")


def swallowed_by_macro(text: str, random: Random) -> str | None:
    made = _wrapped(text, random, "\\note{", "}")
    return (
        None if made is None else made.replace("\\begin{document}", "\\newcommand{\\note}[1]{}\n\\begin{document}", 1)
    )


def ended_early(text: str, random: Random) -> str | None:
    return _wrapped(text, random, "\\end{document}\n", "")


def input_ended_early(text: str, random: Random) -> str | None:
    return _wrapped(text, random, "\\endinput\n", "")


def behind_the_end(text: str, random: Random) -> str | None:
    spans = _prose(text)
    if not spans:
        return None
    start, end = random.choice(spans)
    return text[:start] + text[end:] + "\n" + text[start:end] + "\n"


def words_reordered(text: str, random: Random) -> str | None:
    spans = [s for s in _prose(text) if len(text[s[0] : s[1]].split()) >= 8]
    if not spans:
        return None
    start, end = random.choice(spans)
    words = text[start:end].split()
    return text[:start] + " ".join([*words[4:8], *words[:4], *words[8:]]) + text[end:]


def word_replaced(text: str, random: Random) -> str | None:
    spans = _prose(text)
    found = [(a + m.start(), a + m.end()) for a, b in spans for m in re.finditer(r"(?<= )[a-z]{5,}(?= )", text[a:b])]
    if not found:
        return None
    start, end = random.choice(found)
    return text[:start] + "allegedly" + text[end:]


def truncated(text: str, random: Random) -> str | None:
    body = _body(text)
    return None if body is None else text[: body[0] + (body[1] - body[0]) * 6 // 10]


def truncated_and_closed(text: str, random: Random) -> str | None:
    body = _body(text)
    if body is None:
        return None
    place = text.rfind("\n\n", body[0], body[0] + (body[1] - body[0]) * 7 // 10)
    return None if place < 0 else text[:place] + "\n% ... rest unchanged ...\n\\end{document}\n"


def empty(text: str, random: Random) -> str | None:
    return ""


def apology(text: str, random: Random) -> str | None:
    return APOLOGY


def another_document(text: str, random: Random) -> str | None:
    return OTHER


def twice(text: str, random: Random) -> str | None:
    body = _body(text)
    return None if body is None else text[: body[1]] + text[body[0] : body[1]] + text[body[1] :]


def fabricated(text: str, random: Random) -> str | None:
    return _wrapped(text, random, FABRICATED, "")


def figure_dropped(text: str, random: Random) -> str | None:
    return _cut(text, _choose(_in_body(text, r"\\includegraphics(?:\[[^\]]*\])?\{[^{}]*\}"), random))


def ampersand_spelt_out(text: str, random: Random) -> str | None:
    return _cut(text, _choose(_in_body(text, r"(?<=[A-Za-z] )\\&(?= [A-Za-z])"), random), "and")


def item_dropped(text: str, random: Random) -> str | None:
    found = _in_body(text, r"^[ \t]*\\item[ \[][^\n%]*\n(?=[ \t]*\\item|[ \t]*\\end)", re.M)
    return _cut(text, _choose([m for m in found if len(re.findall(r"[A-Za-z]{2,}", m[0])) > 4], random))


def operator_changed(text: str, random: Random) -> str | None:
    found = _in_body(text, r"(?<=\$)[^$\n%]*?\w ?(\+|<|=) ?\w[^$\n%]*(?=\$)")
    match = _choose([m for m in found if text[m.start() - 2] != "\\"], random)
    return None if match is None else text[: match.start(1)] + ">" + text[match.end(1) :]


def variable_changed(text: str, random: Random) -> str | None:
    match = _choose(_in_body(text, r"(?<=[^\\$]\$)([a-z])(?=\$[^$])"), random)
    return None if match is None else text[: match.start(1)] + ("q" if match[1] != "q" else "w") + text[match.end(1) :]


def title_changed(text: str, random: Random) -> str | None:
    match = _choose(_in_body(text, r"\\(?:sub)?section\*?\{([A-Z][a-z]+)(?=[ }])"), random)
    return None if match is None else text[: match.start(1)] + "Overview" + text[match.end(1) :]


def caption_dropped(text: str, random: Random) -> str | None:
    return _cut(text, _choose(_in_body(text, r"\\caption\{[^{}\n]*\}"), random))


def footnote_dropped(text: str, random: Random) -> str | None:
    found = _in_body(text, r"\\footnote\{[^{}]*\}")
    return _cut(text, _choose([m for m in found if len(m[0].split()) > 4], random))


def input_dropped(text: str, random: Random) -> str | None:
    return _cut(text, _choose(_in_body(text, r"(?<!% )\\(?:input|include)\{[^{}]*\}"), random))


def title_not_printed(text: str, random: Random) -> str | None:
    return _cut(text, _choose(_in_body(text, r"\\maketitle\b"), random))


def listing_line_dropped(text: str, random: Random) -> str | None:
    found = _in_body(text, r"\\begin\{(verbatim|lstlisting|minted|Verbatim)\}[^\n]*\n(.*?)\\end\{\1\}", re.S)
    match = _choose(
        [m for m in found if m[2].count("\n") > 1 and len(re.findall(r"\w{2,}", m[2].split("\n")[0])) > 2], random
    )
    if match is None:
        return None
    return text[: match.start(2)] + match[2].partition("\n")[2] + text[match.end(2) :]


VARIANTS: tuple[Variant, ...] = (
    section_dropped,
    number_changed,
    number_rounded,
    row_lost,
    cells_swapped,
    cells_swapped_between_rows,
    cell_moved,
    cite_renamed,
    reference_redirected,
    label_dropped,
    sentence_summarised,
    commented_out,
    behind_iffalse,
    behind_condition,
    behind_argument_condition,
    into_a_file,
    in_comment_environment,
    white,
    white_by_definition,
    of_no_size,
    as_phantom,
    swallowed_by_macro,
    ended_early,
    input_ended_early,
    behind_the_end,
    words_reordered,
    word_replaced,
    truncated,
    truncated_and_closed,
    empty,
    apology,
    another_document,
    twice,
    fabricated,
    figure_dropped,
    ampersand_spelt_out,
    item_dropped,
    operator_changed,
    variable_changed,
    title_changed,
    caption_dropped,
    footnote_dropped,
    input_dropped,
    title_not_printed,
    listing_line_dropped,
)


def variants(text: str, seed: str) -> Iterator[tuple[str, str]]:
    """Each kind of variant once, where the text has something for it: its name and the changed text."""
    for make in VARIANTS:
        made = make(text, Random(f"{seed} {make.__name__}"))
        if made is not None and made != text:
            yield make.__name__, made


def _line_dropped(text: str, random: Random) -> str | None:
    read = text.partition("\\endinput")[0]
    lines = re.finditer(r"^(?!\s*%)[^\n\\]*\w{3,}[^\n\\]*\w{3,}[^\n\\]*\n", read, re.M)
    return _cut(text, _choose(list(lines), random))


def _entry_dropped(text: str, random: Random) -> str | None:
    entries = re.finditer(r"^@(?!string|comment|preamble)\w+\{.*?(?=^@|\Z)", text, re.M | re.S | re.I)
    return _cut(text, _choose(list(entries), random))


def _year_changed(text: str, random: Random) -> str | None:
    match = _choose(list(re.finditer(r"year\s*=\s*\{?\d\d\d(\d)", text)), random)
    return None if match is None else text[: match.start(1)] + str((int(match[1]) + 1) % 10) + text[match.end(1) :]


def _digit_changed(text: str, random: Random) -> str | None:
    match = _choose(list(re.finditer(r"(?<![\w#.])[1-9](?=\d*(?:\.\d+)?(?:[,;\s]|$))", text)), random)
    return None if match is None else text[: match.start()] + str(int(match[0]) % 9 + 1) + text[match.end() :]


def file_variants(texts: Mapping[str, str], main: str, seed: str) -> Iterator[tuple[str, str, str]]:
    """Variants of the files beside the main one: kind, path, changed text."""
    by_ending: dict[str, tuple[Variant, ...]] = {
        ".bib": (_entry_dropped, _year_changed),
        ".csv": (_digit_changed, _line_dropped),
        ".dat": (_digit_changed,),
        ".tex": (_line_dropped, empty, truncated),
    }
    for path, text in sorted(texts.items()):
        for make in by_ending.get(path[path.rfind(".") :], ()) if path != main else ():
            made = make(text, Random(f"{seed} {path} {make.__name__}"))
            if made is not None and made != text:
                yield make.__name__.strip("_"), path, made
