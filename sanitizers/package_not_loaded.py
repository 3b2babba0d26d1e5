r"""A command or environment whose package is not loaded.

Why it breaks: most commands come from packages; without \usepackage TeX says "Undefined control sequence", and LaTeX
"Environment ... undefined", and what stands in the environment is read in the wrong mode.

What is done: the packages that are known to define the name are loaded, one after the other until one helps: first
those that also bring other names that the document lacks, then the most common ones. The line goes behind the other
packages, before those that must come late (hyperref, cleveref, unicode-math).

Of two that clash, the one that suits what is loaded comes first; for what belongs to a class, packages come last.
Where the document writes its \bibitem itself, natbib is loaded with numbers, and never biblatex.

When nothing is done: no package is known to define the name, or all that are known are loaded; few documents load the
package, or many define such a command for themselves, and the document lacks nothing else of the package; a library of
a package that the document does not use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from texrepair.latex import Source
from texrepair.latex.facts import conflicting
from texrepair.latex.names import (
    Provider,
    commands_of,
    environments_of,
    is_known,
    is_known_environment,
    popularity,
    providers,
)
from texrepair.latex.preamble import line_end, loads_of, package_line
from texrepair.latex.preferences import OWN_NAMES, PREFERRED
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._needs import unknown

MOST = 6
"""Packages that are tried for one name."""

RARE = 30
"""Packages of less popularity are no guess for one name alone: most such names are somebody's own macro."""

LIBRARY_COMMANDS = {"tikz": "usetikzlibrary", "tcolorbox": "tcbuselibrary", "pgfplots": "usepgfplotslibrary"}


def propose(case: Case) -> Iterator[Candidate]:
    wanted = unknown(case)
    if wanted is None:
        return
    name, kind = wanted.name, wanted.kind
    what = f"the environment {name}" if wanted.environment else wanted.shown
    # \renewcommand of what is not there asks for another cure first: \newcommand.
    certainty = 0.55 if not wanted.environment and "LaTeX Error" in wanted.message else 0.9
    every = providers(name, kind)
    choice = [p for p in every if not p.is_class and _belongs(case, p)]
    if any(next(s.command_named("bibitem"), None) for s in case.read):
        choice = [_by_hand(case, p) for p in choice if p.package != "biblatex"]
    if every and every[0].is_class:
        # The document was written for a class that has the command: packages that imitate it are a makeshift.
        certainty = 0.5
    common = max((popularity(p.package) for p in choice), default=0) / 4
    choice = [p for p in choice if popularity(p.package) >= common][:MOST]
    brought = _brought(case, choice)
    usual = PREFERRED.get(kind, {}).get(name, ())
    own = not wanted.environment and name in OWN_NAMES
    choice = [
        p
        for p in choice
        if brought[p.package] > 1 or _plain(p) in usual or (not own and (popularity(p.package) >= RARE or p.library))
    ]
    # One that brings two more of the names that are lacking goes before one that is a little more common.
    ranked = sorted(
        choice,
        key=lambda p: (
            bool(usual) and _plain(p) not in usual,
            _clashes(case, p, choice),
            choice.index(p) - 0.6 * brought[p.package],
        ),
    )
    main = case.lexed(case.main)
    before = case.at if case.path == case.main and main.in_preamble(case.at) else None
    for rank, provider in enumerate(ranked):
        edit = _loaded(case, main, provider, before)
        if edit is not None:
            yield Candidate((edit,), f"load {_named(provider)}, which defines {what}", certainty - 0.03 * rank)


def _belongs(case: Case, provider: Provider) -> bool:
    """Whether the document uses what the library belongs to; true for what is no library."""
    if not provider.library or provider.package in case.packages:
        return True
    used = {e.name for s in case.read for e in s.environments}
    return not used.isdisjoint(environments_of(provider.package))


def _by_hand(case: Case, provider: Provider) -> Provider:
    """The provider for a document whose \\bibitem name no authors: natbib refuses author-year citations of them."""
    labelled = any(
        s.arguments(c, 1)[:1] and s.arguments(c, 1)[0].optional for s in case.read for c in s.command_named("bibitem")
    )
    natbib = provider.package == "natbib" and not provider.option and not labelled
    return replace(provider, option="numbers") if natbib else provider


