"""The knowledge base of names: the package that people load comes first, a misspelt name finds its way back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.latex import names
from texrepair.latex.conflicts import CONFLICTS, ENGINES, ORDERS
from texrepair.latex.facts import conflicting, engines_of, graphics_endings, misordered, moved
from texrepair.latex.moved import MOVED
from texrepair.latex.preferences import PREFERRED, SYNONYMS
from texrepair.latex.spelling import distance
from texrepair.latex.tables import CODES, owner_table


def _pairs(table: str) -> list[tuple[str, str]]:
    """`head: word word` lines as (word, head)."""
    lines = (line.partition(":") for line in table.strip().splitlines())
    return [(word, head.strip()) for head, _, words in lines for word in words.split()]


COMMANDS = _pairs(
    r"""
    booktabs: toprule midrule bottomrule cmidrule addlinespace
    graphicx: includegraphics graphicspath rotatebox scalebox resizebox
    amssymb: mathbb mathfrak checkmark therefore leqslant varnothing blacksquare lesssim
    amsmath: text dfrac tfrac binom boldsymbol operatorname DeclareMathOperator intertext substack overset iint eqref
        tag xrightarrow numberwithin allowdisplaybreaks
    mathtools: coloneqq DeclarePairedDelimiter prescript mathclap xleftrightarrow
    siunitx: SI si num ang sisetup DeclareSIUnit unit qtyrange
    hyperref: href autoref hypersetup texorpdfstring hypertarget phantomsection
    xcolor: textcolor definecolor colorlet rowcolors rowcolor cellcolor
    natbib: citep citet citealp citeyearpar bibpunct
    biblatex: parencite textcite autocite printbibliography addbibresource footcite
    multirow: multirow
    csquotes: enquote blockquote
    mhchem: ce
    chemfig: chemfig
    listings: lstinline lstset lstinputlisting lstdefinestyle
    minted: mintinline setminted inputminted
    cleveref: cref Cref crefname
    xfrac: sfrac
    nicefrac: nicefrac
    cancel: cancel bcancel xcancel cancelto
    bm: bm
    mathrsfs: mathscr
    dsfont: mathds
    stmaryrd: llbracket rrbracket
    esint: oiint
    slashed: slashed
    physics: pdv dv
    braket: ket bra
    algpseudocode: State Procedure Require
    algorithmic: STATE ENDIF
    algorithm2e: KwIn KwResult SetAlgoLined SetKwInOut
    ulem: sout uline uwave
    soul: hl
    subcaption: subcaptionbox
    subfig: subfloat
    caption: captionsetup captionof
    gensymb: degree
    pifont: ding
    eurosym: euro
    fontspec: setmainfont setsansfont newfontfamily
    unicode-math: setmathfont
    xeCJK: setCJKmainfont
    ctex: ctexset zihao
    babel: foreignlanguage selectlanguage
    polyglossia: setmainlanguage setotherlanguage
    tikz: tikz usetikzlibrary tikzset
    pgfplots: addplot pgfplotsset
    tcolorbox: newtcolorbox tcbset tcbuselibrary
    circuitikz: ctikzset
    amsthm: theoremstyle qedhere
    thmtools: declaretheorem
    enumitem: setlist newlist
    geometry: newgeometry
    fancyhdr: fancyhead fancyfoot lhead
    setspace: doublespacing onehalfspacing setstretch
    titlesec: titleformat titlespacing
    placeins: FloatBarrier
    ragged2e: justifying RaggedRight
    lipsum: lipsum
    todonotes: todo missingfigure
    xspace: xspace
    ifthen: ifthenelse
    etoolbox: patchcmd newtoggle
    glossaries: gls newglossaryentry newacronym makeglossaries printglossaries
    acronym: ac acrodef
    nomencl: nomenclature
    adjustbox: adjustbox
    pdfpages: includepdf
    subfiles: subfile
    import: import
    lettrine: lettrine
    marginnote: marginnote
    authblk: affil
    lineno: linenumbers
    makecell: makecell thead
    diagbox: diagbox
    arydshln: hdashline
    makeidx: printindex
    fontawesome5: faIcon faGithub
    xstring: StrSubstitute
    tipa: textipa
    beamer: frametitle usetheme pause setbeamertemplate
    IEEEtran: IEEEPARstart IEEEauthorblockN
    acmart: ccsdesc
    moderncv: cventry
    letter: opening closing
    memoir: chapterstyle
    scrartcl: KOMAoptions
    exam: question
    epigraph: epigraph
    pstricks: psset rput
