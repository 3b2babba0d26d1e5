r"""A value with commas that is not in braces: \newglossaryentry{loam}{name=loam, description=sand, silt and clay}.

Why it breaks: in a list of keys a comma begins the next key: "`silt and clay' undefined in families `glossentry'", "I
do not know the key '/tcb/clay'".

What is done: the value before is put in braces up to the end of what TeX took for a key, when that is words.

When nothing is done: what TeX took for a key is written with a value of its own, or stands behind no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

_TEXTS = frozenset(
    """
    name description text title subtitle caption pdftitle pdfauthor pdfsubject pdfkeywords plural symbol long short
    longplural shortplural label note author subject keywords comment headline heading postnote prenote after before
    """.split()
)
"""Keys whose value is words."""
_VALUE = re.compile(r"(?<![\w-])([A-Za-z][A-Za-z -]*?)\s*=\s*([^{}\[\],=]+?)\s*$")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    words = (found.token or "").rpartition("/")[2].strip() if found else ""
    if len(words) < 3:
        return
    written = re.compile(r",\s*" + r"\s+".join(map(re.escape, words.split())) + r"(?=\s*[,\]}])")
    paths = [case.path, *(p for p in case.draft if p != case.path)]
    for path in paths:
        source = case.lexed(path) if path == case.main or path.endswith((".tex", ".ltx", ".sty", ".cls")) else None
        for match in written.finditer(source.text) if source else ():
            if source is None or not source.live(match.start()):
                continue
            edit = _braced(path, source.text, match.start(), match.end(), " " in words)
            if edit is not None:
                yield Candidate(edit, "put the value, which holds commas, in braces", 0.9 if " " in words else 0.8)
                return


def _braced(path: str, text: str, comma: int, end: int, words: bool) -> tuple[Edit, ...] | None:
    """Braces around the value that a comma cuts short, up to `end` and what follows without an equals sign."""
    start = comma
    while True:
        head = text[max(0, start - 300) : start]
        value = _VALUE.search(head)
        if value:
            break
        part = re.search(r",[^,=\[\]{}]*$", head)
        if part is None:
            return None
        start -= len(head) - part.start()
    if value[1].strip() not in _TEXTS and not words:
        return None
    begin = start - len(head) + value.start(2)
    rest = re.compile(r"(?:\s*,[^,=\[\]{}]*(?=[,\]}]))*").match(text, end)
    stop = rest.end() if rest else end
    stop = len(text[:stop].rstrip().rstrip(",").rstrip())
    return Edit(path, begin, begin, "{"), Edit(path, stop, stop, "}")


_LINE = "\\newglossaryentry{loam}{name=loam, description=a soil of sand, silt and clay, in parts, plural=loams}\n"

RULE = Rule(
    id="unbraced-value",
    fix=propose,
    answers=("unknown-key", "package-error", "unknown-option"),
    examples=(
        Example(
            _LINE,
            _LINE.replace("=a soil", "={a soil").replace("parts,", "parts},"),
            message="Package xkeyval Error: `silt and clay' undefined in families `glossentry'",
            token="silt and clay",
            path="terms.tex",
        ),
        Example(
            "\\newglossaryentry{loam}{name=loam, descr=soil}\n",
            None,
            message="Package xkeyval Error: `descr' undefined in families `glossentry'",
            token="descr",
            path="terms.tex",
        ),
    ),
)
