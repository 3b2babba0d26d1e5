"""The shared corpus beside the checkout, for tests with the marker `corpus`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from texrepair.project import Draft

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "corpus"
_TEXTS = {".tex", ".bib", ".cls", ".sty", ".ltx", ".def", ".cfg", ".tikz", ".bbl", ".csv", ".dat", ".txt"}
_PICTURES = {".png", ".jpg", ".jpeg", ".pdf", ".eps"}

needed = pytest.mark.skipif(not FOLDER.is_dir(), reason="the shared corpus does not lie beside the checkout")


class CorpusCase(NamedTuple):
    name: str
    main: str
    broken: Draft
    fixed: Draft
    """The expert's repair, laid over the broken draft."""
    assets: dict[str, Path]


def cases() -> Iterator[CorpusCase]:
    """Every case of the development set."""
    for folder in sorted((FOLDER / "dev").iterdir()):
        spec = json.loads((folder / "case.json").read_text())
        broken = _texts(folder)
        fixed = broken | (_texts(folder / "fixed") if (folder / "fixed").is_dir() else {})
        assets = {str(p.relative_to(folder)): p for p in _files(folder) if p.suffix.lower() in _PICTURES}
        yield CorpusCase(folder.name, spec.get("main", "main.tex"), Draft(broken), Draft(fixed), assets)


def _files(folder: Path) -> Iterator[Path]:
    return (p for p in sorted(folder.rglob("*")) if p.is_file() and p.relative_to(folder).parts[0] != "fixed")


def _texts(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_bytes().decode("utf-8", "surrogateescape")
        for path in _files(folder)
        if path.suffix in _TEXTS
    }
