"""A warm check finds what a cold one finds, and the pages are the same byte for byte."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from texrepair.compile import Session, engines
from texrepair.compile.warm import cut, nudged
from texrepair.sandboxes import Box, Limits, Sandbox

pytestmark = pytest.mark.tex

Opened = Callable[..., Session]

DOCUMENTS = {
    "article": ("", "\\section{One}\\label{a}Hello, 世界 \\ref{a}. $x^2$"),
    "mathematics": (
        "\\usepackage{amsmath,amsthm}\n\\newtheorem{law}{Law}",
        "\\begin{law}x\\end{law}\n\\begin{align}a&=b\\\\c&=d\\end{align}",
    ),
    "links": (
        "\\usepackage{hyperref}\n\\usepackage{cleveref}",
        "\\section{One}\\label{a}\\cref{a} \\url{http://x.org/%}",
    ),
    "pictures": ("\\usepackage{tikz}", "\\begin{tikzpicture}\\draw(0,0)--(1,1)node{x};\\end{tikzpicture}"),
    "listing of itself": ("\\usepackage{listings}", "\\lstinputlisting{\\jobname.tex}"),
    "files of its own": (
        "",
        "\\begin{filecontents*}{note.tex}\nNoted.\n\\end{filecontents*}\n\\input{note}\\newwrite\\w"
        "\\immediate\\openout\\w=\\jobname.x \\immediate\\write\\w{x}\\immediate\\closeout\\w\\input{\\jobname.x}",
    ),
    "beginning in the middle of a line": ("\\def\\x{y}%", "\\x"),
}


@pytest.mark.parametrize("engine", ["xelatex", "pdflatex", "lualatex"])
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_the_same_pages(
    kind: str, engine: str, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    program = engines.engine(engine)
    preamble, body = DOCUMENTS[kind]
    # Of LuaTeX's PDF, one line depends on the folder: the identifier in its trailer.
    fixed = "\\pdfvariable suppressoptionalinfo 512\n" if engine == "lualatex" else ""
    if engine == "pdflatex":
        body = body.replace(", 世界", "")
    text = f"\\documentclass{{article}}\n{fixed}{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n".encode()
    pages = f"main{program.output}"
    box = sandbox.open({}, Limits(seconds=60))
    request.addfinalizer(box.close)

    box.put({"main.tex": text}, "cold")
    cold = box.start(program.command("main.tex"), "cold").wait()

    parts = cut(text)
    assert parts is not None
    run = box.start(program.command("main.tex"), "warm", warm="main.tex")
    run.feed(program.mark + parts.preamble)
    let_it_wait(box)
    run.finish(parts.body, whole=text)
    warm = run.wait()

    assert cold.exit_status == warm.exit_status == 0
    names = ("main.log", "main.aux", pages)
    one, other = box.fetch(names, "cold"), box.fetch(names, "warm")
    assert one[pages] == other[pages]
    assert one["main.aux"] == other["main.aux"]
    assert steady(one["main.log"]) == steady(other["main.log"])


def let_it_wait(box: Box) -> None:
    """Let some time pass in which the engine reads its preamble."""
    box.start(("sleep", "0.3"), "aside").wait()


def steady(log: bytes) -> list[bytes]:
    """The lines of a log without memory counts, which differ with the length of paths, and notes on the font cache."""
    unsteady = (b"This is", b" ", b"PDF statistics", b"Here is how much", b"luaotfload")
    return [line for line in log.splitlines() if line and not line.startswith(unsteady)]


def document(body: str, preamble: str = "") -> str:
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


@pytest.mark.parametrize("engine", ["xelatex", "pdflatex", "lualatex"])
def test_the_second_check_is_warm(opened: Opened, engine: str) -> None:
    session = opened({"main.tex": document("\n\\nothing"), "part.tex": "x"}, engine=engine, cores=1)
    draft = session.project.draft
    first = session.check(draft)
    draft = draft.replace("main.tex", document("Right.\n\n\\input{part}")).replace("part.tex", "y\n\\more")
    second = session.check(draft)
    assert [done.passes[0].warm for done in (first, second)] == [False, True]
    assert [(e.file, e.line, e.token) for e in first.errors] == [("main.tex", 5, "\\nothing")]
    assert [(e.file, e.line, e.token) for e in second.errors] == [("part.tex", 2, "\\more")]
    third = session.compile(draft.replace("part.tex", "done"))
    assert third.ok
    assert third.passes[0].warm


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"main.tex": document("\\oops", "\\def\\x{}")}, "the preamble is another"),
        ({"new.tex": "x"}, "there is a file more"),
        ({"main.tex": document("\\oops").replace("\\begin{document}", "")}, "there is no beginning"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_engine_that_read_something_else_is_thrown_away(opened: Opened, change: dict[str, str], why: str) -> None:
    session = opened({"main.tex": document("\\oops", "\\usepackage{local}"), "local.sty": "\\def\\local{}"}, cores=1)
    draft = session.project.draft
    session.check(draft)
    for path, text in change.items():
        draft = draft.replace(path, text)
    result = session.check(draft)
    assert not result.passes[0].warm
    assert not result.ok


def test_a_file_that_the_preamble_reads_is_another(opened: Opened) -> None:
    files = {"main.tex": document("\\local\\oops", "\\usepackage{local}"), "local.sty": "\\def\\local{}"}
    session = opened(files)
    draft = session.project.draft
    assert [error.token for error in session.check(draft).errors] == ["\\oops"]
    changed = session.check(draft.replace("local.sty", "\\def\\local{\\changed}"))
    assert [error.token for error in changed.errors] == ["\\changed", "\\oops"]


def test_another_engine_is_not_the_one_that_waits(opened: Opened) -> None:
    session = opened({"main.tex": document("\\oops")}, cores=1)
    session.check(session.project.draft)
    assert not session.check(session.project.draft, "pdflatex").passes[0].warm


def test_a_preamble_that_asks_for_the_job_name_is_read_in_one_piece(opened: Opened) -> None:
    session = opened({"main.tex": document("\\oops", "\\InputIfFileExists{\\jobname.cfg}{}{}")})
    session.check(session.project.draft)
    assert not session.check(session.project.draft).passes[0].warm


def test_an_endless_preamble_does_not_hold_the_next_check(opened: Opened) -> None:
    endless = document("Hi", "\\loop\\iftrue\\repeat")
    session = opened({"main.tex": endless}, pass_seconds=6)
    assert session.check(session.project.draft).timed_out
    assert session.check(session.project.draft.replace("main.tex", document("Hi"))).ok


@pytest.mark.parametrize("engine", ["xelatex", "pdflatex", "lualatex"])
def test_a_package_at_the_end_is_loaded_while_the_engine_waits(
    engine: str, sandbox: Sandbox, request: pytest.FixtureRequest
) -> None:
    program = engines.engine(engine)
    nudge = nudged(b"\\documentclass{article}\n\\usepackage{amsmath}\n")
    assert nudge is not None
    box = sandbox.open({}, Limits(seconds=60))
    request.addfinalizer(box.close)
    run = box.start(program.command("main.tex"), "warm", warm="main.tex")
    run.feed(program.mark + nudge[0])
    assert box.start(("sh", "-c", "until grep -q amsmath.sty main.fls 2>&1; do :; done"), "warm").wait().ok


@pytest.mark.parametrize(
    "package", ["\\PackageWarning{own}{Careful}", "\\nothing", "\\PackageError{own}{No}{}", "\\input{absent}"]
)
def test_what_is_said_of_a_package_at_the_end_is_the_same(opened: Opened, package: str) -> None:
    files = {"main.tex": document("\\oops", "\\usepackage{own}"), "own.sty": package + "\n"}
    cold, ahead = opened(files, cores=1), opened(files, cores=1)
    ahead.expect(ahead.project.draft)
    one, other = (session.check(session.project.draft) for session in (cold, ahead))
    assert one.diagnostics == other.diagnostics


def test_one_that_is_not_there_is_missed_in_the_same_place(opened: Opened) -> None:
    files = {"main.tex": document("x", "\\usepackage{absent}")}
    cold, ahead = opened(files, cores=1), opened(files, cores=1)
    ahead.expect(ahead.project.draft)
    one, other = (session.check(session.project.draft) for session in (cold, ahead))
    assert one.errors
    assert one.diagnostics == other.diagnostics