def _plain(provider: Provider) -> str:
    """As the table of preferences writes it."""
    return f"{provider.package}[{provider.option}]" if provider.option else provider.package


def _clashes(case: Case, provider: Provider, choice: list[Provider]) -> bool:
    """Whether it cannot be loaded together with a package that is loaded, while another choice can."""
    if len(choice) < 2 or provider.package in case.packages:
        return False
    return any(provider.package in (c.first, c.second) for c in conflicting((*case.packages, provider.package)))


def _brought(case: Case, choice: list[Provider]) -> dict[str, int]:
    """How many of the names that the document uses and nothing in force defines each package brings, up to five."""
    written = [s for s in case.read if s.part != "style"]
    commands = {c.name for s in written for c in s.commands if s.live(c.start)} - case.defined - {""}
    commands -= OWN_NAMES
    environments = {e.name for s in written for e in s.environments} - case.defined
    lacking = {name for name in commands if not is_known(name, case.packages)}
    lacking_too = {name for name in environments if not is_known_environment(name, case.packages)}
    return {
        p.package: min(5, len(lacking & commands_of(p.package)) + len(lacking_too & environments_of(p.package)))
        for p in choice
    }


def _loaded(case: Case, main: Source, provider: Provider, before: int | None) -> Edit | None:
    """The edit that loads it, or what it lacks; None where it is loaded already, or cannot be."""
    loads = loads_of(main, provider.package)
    if provider.library and (loads or provider.package in case.packages):
        end = line_end(main, loads[-1].end) if loads else None
        command = LIBRARY_COMMANDS.get(provider.package)
        if end is None or command is None:
            return None
        return Edit(case.main, end, end, f"\n\\{command}{{{provider.library}}}")
    if provider.option and loads:
        load = loads[0]
        if provider.option in [o.strip() for o in load.options.split(",")]:
            return None
        behind = load.start + 1 + len(load.command)
        if main.text.startswith("[", behind):
            return Edit(case.main, behind + 1, behind + 1, provider.option + ",")
        return Edit(case.main, behind, behind, f"[{provider.option}]")
    if provider.package in case.packages:
        return None
    line = package_line(main, provider.package, provider.option, before)
    if line is None:
        return None
    place, text = line
    command = LIBRARY_COMMANDS.get(provider.package)
    if provider.library and command is not None:
        call = f"\\{command}{{{provider.library}}}"
        text = text + call + "\n" if text.endswith("\n") else text + "\n" + call
    return Edit(case.main, place, place, text)


def _named(provider: Provider) -> str:
    if provider.library:
        return f"the {provider.package} library {provider.library}"
    return f"{provider.package} with the option {provider.option}" if provider.option else provider.package


RULE = Rule(
    id="package-not-loaded",
    fix=propose,
    answers=("undefined-control-sequence", "undefined-environment"),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{hyperref}\n\\begin{document}\n\\textcolor{red}{x}\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{xcolor}\n\\usepackage{hyperref}\n\\begin{document}\n"
            "\\textcolor{red}{x}\n"
            "\\end{document}\n",
            message="Undefined control sequence",
            token="\\textcolor",
            line=4,
            context_before="\\textcolor",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{align*}\nx\n\\end{align*}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n\\begin{align*}\nx\n\\end{align*}\n"
            "\\end{document}\n",
            message="LaTeX Error: Environment align* undefined",
            code="undefined-environment",
            token="align*",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\citep{a}\n\\begin{thebibliography}{9}\n\\bibitem{a} A\n"
            "\\end{thebibliography}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[numbers]{natbib}\n\\begin{document}\n\\citep{a}\n"
            "\\begin{thebibliography}{9}\n\\bibitem{a} A\n\\end{thebibliography}\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\citep",
            line=3,
        ),
        *(
            Example(
                f"\\documentclass{{article}}\n\\begin{{document}}\n{use}\n\\end{{document}}\n",
                None,
                message="Undefined control sequence",
                token=use.partition("{")[0],
                line=3,
            )
            for use in ("\\N", "\\foo{x}", "\\norm{x}", "\\highlight{x}", "\\emphasize{x}")
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nA \\nosuchthing{x}.\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\nosuchthing",
            line=3,
            context_before="A \\nosuchthing",
        ),
    ),
)
