"""The files of TeX trees that LaTeX can load, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_FOLDERS = ("latex", "generic", "xelatex", "lualatex", "luatex", "xetex")
"""The folders of texmf/tex whose files LaTeX documents load, in the order in which they win over each other."""
_TEXTS = frozenset({".sty", ".cls", ".def", ".ltx", ".tex", ".cfg", ".clo", ".ldf", ".lbx", ".bbx", ".cbx", ".fd"})
_SKIPPED = frozenset({"latex-dev"})


@dataclass
class Tree:
    """Paths by file name; the first of the roots that has a file wins, as kpathsea does it."""

    roots: tuple[Path, ...]
    files: dict[str, Path] = field(default_factory=dict)
    folders: dict[Path, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for root in self.roots:
            for folder in _FOLDERS:
                for path in sorted((root / "tex" / folder).rglob("*")):
                    if path.suffix in _TEXTS and not _SKIPPED & set(path.parts) and path.name not in self.files:
                        self.files[path.name] = path
                        self.folders.setdefault(path.parent, []).append(path.name)

    def named(self, ending: str) -> Iterator[tuple[str, Path]]:
        """Stem and path of all files with that ending, sorted by name."""
        for name in sorted(self.files):
            if name.endswith(ending):
                yield name.removesuffix(ending), self.files[name]

    def others(self, pattern: str) -> list[str]:
        """Stems of the files that match the glob pattern, relative to the roots (bibtex/bst/**/*.bst)."""
        return sorted({path.stem for root in self.roots for path in root.glob(pattern)})


def text_of(path: Path) -> str:
    """The file's text; bytes that are not UTF-8 are read as Latin-1, which keeps every ASCII name."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def texts_below(folders: Iterable[Path]) -> Iterator[Path]:
    """All .tex and .ltx files below the folders: documents that show how commands are used."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".tex", ".ltx"} and path.is_file():
                yield path
