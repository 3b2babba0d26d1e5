"""The earlier result: given again only for what is the same in everything, and then the same in everything."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import texrepair
from texrepair.deliver import as_json
from texrepair.result import BuildResult, Status

pytestmark = pytest.mark.tex

MAIN = r"""\documentclass{local}
\usepackage{graphicx}
\usepackage{mine}
\begin{document}
Text.~\cite{k} \includegraphics[width=1cm]{dot}
\input{part}
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""
FENCED = "```latex\n\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n```\n"


def dot(level: int) -> bytes:
    """A picture of one pixel."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    head = (1).to_bytes(4, "big") * 2 + bytes([8, 0, 0, 0, 0])
    data = zlib.compress(bytes([0, level]))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@pytest.fixture
def article(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith("TEXREPAIR_") or name == "SOURCE_DATE_EPOCH":
            monkeypatch.delenv(name)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.tex").write_text(MAIN)
    (folder / "local.cls").write_text("\\LoadClass{article}\n")
    (folder / "part.tex").write_text("A part.\n")
    (folder / "refs.bib").write_text("@misc{k, title={T}}\n")
    (folder / "dot.png").write_bytes(dot(0))
    tree = tmp_path / "texmf"
    (tree / "tex/latex/mine").mkdir(parents=True)
    (tree / "tex/latex/mine/mine.sty").write_text("\\ProvidesPackage{mine}\n")
    monkeypatch.setenv("TEXMFHOME", str(tree))
    monkeypatch.chdir(folder)
    return folder / "a.tex"


def build(source: Path, **named: Any) -> BuildResult:
    result = texrepair.build(source, **{"engine": "pdflatex", "output": source.parents[1] / "out", **named})
    assert result.status is Status.SUCCESS
    return result


def delivered(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "run.json"
    }


def test_the_same_comes_out(tmp_path: Path) -> None:
    source = tmp_path / "a.tex"
    source.write_text(FENCED)
    first, second = (texrepair.build(source, output=tmp_path / name) for name in ("one", "two"))
    assert (first.cached, second.cached) == (False, True)
    assert delivered(tmp_path / "one") == delivered(tmp_path / "two")
    told = [json.loads((tmp_path / name / "run.json").read_text()) for name in ("one", "two")]
    differs = {name for name in told[0] if told[0][name] != told[1][name]}
    assert differs == {"cached", "seconds", "steps", "pdf", "delivered"}
    assert [step.stage for step in second.steps] == ["load", "recall"]
    own = {"cached", "seconds", "steps", "pdf", "delivered"}
    assert {k: v for k, v in as_json(first).items() if k not in own} == {
        k: v for k, v in as_json(second).items() if k not in own
    }
    assert second.sources == first.sources


def test_it_is_delivered_under_the_same_guards(tmp_path: Path) -> None:
    source = tmp_path / "a.tex"
    source.write_text(FENCED)
    texrepair.build(source)
    (tmp_path / "a.texrepair/a.tex").write_text("edited by the user")
    second = texrepair.build(source)
    assert second.cached
    assert (tmp_path / "a.texrepair/a.tex.orig").read_text() == "edited by the user"
    third = texrepair.build(source, in_place=True)
    assert third.cached
    assert source.read_bytes() == third.sources["a.tex"]
    assert (tmp_path / "a.tex.orig").read_text() == FENCED


def add_a_style(source: Path) -> None:
    (source.parent / "new.sty").write_text("")


def shadow_a_package(source: Path) -> None:
    (source.parent / "graphicx.sty").write_text("\\ProvidesPackage{graphicx}\\newcommand\\includegraphics[2][]{}\n")


def touch(path: Path) -> None:
    os.utime(path, ns=(1, path.stat().st_mtime_ns + 1))


CHANGES: dict[str, Callable[[Path], object]] = {
    "the main file": lambda source: source.write_text(MAIN.replace("Text", "Texts")),
    "a part": lambda source: (source.parent / "part.tex").write_text("A parts\n"),
    "the class": lambda source: (source.parent / "local.cls").write_text("\\LoadClass[11pt]{article}\n"),
    "the bibliography": lambda source: (source.parent / "refs.bib").write_text("@misc{k, title={U}}\n"),
    "a figure": lambda source: (source.parent / "dot.png").write_bytes(dot(9)),
    "a new file": add_a_style,
    "a file that goes first": shadow_a_package,
    "a package of the user's": lambda source: touch(source.parents[1] / "texmf/tex/latex/mine/mine.sty"),
    "a new package of the user's": lambda source: (source.parents[1] / "texmf/tex/latex/other.sty").write_text(""),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_is_built(article: Path, change: str) -> None:
    assert not build(article).cached
    assert build(article).cached
    CHANGES[change](article)
    assert not build(article).cached
    assert build(article).cached


def test_other_settings_are_another_build(article: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build(article)
    assert not build(article, disable=("code-fence",)).cached
    assert not build(article, engine="lualatex").cached
    assert build(article, api_key="KEY-123").cached
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert not build(article).cached
    assert not build(article, cache=False).cached
    assert build(article).cached


def test_a_figure_that_changes_meanwhile_is_noticed(article: Path) -> None:
    figure = article.parent / "dot.png"
    build(article, on_step=lambda step: figure.write_bytes(dot(7)) if step.stage == "check" else None)
    assert not build(article).cached
    figure.write_bytes(dot(0))
    assert not build(article).cached


def test_a_tree_of_packages_that_comes_to_be_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, article: Path
) -> None:
    monkeypatch.delenv("TEXMFHOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    article.write_text(MAIN.replace("\\usepackage{mine}\n", ""))
    assert [build(article).cached for _ in range(2)] == [False, True]
    (tmp_path / "home/texmf/tex").mkdir(parents=True)
    assert [build(article).cached for _ in range(2)] == [False, True]


def test_what_else_decided_is_never_given_again(article: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    rules.mkdir()
    assert not any(build(article, rules=rules).cached for _ in range(2))
    right = article.read_text()
    article.write_text(right.replace("Text.~", "Text.~.\n\\foobarbaz{x}{y}"))
    asked = [
        texrepair.build(article, model=lambda prompt: f"```latex\n{right}```", only=("code-fence",)) for _ in range(2)
    ]
    assert [(one.status, one.cached, len(one.rounds)) for one in asked] == [(Status.SUCCESS, False, 1)] * 2
    failed = [texrepair.build(article, only=("code-fence",)) for _ in range(2)]
    assert [(one.status, one.cached) for one in failed] == [(Status.ESCALATE, False)] * 2


def test_a_damaged_entry_is_built_anew(article: Path, own_cache: Path) -> None:
    first = build(article)
    (entry,) = (own_cache / "texrepair").glob("result-*")
    data = bytearray(entry.read_bytes())
    data[len(data) // 2] ^= 1
    entry.write_bytes(data)
    second = build(article)
    assert not second.cached
    assert second.passes[0].program == first.passes[0].program
    assert build(article).cached


def test_nothing_secret_is_kept(article: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "SECRET-123")
    build(article, api_key="KEY-123", model="cmd:true --key CMD-123")
    kept = b"".join(path.read_bytes() for path in (own_cache / "texrepair").iterdir())
    assert kept
    assert not [secret for secret in (b"SECRET-123", b"KEY-123", b"CMD-123") if secret in kept]


def test_no_program_sees_the_cache(article: Path, own_cache: Path) -> None:
    build(article)
    (entry,) = (own_cache / "texrepair").glob("result-*")
    article.write_text(MAIN.replace("Text.~", f"\\IfFileExists{{{entry}}}{{\\undefinedbecauseseen}}{{hidden}}"))
    assert build(article).ok


def test_an_earlier_result_loads_nothing_slow(article: Path) -> None:
    build(article)
    names = "httpx jinja2 rich texrepair.sandboxes texrepair.rules texrepair.compile.session texrepair.guard"
    probe = (
        "import sys, texrepair\n"
        "assert texrepair.build(sys.argv[1], engine='pdflatex', output=sys.argv[2]).cached\n"
        f"print(sorted(set('{names}'.split()) & set(sys.modules)))"
    )
    command = [sys.executable, "-c", probe, str(article), str(article.parents[1] / "out")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"