""".replace("\n        ", " ")
)

ENVIRONMENTS = _pairs("""
    amsmath: align align* gather multline cases pmatrix bmatrix aligned split equation* subequations
    mathtools: dcases
    amsthm: proof
    listings: lstlisting
    minted: minted
    fancyvrb: Verbatim
    algorithm: algorithm
    algpseudocode: algorithmic
    tikz: tikzpicture
    pgfplots: axis
    tikz-cd: tikzcd
    circuitikz: circuitikz
    tcolorbox: tcolorbox
    mdframed: mdframed
    tabularx: tabularx
    tabulary: tabulary
    longtable: longtable
    tabularray: tblr
    threeparttable: threeparttable tablenotes
    subcaption: subfigure subtable
    wrapfig: wrapfigure
    rotating: sidewaystable sidewaysfigure
    pdflscape: landscape
    multicol: multicols
    setspace: spacing
    changepage: adjustwidth
    comment: comment
    beamer: frame block columns
    ragged2e: justify
    CJKutf8: CJK
    exam: questions
""")


@pytest.mark.parametrize(("command", "package"), COMMANDS)
def test_the_package_that_people_load_for_a_command_comes_first(command: str, package: str) -> None:
    assert names.packages_defining(command)[:1] == (package,)


@pytest.mark.parametrize(("environment", "package"), ENVIRONMENTS)
def test_the_package_that_people_load_for_an_environment_comes_first(environment: str, package: str) -> None:
    assert names.packages_with_environment(environment)[:1] == (package,)


def test_there_are_enough_facts_to_trust_the_ranking() -> None:
    assert len(COMMANDS) + len(ENVIRONMENTS) >= 200


@pytest.mark.parametrize("command", "section textbf alpha frac newcommand begin item relax hbox makeatletter ,".split())
def test_what_every_document_knows_needs_no_package(command: str) -> None:
    assert command == "section" or names.packages_defining(command) == ()
    assert names.is_known(command, ["article"])


def test_a_class_provides_what_only_it_defines() -> None:
    assert names.is_known("chapter", ["book"])
    assert not names.is_known("chapter", ["article", "amsmath"])
    assert names.is_known("frametitle", ["beamer"])
    assert all(names.is_class(name) for name in ("beamer", "IEEEtran", "acmart", "memoir", "scrbook", "ctexart"))
    assert not names.is_class("booktabs")


def test_what_a_package_loads_counts_as_its_own() -> None:
    assert names.is_known("includegraphics", ["tikz"])
    assert names.is_known("text", ["mathtools"])
    assert names.is_known("href", ["beamer"])
    assert {"amsmath", "amstext"} <= names.loads("mathtools")
    assert {"toprule", "midrule"} <= names.commands_of("booktabs")
    assert {"align", "dcases"} <= names.environments_of("mathtools")


def test_engines_know_their_own_primitives() -> None:
    assert names.is_known("directlua", engine="lualatex")
    assert not names.is_known("directlua", engine="xelatex")
    assert names.is_known("XeTeXinterchartoks", engine="xelatex")
    assert not names.is_known("XeTeXinterchartoks", engine="pdflatex")
    assert names.is_known("pdfoutput", engine="pdflatex")
    assert not names.is_known("pdfoutput", engine="xelatex")
    assert names.is_known("pdfoutput")


def test_kernel_commands_for_package_writers_are_known() -> None:
    for command in ("@ifnextchar", "@ifstar", "tl_set:Nn", "cs_new_protected:Npn", "ProvidesPackage", "ifx", "@gobble"):
        assert names.is_known(command)


def test_environments_are_known_where_they_are_defined() -> None:
    assert names.is_known_environment("itemize")
    assert names.is_known_environment("tabular*")
    assert names.is_known_environment("align", ["amsmath"])
    assert not names.is_known_environment("align", ["article"])


def test_a_name_that_does_not_exist_is_unknown() -> None:
    assert names.packages_defining("thisisnotacommand") == ()
    assert not names.is_known("thisisnotacommand", ["amsmath", "nosuchpackage"])
    assert not names.is_package("nosuchpackage")
    assert names.commands_of("nosuchpackage") == frozenset()


def test_colours_tell_the_option_that_brings_them() -> None:
    assert names.providers("NavyBlue", "colour")[0] == names.Provider("xcolor", option="dvipsnames")
    assert names.providers("DarkSlateGray", "colour")[0].option == "svgnames"
    assert names.packages_with_colour("Chocolate1")[0] == "xcolor"
    assert names.packages_with_colour("teal")[0] == "xcolor"


def test_libraries_tell_what_they_bring() -> None:
    assert names.packages_with_library("positioning") == ("tikz",)
    assert "tcolorbox" in names.packages_with_library("skins")
    assert "pgfplots" in names.packages_with_library("groupplots")
    assert names.Provider("tikz", library="shapes.geometric") in names.providers("trapezium", "shape")
    assert names.Provider("tikz", library="arrows.meta") in names.providers("Stealth", "arrow")
    assert names.Provider("tikz", library="decorations.pathmorphing") in names.providers("snake", "decoration")


def test_names_chosen_by_files_are_known() -> None:
    for name, kind in (
        ("plain", "bibstyle"), ("IEEEtran", "bibstyle"), ("authoryear", "biblatexstyle"), ("french", "language"),
        ("Python", "listing"), ("Madrid", "beamertheme"), ("plain", "theoremstyle"), ("fancy", "pagestyle"),
        ("section", "counter"), ("T1", "encoding"), ("red", "colour"),
    ):  # fmt: skip
        assert names.is_name(name, kind), (kind, name)
    assert not names.is_name("Pyhton", "listing")


def test_options_of_packages_are_known() -> None:
    assert {"table", "dvipsnames"} <= names.options_of("xcolor")
    assert {"margin", "a4paper"} <= names.options_of("geometry")
    assert {"twocolumn", "12pt"} <= names.options_of("article")
    assert "colorlinks" in names.options_of("hyperref")
    assert "xcolor" in names.packages_with_option("dvipsnames")


@pytest.mark.parametrize(
    ("command", "takes"),
    _pairs(
        """
        m: textbf emph footnotemark mathbb url
        om: sqrt footnote cite
        som: section caption
        mm: frac binom setlength
        soom: includegraphics
        omm: href textcolor rule qty
        mmm: multicolumn
    """.replace("footnotemark ", "")
    ),
)
def test_commands_tell_what_they_take(command: str, takes: str) -> None:
    assert names.arguments_of(command) == takes


def test_what_a_command_takes_is_not_guessed() -> None:
    assert names.arguments_of("thisisnotacommand") is None
    assert names.arguments_of("SI", "siunitx") == "omom"
    assert names.arguments_of("SI", "booktabs") is None


MISSPELT = _pairs("""
    textbf: textbff texbf textfb textbg tetxbf Textbf
    textit: textti texit textiit
    emph: emhp empf
    includegraphics: inculdegraphics includegraphic inlcudegraphics includgraphics includegrpahics
    begin: begn bgein beign begiin
    end: edn
    section: secton sectoin setion sction Section
    subsection: subsecton subsectoin sbsection subsetion
    subsubsection: subsubsecton
    chapter: chpater chapteer
    alpha: alhpa aplha alfa
    beta: btea
    gamma: gmama gama
    lambda: lamda lambada
    epsilon: epislon epsilom
    sigma: simga
    omega: omgea
    frac: farc frca
    sqrt: sqrrt sqart
    sum: smu
    infty: infity inftyy
    partial: parital partail
    leftarrow: leftarow
    rightarrow: rigtharrow rightarow rigtarrow
    Rightarrow: Rigtharrow
    label: lable labl
    ref: rfe
    cite: ctie
    caption: captoin capiton caotion
    footnote: footnoe fotnote foonote
    item: itme itemm
    centering: cenetring centring centerring
    maketitle: maketitel makettile maketilte
    tableofcontents: tableofcontent tableofconents tabelofcontents
    bibliography: bibliograhpy bibligraphy biblography
    bibliographystyle: bibliograpystyle bibliographysytle
    newcommand: newcomand newcommnad
    renewcommand: renewcomand
    usepackage: usepackge usepacakge
    documentclass: documnetclass doumentclass
    hspace: hsapce
    vspace: vpsace vspce
    noindent: noident noindnet
    textwidth: textwdith textwith
    linewidth: linewdith
    underline: undeline underlin
    overline: overlien
    multicolumn: mulitcolumn multicolum
    hline: hlien hlin
    newpage: newpgae
    clearpage: claerpage
    appendix: appendx apendix
    cdots: cdtos
    ldots: ldtos
    mathbf: mahtbf mathfb
    mathrm: mathmr mathrn
    left: lfet
    right: rihgt rigth
    times: tmies
    cdot: cdto
    thanks: thnaks
    author: auhtor
    title: titel
    date: daet
    large: lagre
    texttt: textt textttt
