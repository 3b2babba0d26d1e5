r"""A misspelt command or environment name.

Why it breaks: \tabelofcontents and \begin{itmize} are unknown to TeX.

What is done: the name is replaced, everywhere, by the nearest one that the document defines or that a loaded package
brings, two letters that changed places counting as one slip; one that wants an argument comes later where none
follows. A name of three letters is replaced only by one with two of them exchanged: \gsl by \gls. Names of packages
that are not loaded come after these, together with the package.

When nothing is done: no known name is near, or a common package defines the name as it is.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from functools import lru_cache

from texrepair.latex.names import arguments_of, is_known, is_known_environment, nearest, popularity, providers
from texrepair.latex.preamble import package_line
from texrepair.latex.spelling import distance, reach
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._needs import unknown

MOST = 5
COMMON = 20
"""A name that a package of at least this popularity defines is no slip."""


_near = lru_cache(maxsize=512)(nearest)


def propose(case: Case) -> Iterator[Candidate]:
    wanted = unknown(case)
    if wanted is None or "LaTeX Error: Command" in wanted.message:
        return
    name, kind, environment = wanted.name, wanted.kind, wanted.environment
    if not re.fullmatch(r"[A-Za-z@]{3,}\*?", name):
        return
    if any(popularity(p.package) >= COMMON for p in providers(name, kind)):
        return
    own = difflib.get_close_matches(name, sorted(case.defined - {name}), n=2, cutoff=0.8)
    known = _near(name, kind, case.packages) if len(name) > 3 else _exchanged(case, name, environment)
    bare = not environment and _bare(case, name)
    bound = reach(name)
    for rank, right in enumerate(dict.fromkeys([*own, *known])):
        if rank >= MOST:
            return
        edits = tuple(_renamed(case, name, right, environment))
        if not edits:
            return
        far = distance(name, right, bound)
        likeness = difflib.SequenceMatcher(None, name, right).ratio() if far is None else 1 - far / len(name)
        certainty = 0.5 + 0.35 * likeness - (0.12 if bare and "m" in (arguments_of(right) or "") else 0.0)
        there = is_known_environment(right, case.packages) if environment else is_known(right, case.packages)
        if right not in case.defined and not there:
            found_in = providers(right, kind)
            brings = next((p for p in found_in if not p.is_class and not p.library), None)
            line = package_line(case.lexed(case.main), brings.package, brings.option) if brings else None
            if line is None:
                continue
            edits = (Edit(case.main, line[0], line[0], line[1]), *edits)
            certainty -= 0.1
        slash = "" if environment else "\\"
        yield Candidate(edits, f"write {slash}{right} for {slash}{name}", round(certainty - 0.03 * rank, 3))


def _exchanged(case: Case, name: str, environment: bool) -> Iterator[str]:
    """The known names that have two neighbouring letters the other way round."""
    for at in range(len(name) - 1):
        other = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
        there = is_known_environment(other, case.packages) if environment else is_known(other, case.packages)
        if other != name and (there or other in case.defined):
            yield other


def _bare(case: Case, name: str) -> bool:
    """Whether nothing follows a use of the command that it could take as an argument."""
    return any(
        not re.match(r"\s*[\w{\[\\(|+-]", source.text[command.end : command.end + 40])
        for source in case.read
        for command in source.command_named(name)
        if source.live(command.start)
    )


def _renamed(case: Case, wrong: str, right: str, environment: bool) -> Iterator[Edit]:
    for path in case.draft:
        if not path.endswith((".tex", ".ltx", ".sty", ".cls")) and path != case.main:
            continue
        source = case.lexed(path)
        if not environment:
            for command in source.command_named(wrong):
                if source.live(command.start):
                    yield Edit(path, command.start + 1, command.end, right)
            continue
        for command in source.command_named("begin", "end"):
            name = re.compile(r"[ \t]*\{(" + re.escape(wrong) + r")\}").match(source.text, command.end)
            if name and source.live(command.start):
                yield Edit(path, name.start(1), name.end(1), right)


RULE = Rule(
    id="misspelt-name",
    fix=propose,
    answers=("undefined-control-sequence", "undefined-environment"),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\tabelofcontents\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n\\tableofcontents\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\tabelofcontents",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{itmize}\n\\item x\n\\end{itmize}\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n\\begin{itemize}\n\\item x\n\\end{itemize}\n"
            "\\end{document}\n",
            message="LaTeX Error: Environment itmize undefined",
            code="undefined-environment",
            token="itmize",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{glossaries}\n\\begin{document}\nA \\gsl{loam}.\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{glossaries}\n\\begin{document}\nA \\gls{loam}.\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\gsl",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nA \\gsl{loam}.\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\gsl",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n$2\\alhpa$\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n$2\\alpha$\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\alhpa",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nA \\qqzzyyxx{x}.\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\qqzzyyxx",
            line=3,
            context_before="A \\qqzzyyxx",
        ),
    ),
)
