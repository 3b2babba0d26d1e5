"""texrepair and latexmk on the same document, in turns."""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import texrepair

TEXREPAIR = str(Path(sys.executable).with_name("texrepair"))
LATEXMK = ["latexmk", "-xelatex", "-interaction=nonstopmode", "-silent", "main.tex"]
_THINKS = 1.5
"""Seconds between two drafts: a model or a writer takes longer."""


def cold_and_again(source: Path, scratch: Path, runs: int) -> dict[str, float]:
    """The ratios of a first build, and of the same once more."""
    cold, again = [], []
    for number in range(runs):
        mine, theirs, cache = (scratch / f"{source.name}-{kind}{number}" for kind in ("mine", "theirs", "cache"))
        shutil.copytree(source, mine)
        shutil.copytree(source, theirs)
        build = [TEXREPAIR, "build", "main.tex", "--no-llm", "-o", "out"]
        first = _run(build, mine, cache)
        peer = _run(LATEXMK, theirs)
        _must_match(mine / "out/main.pdf", theirs / "main.pdf")
        cold.append(first / peer)
        again.append(_run(build, mine, cache) / peer)
    return {"cold": statistics.median(cold), "again": statistics.median(again)}


def edit_and_check(source: Path, scratch: Path, runs: int) -> dict[str, float]:
    """The ratios of a build after an edit, and of finding an error."""
    edit, check = [], []
    mine, theirs = scratch / f"{source.name}-mine", scratch / f"{source.name}-theirs"
    shutil.copytree(source, mine)
    shutil.copytree(source, theirs)
    text = (source / "main.tex").read_text(encoding="utf-8")
    _run(LATEXMK, theirs)
    project = texrepair.Project.load(mine / "main.tex")
    with texrepair.Session(project) as session:
        session.compile(project.draft)
        for number in range(runs):
            time.sleep(_THINKS)
            draft = project.draft.replace("main.tex", _edited(text, f"\\nowherehere{chr(97 + number)} {number}"))
            at = time.perf_counter()
            found = session.check(draft)
            checked = time.perf_counter() - at
            if not any("Undefined control sequence" in error.message for error in found.errors):
                raise SystemExit(f"the error in {source.name} was not found")
            time.sleep(_THINKS)
            right = _edited(text, f"Edit {number}")
            at = time.perf_counter()
            result = session.compile(project.draft.replace("main.tex", right))
            compiled = time.perf_counter() - at
            (theirs / "main.tex").write_text(right, encoding="utf-8")
            peer = _run(LATEXMK, theirs)
            if result.pdf is None:
                raise SystemExit(f"{source.name} did not compile: {result.errors}")
            _must_match(result.pdf, theirs / "main.pdf")
            check.append(checked / peer)
            edit.append(compiled / peer)
    return {"edit": statistics.median(edit), "check": statistics.median(check)}


def batch(sources: Sequence[Path], scratch: Path) -> float:
    """The ratio of building three versions of each document on two cores."""
    mine, theirs = scratch / "batch-mine", scratch / "batch-theirs"
    for source in sources:
        for number in range(3):
            for home in (mine, theirs):
                folder = home / f"{source.name}{number}"
                shutil.copytree(source, folder)
                text = (folder / "main.tex").read_text(encoding="utf-8")
                (folder / "main.tex").write_text(_edited(text, f"Version {number}"), encoding="utf-8")
    inputs = sorted(str(path) for path in mine.glob("*/main.tex"))
    command = [TEXREPAIR, "batch", *inputs, "--no-llm", "--jobs", "2", "-o", str(scratch / "batch-out")]
    ours = _run(command, mine, scratch / "batch-cache")
    folders = "".join(f"{path.parent}\n" for path in sorted(theirs.glob("*/main.tex")))
    spread = ["xargs", "-P2", "-I{}", *LATEXMK[:-1], "-cd", "{}/main.tex"]
    began = time.perf_counter()
    subprocess.run(spread, input=folders.encode(), capture_output=True, check=True)
    peer = time.perf_counter() - began
    for folder in sorted(theirs.iterdir()):
        _must_match(scratch / "batch-out" / folder.name / "main.pdf", folder / "main.pdf")
    return ours / peer


def alone(source: Path, scratch: Path) -> dict[str, float]:
    """What has no peer: megabytes a second of the static rules and of reading a log, and seconds of starting."""
    folder = scratch / "alone"
    folder.mkdir()
    head, _, rest = (source / "main.tex").read_text(encoding="utf-8").partition("\\begin{document}")
    body = rest.rpartition("\\end{document}")[0]
    text = f"{head}\\begin{{document}}{body * (1 + 1_000_000 // len(body))}\\end{{document}}\n"
    (folder / "main.tex").write_text(text, encoding="utf-8")
    log = "".join(
        f"./part{n % 7}.tex:{n}: Undefined control sequence.\nl.{n} \\foo\n          {{x}}\n\n"
        f"Overfull \\hbox (1.{n}pt too wide) in paragraph at lines {n}--{n + 2}\n []\\TU/lmr/m/n/10 text\n\n"
        for n in range(40_000)
    )
    (folder / "main.log").write_text(log, encoding="utf-8")

    def start(*arguments: str) -> float:
        return min(_run([sys.executable, *arguments], folder) for _ in range(5))

    bare = start("-c", "pass")
    return {
        "sanitize": len(text) / 1e6 / _run([TEXREPAIR, "sanitize", "main.tex"], folder),
        "diagnose": len(log) / 1e6 / _run([TEXREPAIR, "diagnose", "main.log", "--json"], folder),
        "import": start("-c", "import texrepair") - bare,
        "version": start(TEXREPAIR, "--version") - bare,
    }


def _run(command: Sequence[str], folder: Path, cache: Path | None = None) -> float:
    """Run a command that has to succeed; its seconds."""
    environment = dict(os.environ) if cache is None else {**os.environ, "XDG_CACHE_HOME": str(cache)}
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, env=environment)
    seconds = time.perf_counter() - began
    if done.returncode:
        said = (done.stdout[-1500:] + done.stderr[-1500:]).decode("utf-8", "replace")
        raise SystemExit(f"{' '.join(command)} in {folder} exited {done.returncode}\n{said}")
    return seconds


def _edited(text: str, words: str) -> str:
    head, mark, tail = text.rpartition("\\end{document}")
    return f"{head}\n{words} stands here.\n{mark}{tail}"


def _must_match(mine: Path, theirs: Path) -> None:
    if _text(mine) != _text(theirs):
        raise SystemExit(f"the texts of {mine} and {theirs} differ: a fast wrong PDF does not count")


def _text(pdf: Path) -> str:
    done = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, check=True)
    return re.sub(r"\s+", " ", done.stdout.decode("utf-8", "replace"))