""")

MISSPELT_WITH_PACKAGES = _pairs("""
    mathbb: mahtbb mathb matbb
    toprule: topprule torule tooprule
    midrule: midruel mdirule
    bottomrule: botomrule bottomrul
    href: hreff
    textcolor: textcolr texcolor txetcolor
    citep: citpe
    multirow: mutlirow multirw
    lstinline: lstinlne
    operatorname: operatornmae operatorame
    boldsymbol: boldsymbl boldsybmol
    dfrac: dfarc
    eqref: eqerf
    cref: creff
    subcaption: subcpation
    tikzset: tikzest
    rowcolor: rowcolr
""")

LOADED = (
    "article amsmath amssymb booktabs hyperref xcolor natbib multirow listings cleveref subcaption tikz colortbl"
).split()

MISSPELT_ENVIRONMENTS = _pairs("""
    itemize: itemze itmeize itemizee itemise
    enumerate: enumerat enumarate enumerte
    equation: equaton eqution equatoin
    tabular: tabluar tabualr tabulr
    figure: figrue figuer
    table: tabel tabl
    document: documnet docuemnt
    center: cetner centre cneter
    abstract: abstarct
    verbatim: verbatm verabtim
    description: descripton
    quote: qoute
    minipage: minpage minipgae
    thebibliography: thebibliograpy
    align: alignn algin
    lstlisting: lstlistng
    pmatrix: pmatirx
    cases: casse
    tikzpicture: tikzpciture tikzpictre
