r"""A template's variable was not filled in, and its value is known: {{ name }}, <<NAME>>, %%NAME%%, \VAR{name}.

Why it breaks: reports are often made from templates, and a model or a script forgets to fill one in, or to call a
macro of the class (\student{…}) or define one that the text uses (\clientname).

What is done: where --set name=value gives the value, it is put in; a macro that is used but nowhere defined is
defined after \documentclass, and a macro of the draft's own class that stores the value, or \title, \author, \date
before \maketitle, is called there.

When nothing is done: for names that --set does not give; in verbatim text and in comments.
"""

import re
from collections.abc import Iterator, Mapping

from texrepair.latex import Mode, Source
from texrepair.latex.names import is_known
from texrepair.latex.preamble import line_end, newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._template import Variable, same_name, variables

_SPECIAL = re.compile(r"[&%#_]")


def fix(case: Case) -> Iterator[Candidate]:
    if not case.values or case.path.endswith((".bib", ".sty", ".cls")):
        return
    # A value that is a variable itself would be filled in again and again.
    given = {name: value for name, value in case.values.items() if not any(variables(value))}
    values = {same_name(name): value for name, value in given.items()}
    source = case.source
    for variable in variables(case.text):
        value = values.get(same_name(variable.name))
        if value is None or not _is_gap(source, variable):
            continue
        raw = source.mode(variable.start) is Mode.ARGUMENT
        edit = Edit(case.path, variable.start, variable.end, value if raw else as_latex(value))
        yield Candidate((edit,), f"fill in {variable.name}", 1.0)
    if case.path == case.main:
        yield from _macros(case, given)


def as_latex(value: str) -> str:
    """The value, as it is where it is LaTeX already, else with its special characters escaped."""
    if re.search(r"[\\{}$]", value):
        return value
    return _SPECIAL.sub(lambda m: "\\" + m.group(), value)


def _is_gap(source: Source, variable: Variable) -> bool:
    mode = source.mode(variable.start)
    if variable.form == "percent":
        line = source.text[: variable.start].replace("\r", "\n").rpartition("\n")[2]
        return mode is Mode.COMMENT and line.strip() != "" and "%" not in re.sub(r"\\.", "", line)
    return mode not in (Mode.VERBATIM, Mode.COMMENT, Mode.DEAD)


def _macros(case: Case, values: Mapping[str, str]) -> Iterator[Candidate]:
    source = case.source
    head = next((p for p in source.packages if p.command == "documentclass" and source.live(p.start)), None)
    if head is None:
        return
    place = line_end(source, head.end)
    used = {c.name for s in case.read for c in s.commands if s.live(c.start)}
    called = {c.name for s in case.read if s.part != "style" for c in s.commands if s.live(c.start)}
    for name, value in values.items():
        macro = re.sub(r"[_\-. ]", "", name)
        if not macro.isalpha():
            continue
        spelt = next((c for c in sorted(used) if c.lower() == macro.lower() and c not in case.defined), None)
        line = ""
        if macro in ("title", "author", "date"):
            if "maketitle" in called and macro not in called:
                line = f"\\{macro}{{{as_latex(value)}}}"
        elif _stores(case, macro):
            line = f"\\{macro}{{{as_latex(value)}}}" if macro not in called else ""
        elif spelt is not None and not is_known(spelt, case.packages):
            line = f"\\newcommand{{\\{spelt}}}{{{as_latex(value)}}}"
        if line:
            yield Candidate((Edit(case.path, place, place, newline_of(case.text) + line),), f"fill in {name}", 1.0)


def _stores(case: Case, macro: str) -> bool:
    """Does a class or package of the draft define the macro so that it keeps its one argument, as \\title does?"""
    pattern = re.compile(
        rf"\\(?:re)?newcommand\*?\{{?\\{macro}\}}?\[1\]\{{\s*(?:\\global)?\\[gex]?def\s*\\[A-Za-z@]+\{{#1\}}"
    )
    return any(source.part == "style" and pattern.search(source.text) for source in case.read)


_HEAD = "\\documentclass{article}\n"
RULE = Rule(
    id="template-variables",
    fills=True,
    fix=fix,
    examples=(
        Example(
            _HEAD
            + (
                "\\title{%%TITLE%%}\n\\begin{document}\n{{ client_name }} and <<City>>, "
                "\\VAR{client.name}, {{ other }}\n\\end{document}\n"
            ),
            _HEAD
            + "\\title{Soil \\& Air}\n\\begin{document}\nMeridian and $X$, Meridian, {{ other }}\n\\end{document}\n",
            values={"title": "Soil & Air", "client-name": "Meridian", "city": "$X$"},
        ),
        Example(
            _HEAD + "\\begin{document}\nFor \\clientname.\n\\end{document}\n",
            _HEAD + "\\newcommand{\\clientname}{Meridian}\n\\begin{document}\nFor \\clientname.\n\\end{document}\n",
            values={"clientname": "Meridian"},
        ),
        Example(
            "\\documentclass{lab}\n\\begin{document}\n\\maketitle\n\\end{document}\n",
            "\\documentclass{lab}\n\\student{Lin}\n\\title{RC}\n\\begin{document}\n\\maketitle\n\\end{document}\n",
            values={"student": "Lin", "title": "RC"},
            files={"lab.cls": "\\LoadClass{article}\n\\newcommand{\\student}[1]{\\gdef\\lab@student{#1}}\n"},
        ),
        Example(_HEAD + "\\begin{document}\n{{ name }} \\clientname\n\\end{document}\n"),
        Example(
            _HEAD + "%%name%%\n% see %%name%%\n\\begin{document}\n\\verb|{{name}}| \\textbf{x}\n\\end{document}\n",
            values={"name": "Meridian", "textbf": "x"},
        ),
    ),
)
