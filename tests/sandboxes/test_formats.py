"""Formats that were decompressed once start every later session, and are only what the system's own files hold."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import texrepair
from texrepair.compile import Session
from texrepair.project import Draft, Project
from texrepair.result import Status
from texrepair.sandboxes import Limits, Sandbox, formats
from texrepair.settings import Settings

pytestmark = pytest.mark.tex

TEXT = "\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n"


def read_by(engine: str) -> tuple[frozenset[str], frozenset[str]]:
    """What an engine reads: as it says, and as a session tells."""
    with Session(Project("main.tex", Draft({"main.tex": TEXT}), engine=engine)) as session:
        assert session.compile(session.project.draft).ok
        return frozenset(name for name in session.read if name.endswith(".fmt")), session.installed


@pytest.mark.parametrize("engine", ["xelatex", "pdflatex", "lualatex"])
def test_the_next_session_takes_it_and_tells_the_systems_own(engine: str) -> None:
    (own,), _ = read_by(engine)
    assert formats.folder() is None
    formats.make(engine)
    folder = formats.folder()
    assert folder is not None
    assert (folder / f"{engine}.fmt").read_bytes() == gzip.decompress(Path(own).read_bytes())
    (kept,), installed = read_by(engine)
    assert kept in {f"{formats.SHOWN}/{engine}.fmt", f"{folder}/{engine}.fmt"}
    assert own in installed
    assert kept not in installed


def test_another_format_of_the_system_is_decompressed_anew() -> None:
    formats.make("pdflatex")
    folder = formats.folder()
    assert folder is not None
    origins = folder / "origins.json"
    told = json.loads(origins.read_text())
    told["pdflatex.fmt"][2] += 1
    origins.write_text(json.dumps(told))
    (folder / "pdflatex.fmt").write_bytes(b"an old one")
    assert formats.folder() is None
    formats.make("pdflatex")
    assert formats.folder() == folder
    assert (folder / "pdflatex.fmt").stat().st_size > 10_000_000


@pytest.mark.parametrize("told", ["", "[]", "[1]", "{", '{"pdflatex.fmt": ["/nowhere.fmt", 1, 1]}'])
def test_a_damaged_account_is_none(told: str) -> None:
    formats.make("pdflatex")
    folder = formats.folder()
    assert folder is not None
    (folder / "origins.json").write_text(told)
    assert formats.folder() is None


def test_no_program_may_change_it(protecting: Sandbox) -> None:
    formats.make("pdflatex")
    folder = formats.folder()
    assert folder is not None
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    box = protecting.open({}, Limits())
    try:
        for place in (formats.SHOWN, str(folder)):
            script = f"cp /dev/null {place}/pdflatex.fmt; touch {place}/new; rm -f {place}/pdflatex.fmt"
            box.put({"main.tex": TEXT.encode()}, "run")
            assert box.start(("sh", "-c", script), "run", seconds=20).wait().exit_status is not None
    finally:
        box.close()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_it_is_made_after_the_second_document_if_anything_may_be_kept(tmp_path: Path, unset: None) -> None:
    def build(text: str, **options: object) -> None:
        path = tmp_path / "a.tex"
        path.write_text(TEXT.replace("Text", text))
        settings = Settings(model=None, engine="pdflatex").but(**options)
        assert texrepair.build(path, settings=settings, output=tmp_path / "out").status is Status.SUCCESS

    build("One")
    assert formats.folder() is None
    build("Two", cache=False)
    assert formats.folder() is None
    build("Three")
    assert formats.folder() is not None
