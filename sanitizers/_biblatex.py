"""What biblatex offers by name (its manual, 3.1 and 3.3, and the styles of TeX Live), and how a document loads it."""

from __future__ import annotations

from texrepair.latex import Package, Source
from texrepair.rules import Case

from ._needs import loads

STYLES = frozenset(
    """
    numeric numeric-comp numeric-verb alphabetic alphabetic-verb authoryear authoryear-comp authoryear-ibid
    authoryear-icomp authortitle authortitle-comp authortitle-ibid authortitle-icomp authortitle-terse authortitle-tcomp
    authortitle-ticomp verbose verbose-ibid verbose-note verbose-inote verbose-trad1 verbose-trad2 verbose-trad3 reading
    draft debug apa apa6 ieee ieee-alphabetic acmnumeric acmauthoryear chem-acs chem-angew chem-biochem chem-rsc
    chicago-authordate chicago-notes nature science nejm mla mla-new mla-strict mla7 phys vancouver trad-abbrv
    trad-alpha trad-plain trad-unsrt iso-authoryear iso-numeric iso-alphabetic gb7714-2015 gb7714-2015ay gost-numeric
    gost-authoryear abnt abnt-numeric lncs oscola sbl unified bath historian windycity philosophy-classic
    philosophy-modern philosophy-verbose ext-authoryear ext-authoryear-comp ext-numeric ext-numeric-comp ext-authortitle
    ext-alphabetic ext-verbose authortitle-dw footnote-dw gb7714-1987 iso-authortitle nwejm emisa LNI
    """.split()
)
OPTIONS = frozenset(
    """
    style citestyle bibstyle natbib mcite backend sorting sortcase sortupper sortlocale sortcites sortsets related
    sortfirstinits maxnames minnames maxbibnames minbibnames maxcitenames mincitenames maxsortnames minsortnames
    maxalphanames minalphanames maxitems minitems autocite autopunct language clearlang autolang block notetype hyperref
    backref backrefstyle backrefsetstyle indexing loadfiles refsection refsegment citereset abbreviate date labeldate
    dateabbrev urldate origdate eventdate alldates datecirca dateera dateuncertain datezeros timezeros timezones seconds
    defernumbers punctfont arxiv texencoding bibencoding safeinputenc bibwarn mincrossrefs minxrefs giveninits isbn
    terseinits useauthor useeditor usetranslator useprefix indexing doi eprint url labelalpha labelnamefield
    labelnumber labeltitle labeltitleyear labeldateparts noroman singletitle skipbib skipbiblist skiplab uniquelist
    uniquename uniquetitle uniquework uniquebaretitle uniqueprimaryauthor refcontext debug dashed subentry pagetracker
    ibidtracker idemtracker opcittracker loccittracker citetracker citecounter trackfloats parentracker maxparens
    firstinits mergedate pluralothers dateusetime julian gregorianstart casechanger bibtexcaseprotection
    """.split()
)


def load_of(case: Case) -> tuple[str, Source, Package] | None:
    """The call that loads biblatex, with the file that it stands in."""
    return next((call for call in loads(case) if call[2].name == "biblatex"), None)
