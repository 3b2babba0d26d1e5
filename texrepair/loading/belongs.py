"""What belongs to a project: what its files refer to, and which kinds of file lie beside a document for its sake."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

EDITABLE = frozenset(
    "tex ltx latex bib cls sty bst def cfg clo fd ldf tikz pgf bbx cbx lbx dbx bbl ins dtx ist gst lua".split()
)
"""Endings of text files that TeX, BibTeX or biber reads as code: these make up the draft."""

_PICTURES = "png jpg jpeg pdf eps ps mps svg gif bmp jp2 webp tif tiff bb xbb".split()
_FONTS = "ttf otf ttc pfb pfm tfm vf afm enc map pfa".split()
_DATA = "csv tsv dat txt json xml yaml yml table asy pygtex pygstyle minted".split()
KNOWN = EDITABLE | frozenset(_PICTURES + _FONTS + _DATA)
"""Endings of files that are taken along from below the main file's folder without being referred to."""

GENERATED = frozenset(
    "aux toc lof lot lol loa out log blg bcf fls fdb_latexmk xdv dvi synctex idx ind ilg glo gls glg glsdefs acn acr "
    "alg nav snm vrb thm brf mtc maf xref 4ct 4tc tmp lg idv run.xml synctex.gz auxlock upa upb bbl".split()
)
"""Endings of files that a TeX run writes."""

_VERSION_CONTROL = frozenset({"CVS", "__MACOSX", "node_modules", "__pycache__"})

RUN_COMMANDS = frozenset({"latexmkrc", ".latexmkrc", "biber.conf", ".biber.conf", "texmf.cnf", "texmfcnf.lua"})
"""Files that would steer a program of the chain: never taken along, and said to be left out."""

SHIPPED_BIBLIOGRAPHIES = frozenset({"IEEEabrv.bib", "IEEEfull.bib", "biblatex-examples.bib", "xampl.bib"})
"""Bibliographies that TeX Live brings (bibtex/bib)."""

RUN_LOG_HEAD = b'{\n "texrepair":'
"""How a run.json of ours begins."""


def ending(path: str) -> str:
    """The file's ending in lower case, without the dot."""
    name = path.rpartition("/")[2]
    if name.endswith((".run.xml", ".synctex.gz")):
        return name.partition(".")[2].lower()
    return name.rpartition(".")[2].lower() if "." in name else ""


def hidden(path: str) -> bool:
    """Whether a folder of the path, or the file, is hidden or belongs to version control or to texrepair."""
    parts = path.split("/")
    return any(part.startswith(".") and part != ".." for part in parts) or any(
        part in _VERSION_CONTROL or part.endswith(".texrepair") for part in parts[:-1]
    )


def oddity(path: str) -> str | None:
    """Why no file of such a name is laid before a TeX engine, or None: what the chain could read as something else."""
    for part in path.split("/"):
        if part.startswith("-"):
            return "its name begins with a hyphen, as options do"
        if len(part.encode("utf-8", "surrogateescape")) > 200:
            return "its name is longer than 200 bytes"
    for character in path:
        if character in "\u200c\u200d":
            continue  # Persian, Indic scripts and emoji need them.
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            return "its name holds a control or invisible character"
        if character in '"$`|;<>\\*?':
            return f"its name holds {character}"
    return None


def own_output(path: str, main: str) -> bool:
    """Whether an earlier run of TeX or texrepair on the main file made it."""
    stem = str(PurePosixPath(main).with_suffix(""))
    return path in (f"{stem}.pdf", f"{stem}-blx.bib", f"{stem}-export.zip") or path.endswith(".orig")