""")


@pytest.mark.parametrize(("written", "meant"), MISSPELT)
def test_a_misspelt_command_finds_its_way_back(written: str, meant: str) -> None:
    assert names.nearest(written, packages=("report", "graphicx"))[:1] == (meant,)


@pytest.mark.parametrize(("written", "meant"), MISSPELT_WITH_PACKAGES)
def test_a_misspelt_command_of_a_loaded_package_finds_its_way_back(written: str, meant: str) -> None:
    assert names.nearest(written, packages=LOADED)[:1] == (meant,)


@pytest.mark.parametrize(("written", "meant"), MISSPELT_ENVIRONMENTS)
def test_a_misspelt_environment_finds_its_way_back(written: str, meant: str) -> None:
    assert names.nearest(written, "environment", LOADED)[:1] == (meant,)


@pytest.mark.parametrize(
    ("written", "meant", "kind"),
    [
        ("hyperreff", "hyperref", "package"),
        ("grpahicx", "graphicx", "package"),
        ("graphix", "graphicx", "package"),
        ("amsmaths", "amsmath", "package"),
        ("amsmth", "amsmath", "package"),
        ("booktab", "booktabs", "package"),
        ("enumitems", "enumitem", "package"),
        ("siunitxx", "siunitx", "package"),
        ("csquote", "csquotes", "package"),
        ("listing", "listings", "package"),
        ("geomtery", "geometry", "package"),
        ("tixz", "tikz", "package"),
        ("Tikz", "tikz", "package"),
        ("fontsepc", "fontspec", "package"),
        ("articel", "article", "class"),
        ("IEEETran", "IEEEtran", "class"),
        ("beammer", "beamer", "class"),
        ("postioning", "positioning", "tikz"),
        ("arrow.meta", "arrows.meta", "tikz"),
        ("breakble", "breakable", "tcolorbox"),
        ("/tikz/mininum width", "/tikz/minimum width", "key"),
        ("NavyBleu", "NavyBlue", "colour"),
        ("Pyhton", "Python", "listing"),
        ("engilsh", "english", "language"),
        ("palin", "plain", "bibstyle"),
        ("Madird", "Madrid", "beamertheme"),
    ],
)
def test_every_kind_of_name_finds_its_way_back(written: str, meant: str, kind: str) -> None:
    assert names.nearest(written, kind)[:1] == (meant,)


def test_misspelt_options_are_those_of_the_package() -> None:
    assert names.nearest("margn", "option", ["geometry"])[:1] == ("margin",)
    assert names.nearest("dvipsname", "option", ["xcolor"])[:1] == ("dvipsnames",)
    assert names.nearest("margn", "option") == ()


def test_habits_from_elsewhere_are_understood() -> None:
    assert names.nearest("bold")[:1] == ("textbf",)
    assert names.nearest("ul", "environment")[:1] == ("itemize",)
    assert names.nearest("textcolour")[:1] == ("textcolor",)


def test_a_loaded_package_is_nearer_than_one_that_is_not() -> None:
    assert names.nearest("coloneqqq", packages=["mathtools"])[:1] == ("coloneqq",)
    assert "toprule" in names.nearest("topruel")


def test_nothing_is_near_to_what_is_no_word() -> None:
    assert names.nearest("qqqqzzzzxxxxwwww") == ()


@given(st.text(max_size=30), st.sampled_from([*CODES, "package", "class", "tikz", "option"]))
@settings(max_examples=60, deadline=None)
def test_any_text_can_be_looked_up(text: str, kind: str) -> None:
    assert text not in names.nearest(text, kind, ["article", text])
    names.is_known(text, [text])
    names.packages_defining(text)
    names.arguments_of(text, text)
    names.options_of(text)


@given(st.sampled_from([name for name, _ in COMMANDS]), st.data())
@settings(max_examples=60, deadline=None)
def test_one_slip_is_never_far(name: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(name) - 1))
    shortened = name[:place] + name[place + 1 :]
    cost = distance(shortened, name, 3.0)
    assert cost is not None
    assert 0 < cost <= 1.5
    assert distance(name, name, 0.0) == 0.0


def test_preferred_packages_bring_what_they_are_preferred_for() -> None:
    wrong = []
    for kind, table in PREFERRED.items():
        for name, packages in table.items():
            holders = {number for provider in packages for number in _closure(provider)}
            row = names.name_table().row(kind, name)
            if row is None or holders.isdisjoint(number for number, _ in row.owners):
                wrong.append(f"{kind} {name}: {packages}")
    assert not wrong


def _closure(package: str) -> frozenset[int]:
    table = owner_table()
    return table.closure(tuple(owner.id for owner in table.named(package)))


def test_synonyms_are_no_names_of_the_kernel_and_mean_some_that_exist() -> None:
    for kind, table in SYNONYMS.items():
        for name, meant in table.items():
            assert kind == "environment" or not names.is_known(name), name
            assert all(names.is_name(other, kind) for other in meant), (name, meant)


def test_the_tables_written_by_hand_name_packages_that_exist() -> None:
    known = [*ENGINES, *(c.first for c in CONFLICTS), *(c.second for c in CONFLICTS)]
    known += [name for order in ORDERS for name in (order.before, order.after)]
    known += [entry.instead for entry in MOVED if entry.kind == "package" and entry.instead]
    known += [entry.package for entry in MOVED if entry.package]
    missing = {name for name in known if not names.is_package(name) and not names.is_class(name)}
    assert not missing


def test_what_moved_tells_where() -> None:
    subfigure = moved("subfigure", "package")
    assert subfigure is not None
    assert subfigure.instead == "subcaption"
    old = moved("SI", "command")
    assert old is not None
    assert old.instead == "qty"
    unit = moved("angstrom", "unit", of="siunitx")
    assert unit is not None
    assert unit.gone
    assert moved("amsmath", "package") is None


def test_conflicts_are_found_among_what_is_loaded() -> None:
    assert [(c.first, c.second) for c in conflicting(["article", "natbib", "biblatex"])] == [("natbib", "biblatex")]
    assert conflicting(["amsmath", "graphicx"]) == ()
    assert all(conflict.drop in ("", conflict.first, conflict.second) for conflict in CONFLICTS)


def test_order_is_judged_by_the_order_of_loading() -> None:
    assert misordered(["amsmath", "hyperref", "cleveref"]) == ()
    broken = misordered(["cleveref", "hyperref"])
    assert [(order.before, order.after) for order in broken] == [("hyperref", "cleveref")]
    pairs = {(order.before, order.after) for order in ORDERS}
    assert len(pairs) == len(ORDERS)
    assert not {pair for pair in pairs if pair[::-1] in pairs}


def test_engines_and_their_graphics() -> None:
    assert engines_of("fontspec") == ("xelatex", "lualatex")
    assert len(engines_of("booktabs")) == 3
    assert "eps" in graphics_endings("xelatex")
    assert "eps" not in graphics_endings("pdflatex")
