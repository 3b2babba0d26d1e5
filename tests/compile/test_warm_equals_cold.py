"""What engines that waited make is what engines make that read everything at once: the same PDF, byte for byte.

Each document is compiled twice: its passes one after the other on one core, and overlapped on two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from texrepair.compile import Session
from texrepair.result import CompileResult

pytestmark = pytest.mark.tex

Opened = Callable[..., Session]

ALL = ("xelatex", "pdflatex", "lualatex")
BIB = "@article{k, author={A. Bee}, title={On Bees}, journal={J}, year=2000}\n"
SECTIONS = "\\section{One}\\label{a}\nSee \\ref{b} on page \\pageref{b}.\n\\section{Two}\\label{b}\nSee \\ref{a}.\n"


@dataclass(frozen=True)
class Document:
    """A small project."""

    preamble: str = ""
    body: str = SECTIONS
    of_class: str = "\\documentclass{article}"
    files: Mapping[str, str] = field(default_factory=dict)
    engines: tuple[str, ...] = ALL

    @property
    def main(self) -> str:
        return f"{self.of_class}\n{self.preamble}\n\\begin{{document}}\n{self.body}\n\\end{{document}}\n"


WARM = {
    "contents": Document(body="\\tableofcontents\n" + SECTIONS),
    "mathematics": Document(
        "\\usepackage{amsmath,amsthm}\n\\newtheorem{law}{Law}",
        "\\begin{law}\\label{l}x\\end{law}\n\\begin{align}a&=b\\label{e}\\\\c&=d\\end{align}\\eqref{e}\\ref{l}",
    ),
    "links": Document("\\usepackage{hyperref}\n\\usepackage{cleveref}", SECTIONS + "\\cref{a} \\url{http://x.org/%}"),
    "pictures": Document("\\usepackage{tikz}", "\\begin{tikzpicture}\\draw(0,0)--(1,1)node{x};\\end{tikzpicture}"),
    "remembered pictures": Document(
        "\\usepackage{tikz}",
        "\\tikz[remember picture]\\node(n){a}; b \\tikz[remember picture,overlay]\\draw(n)--(1,1);",
    ),
    "a listing of itself": Document("\\usepackage{listings}", "\\lstinputlisting{\\jobname.tex}" + SECTIONS),
    "verbatim of itself": Document("\\usepackage{verbatim}", "\\verbatiminput{main.tex}" + SECTIONS),
    "files of its own": Document(
        body="\\begin{filecontents*}{note.tex}\nNoted.\n\\end{filecontents*}\n\\input{note}\\newwrite\\w"
        "\\immediate\\openout\\w=\\jobname.x \\immediate\\write\\w{x}\\immediate\\closeout\\w\\input{\\jobname.x}"
    ),
    "what it wrote last time": Document(
        body="\\IfFileExists{\\jobname.mine}{\\input{\\jobname.mine}}{nothing yet}\\newwrite\\w"
        "\\immediate\\openout\\w=\\jobname.mine \\immediate\\write\\w{something}\\immediate\\closeout\\w"
    ),
    "beginning in the middle of a line": Document("\\def\\x{y}%", "\\x" + SECTIONS),
    "slides": Document(
        "\\title{T}\\author{A}",
        "\\frame{\\titlepage}\\section{S}\\frame{\\tableofcontents}\n\\begin{frame}[fragile]\n\\verb|x|\n\\end{frame}",
        "\\documentclass{beamer}",
    ),
    "a handout": Document("\\usetheme{Madrid}", "\\frame{a\\pause b}", "\\documentclass[handout]{beamer}"),
    "memoir": Document("", "\\tableofcontents\\chapter{One}x", "\\documentclass{memoir}"),
    "koma": Document("\\usepackage[headsepline]{scrlayer-scrpage}", SECTIONS, "\\documentclass{scrartcl}"),
    "chapters": Document(
        "",
        "\\tableofcontents\\include{ch/one}\\include{ch/two}",
        "\\documentclass{report}",
        {"ch/one.tex": "\\chapter{One}\\ref{two}\n", "ch/two.tex": "\\chapter{Two}\\label{two}\n"},
    ),
    "parts": Document(
        "\\usepackage{subfiles}",
        "\\subfile{part}",
        files={"part.tex": "\\documentclass[main.tex]{subfiles}\n\\begin{document}\nA part.\n\\end{document}\n"},
    ),
    "an index": Document("\\usepackage{makeidx}\\makeindex", "A\\index{bee}\\newpage B\\index{ant}\\printindex"),
    "two indexes": Document(
        "\\usepackage{imakeidx}\\makeindex\\makeindex[name=people]", "A\\index{bee}\\index[people]{Bee}\\printindex"
    ),
    "a glossary": Document(
        "\\usepackage{glossaries}\\makeglossaries\\newglossaryentry{bee}{name=bee,description=an insect}",
        "\\gls{bee}\\printglossaries",
    ),
    "a nomenclature": Document(
        "\\usepackage{nomencl}\\makenomenclature", "\\nomenclature{$c$}{speed}\\printnomenclature x"
    ),
    "bibtex": Document(
        "\\usepackage{natbib}", "\\citet{k}\\bibliographystyle{plainnat}\\bibliography{refs}", files={"refs.bib": BIB}
    ),
    "biber": Document(
        "\\usepackage{biblatex}\\addbibresource{refs.bib}", "\\cite{k}\\printbibliography", files={"refs.bib": BIB}
    ),
    "a bibliography in the preamble": Document(
        f"\\begin{{filecontents*}}{{own.bib}}\n{BIB}\\end{{filecontents*}}",
        "\\cite{k}\\bibliographystyle{plain}\\bibliography{own}",
    ),
    "a preamble of its own file": Document(
        "\\input{pre}", SECTIONS, files={"pre.tex": "\\usepackage{amsmath}\\def\\x{y}\n"}
    ),
    "a package of its own": Document("\\usepackage{own}", "\\x" + SECTIONS, files={"own.sty": "\\newcommand\\x{y}\n"}),
    "lists": Document(
        "\\usepackage{tocloft,caption}",
        "\\listoffigures\\listoftables\\begin{figure}\\caption{F}\\end{figure}\\begin{table}\\caption{T}\\end{table}",
    ),
    "theorems in a list": Document(
        "\\usepackage{amsthm,thmtools}\\declaretheorem{law}", "\\listoftheorems\\begin{law}[Name]x\\end{law}"
    ),
    "the last page": Document("\\usepackage{lastpage,fancyhdr}\\pagestyle{fancy}\\cfoot{\\pageref{LastPage}}"),
    "long tables": Document(
        "\\usepackage{longtable,booktabs}", "\\begin{longtable}{ll}\n" + "a&b\\\\\n" * 90 + "\\end{longtable}"
    ),
    "languages": Document("\\usepackage[british]{babel}", SECTIONS + "\\today"),
    "hooks": Document(
        "\\usepackage{etoolbox}\\AtEndPreamble{\\def\\x{y}}\\AtBeginDocument{\\InputIfFileExists{main.toc}{}{}}",
        "\\x\\tableofcontents" + SECTIONS,
    ),
    "notes in the margin": Document("\\usepackage{todonotes}", "\\listoftodos\\todo{Do}" + SECTIONS),
    "a name with the job in it": Document(
        "\\newcommand\\mainroad{x}\\newtheorem{maintheorem}{T}", "\\mainroad" + SECTIONS
    ),
    "a job in braces": Document("\\newcounter{main}", "\\themain" + SECTIONS),
    "other category codes": Document("\\catcode`\\|=\\active\\def|#1|{\\emph{#1}}", "|x|" + SECTIONS),
    "lua": Document("\\directlua{x = 1}", "\\directlua{tex.print(x)}" + SECTIONS, engines=("lualatex",)),
    "fonts": Document(
        "\\usepackage{fontspec}\\setmainfont{lmsans10-regular.otf}", SECTIONS, engines=("xelatex", "lualatex")
    ),
}

COLD = {
    # Its package reads what it writes as soon as it is loaded.
    "small contents": Document(
        "\\usepackage{minitoc}",
        "\\dominitoc\\tableofcontents\\chapter{A}\\minitoc\\section{B}",
        "\\documentclass{report}",
    ),
    "a preamble that reads what a pass writes": Document(
        "\\makeatletter\\InputIfFileExists{main.x}{}{\\def\\x{first}}\\makeatother",
        "\\x\\newwrite\\w\\immediate\\openout\\w=main.x \\immediate\\write\\w{\\def\\string\\x{again}}"
        "\\immediate\\closeout\\w" + SECTIONS,
    ),
    "a preamble that reads itself": Document(
        "\\newread\\r\\openin\\r=main.tex \\read\\r to\\x\\read\\r to\\x\\read\\r to\\x\\read\\r to\\x"
        "\\closein\\r\\def\\y{\\meaning\\x}",
        "\\y" + SECTIONS,
    ),
    "a preamble that looks for what a pass writes": Document(
        "\\IfFileExists{main.toc}{\\def\\x{again}}{\\def\\x{first}}", "\\x\\tableofcontents" + SECTIONS
    ),
    "a package that looks for it": Document(
        "\\usepackage{own}",
        "\\x\\tableofcontents" + SECTIONS,
        files={"own.sty": "\\IfFileExists{main.toc}{\\def\\x{again}}{\\def\\x{first}}\n"},
    ),
    "a file that only this document knows": Document(
        "\\IfFileExists{notes.dat}{\\def\\x{again}}{\\def\\x{first}}",
        "\\x\\newwrite\\w\\immediate\\openout\\w=notes.dat \\immediate\\write\\w{n}\\immediate\\closeout\\w" + SECTIONS,
    ),
    "the same with openin": Document(
        "\\newread\\r\\openin\\r=main.out \\ifeof\\r\\def\\x{first}\\else\\def\\x{again}\\fi\\closein\\r",
        "\\x" + SECTIONS,
        of_class="\\documentclass{article}\\usepackage{hyperref}",
    ),
    "labels of its own": Document("\\usepackage{xr}\\externaldocument{main}", SECTIONS),
    "job name": Document(
        "\\IfFileExists{\\jobname.toc}{\\def\\x{again}}{\\def\\x{first}}", "\\x\\tableofcontents" + SECTIONS
    ),
    "current file": Document("\\usepackage{currfile}", "\\currfilename" + SECTIONS),
    "the size of itself": Document(
        "\\edef\\size{\\pdffilesize{main.tex}}", "\\size" + SECTIONS, engines=("pdflatex",)
    ),
    "the sum of what it writes": Document(
        "\\edef\\sum{\\pdfmdfivesum file {main.toc}}", "\\sum\\tableofcontents" + SECTIONS, engines=("pdflatex",)
    ),
    "lua that reads": Document(
        "\\directlua{f = io.open('main.toc') x = f and 'again' or 'first'}",
        "\\directlua{tex.print(x)}\\tableofcontents" + SECTIONS,
        engines=("lualatex",),
    ),
    "a package in lua that reads": Document(
        "\\directlua{require('own')}",
        "\\directlua{tex.print(x)}\\tableofcontents" + SECTIONS,
        files={"own.lua": "local f = io.open('main.toc') x = f and 'again' or 'first'\n"},
        engines=("lualatex",),
    ),
    "an early end of a part": Document("\\input{pre}", files={"pre.tex": "\\def\\x{y}\\endinput\nnot read\n"}),
    "the beginning in another file": Document(
        of_class="\\input{pre}\n\\iffalse", body="\\fi" + SECTIONS,
        files={"pre.tex": "\\documentclass{article}\n\\begin{document}\nBegun.\\tableofcontents\n"},
    ),
    "a beginning by another name": Document(
        "\\def\\beginning{\\begin{document}}\n\\beginning\n\\tableofcontents\\iffalse", "\\fi" + SECTIONS
    ),
    "a percent sign that is none": Document(
        "{\\catcode`\\%=12\n\\gdef\\x{%}}\\begin{document}\\tableofcontents\\x\\iffalse", "\\fi" + SECTIONS
    ),
    "another format": Document(of_class="%&latex\n\\documentclass{article}", body="\\tableofcontents" + SECTIONS),
    "externalized pictures": Document(
        "\\usepackage{tikz}\\usetikzlibrary{external}\\tikzset{external/mode=list only}\\tikzexternalize",
        "\\tikz\\draw(0,0)--(1,1);" + SECTIONS,
        engines=("pdflatex",),
    ),
}  # fmt: skip

EDITED = {
    "xelatex": ("contents", "links", "chapters", "bibtex", "biber", "an index", "memoir", "a listing of itself"),
    "pdflatex": (
        "files of its own",
        "what it wrote last time",
        "slides",
        "a glossary",
        "a bibliography in the preamble",
        "small contents",
        "remembered pictures",
    ),
    "lualatex": ("lists", "parts", "a package of its own", "hooks", "fonts"),
}
"""Documents that are edited, by the engine with which they are."""

EVERYWHERE = 26
"""So many of the documents are compiled with all three engines; each of the others with one, in turn."""


def engines(number: int, document: Document) -> tuple[str, ...]:
    return document.engines if number < EVERYWHERE else (document.engines[number % len(document.engines)],)


CASES = [
    pytest.param(document, engine, kind, id=f"{name}-{engine}")
    for kind, documents, first in (("warm", WARM, 0), ("cold", COLD, EVERYWHERE))
    for number, (name, document) in enumerate(documents.items(), first)
    for engine in engines(number, document)
]


@pytest.mark.parametrize(("document", "engine", "kind"), CASES)
def test_the_same(document: Document, engine: str, kind: str, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    files = {"main.tex": document.main, **document.files}
    one, two = (compiled(opened(files, engine=engine, cores=cores)) for cores in (1, 2))
    assert one.ok
    assert two.ok
    assert told(one) == told(two)
    assert pages(one) == pages(two)
    assert not any(done.warm for done in one.passes)
    passes = [done for done in two.passes if done.program == engine]
    assert len(passes) == len([done for done in one.passes if done.program == engine])
    if kind == "warm":
        assert all(done.warm for done in passes)


@pytest.mark.parametrize(
    ("name", "engine"), [(name, engine) for engine, names in EDITED.items() for name in names], ids=str
)
def test_the_same_after_an_edit(name: str, engine: str, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    document = {**WARM, **COLD}[name]
    files = {"main.tex": document.main, **document.files}
    session = opened(files, engine=engine, cores=2)
    assert compiled(session).ok
    end = "\n\n\\section{More}\\label{m}More.\n\n\\end{document}"
    broken = session.check(
        session.project.draft.replace("main.tex", document.main.replace("\\end{document}", "\\oops" + end))
    )
    assert [error.token for error in broken.errors] == ["\\oops"]
    text = document.main.replace("\\end{document}", end)
    two = session.compile(session.project.draft.replace("main.tex", text))
    one = compiled(opened({**files, "main.tex": text}, engine=engine, cores=1))
    assert one.ok
    assert two.ok
    assert told(one) == told(two)
    assert pages(one) == pages(two)


def compiled(session: Session) -> CompileResult:
    return session.compile(session.project.draft)


def pages(result: CompileResult) -> bytes:
    """The PDF. LuaTeX's identifier depends on the folder."""
    assert result.pdf is not None
    return re.sub(rb"/ID ?\[[^\]]*\]", b"", result.pdf.read_bytes())


def told(result: CompileResult) -> list[tuple[str, str, str | None, int | None]]:
    """What is said of the document; sizes of fonts' caches apart."""
    return [(d.severity, d.message, d.file, d.line) for d in result.diagnostics]
