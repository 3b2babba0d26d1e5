r"""minted where no other program may be run.

Why it breaks: minted has its listings coloured by the program pygmentize, for which TeX must be allowed to run others;
where it is not, "You must invoke LaTeX with the -shell-escape flag", and the code does not appear.

What is done: listings takes its place: \begin{minted}{python} becomes \begin{lstlisting}[language=Python], \mintinline
becomes \lstinline, options are translated; the code stays as it is. Where listings would not do (characters beyond
ASCII under pdfTeX), the verbatim environments of fancyvrb.

When nothing is done: the document defines its own environments with \newminted and the like, or does not load minted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Mode, Source
from texrepair.latex.names import is_name
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import key_of, split_options, whole_line, without
from ._needs import loads

_NAMES = {
    "python": "Python", "python3": "Python", "py": "Python", "pycon": "Python", "c": "C", "cpp": "C++", "c++": "C++",
    "java": "Java", "bash": "bash", "sh": "sh", "shell": "bash", "console": "bash", "sql": "SQL", "html": "HTML",
    "xml": "XML", "r": "R", "matlab": "Matlab", "ruby": "Ruby", "perl": "Perl", "php": "PHP", "haskell": "Haskell",
    "latex": "[LaTeX]TeX", "tex": "[LaTeX]TeX", "csharp": "[Sharp]C", "c#": "[Sharp]C", "fortran": "Fortran",
    "lua": "[5.0]Lua", "make": "make", "makefile": "make", "pascal": "Pascal", "prolog": "Prolog", "scala": "Scala",
    "lisp": "Lisp", "octave": "Octave", "vhdl": "VHDL", "verilog": "Verilog", "go": "Go", "ocaml": "Caml",
}  # fmt: skip
"""Pygments' names of languages, and those of listings."""

_SAME = (
    "breaklines", "firstnumber", "caption", "label", "tabsize", "mathescape", "escapeinside", "breakatwhitespace",
    "xleftmargin", "xrightmargin", "gobble", "style",
)  # fmt: skip
_NEW = ("newminted", "newmint", "newmintinline", "newmintedfile")
_CALL = r"(?P<options>[ \t]*\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\])?[ \t]*\{(?P<language>[^{}]*)\}"
_BLOCK = re.compile(r"\\begin[ \t]*\{minted\*?\}" + _CALL)
_INLINE = re.compile(r"\\(?:mintinline|mint)(?![A-Za-z])" + _CALL)
_FILE = re.compile(r"\\inputminted(?![A-Za-z])" + _CALL + r"[ \t]*\{(?P<file>[^{}]*)\}")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    calls = [call for call in loads(case) if call[2].name == "minted"]
    if (
        found is None
        or not calls
        or not ("minted" in found.message or "pyg" in found.message or "pyg" in (found.token or ""))
    ):
        return
    if any(s.live(c.start) for s in case.read for c in s.command_named(*_NEW)):
        return
    ascii_only = case.engine != "pdflatex" or all(s.text.isascii() for s in case.read)
    for verbatim in (False, True):
        edits: list[Edit] = []
        path, source, load = calls[0]
        gone = without(path, source, load)
        package = "fancyvrb" if verbatim else "listings"
        if gone.end - gone.start > len("minted,"):
            edits.append(Edit(path, gone.start, gone.end, f"\\usepackage{{{package}}}\n" + _defaults(case, verbatim)))
        else:
            start = whole_line(source, load.start, load.end)[0]
            edits += [gone, Edit(path, start, start, f"\\usepackage{{{package}}}\n" + _defaults(case, verbatim))]
        for other, using in case.tex_files():
            edits += _converted(other, using, verbatim)
        certainty = 0.9 if verbatim != ascii_only else 0.8
        yield Candidate(tuple(edits), f"set the code with {package} in the place of minted", certainty)


def _defaults(case: Case, verbatim: bool) -> str:
    """What \\setminted asks for; and the environment of floats that minted brings."""
    asked = [
        option
        for s in case.read
        for c in s.command_named("setminted")
        for a in s.arguments(c, 2)
        if not a.optional
        for option in split_options(s.inner(a))
    ]
    if verbatim:
        lines = f"\\fvset{{{','.join(_translated(asked, True))}}}\n" if asked else ""
    else:
        options = ["basicstyle=\\ttfamily", "columns=fullflexible", "keepspaces=true", "showstringspaces=false"]
        told = _translated(asked, False)
        options = [o for o in options if key_of(o) not in {key_of(t) for t in told}]
        lines = f"\\lstset{{{','.join([*told, *options])}}}\n"
    if any(e.name == "listing" for s in case.read for e in s.environments):
        lines += "\\usepackage{float}\n\\newfloat{listing}{tbp}{lol}\n\\floatname{listing}{Listing}\n"
    return lines


