"""What in a text reaches beyond the document: files that are opened, programs that are run, code of another language.

It does nothing in the sandbox, but a repaired source leaves it. The primitives are those of the TeXbook (chapter 20)
and of the LuaTeX manual; shellesc, l3file and l3sys are LaTeX's ways to them.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from texrepair.latex.comments import uncommented

COMMANDS = frozenset(
    "write openout openin special directlua latelua lateluafunction luaexec luadirect luafunction luacode "
    "ShellEscape DelayedShellEscape sys_shell_now:n sys_shell_now:e sys_shell_shipout:n sys_get_shell:nnN "
    "ior_open:Nn ior_shell_open:Nn iow_open:Nn iow_shell_open:Nn iow_new:N lua_now:n lua_now:e".split()
)
"""Commands, and the environment of luacode. \\write comes before 18 as before any other number."""

_NAMES = re.compile(
    "".join((r"(?:\\|(?<=\\begin\{))(", "|".join(map(re.escape, sorted(COMMANDS, reverse=True))), r")(?![A-Za-z@])"))
)
_OUTSIDE = re.compile(
    r"\\(@@?input|input|include|InputIfFileExists|subfile|lstinputlisting|verbatiminput|VerbatimInput|inputminted|"
    r"includegraphics|includepdf)"
    r"\s*+(?:\[[^\]\n]{0,200}+\]\s*+)?(?:\{[a-z]{0,40}+\}\s*+(?=\{))?\{?\s*+[\"']?(\||/|~/)"
)
"""A pipe, which \\input reads from a program, or a path that begins at the root or at home."""
_HEXADECIMAL = re.compile(r"\^\^(?:[0-9a-f]{2}|\^\^[0-9a-f]{4})")
"""TeX's spelling of a character by its code, in which a name can be hidden."""


@lru_cache(maxsize=256)
def reaching(text: str) -> Counter[str]:
    """What of this kind stands in a text outside comments, verbatim text included. Not to be changed."""
    live = uncommented(text)
    found = Counter("\\" + match[1] for match in _NAMES.finditer(live))
    for match in _OUTSIDE.finditer(live):
        kind = {"|": "a pipe", "/": "an absolute path", "~/": "a path at home"}[match[2]]
        found[f"{kind} in \\{match[1]}"] += 1
    found["a character as ^^"] += len(_HEXADECIMAL.findall(live))
    return +found
