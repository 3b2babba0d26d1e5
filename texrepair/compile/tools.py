"""The programs between two passes: bibtex, biber, makeindex, makeglossaries. Each runs only when its input changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from texrepair.compile.layout import SAFE

_BIBTEX_READS = re.compile(rb"^\\(citation|bibdata|bibstyle|@input)\{([^{}]*)\}", re.M)
_MOST_AUX_FILES = 500
_INDEX_STYLE = re.compile(r"runsystem\(makeindex\b[^()\n]*?-s\s+([^\s()]+)[^()\n]*?\s([^\s()]+?)(?:\.idx)?\)")
_READS_SYSTEM_STYLES = {"openin_any": "a"}
"""With `p`, makeindex refuses the styles of TeX Live: it asks about the path that it has found, which is absolute."""

_GLOSSARY = re.compile(rb"^\\@newglossary\{[^{}]*\}\{[^{}]*\}\{([^{}]*)\}\{([^{}]*)\}", re.M)


@dataclass(frozen=True, slots=True)
class Job:
    """One call of one program."""

    program: str
    arguments: tuple[str, ...]
    needs: bytes
    """What it reads of what the pass wrote: it runs again only if this changes."""
    makes: tuple[str, ...]
    """What the next pass will read."""
    report: str
    """Its log."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """What its environment needs."""

    @property
    def command(self) -> tuple[str, ...]:
        return (self.program, *self.arguments)

    @property
    def key(self) -> tuple[str, ...]:
        """Which job it is, whatever its input."""
        return self.command


def jobs(job: str, written: Mapping[str, bytes], log: str) -> Iterator[Job]:
    """What has to run after a pass, in this order: bibliography, glossaries, indexes.

    `written` holds what the pass wrote, by name; `log` is its log. Names come from the document: those that may not
    stand on a command line are left alone.
    """
    yield from _bibliography(job, written)
    yield from _glossaries(job, written)
    yield from _indexes(job, written, log)


def _bibliography(job: str, written: Mapping[str, bytes]) -> Iterator[Job]:
    if f"{job}.bcf" in written:
        # A biber.conf in the folder would be obeyed: it can name programs and output files.
        yield Job("biber", ("--noconf", job), written[f"{job}.bcf"], (f"{job}.bbl",), f"{job}.blg")
        return
    for name, data in written.items():
        stem = name.removesuffix(".aux")
        if stem == name or b"\\bibdata" not in data or not _safe(stem):
            continue
        yield Job("bibtex", (stem,), _for_bibtex(name, written), (f"{stem}.bbl",), f"{stem}.blg")


def _for_bibtex(name: str, written: Mapping[str, bytes]) -> bytes:
    """What bibtex makes of an .aux file and those that it reads: the keys in order, each once; data, style.

    To these come databases and styles that the pass itself has written.
    """
    found: dict[tuple[bytes, bytes], None] = {}
    visited: set[str] = set()

    def visit(name: str) -> None:
        visited.add(name)
        for command, argument in _BIBTEX_READS.findall(written.get(name, b"")):
            if command == b"@input":
                other = argument.decode("utf-8", "surrogateescape")
                if other not in visited and len(visited) < _MOST_AUX_FILES:
                    visit(other)
            else:
                found.update(dict.fromkeys((command, key) for key in argument.split(b",")))

    visit(name)
    lines = sorted((b"\\%s{%s}" % one for one in found), key=lambda line: line.startswith(b"\\citation"))
    own = (b"%s:%s" % (path.encode("utf-8", "surrogateescape"), data) for path, data in sorted(written.items()) if
           path.endswith((".bib", ".bst")))  # fmt: skip
    return b"\n".join([*lines, *own])


def _glossaries(job: str, written: Mapping[str, bytes]) -> Iterator[Job]:
    pairs = [(out.decode("ascii", "replace"), into.decode("ascii", "replace")) for out, into in
             _GLOSSARY.findall(written.get(f"{job}.aux", b""))]  # fmt: skip
    full = [(f"{job}.{out}", f"{job}.{into}") for out, into in pairs]
    read = b"\n".join(written.get(entries, b"") for _, entries in full)
    if read.strip():
        yield Job("makeglossaries", (job,), read, tuple(name for name, _ in full), f"{job}.glg")


def _indexes(job: str, written: Mapping[str, bytes], log: str) -> Iterator[Job]:
    # With shell escape off, imakeidx tells in the log what it would have run.
    styles = {stem: style for style, stem in _INDEX_STYLE.findall(log)}
    for name, data in written.items():
        stem = name[:-4]
        if not data.strip() or not _safe(stem):
            continue
        if name.endswith(".idx"):
            style = ("-s", styles[stem]) if _safe(styles.get(stem, "")) else ()
            made = (f"{stem}.ind", f"{stem}.ilg")
        elif name.endswith(".nlo"):
            style, made = ("-s", "nomencl.ist"), (f"{stem}.nls", f"{stem}.ilg")
        else:
            continue
        arguments = (*style, "-t", made[1], "-o", made[0], name)
        yield Job("makeindex", arguments, data, made[:1], made[1], _READS_SYSTEM_STYLES)


def _safe(path: str) -> bool:
    return all(SAFE.match(part) for part in path.split("/"))
