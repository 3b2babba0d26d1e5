"""How commonly packages are loaded and commands used, counted in the documents that packages bring as documentation.

Documentation is no fair sample (every package's own manual loads it), so each folder counts once, and the hundred and
fifty packages that everybody uses stand in a table made by hand, most used first.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from naming.tree import text_of, texts_below

PRIOR = tuple(
    """
    article amsmath graphicx hyperref geometry amssymb xcolor inputenc fontenc tikz amsthm booktabs babel listings
    siunitx amsfonts enumitem natbib caption biblatex fancyhdr mathtools multirow cleveref float subcaption array
    fontspec beamer report book tabularx url setspace titlesec microtype algorithm algpseudocode longtable tcolorbox
    pgfplots csquotes lmodern bm ctex parskip lipsum color graphics wrapfig textcomp appendix multicol pdfpages
    makecell ulem colortbl soul mhchem physics verbatim adjustbox algorithmic algorithm2e cancel xspace times
    etoolbox polyglossia unicode-math minted footmisc threeparttable glossaries tocloft todonotes calc pdflscape
    rotating dsfont mathrsfs xparse scrartcl scrreprt scrbook memoir IEEEtran llncs elsarticle acmart revtex4-2
    standalone moderncv letter exam lineno fancyvrb xeCJK ctexart ctexrep ctexbook tikz-cd circuitikz chemfig
    nicefrac xfrac esint stmaryrd wasysym pifont marvosym eurosym fontawesome5 mathptmx palatino helvet courier
    txfonts newtxtext newtxmath libertine cite subfig authblk titling abstract ragged2e changepage needspace
    afterpage placeins import subfiles tabulary diagbox arydshln dcolumn hhline ltablex xltabular tabularray
    nicematrix thmtools ntheorem mdframed framed empheq cases braket commath acronym nomencl makeidx imakeidx
    datetime2 comment ifthen xstring pgf pgfplotstable forest tikzscale bbm gensymb textgreek upgreek tipa dirtytalk
    epigraph lettrine blindtext kantlipsum relsize scalerel accents mathdots mathabx oldgerm yfonts marginnote
    sidenotes flushend balance stfloats cuted bbding enumerate paralist mdwlist tasks epstopdf eso-pic background
    draftwatermark textpos luacode lscape vmargin anysize fullpage indentfirst sectsty titletoc minitoc chngcntr
    totcount lastpage varioref nameref hyperxmp bookmark breakurl doi apacite chicago harvard bibentry chapterbib
    multibib backref cprotect fvextra alltt moreverb spverbatim mathpazo fourier kpfonts charter bookman stix2 xits
    txgreeks extsizes scrlayer-scrpage scrextend tkz-euclide tkz-tab pst-all pstricks
    """.split()
)

_LOAD = re.compile(r"\\(?:usepackage|RequirePackage|documentclass|LoadClass)\s*(?:\[[^\]]*\])?\s*\{([^{}\\#]+)\}")
_COMMAND = re.compile(r"\\([^\W\d_]+)")
_BEGIN = re.compile(r"\\begin\s*\{([^{}\\#]+)\}")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")


@dataclass
class Counts:
    """In how many folders of documents each was seen."""

    packages: Counter[str] = field(default_factory=Counter)
    commands: Counter[str] = field(default_factory=Counter)
    environments: Counter[str] = field(default_factory=Counter)

    def popularity(self, package: str) -> int:
        """0 to 99."""
        counted = min(44, round(6 * math.log2(1 + self.packages[package])))
        if package in _RANK:
            return max(45, 99 - _RANK[package] // 4)
        return counted


_RANK = {name: rank for rank, name in reversed(list(enumerate(PRIOR)))}


def frequency(count: int) -> int:
    """0 to 99 from a number of folders: logarithmic, 99 from about two thousand on."""
    return min(99, round(9 * math.log2(1 + count)))


def counted(documents: Iterable[Path], styles: Iterable[Path]) -> Counts:
    """The counts over the documents below those folders; what styles load counts for packages too."""
    counts = Counts()
    seen: dict[Path, tuple[set[str], set[str], set[str]]] = {}
    for path in texts_below(documents):
        text = _COMMENT.sub("", text_of(path))
        packages, commands, environments = seen.setdefault(path.parent, (set(), set(), set()))
        packages.update(_loaded(text))
        commands.update(_COMMAND.findall(text))
        environments.update(name.strip() for name in _BEGIN.findall(text))
    for packages, commands, environments in seen.values():
        counts.packages.update(packages)
        counts.commands.update(commands)
        counts.environments.update(environments)
    folders: dict[Path, set[str]] = {}
    for path in styles:
        folders.setdefault(path.parent, set()).update(_loaded(_COMMENT.sub("", text_of(path))))
    for loaded in folders.values():
        counts.packages.update(loaded)
    return counts


def _loaded(text: str) -> set[str]:
    return {name.strip() for names in _LOAD.findall(text) for name in names.split(",") if name.strip()}
