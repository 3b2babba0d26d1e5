r"""The commands of BibTeX in a document that loads biblatex: \bibliographystyle{plain}, \bibliography{refs}.

Why it breaks: biblatex takes its style as an option and its files in the preamble, and prints the list with
\printbibliography: "'\bibliographystyle' invalid for 'biblatex'", and "Can be used only in preamble" at \bibliography.

What is done: \bibliographystyle goes; the files of \bibliography become \addbibresource behind the loading of
biblatex, where they are not named there yet, and \printbibliography takes its place, if there is none.

When nothing is done: biblatex is not loaded, or there are none of these commands.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex.preamble import line_end, newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._biblatex import load_of
from ._loading import whole_line


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    call = load_of(case)
    if found is None or call is None or not ("invalid for" in found.message or found.code == "only-in-preamble"):
        return
    where, its, load = call
    edits: list[Edit] = []
    named: set[str] = set()
    printed = False
    for source in case.read:
        printed = printed or any(source.live(c.start) for c in source.command_named("printbibliography"))
        for command in source.command_named("addbibresource"):
            named |= {source.inner(a).strip() for a in source.arguments(command, 2) if not a.optional}
    files: list[str] = []
    for path, source in case.tex_files():
        for command in source.command_named("bibliographystyle", "bibliography"):
            arguments = source.arguments(command, 1)
            if not arguments or not source.live(command.start) or source.in_definition(command.start):
                continue
            if command.name == "bibliographystyle":
                edits.append(Edit(path, *whole_line(source, command.start, arguments[0].end), ""))
            elif not (path == case.main and source.in_preamble(command.start)):
                names = [name.strip() for name in source.inner(arguments[0]).split(",") if name.strip()]
                files += [name if name.endswith(".bib") else name + ".bib" for name in names]
                bounds = command.start, arguments[0].end
                if printed:
                    edits.append(Edit(path, *whole_line(source, *bounds), ""))
                else:
                    edits.append(Edit(path, *bounds, "\\printbibliography"))
                    printed = True
    lacking = [name for name in dict.fromkeys(files) if name not in named]
    if lacking:
        place = line_end(its, load.end)
        lines = "".join(f"{newline_of(its.text)}\\addbibresource{{{name}}}" for name in lacking)
        edits.append(Edit(where, place, place, lines))
    if edits:
        yield Candidate(tuple(edits), "name the files and print the list by biblatex's own commands", 0.97)


_HEAD = "\\documentclass{article}\n\\usepackage{biblatex}\n"
_SAYS = "Package biblatex Error: '\\bibliographystyle' invalid for 'biblatex'"

RULE = Rule(
    id="bibtex-commands-with-biblatex",
    fix=propose,
    answers=("package-error", "only-in-preamble"),
    deletes="\\bibliographystyle in a document with biblatex, which takes its style as an option",
    examples=(
        Example(
            _HEAD + "\\begin{document}\n\\cite{a}\n\\bibliographystyle{plain}\n\\bibliography{x,y}\n\\end{document}\n",
            _HEAD + "\\addbibresource{x.bib}\n\\addbibresource{y.bib}\n\\begin{document}\n\\cite{a}\n"
            "\\printbibliography\n\\end{document}\n",
            message=_SAYS,
            line=5,
        ),
        Example(
            _HEAD + "\\addbibresource{x.bib}\n\\begin{document}\n\\cite{a}\n\\bibliography{x}\n\\end{document}\n",
            _HEAD + "\\addbibresource{x.bib}\n\\begin{document}\n\\cite{a}\n\\printbibliography\n\\end{document}\n",
            message="LaTeX Error: Can be used only in preamble",
            code="only-in-preamble",
            line=5,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\bibliographystyle{plain}\n\\bibliography{x}\n"
            "\\usepackage{amsmath}\n\\end{document}\n",
            None,
            message="LaTeX Error: Can be used only in preamble",
            code="only-in-preamble",
            line=5,
        ),
    ),
)