def _translated(options: list[str], verbatim: bool) -> list[str]:
    found = []
    for option in options:
        key, value = key_of(option), option.partition("=")[2].strip()
        if key == "linenos" and value != "false":
            found.append("numbers=left")
        elif key == "fontsize":
            found.append(f"fontsize={value}" if verbatim else f"basicstyle={value}\\ttfamily")
        elif key == "bgcolor" and not verbatim:
            found.append(f"backgroundcolor=\\color{{{value}}}")
        elif key == "frame":
            found.append(f"frame={value}")
        elif (key in _SAME and not verbatim) or (
            key in ("firstnumber", "tabsize", "xleftmargin", "xrightmargin", "gobble", "numbersep") and verbatim
        ):
            found.append(option)
    return found


def _bracket(options: str | None, language: str, verbatim: bool) -> str:
    told = _translated(split_options((options or "").strip()[1:-1]), verbatim)
    name = _NAMES.get(language.strip().casefold(), language.strip())
    if not verbatim and (name.startswith("[") or is_name(name, "listing")):
        told.insert(0, f"language={{{name}}}" if name.startswith("[") else f"language={name}")
    return f"[{','.join(told)}]" if told else ""


def _converted(path: str, source: Source, verbatim: bool) -> Iterator[Edit]:
    text = source.text
    for environment in source.environments:
        begin = _BLOCK.match(text, environment.begin)
        if begin is None or environment.end is None or environment.end_end is None:
            continue
        name = "Verbatim" if verbatim else "lstlisting"
        yield Edit(
            path,
            begin.start(),
            begin.end(),
            f"\\begin{{{name}}}{_bracket(begin['options'], begin['language'], verbatim)}",
        )
        yield Edit(path, environment.end, environment.end_end, f"\\end{{{name}}}")
    for pattern, plain, verb in ((_INLINE, "lstinline", "Verb"), (_FILE, "lstinputlisting", "VerbatimInput")):
        for match in pattern.finditer(text):
            if source.mode(match.start()) in (Mode.COMMENT, Mode.DEAD) or _inside_listing(source, match.start()):
                continue
            options = _bracket(match["options"], match["language"], verbatim)
            end = match.start("file") - 1 if pattern is _FILE else match.end()
            yield Edit(path, match.start(), end, f"\\{verb if verbatim else plain}{options}")
    for command in source.command_named("setminted", "usemintedstyle", "setmintedinline"):
        arguments = source.arguments(command, 2)
        if arguments and source.live(command.start):
            last = next((a for a in arguments if not a.optional), arguments[-1])
            yield Edit(path, *whole_line(source, command.start, last.end), "")


def _inside_listing(source: Source, pos: int) -> bool:
    return any(
        e.name.startswith(("minted", "lstlisting", "verbatim", "Verbatim", "comment"))
        for e in source.environments_at(pos)
    )


_END = "\\end{document}\n"

RULE = Rule(
    id="minted-without-pygments",
    fix=propose,
    answers=("shell-escape-needed", "file-not-found", "package-error", "package-not-found"),
    deletes="the choice of minted's colours",
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{minted}\n\\setminted{linenos}\n\\begin{document}\n"
            "\\begin{minted}[fontsize=\\small]{python}\nx = 1\n\\end{minted}\nand \\mintinline{python}{x}\n" + _END,
            "\\documentclass{article}\n\\usepackage{listings}\n"
            "\\lstset{numbers=left,basicstyle=\\ttfamily,columns=fullflexible,keepspaces=true,showstringspaces=false}\n"
            "\\begin{document}\n\\begin{lstlisting}[language=Python,basicstyle=\\small\\ttfamily]\nx = 1\n"
            "\\end{lstlisting}\nand \\lstinline[language=Python]{x}\n" + _END,
            message="Package minted Error: You must invoke LaTeX with the -shell-escape flag",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{listings}\n\\begin{document}\nx\n" + _END,
            None,
            message="Package minted Error: You must invoke LaTeX with the -shell-escape flag",
        ),
    ),
)