# What each command reads: the endings that it adds to a name without one.
_READS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("input", "include", "subfile", "InputIfFileExists", "loadglsentries", "includestandalone"), (".tex",)
    ),
    **dict.fromkeys(("import", "subimport", "inputfrom", "includefrom", "subincludefrom", "subinputfrom"), (".tex",)),
    **dict.fromkeys(("bibliography", "addbibresource", "addglobalbib", "addsectionbib"), (".bib",)),
    "bibliographystyle": (".bst",),
    **dict.fromkeys(("documentclass", "LoadClass", "LoadClassWithOptions"), (".cls",)),
    **dict.fromkeys(("usepackage", "RequirePackage", "RequirePackageWithOptions"), (".sty",)),
    "usetheme": (".sty",),
    **dict.fromkeys(("includegraphics", "includesvg"), (".pdf", ".png", ".jpg", ".jpeg", ".eps", ".svg", ".mps")),
    "includepdf": (".pdf",),
    **dict.fromkeys(("lstinputlisting", "verbatiminput", "VerbatimInput", "inputminted", "pygment"), ()),
    **dict.fromkeys(("csvreader", "csvautotabular", "DTLloaddb", "pgfplotstableread", "pgfplotstabletypeset"), ()),
}
_READING = re.compile(
    r"\\(" + "|".join(sorted(_READS, key=len, reverse=True)) + r")(?![A-Za-z@])\*?"
    r"\s*(?:\[[^\[\]]*\]\s*)*(?:\{([^{}]*)\}|([^\s{}\[\\%]+))(?:\s*\{([^{}]*)\})?"
)
# A whole group or value that looks like a file's name: \addplot table {data/run.dat}, [Path=fonts/, file=a.ttf]
_NAMED = re.compile(r"[{=]\s*\"?([^\s{}\[\]=,\"%\\#$]+\.[A-Za-z][A-Za-z0-9]{0,7})\"?\s*[},\]]")
_GRAPHICS_PATH = re.compile(r"\\graphicspath\s*\{((?:\s*\{[^{}]*\})+)\s*\}|\\graphicspath\s*\{([^{}]*)\}")
_FILE_CONTENTS = re.compile(r"\\begin\s*\{filecontents\*?\}\s*(?:\[[^\[\]]*\])?\s*\{([^{}]*)\}")
_BIBLIOGRAPHY = re.compile(r"\\(?:bibliography|addbibresource)\s*(?:\[[^\[\]]*\]\s*)?\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Reference:
    """A file that a document reads."""

    names: tuple[str, ...]
    """As the document writes it: the names to try, in order."""
    code: bool = False
    """Whether TeX reads it as code, whatever its ending."""
    certain: bool = True
    """False for what only looks like a file's name."""


def references(text: str) -> Iterator[Reference]:
    """What a file without its comments refers to."""
    folders = [
        folder
        for match in _GRAPHICS_PATH.finditer(text)
        for folder in re.findall(r"[^{}]+", match[1] or match[2])
        if folder.strip()
    ]
    for match in _READING.finditer(text):
        command, endings = match[1], _READS[match[1]]
        first, second = match[2] or match[3] or "", match[4] or ""
        if command in ("import", "subimport", "inputfrom", "includefrom", "subincludefrom", "subinputfrom"):
            names = [f"{first.strip()}/{second.strip()}"]
        elif command in ("inputminted", "pygment"):
            names = [second]
        else:
            names = first.split(",") if endings else [first]
        for name in names:
            name = name.strip().strip('"').strip()
            if not name or len(name) > 500:
                continue
            tried = [name, *(name + ending for ending in endings)]
            if command == "usetheme":
                tried = [f"beamertheme{name}.sty"]
            if command == "includegraphics":
                tried += [f"{folder.strip()}/{one}" for folder in folders for one in tried]
            yield Reference(tuple(tried), code=".tex" in endings)
    for match in _NAMED.finditer(text):
        yield Reference((match[1],), certain=False)


def bibliographies(text: str) -> frozenset[str]:
    """The .bib files that a file without its comments names and does not itself write with filecontents."""
    written = {match[1].strip() for match in _FILE_CONTENTS.finditer(text)}
    named = (name.strip() for match in _BIBLIOGRAPHY.finditer(text) for name in match[1].split(","))
    return frozenset(name if name.endswith(".bib") else f"{name}.bib" for name in named if name) - written
