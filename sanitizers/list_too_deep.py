r"""A list inside more lists than LaTeX allows.

Why it breaks: itemize and enumerate know four levels each, six in all: "Too deeply nested".

What is done: enumitem is loaded and allows nine levels of each, with LaTeX's marks on the first four.

When nothing is done: no list is nested so deep (then one was not closed), or the class is beamer, which has
lists of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import newline_of, package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_LISTS = ("itemize", "enumerate", "description")
_LABELS = {
    "itemize": ("\\textbullet", "\\textendash", "\\textasteriskcentered", "\\textperiodcentered"),
    "enumerate": ("\\arabic*.", "(\\alph*)", "\\roman*.", "\\Alph*."),
}
_DEEPER = {"itemize": "\\textbullet", "enumerate": "\\arabic*."}


def propose(case: Case) -> Iterator[Candidate]:
    if "beamer" in case.packages:
        return
    kinds: set[str] = set()
    deepest = 0
    for _, source in case.tex_files():
        for environment in source.environments:
            if environment.name not in _LISTS or environment.end is None:
                continue
            around = [e.name for e in source.environments_at(environment.begin) if e.name in _LISTS]
            around = around if around[-1:] == [environment.name] else [*around, environment.name]
            deepest = max(deepest, len(around))
            kinds |= {name for name in _LABELS if around.count(name) > 4}
    if not kinds and deepest <= 6:
        return
    main = case.lexed(case.main)
    line = package_line(main, "enumitem")
    if line is None:
        return
    newline = newline_of(main.text)
    settings = ["\\setlistdepth{9}"]
    for kind in sorted(kinds or set(_LABELS)):
        settings.append(f"\\renewlist{{{kind}}}{{{kind}}}{{9}}")
        settings.append(f"\\setlist[{kind}]{{label={_DEEPER[kind]}}}")
        settings += [f"\\setlist[{kind},{n}]{{label={label}}}" for n, label in enumerate(_LABELS[kind], 1)]
    body = newline.join(settings)
    if "enumitem" in case.packages:
        loads = [p for p in main.packages if p.name == "enumitem"]
        if not loads:
            return
        edit = Edit(case.main, loads[-1].end, loads[-1].end, newline + body)
    else:
        at, text = line
        text = text + body + newline if text.endswith(newline) else text + newline + body
        edit = Edit(case.main, at, at, text)
    yield Candidate((edit,), "allow lists of nine levels, with enumitem", 0.85)


RULE = Rule(
    id="list-too-deep",
    fix=propose,
    answers=("too-deeply-nested",),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n" + "\\begin{itemize}\\item a\n" * 5
            + "\\end{itemize}\n" * 5 + "\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{enumitem}\n\\setlistdepth{9}\n\\renewlist{itemize}{itemize}{9}\n"
            "\\setlist[itemize]{label=\\textbullet}\n\\setlist[itemize,1]{label=\\textbullet}\n"
            "\\setlist[itemize,2]{label=\\textendash}\n\\setlist[itemize,3]{label=\\textasteriskcentered}\n"
            "\\setlist[itemize,4]{label=\\textperiodcentered}\n\\begin{document}\n" + "\\begin{itemize}\\item a\n" * 5
            + "\\end{itemize}\n" * 5 + "\\end{document}\n",
            message="LaTeX Error: Too deeply nested",
            line=7,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n" + "\\begin{itemize}\\item a\n" * 4
            + "\\end{itemize}\n" * 4 + "\\end{document}\n",
            None,
            message="LaTeX Error: Too deeply nested",
            line=6,
        ),
    ),
)  # fmt: skip
