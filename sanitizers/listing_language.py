r"""A language that listings does not know: language=JSON, language=JavaScript.

Why it breaks: listings knows some ninety languages, and not these: "Couldn't load requested language".

What is done: the name is corrected to the nearest one that listings has, or to the one it has under another name
(C# is [Sharp]C); else the language is defined, with its comments and strings where they are known, so that the listing
keeps its settings.

When nothing is done: no option of the document asks for the language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.latex.names import is_name, nearest
from texrepair.latex.preamble import newline_of, preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_STRINGS = "morestring=[b]\",morestring=[b]'"
_C_LIKE = "morecomment=[l]{//},morecomment=[s]{/*}{*/}," + _STRINGS
_HASH = "morecomment=[l]{\\#}," + _STRINGS
_KNOWN = {
    "javascript": "keywords={break,case,catch,class,const,continue,default,delete,do,else,export,extends,finally,for,"
    "function,if,import,in,instanceof,let,new,return,super,switch,this,throw,try,typeof,var,void,while,yield,async,"
    "await}," + _C_LIKE,
    "json": "morestring=[b]\"",
    "yaml": _HASH,
    "toml": _HASH,
    "ini": "morecomment=[l]{;}," + _HASH,
    "dockerfile": _HASH,
    "docker": _HASH,
    "r": _HASH,
    "julia": _HASH,
    "powershell": _HASH,
    "css": "morecomment=[s]{/*}{*/}," + _STRINGS,
    "latex": "morecomment=[l]{\\%}",
}  # fmt: skip
_LIKE = (
    "typescript",
    "js",
    "ts",
    "rust",
    "kotlin",
    "swift",
    "dart",
    "golang",
    "go",
    "scala",
    "solidity",
    "php",
    "cuda",
)
_ALIASES = {
    "c#": "[Sharp]C", "csharp": "[Sharp]C", "cs": "[Sharp]C", "cpp": "C++", "cplusplus": "C++", "shell": "bash",
    "zsh": "bash", "console": "bash", "py": "Python", "python3": "Python", "rb": "Ruby", "objective-c": "[Objective]C",
    "latex": "[LaTeX]TeX", "tex": "[LaTeX]TeX", "vb": "[Visual]Basic", "assembly": "[x86masm]Assembler", "pl": "Perl",
    "assembler": "[x86masm]Assembler", "octave": "Octave", "html5": "HTML", "f90": "[90]Fortran", "hs": "Haskell",
}  # fmt: skip


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or found.code != "undefined-language":
        return
    token = (found.token or "").strip()
    asked = [
        (path, source, match)
        for path in case.draft
        if path == case.main or path.endswith((".tex", ".ltx", ".sty", ".cls"))
        for source in [case.lexed(path)]
        for match in _uses(source)
        if not token or match[1].casefold() == token.casefold()
    ]
    if not token:
        start, end = case.line(found.line or 1)
        asked = [(p, s, m) for p, s, m in asked if p == case.path and start <= m.start() <= end]
    if not asked:
        return
    name = asked[0][2][1]
    plain = name.casefold()
    others = [_ALIASES[plain]] if plain in _ALIASES else []
    others += [n for n in nearest(name, kind="listing")[:1] if n.casefold() != plain and plain not in _KNOWN]
    for rank, other in enumerate(dict.fromkeys(others)):
        if not other.startswith("[") and not is_name(other, "listing"):
            continue
        value = f"{{{other}}}" if other.startswith("[") else other
        edits = tuple(
            Edit(p, m.start(1), m.end(1), other if s.text.startswith("{", m.start(1) - 1) else value)
            for p, s, m in asked
            if m[1].casefold() == plain
        )
        certainty = 0.92 if plain in _ALIASES else 0.6
        yield Candidate(edits, f"write {other} for the language {name}", certainty - 0.1 * rank)
    main = case.lexed(case.main)
    body = _KNOWN.get(plain, _C_LIKE if plain in _LIKE else "")
    place = preamble_line(main, f"\\lstdefinelanguage{{{name}}}{{{body}}}")
    where = _behind_load(main)
    if place is not None and where is not None:
        text = f"{newline_of(main.text)}\\lstdefinelanguage{{{name}}}{{{body}}}"
        yield Candidate((Edit(case.main, where, where, text),), f"define the language {name} for listings", 0.88)


def _uses(source: Source) -> Iterator[re.Match[str]]:
    for match in re.finditer(r"\blanguage[ \t]*=[ \t]*\{?[ \t]*([A-Za-z][\w+#. -]*?)[ \t]*(?=[,\]}\r\n])", source.text):
        if source.live(match.start()):
            yield match


def _behind_load(source: Source) -> int | None:
    loads = [p for p in source.packages if p.name in ("listings", "listingsutf8") and source.live(p.start)]
    return source.line_span(source.line(loads[-1].end))[1] if loads else None


_HEAD = "\\documentclass{article}\n\\usepackage{listings}\n"
_CODE = "\\begin{document}\n\\begin{lstlisting}[language=%s]\nx\n\\end{lstlisting}\n\\end{document}\n"

RULE = Rule(
    id="listing-language",
    fix=propose,
    answers=("undefined-language",),
    examples=(
        Example(
            _HEAD + _CODE % "JSON",
            _HEAD + '\\lstdefinelanguage{JSON}{morestring=[b]"}\n' + _CODE % "JSON",
            message="Package Listings Error: language json undefined",
            token="json",
            line=4,
        ),
        Example(
            _HEAD + _CODE % "csharp",
            _HEAD + _CODE % "{[Sharp]C}",
            message="Package Listings Error: language csharp undefined",
            token="csharp",
            line=4,
        ),
        Example(
            _HEAD + _CODE % "Python", None, message="Package Listings Error: language json undefined", token="json"
        ),
    ),
)
