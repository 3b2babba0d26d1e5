"""Markdown in the body of a LaTeX file, block by block, and what it becomes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from texrepair.latex import Mode, Source
from texrepair.latex.preamble import package_line
from texrepair.rules import Case, Edit

from ._ordinary import in_ordinary_text

HEADING = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+(\S.*?)[ \t]*#*[ \t]*\Z")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[ \t]*\Z")
_ITEM = re.compile(r"([ \t]*)(?:([-*+])|(\d{1,3})[.)])[ \t]+(?=\S)")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*\Z|[^|]*\S[ \t]+\|[ \t]+\S.*\Z")
_SEPARATOR = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*\Z")
_IMAGE = re.compile(r"!\[([^\]\n]*)\]\(([^()\s]+)\)")
_LINK = re.compile(r"(?<![!\\])\[([^\[\]\n]+)\]\(((?:https?://|mailto:)[^()\s]+)\)")
_BOLD = re.compile(r"(?<![\\*])\*\*(?=[^\s*])([^*\n]*?[^\s*\\])\*\*(?!\*)")
_CODE = re.compile(r"(?<![`\\])`([^`'\n]+)`(?!`)")
_ITALIC = re.compile(r"(?<![\\*\w])\*(?=[^\s*])([^*\n]*?[^\s*\\])\*(?![*\w])")
_RULE = re.compile(r"[ ]{0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*\Z")
_QUOTE = re.compile(r"[ ]{0,3}>[ ]?")
_LISTS = ("itemize", "enumerate", "description")
_LISTINGS = {
    **{
        name.lower(): name
        for name in "Python Java SQL HTML XML Matlab Perl Ruby TeX Fortran Haskell R C bash make".split()
    },
    **{
        "c++": "C++",
        "cpp": "C++",
        "py": "Python",
        "sh": "bash",
        "shell": "bash",
        "latex": "[LaTeX]TeX",
        "html": "HTML",
    },
}


class Block(NamedTuple):
    """A run of whole lines, and the LaTeX that it means."""

    kind: str
    """heading, code, table, list, items (of a list that is open), image, quote, rule, or inline."""
    start: int
    end: int
    """Behind the last line, its line end excluded."""
    latex: str


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    prose: bool


def blocks(case: Case) -> Iterator[Block]:
    """Every piece of Markdown in the body, in order."""
    source = case.source
    lines = list(_lines(case))
    levels = [len(m[1]) for line in lines if line.prose and (m := HEADING.match(line.text))]
    listings = any(p.name == "listings" for p in source.packages)
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.prose or not line.text.strip():
            at += 1
            continue
        taken, kind, latex = _block(source, lines, at, min(levels, default=1), listings)
        if kind:
            yield Block(kind, line.start, lines[at + taken - 1].end, latex)
        at += max(taken, 1)


def needed(case: Case, found: list[Block]) -> Iterator[Edit]:
    """The packages that the converted text needs and the draft does not load."""
    for package, command in (("graphicx", "\\includegraphics"), ("hyperref", "\\href")):
        if package not in case.packages and any(command in block.latex for block in found):
            place = package_line(case.lexed(case.main), package)
            if place is not None:
                yield Edit(case.main, place[0], place[0], place[1])


def _lines(case: Case) -> Iterator[_Line]:
    source = case.source
    for number in range(1, source.line_count + 1):
        start, end = source.line_span(number)
        text = source.text[start:end]
        first = start + len(text) - len(text.lstrip())
        yield _Line(start, end, text, _is_prose(case, min(first, max(start, end - 1))))


def _is_prose(case: Case, pos: int) -> bool:
    source = case.source
    if source.part == "style" or source.in_preamble(pos) or source.in_definition(pos):
        return False
    return source.mode(pos) is Mode.TEXT and "#" not in source.ordinary(pos) and in_ordinary_text(case, pos)


def _block(source: Source, lines: list[_Line], at: int, top: int, listings: bool) -> tuple[int, str, str]:
    """How many lines belong together from `at` on, what they are ("" for nothing of Markdown), and their LaTeX."""
    text = lines[at].text
    if heading := HEADING.match(text):
        return 1, "heading", _heading(source, len(heading[1]) - top, top, heading[2])
    if fence := _FENCE.match(text):
        for last in range(at + 1, len(lines)):
            closing = _FENCE.match(lines[last].text)
            if closing and not closing[2] and closing[1][0] == fence[1][0] and len(closing[1]) >= len(fence[1]):
                return last - at + 1, "code", _code(lines[at + 1 : last], fence[2], listings)
        return 1, "", ""
    if at + 1 < len(lines) and _ROW.match(text) and _SEPARATOR.match(lines[at + 1].text) and "|" in lines[at + 1].text:
        return _table(lines, at, any(p.name == "booktabs" for p in source.packages))
    if _RULE.match(text):
        return 1, "rule", ""
    if _ITEM.match(text):
        return _list(source, lines, at)
    if _QUOTE.match(text):
        last = at
        while last < len(lines) and _QUOTE.match(lines[last].text):
            last += 1
        inner = "\n".join(inline(_QUOTE.sub("", line.text, count=1)) for line in lines[at:last])
        return last - at, "quote", f"\\begin{{quote}}\n{inner}\n\\end{{quote}}"
    image = _IMAGE.fullmatch(text.strip())
    if image:
        return 1, "image", _figure(image[1], image[2])
    new = _inline_live(source, lines[at])
    return 1, "inline" if new != text else "", new


def _heading(source: Source, depth: int, top: int, title: str) -> str:
    """The sectioning command: the highest level in use becomes a section, or a subsection below existing sections."""
    names = ["section", "subsection", "subsubsection", "paragraph", "subparagraph"]
    classes = [p.name for p in source.packages if p.command == "documentclass"]
    if top == 1 and any(name in ("report", "book", "ctexbook", "ctexrep", "scrbook", "scrreprt") for name in classes):
        names.insert(0, "chapter")
    elif top >= 3 and any(source.command_named("section")):
        depth += 1
    return f"\\{names[min(depth, len(names) - 1)]}{{{inline(_escaped(title))}}}"


def _code(lines: list[_Line], language: str, listings: bool) -> str:
    body = "\n".join(line.text for line in lines)
    if not listings or "\\end{lstlisting}" in body:
        return f"\\begin{{verbatim}}\n{body}\n\\end{{verbatim}}"
    known = _LISTINGS.get(language.lower())
    option = f"[language={known}]" if known else ""
    return f"\\begin{{lstlisting}}{option}\n{body}\n\\end{{lstlisting}}"


def _table(lines: list[_Line], at: int, booktabs: bool) -> tuple[int, str, str]:
    last = at + 2
    while last < len(lines) and "|" in lines[last].text and lines[last].text.strip():
        last += 1
    columns = ""
    for mark in _cells(lines[at + 1].text):
        columns += "c" if mark[:1] == ":" and mark[-1:] == ":" else "r" if mark[-1:] == ":" else "l"
    rows = [_cells(line.text) for line in (lines[at], *lines[at + 2 : last])]
    columns += "l" * (max(map(len, rows)) - len(columns))
    set_rows = [" & ".join(inline(_escaped(cell)) for cell in row) + " \\\\" for row in rows]
    top, middle, bottom = ("\\toprule", "\\midrule", "\\bottomrule") if booktabs else ("\\hline",) * 3
    body = "\n".join([top, set_rows[0], middle, *set_rows[1:], bottom])
    latex = f"\\begin{{center}}\n\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}\n\\end{{center}}"
    return last - at, "table", latex


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", inner)]


def _list(source: Source, lines: list[_Line], at: int) -> tuple[int, str, str]:
    """A list of at least two items, or items within a list environment."""
    around = source.environments_at(lines[at].start)
    within = bool(around) and around[-1].name in _LISTS
    last = at
    items = 0
    while last < len(lines) and lines[last].prose and lines[last].text.strip():
        if _ITEM.match(lines[last].text):
            items += 1
        elif within or lines[last].text.lstrip().startswith("\\") or not lines[last].text.startswith((" ", "\t")):
            break
        last += 1
    if within:
        first = [_ITEM.sub(r"\1\\item ", line.text, count=1) for line in lines[at:last]]
        return last - at, "items", "\n".join(inline(text) for text in first)
    if items < 2:
        return 1, "", ""
    return last - at, "list", "\n".join(_nested([line.text for line in lines[at:last]]))


def _nested(texts: list[str]) -> list[str]:
    """The lines of a list; items that are indented further are a list of their own."""
    out: list[str] = []
    open_lists: list[tuple[int, str]] = []
    for text in texts:
        item = _ITEM.match(text)
        if item is None:
            out.append("  " * len(open_lists) + inline(text.strip()))
            continue
        indent = len(item[1].expandtabs(4))
        while open_lists and indent < open_lists[-1][0]:
            name = open_lists.pop()[1]
            out.append("  " * len(open_lists) + f"\\end{{{name}}}")
        if not open_lists or (indent > open_lists[-1][0] + 1 and len(open_lists) < 4):
            name = "enumerate" if item[3] else "itemize"
            out.append("  " * len(open_lists) + f"\\begin{{{name}}}")
            open_lists.append((indent, name))
        out.append("  " * len(open_lists) + "\\item " + inline(text[item.end() :].rstrip()))
    while open_lists:
        name = open_lists.pop()[1]
        out.append("  " * len(open_lists) + f"\\end{{{name}}}")
    return out


def _figure(caption: str, file: str) -> str:
    lines = ["\\begin{figure}[ht]", "\\centering", f"\\includegraphics[width=0.7\\textwidth]{{{file}}}"]
    if caption.strip():
        lines.append(f"\\caption{{{inline(_escaped(caption.strip()))}}}")
    return "\n".join([*lines, "\\end{figure}"])


def inline(text: str) -> str:
    """Bold and italic words, code, links and images within a line."""
    pieces = re.split(r"((?<!\\)\$[^$]*\$)", text)
    return "".join(piece if at % 2 else _inline(piece) for at, piece in enumerate(pieces))


def _inline(text: str) -> str:
    text = _CODE.sub(lambda m: f"\\texttt{{{_escaped_code(m[1])}}}", text)
    text = _IMAGE.sub(lambda m: f"\\includegraphics{{{m[2]}}}", text)
    text = _LINK.sub(lambda m: f"\\href{{{m[2]}}}{{{m[1]}}}", text)
    text = _BOLD.sub(lambda m: f"\\textbf{{{m[1]}}}", text)
    return _ITALIC.sub(lambda m: f"\\emph{{{m[1]}}}", text)


def _inline_live(source: Source, line: _Line) -> str:
    """The line with its inline Markdown converted where TeX reads text; verbatim text, formulas and comments stay."""
    pieces = []
    pos = line.start
    for span in source.spans:
        if span.end <= pos or span.start >= line.end:
            continue
        start, end = max(pos, span.start), min(line.end, span.end)
        # A link's address may hold what the lexer takes for a comment or a formula: such links begin in text.
        if span.mode is Mode.TEXT and start >= pos:
            link = None
            for found in (*_LINK.finditer(line.text), *_IMAGE.finditer(line.text)):
                if start <= line.start + found.start() < end < line.start + found.end():
                    link = found
            if link is not None:
                end = line.start + link.end()
            pieces.append(_inline(source.text[start:end]))
        else:
            pieces.append(source.text[start:end])
        pos = end
    return "".join(pieces)


def _escaped(text: str) -> str:
    """The signs that are bare in Markdown's text, but not in formulas, code and links."""
    kept = re.split(
        r"((?<!\\)\$[^$]*\$|`[^`\n]+`|!?\[[^\[\]\n]*\]\([^()\s]+\)|\\(?:ref|cite\w*|label|url|"
        r"href)\{[^}]*\})",
        text,
    )
    return "".join(
        p if at % 2 else re.sub(r"(?<!\\)[_&#%]", lambda m: "\\" + m.group(), p) for at, p in enumerate(kept)
    )


_CODE_SIGNS = {
    **{sign: "\\" + sign for sign in "_&#%${}"},
    "\\": "\\textbackslash{}",
    "^": "\\textasciicircum{}",
    "~": "\\textasciitilde{}",
}


def _escaped_code(code: str) -> str:
    if re.search(r"\\[_&#%${}]", code):
        return code
    return "".join(_CODE_SIGNS.get(sign, sign) for sign in code)
