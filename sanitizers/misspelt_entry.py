r"""A glossary entry that is called otherwise than it is defined: \gls{root-stock} for \newglossaryentry{rootstock}.

Why it breaks: entries go by their exact key: "Glossary entry `root-stock' has not been defined".

What is done: the key becomes that of the entry that has the same letters, or the nearest one; a plural's becomes the
plural command with the entry's key.

When nothing is done: no entry is near.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.latex.spelling import distance, reach
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_DEFINING = ("newglossaryentry", "longnewglossaryentry", "newacronym", "newabbreviation", "DeclareAcronym", "newterm")
_CALLS = re.compile(
    r"\\(?P<command>(?:gls|Gls|GLS|ac|Ac|acr)(?:pl|short|long|full|text|first|desc|symbol|name|link|disp|xtr\w+|s|l|f|lp"
    r"|sp|fp)?|glsadd|glslink|glsdisp)\*?(?:\s*\[[^\[\]]*\])?\s*\{(?P<key>[^{}]*)\}"
)


def propose(case: Case) -> Iterator[Candidate]:
    wrong = case.diagnostic.token.strip() if case.diagnostic and case.diagnostic.token else ""
    keys = {key for source in case.read for key in _keys(source)} - {wrong, ""}
    if not wrong or not keys:
        return
    same = sorted(key for key in keys if _letters(key) == _letters(wrong))
    bound = reach(wrong)
    far = {key: distance(wrong, key, bound) for key in keys}
    near = sorted((key for key in keys if far[key] is not None), key=lambda key: (far[key] or 0.0, key))
    singular = [key for key in keys if wrong.lower() in (key.lower() + "s", key.lower() + "es")]
    for key in singular[:1]:
        edits = tuple(_called(case, wrong, key, plural=True))
        if edits:
            yield Candidate(edits, f"call the entry {key} in the plural", 0.93)
    for rank, key in enumerate(dict.fromkeys([*same, *near][:3])):
        edits = tuple(_called(case, wrong, key, plural=False))
        if edits:
            certainty = (0.95 if key in same else 0.9) - 0.05 * rank
            yield Candidate(edits, f"call the entry {key} by the key that it has", round(certainty, 2))


def _keys(source: Source) -> Iterator[str]:
    for command in source.command_named(*_DEFINING):
        arguments = [a for a in source.arguments(command, 2) if not a.optional]
        if arguments and source.live(command.start):
            yield source.inner(arguments[0]).strip()


def _letters(key: str) -> str:
    return re.sub(r"[\W_]", "", key).casefold()


def _called(case: Case, wrong: str, key: str, plural: bool) -> Iterator[Edit]:
    for path, source in case.tex_files():
        for found in _CALLS.finditer(source.text):
            if found["key"].strip() == wrong and source.live(found.start()):
                yield Edit(path, *found.span("key"), key)
                if plural and found["command"] in ("gls", "Gls", "GLS"):
                    yield Edit(path, found.end("command"), found.end("command"), "pl")


_HEAD = "\\documentclass{article}\n\\usepackage{glossaries}\n\\newglossaryentry{rootstock}{name=rootstock}\n"
_SAYS = "Package glossaries Error: Glossary entry `{}' has not been defined"

RULE = Rule(
    id="misspelt-entry",
    fix=propose,
    answers=("undefined-entry",),
    examples=(
        *(
            Example(
                _HEAD + f"\\begin{{document}}\nA \\gls{{{wrong}}} or \\Gls{{{wrong}}}.\n\\end{{document}}\n",
                _HEAD + f"\\begin{{document}}\nA \\gls{right} or \\Gls{right}.\n\\end{{document}}\n",
                message=_SAYS.format(wrong),
                token=wrong,
                line=5,
            )
            for wrong, right in (
                ("root-stock", "{rootstock}"),
                ("rootstok", "{rootstock}"),
                ("rootstocks", "pl{rootstock}"),
            )
        ),
        Example(
            _HEAD + "\\begin{document}\nA \\gls{scion}.\n\\end{document}\n",
            None,
            message=_SAYS.format("scion"),
            token="scion",
            line=5,
        ),
    ),
)
