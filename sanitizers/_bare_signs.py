"""What stands bare beside other bare signs and gives no error: who leaves one of them bare leaves them all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from texrepair.rules import Case, Edit

from .lone_dollar import amounts_of_money
from .percent_swallows_text import bare_behind, swallowing

_GOES_ON = re.compile(r"[ \t]+[a-z(]|[,;.:)}，。；：、）]|[^\x00-\x7f]")
"""How a sentence goes on behind a number and its %: "5% of", "(5%)"."""


def hidden(case: Case, beside: Iterable[Edit]) -> tuple[Edit, ...]:
    """Escapes for the % behind numbers in sentences, which swallow words, and for the $ of amounts, which set the words
    between them as a formula; without those that `beside` makes already."""
    taken = {(edit.path, edit.start) for edit in beside}
    found: dict[tuple[str, int], Edit] = {}
    for path, source in case.tex_files():
        for pos, _ in swallowing(source):
            if source.text[pos - 1].isdigit() and _GOES_ON.match(source.text, pos + 1):
                for edit in (Edit(path, pos, pos + 1, "\\%"), *bare_behind(source, path, pos)):
                    found.setdefault((path, edit.start), edit)
        for pos in amounts_of_money(source):
            found.setdefault((path, pos), Edit(path, pos, pos + 1, "\\$"))
    return tuple(edit for place, edit in found.items() if place not in taken)
