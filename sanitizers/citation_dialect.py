r"""The citation commands of biblatex with BibTeX and natbib, or those of natbib with biblatex.

Why it breaks: \parencite and \textcite are biblatex's, \citep and \citet are natbib's; the two packages exclude each
other, so that loading the other one as well makes things worse.

What is done: in a document with natbib, or with \bibliographystyle, biblatex's commands become natbib's (\parencite
becomes \citep, \textcite \citet) and natbib is loaded if it is not; with biblatex, its option natbib is given, which
brings the other names.

When nothing is done: the document has no bibliography of either kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import split_options, with_options
from ._needs import loads

_NATBIB = {
    "parencite": "citep", "Parencite": "Citep", "textcite": "citet", "Textcite": "Citet", "autocite": "citep",
    "Autocite": "Citep", "parencites": "citep", "textcites": "citet", "autocites": "citep", "smartcite": "citep",
    "footcite": "footcitep", "fullcite": "bibentry", "supercite": "citep",
}  # fmt: skip
_LEFT = {"footcite", "fullcite", "parencites", "textcites", "autocites"}
"""Those whose arguments natbib's commands do not take, or that need more."""
_OF_NATBIB = {
    "citep", "citet", "citealt", "citealp", "Citet", "Citep", "Citealt", "Citealp", "citeyearpar", "defcitealias",
    "citetalias", "citepalias", "citefullauthor", "citenum",
}  # fmt: skip


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not found.token:
        return
    name = found.token.removeprefix("\\")
    main = case.lexed(case.main)
    calls = {load.name: (path, source, load) for path, source, load in loads(case)}
    if name in _OF_NATBIB and "biblatex" in calls:
        path, source, load = calls["biblatex"]
        options = [o for o in split_options(load.options) if not o.startswith("natbib")]
        edit = with_options(path, source, load, ",".join([*options, "natbib=true"]))
        if edit is not None:
            yield Candidate((edit,), "load biblatex with natbib=true, which brings the names of natbib", 0.96)
    classic = any(s.live(c.start) for s in case.read for c in s.command_named("bibliographystyle"))
    if name not in _NATBIB or name in _LEFT or "biblatex" in calls or not ("natbib" in calls or classic):
        return
    edits = [
        Edit(path, command.start, command.end, "\\" + _NATBIB[command.name])
        for path, source in case.tex_files()
        for command in source.command_named(*(_NATBIB.keys() - _LEFT))
        if source.live(command.start) and command.name not in case.defined
    ]
    if "natbib" not in case.packages:
        line = package_line(main, "natbib")
        if line is not None:
            edits.append(Edit(case.main, line[0], line[0], line[1]))
    yield Candidate(tuple(edits), "write natbib's citation commands for those of biblatex", 0.95)


RULE = Rule(
    id="citation-dialect",
    fix=propose,
    answers=("undefined-control-sequence",),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{natbib}\n\\begin{document}\n\\parencite[p.~3]{a}, \\textcite{b}\n"
            "\\bibliography{x}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{natbib}\n\\begin{document}\n\\citep[p.~3]{a}, \\citet{b}\n"
            "\\bibliography{x}\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\parencite",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage[style=apa]{biblatex}\n\\begin{document}\n\\citep{a}\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[style=apa,natbib=true]{biblatex}\n\\begin{document}\n\\citep{a}\n"
            "\\end{document}\n",
            message="Undefined control sequence",
            token="\\citep",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\parencite{a}\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\parencite",
            line=3,
        ),
    ),
)
