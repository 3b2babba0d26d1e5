r"""The answer holds further files of the project beside the document: references.bib, a chapter, a package.

Why it breaks: a model that is asked for a document gives several files in one answer, and all of it was saved as one.
Behind \end{document} TeX never reads the other files, and before \documentclass they are text.

What is done: a block in a code fence, or bibliography entries behind \end{document}, becomes the file that the document
asks for and that is absent: by the name beside it, or as the only absent file of its kind.

When nothing is done: if the file exists, or no name fits; for bibliographies, if a .bbl file is there.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from texrepair.latex import lex
from texrepair.latex.names import is_class, is_package
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._wrapping import FENCE, class_line, document_start

_NAME = re.compile(r"[\w][\w./-]*\.(?:bib|tex|sty|cls|bst)\b")
_ENTRIES = re.compile(
    r"^[ \t]*@[A-Za-z]+[ \t]*\{.*^[ \t]*\}[ \t]*$|^[ \t]*@[A-Za-z]+[ \t]*\{.*\}[ \t]*$", re.MULTILINE | re.DOTALL
)
_ENDINGS = {
    "input": ".tex",
    "include": ".tex",
    "bibliography": ".bib",
    "addbibresource": "",
    "bibliographystyle": ".bst",
}

_NAMING = 500
"""Characters before a fence among which its file may be named."""


class _Block(NamedTuple):
    start: int
    end: int
    text: str
    named: str
    """The lines around it that may name it."""


def fix(case: Case) -> Iterator[Candidate]:
    text = case.text
    if case.path != case.main or ("@" not in text and "```" not in text and "~~~" not in text):
        return
    class_at = class_line(text)
    if class_at is None:
        return
    start = document_start(text, class_at)
    document = lex(text[start:], part="main")
    if document.document is None:
        return
    end = start + document.document[1]
    behind = text.find("}", end) + 1 or len(text)
    blocks = [*_blocks(text, 0, start), *_blocks(text, behind, len(text))]
    if not blocks:
        return
    absent = _absent(case, text[start:end])
    taken: set[str] = set()
    edits = []
    for block in blocks:
        name = _name(block, [path for path in absent if path not in taken])
        if name:
            taken.add(name)
            edits += [Edit(case.path, block.start, block.end, ""), Edit(name, 0, 0, block.text)]
    if edits:
        yield Candidate(tuple(edits), f"take {', '.join(sorted(taken))} out of the answer", 1.0)


def _blocks(text: str, start: int, end: int) -> Iterator[_Block]:
    """Fenced blocks between the two places; where there is no fence at all, bibliography entries."""
    fences = [m for m in FENCE.finditer(text, start, end) if m.start() == 0 or text[m.start() - 1] in "\r\n"]
    if start and len(fences) % 2:
        # Behind the document the first one closes the document's own.
        del fences[0]
    for opening, closing in zip(fences[::2], fences[1::2], strict=False):
        body = text[opening.end() : closing.start()]
        above = text[max(start, opening.start() - _NAMING) : opening.start()].rstrip().splitlines()[-1:]
        yield _Block(opening.start(), closing.end(), body, "\n".join([*above, opening.group(), *body.splitlines()[:1]]))
    entries = None if fences else _ENTRIES.search(text, start, end)
    if entries is not None:
        yield _Block(entries.start(), entries.end(), entries.group().strip() + "\n", text[start : entries.start()])


def _absent(case: Case, body: str) -> list[str]:
    """The files that the document asks for and the project lacks."""
    source = lex(body, part="main")
    wanted = []
    for command in source.command_named(*_ENDINGS):
        argument = next((a for a in source.arguments(command, 2) if not a.optional), None)
        if argument is not None and source.live(command.start):
            for name in source.inner(argument).split(","):
                ending = _ENDINGS[command.name]
                wanted.append(name.strip() if name.strip().endswith(ending) else name.strip() + ending)
    for package in source.packages:
        if package.command == "documentclass" and not is_class(package.name):
            wanted.append(package.name + ".cls")
        elif package.command == "usepackage" and not is_package(package.name):
            wanted.append(package.name + ".sty")
    present = {*case.draft, *case.assets}
    if any(path.endswith(".bbl") for path in present):
        wanted = [path for path in wanted if not path.endswith((".bib", ".bst"))]
    safe = re.compile(r"(?!/)(?!.*\.\.)[\w./-]+\Z")
    return [p for p in dict.fromkeys(wanted) if p not in present and safe.match(p) and "." in p]


def _name(block: _Block, absent: list[str]) -> str:
    for name in _NAME.findall(block.named):
        for path in absent:
            if path == name or path.endswith("/" + name):
                return path
    bib = re.search(r"^[ \t]*@[A-Za-z]+[ \t]*\{", block.text, re.MULTILINE) is not None
    fitting = [path for path in absent if path.endswith(".bib")] if bib else []
    return fitting[0] if len(fitting) == 1 and not _NAME.search(block.named) else ""


_HEAD = "\\documentclass{article}\n\\begin{document}\n\\cite{a}\\bibliography{refs}\n\\end{document}\n"
RULE = Rule(
    id="answer-with-files",
    fix=fix,
    phase="wrapping",
    examples=(
        Example(
            "Here is main.tex:\n```latex\n"
            + _HEAD
            + "```\nAnd **refs.bib**:\n```bibtex\n@book{a, title={B}}\n```\nDone.\n",
            "Here is main.tex:\n```latex\n" + _HEAD + "```\nAnd **refs.bib**:\nDone.\n",
        ),
        Example(_HEAD + "\n@book{a,\n title={B}\n}\n", _HEAD + "\n\n"),
        Example(_HEAD + "\n@book{a,\n title={B}\n}\n", files={"refs.bib": ""}),
        Example(_HEAD + "\n```bibtex\n@book{a, title={B}}\n```\n", assets=frozenset(["main.bbl"])),
        Example(
            "\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\n```\nx\n```\n@book{a, title={B}}\n"
        ),
    ),
)
