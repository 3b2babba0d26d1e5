r"""Two packages that cannot be loaded together, or not in this order.

Why it breaks: both define the same commands: "Command ... already defined", "This package can't be used in cooperation
with ...", or the later one quietly replaces what the earlier one needs.

What is done: the package whose commands the document does not use is left out, with what makes the other one do its
work; a package that has to come first is moved before the other; where both are needed, the name that both define is
freed before the second one is loaded.

When nothing is done: no two loaded packages are known to clash, and the name is defined by none of those loaded before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Package, Source
from texrepair.latex.facts import conflicting, misordered
from texrepair.latex.names import commands_of, environments_of, providers
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import split_options, whole_line, with_options, without
from ._needs import loads, needed, used

Load = tuple[str, Source, Package]


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None:
        return
    calls = {load.name: (path, source, load) for path, source, load in reversed(list(loads(case)))}
    stem = re.sub(r"^.*/|\.(?:sty|cls|def)$", "", found.file or "")
    named = {name for name in case.packages if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", found.message)}
    involved = named | ({stem} if stem in case.packages else set())
    clear = found.code in ("already-defined", "incompatible-packages", "package-error", "class-error", "tex-error")
    for entry in conflicting(case.packages):
        if not clear and not involved & {entry.first, entry.second}:
            continue
        base = 0.88 if involved & {entry.first, entry.second} else 0.6
        yield from _one_left_out(case, calls, (entry.first, entry.second), entry.drop, base, entry.option, entry.line)
    if found.code != "already-defined" and not involved:
        return
    order = [load.name for path, _, load in loads(case) if path == case.main]
    for rule in misordered(order):
        if rule.before in calls and rule.after in calls and involved & {rule.before, rule.after}:
            edits = _before(calls[rule.before], calls[rule.after])
            yield Candidate(edits, f"load {rule.before} before {rule.after}: {rule.why}", 0.9)
    if found.code == "already-defined" and stem in calls and found.token:
        yield from _same_name(case, calls, stem, found.token.removeprefix("\\"))


def _one_left_out(
    case: Case, calls: dict[str, Load], pair: tuple[str, str], drop: str, base: float, option: str, line: str
) -> Iterator[Candidate]:
    needs = {name: len(needed(case, name, case.packages)) for name in pair}
    if not any(needs.values()):
        # Both bring all that is used: the document was written for the one that most people load for it.
        needs = dict(zip(pair, _meant(case, pair), strict=True))
    for name, other in (pair, pair[::-1]):
        if name not in calls:
            continue
        path, source, load = calls[name]
        edits = [without(path, source, load)]
        replaced = name == drop
        if replaced and line and not set(re.findall(r"\\([A-Za-z]+)\}", line)) & case.defined:
            edits[0] = Edit(path, edits[0].start, edits[0].end, line + newline_of(source.text))
        if replaced and option and other in calls:
            there, its, second = calls[other]
            options = split_options(second.options)
            added = None if option in options else with_options(there, its, second, ",".join([*options, option]))
            edits += [added] if added is not None else []
        idle = needs[name] == 0 or (replaced and bool(option or line))
        taken_over = bool(option or line)
        if idle and (replaced or (needs[other] > 0 and not taken_over)):
            certainty = base
        elif replaced and needs[other] > 0:
            certainty = base - 0.05 - min(0.3, 0.1 * needs[name])
        else:
            certainty = base - 0.2 if idle else base - 0.45
        why = f"leave {name} out, which cannot be loaded together with {other}"
        yield Candidate(tuple(edits), why, round(certainty, 2))


def _meant(case: Case, pair: tuple[str, str]) -> tuple[int, int]:
    """How many of the names in use that both packages bring each of them is the usual provider of."""
    commands, environments = used(case)
    both = [(n, "command") for n in commands & commands_of(pair[0]) & commands_of(pair[1])]
    both += [(n, "environment") for n in environments & environments_of(pair[0]) & environments_of(pair[1])]
    first = [next((p.package for p in providers(*name) if p.package in pair), "") for name in both]
    counts = first.count(pair[0]), first.count(pair[1])
    return counts if 0 in counts else (0, 0)


def _before(first: Load, second: Load) -> tuple[Edit, ...]:
    """The edits that move the call of the first package before that of the second."""
    path, source, load = first
    there, its, other = second
    options = f"[{load.options}]" if load.options else ""
    start = its.line_span(its.line(other.start))[0]
    start = start if not its.text[start : other.start].strip() else other.start
    call = f"\\{load.command}{options}{{{load.name}}}{newline_of(its.text)}"
    return Edit(there, start, start, call), without(path, source, load)


def _same_name(case: Case, calls: dict[str, Load], package: str, name: str) -> Iterator[Candidate]:
    """What a package defines is there already: from a package that was loaded before it, or the class."""
    path, source, load = calls[package]
    others = [p for p in case.packages if p != package and _brings(p, name)]
    for other in others:
        if other in calls and calls[other][0] == path and calls[other][2].start < load.start:
            yield Candidate(_before(calls[package], calls[other]), f"load {package} before {other}", 0.7)
            if not needed(case, other, case.packages):
                edit = without(*calls[other])
                yield Candidate((edit,), f"leave {other} out, of which nothing is used", 0.66)
    if others and not needed(case, package, case.packages):
        yield Candidate((without(path, source, load),), f"leave {package} out, of which nothing is used", 0.72)
    start = whole_line(source, load.start, load.end)[0]
    freed = f"\\let\\{name}\\relax" + (f"\\let\\end{name}\\relax" if _environment(case, name) else "")
    if re.fullmatch(r"[A-Za-z]+", name):
        edit = Edit(path, start, start, freed + newline_of(source.text))
        yield Candidate((edit,), f"free the name \\{name} before {package} defines it", 0.52)


def _brings(package: str, name: str) -> bool:
    return name in commands_of(package) or name in environments_of(package)


def _environment(case: Case, name: str) -> bool:
    return any(name in environments_of(package) for package in case.packages)


_END = "\\begin{document}\nx\n\\end{document}\n"
_ARTICLE = "\\documentclass{article}\n"

RULE = Rule(
    id="conflicting-packages",
    fix=propose,
    answers=("already-defined", "incompatible-packages", "package-error", "class-error", "tex-error", "missing-number"),
    deletes="the loading of a package that clashes with another and of which nothing is used",
    examples=(
        Example(
            _ARTICLE + "\\usepackage{subfigure}\n\\usepackage{subcaption}\n" + _END,
            _ARTICLE + "\\usepackage{subcaption}\n" + _END,
            message="Package subcaption Error: This package can't be used in cooperation with the subfigure package",
            code="package-error",
            line=3,
        ),
        Example(
            _ARTICLE + "\\usepackage{unicode-math}\n\\usepackage{bm}\n\\begin{document}\n$\\bm{a}$\n\\end{document}\n",
            _ARTICLE + "\\usepackage{unicode-math}\n\\newcommand{\\bm}[1]{\\symbfit{#1}}\n\\begin{document}\n"
            "$\\bm{a}$\n\\end{document}\n",
            message="Extended mathchar used as mathchar (14799929)",
            code="tex-error",
            line=5,
        ),
        Example(
            _ARTICLE + "\\usepackage{natbib,amsmath}\n\\usepackage[style=apa]{biblatex}\n" + _END,
            _ARTICLE + "\\usepackage{amsmath}\n\\usepackage[style=apa,natbib=true]{biblatex}\n" + _END,
            message="Package biblatex Error: Incompatible package 'natbib'",
            code="package-error",
            line=3,
        ),
        Example(
            _ARTICLE + "\\usepackage{amsmath}\n" + _END,
            None,
            message="Package amsmath Error: something else",
            code="package-error",
            line=2,
        ),
    ),
)
