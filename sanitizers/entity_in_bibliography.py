r"""HTML entities stand in a field of a .bib file: Science &amp; Technology.

Why it breaks: BibTeX copies the field into the .bbl, where & is an error ("Misplaced alignment tab character &").
Publishers' pages hand out such entries.

What is done: the entities of the file become the characters or commands that they mean.

When nothing is done: in fields that hold addresses.
"""

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._bib_fields import RAW
from ._entities import ENTITY, TEXT, meaning

_NAME = re.compile(r"^[ \t]*([A-Za-z][\w-]*)[ \t]*=")


def propose(case: Case) -> Iterator[Candidate]:
    if not case.path.endswith(".bib"):
        return
    edits = []
    for found in ENTITY.finditer(case.text):
        start, _ = case.line(case.source.line(found.start()))
        sign = meaning(found.group())
        field = _NAME.match(case.text[start : found.start()])
        if sign and not (field and field[1].casefold() in RAW | {"howpublished"}):
            edits.append(Edit(case.path, *found.span(), TEXT.get(sign, sign)))
    if edits:
        yield Candidate(tuple(edits), "characters for HTML entities", 0.97)


RULE = Rule(
    id="entity-in-bibliography",
    fix=propose,
    answers=("misplaced-alignment", "extra-alignment", "parameter-character", "bibtex-error", "biber-error"),
    examples=(
        Example(
            "@article{k,\n  journal = {Science &amp; Technology},\n  url = {https://x.org/?a=1&amp;b=2},\n}\n",
            "@article{k,\n  journal = {Science \\& Technology},\n  url = {https://x.org/?a=1&amp;b=2},\n}\n",
            message="Misplaced alignment tab character &",
            path="refs.bib",
            line=2,
        ),
        Example(
            "@article{k,\n  journal = {Science \\& Technology},\n}\n",
            None,
            message="Misplaced alignment tab character &",
            path="refs.bib",
            line=2,
        ),
    ),
)
