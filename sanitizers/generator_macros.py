r"""The macros of a generator's template in a text that came without it: Pandoc, Doxygen, Sphinx, nbconvert, estout, R.

Why it breaks: \tightlist, the environments Shaded and Highlighting and the token commands (\KeywordTok ...) are defined
by Pandoc's own template, DoxyParams by doxygen.sty, \sphinxcode by sphinx.sty, \PY by Pygments, \sym around the stars
of a table by the document that estout's manual shows: "Undefined control sequence", "Environment Shaded undefined".

What is done: those that the text uses are defined at the end of the preamble, as the template does it but without
the looks; packages and colours that they need are added.

When nothing is done: the text uses none of them, or defines them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import newline_of, package_line, preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._generators import GENERATORS, Generator

_USE = re.compile(r"\\(?:(?:begin|end)\{)?([A-Za-z]+|\+)")
_WORD = re.compile(r"[A-Za-z]+(?:-[a-z]+)*")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    token = (found.token or "").removeprefix("\\") if found else ""
    # The lexer takes an unknown Highlighting for text or for code: look at the words themselves.
    texts = [source.text for _, source in case.tex_files()]
    used = {match[1] for text in texts for match in _USE.finditer(text)}
    for generator in GENERATORS:
        own = (generator.commands.keys() | generator.environments.keys()) & used
        if own and token in own | generator.colours.keys() | generator.packages.keys():
            yield from _defined(case, generator, used, texts)


def _defined(case: Case, generator: Generator, used: set[str], texts: list[str]) -> Iterator[Candidate]:
    main = case.lexed(case.main)
    lacking = used - case.defined
    words = {word for text in texts for word in _WORD.findall(text)} if generator.colours else set()
    colours = {name: code for name, code in generator.colours.items() if name in words}
    wanted = ["xcolor"] if colours else []
    wanted += [spec for name, specs in generator.packages.items() if name in lacking for spec in specs]
    edits: list[Edit] = []
    for spec in dict.fromkeys(wanted):
        package, _, options = spec.removesuffix("]").partition("[")
        line = package_line(main, package, options) if package not in case.packages else None
        if line is not None:
            edits.append(Edit(case.main, line[0], line[0], line[1]))
    lines = [f"\\providecolor{{{name}}}{{HTML}}{{{code}}}" for name, code in colours.items()]
    for name, text in (*generator.environments.items(), *generator.commands.items()):
        if name in lacking:
            lines.append(text.replace("{name}", name))
    body = preamble_line(main, newline_of(main.text).join(lines)) if lines else None
    if body is not None:
        edits.append(Edit(case.main, body[0], body[0], body[1]))
    if edits:
        yield Candidate(tuple(edits), "define the macros of the generator's template that the text uses", 0.96)


_HEAD = "\\documentclass{article}\n"

RULE = Rule(
    id="generator-macros",
    fix=propose,
    answers=("undefined-control-sequence", "undefined-environment", "undefined-colour"),
    examples=(
        Example(
            _HEAD + "\\begin{document}\n\\begin{itemize}\n\\tightlist\n\\item a\n\\end{itemize}\n\\end{document}\n",
            _HEAD + "\\providecommand{\\tightlist}{\\setlength{\\itemsep}{0pt}\\setlength{\\parskip}"
            "{0pt}}\n\\begin{document}\n\\begin{itemize}\n\\tightlist\n\\item a\n\\end{itemize}\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\tightlist",
            line=4,
        ),
        Example(
            _HEAD + "\\begin{document}\n\\begin{tcolorbox}[colback=cellbackground]\n\\prompt{In}{incolor}{4}{}\n"
            "\\end{tcolorbox}\n\\end{document}\n",
            _HEAD + "\\usepackage{xcolor}\n\\usepackage[breakable,skins]{tcolorbox}\n"
            "\\providecolor{incolor}{HTML}{303F9F}\n\\providecolor{cellbackground}{HTML}{F7F7F7}\n"
            "\\providecommand{\\prompt}[4]{{\\ttfamily\\llap{{[#3]:\\hspace{3pt}#4}}\\vspace{-\\baselineskip}}}\n"
            "\\begin{document}\n\\begin{tcolorbox}[colback=cellbackground]\n\\prompt{In}{incolor}{4}{}\n"
            "\\end{tcolorbox}\n\\end{document}\n",
            message="LaTeX Error: Environment tcolorbox undefined",
            code="undefined-environment",
            token="tcolorbox",
            line=3,
        ),
        Example(
            _HEAD + "\\begin{document}\n\\foo\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\foo",
            line=3,
        ),
        Example(
            _HEAD + "\\begin{document}\n\\begin{tcolorbox}\nx\n\\end{tcolorbox}\n\\end{document}\n",
            None,
            message="LaTeX Error: Environment tcolorbox undefined",
            code="undefined-environment",
            token="tcolorbox",
            line=3,
        ),
    ),
)
