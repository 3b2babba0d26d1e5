"""Preferences and habits: which package documents load for a name, what invented names mean, what commands take.

Each table is text: what is said, a colon, and the names it is said of; a line that is indented goes on.
"""

from __future__ import annotations

from collections.abc import Mapping


def _by_name(table: str) -> Mapping[str, tuple[str, ...]]:
    """Name → the words before the colon."""
    found: dict[str, tuple[str, ...]] = {}
    said: tuple[str, ...] = ()
    for line in table.strip().splitlines():
        if not line.startswith(" "):
            head, _, line = line.partition(":")
            said = tuple(head.split())
        found.update(dict.fromkeys(line.split(), said))
    return found


PREFERRED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "command": _by_name(
        """
amssymb amsfonts: mathbb mathfrak
mathrsfs: mathscr
graphicx: includegraphics rotatebox scalebox resizebox reflectbox graphicspath DeclareGraphicsExtensions
amsmath: text boldsymbol DeclareMathOperator operatorname iint iiint
listings: lstset lstinline lstinputlisting
natbib: citet citep citealt citealp citeyearpar Citet Citep
natbib biblatex: citeauthor citeyear
biblatex: textcite parencite autocite footcite fullcite printbibliography addbibresource
xcolor color: textcolor color definecolor colorbox fcolorbox pagecolor
xcolor: colorlet
xcolor[table]: rowcolors
xcolor[table] colortbl: rowcolor columncolor cellcolor arrayrulecolor
algpseudocode algorithmicx: State algnewcommand algrenewcommand
algpseudocode: Procedure Function Require Ensure Comment
algorithmic: STATE IF ENDIF FOR ENDFOR WHILE REQUIRE ENSURE RETURN
algorithm2e: KwIn KwOut KwData KwResult SetAlgoLined
ulem: sout uline uuline uwave xout
soul: hl st ul so caps
subcaption: subcaption subcaptionbox
subcaption subfig: subref
subfig: subfloat
caption capt-of: captionof
caption: captionsetup
bm: bm
gensymb siunitx: degree
siunitx gensymb: celsius ohm micro
eurosym: euro
eurosym marvosym: EUR
amssymb: checkmark therefore because lesssim gtrsim leqslant geqslant square blacksquare varnothing nmid
    complement triangleq twoheadrightarrow rightsquigarrow
pifont: ding
amssymb latexsym: leadsto Box Diamond lhd
dsfont: mathds
bbm: mathbbm
stmaryrd: llbracket rrbracket
esint: oiint varoiint
mathtools: coloneqq eqqcolon DeclarePairedDelimiter prescript mathclap xleftrightarrow xhookrightarrow
    underbracket overbracket
physics: dv pdv dd
siunitx physics: qty
braket physics: bra ket braket
braket: Set
cancel: cancel bcancel xcancel cancelto
slashed: slashed
nicefrac: nicefrac
xfrac: sfrac
multirow: multirow
makecell: makecell thead Xhline
diagbox: diagbox
arydshln: hdashline cdashline
array: newcolumntype arraybackslash
hyperref url: url
hyperref: href hyperref hypersetup autoref texorpdfstring phantomsection pdfbookmark hypertarget hyperlink
hyperref nameref: nameref
cleveref: cref Cref crefname crefrange
varioref: vref
csquotes: enquote blockquote textquote
babel polyglossia: foreignlanguage selectlanguage
polyglossia: setmainlanguage setdefaultlanguage setotherlanguage
fontspec: setmainfont setsansfont setmonofont newfontfamily
unicode-math: setmathfont symbf symup
xeCJK ctex: setCJKmainfont setCJKsansfont setCJKmonofont
ctex: ctexset zihao heiti songti kaishu fangsong
mhchem: ce
chemfig: chemfig chemname
siunitx: SI si num ang unit tablenum sisetup
minted: mint mintinline inputminted setminted
fancyvrb: Verb VerbatimInput
tikz: tikz draw node path usetikzlibrary tikzset
pgfplots: addlegendentry addlegendimage legend
tikz pgffor: foreach
pgfplots: pgfplotsset addplot
tcolorbox: tcbset newtcolorbox tcbuselibrary
amsthm: theoremstyle newtheoremstyle qedhere qedsymbol
thmtools: declaretheorem
enumitem: setlist newlist
geometry: geometry newgeometry restoregeometry
fancyhdr: fancyhead fancyfoot fancyhf lhead chead rhead lfoot cfoot rfoot
setspace: doublespacing onehalfspacing singlespacing setstretch
titlesec: titleformat titlespacing titlerule
placeins: FloatBarrier
float: floatstyle restylefloat newfloat listof
ragged2e: justifying RaggedRight Centering
lipsum: lipsum
blindtext: blindtext Blindtext
todonotes: todo missingfigure listoftodos
xspace: xspace
ifthen: ifthenelse equal isodd whiledo newboolean setboolean boolean lengthtest
etoolbox: newtoggle toggletrue patchcmd apptocmd pretocmd iftoggle
glossaries: gls Gls glspl newglossaryentry newacronym printglossary printglossaries makeglossaries acrshort
    acrlong acrfull
acronym acro: ac acf acs acl
acronym: acrodef
acro: DeclareAcronym
nomencl: nomenclature printnomenclature makenomenclature
makeidx imakeidx: printindex
adjustbox: adjustbox adjustimage
pdfpages: includepdf
standalone: includestandalone
subfiles: subfile subfileinclude
import: import subimport
lettrine: lettrine
epigraph: epigraph
marginnote: marginnote
sidenotes: sidenote
authblk: affil
tipa: textipa
fontawesome5: faIcon
fontawesome5 fontawesome: faGithub faEnvelope faPhone faLinkedin
pdfcomment: pdfcomment
lineno: linenumbers modulolinenumbers internallinenumbers
hologo: hologo
metalogo hologo: XeLaTeX
metalogo: XeTeX
ifpdf iftex: ifpdf
ifxetex iftex: ifxetex
ifluatex iftex: ifluatex
fp: FPeval
xstring: StrLen StrSubstitute IfStrEq
calc: widthof heightof depthof real
ctable: ctable
threeparttable: tnote
tabularray: SetCell UseTblrLibrary
beamer: frametitle usetheme usecolortheme setbeamertemplate setbeamercolor pause onslide only uncover alert
    institute
report book memoir scrbook: chapter
book memoir scrbook: frontmatter mainmatter backmatter
scrbook scrreprt: addchap
scrartcl scrbook: addsec KOMAoptions
IEEEtran: IEEEauthorblockN IEEEauthorblockA IEEEPARstart
acmart: institution acmConference ccsdesc
acmart revtex4-2: affiliation
moderncv: cventry cvitem makecvtitle
letter scrlttr2: opening closing
exam: question
letter: signature
pstricks: psset rput
"""
    ),
    "environment": _by_name(
        """
amsmath: align gather multline cases pmatrix bmatrix split aligned subequations equation* align*
mathtools: dcases rcases pmatrix* multlined
cases: numcases
empheq: empheq
amsthm: proof
listings: lstlisting
minted: minted
fancyvrb: Verbatim
comment verbatim: comment
algorithm algorithm2e: algorithm
algpseudocode algorithmic: algorithmic
tikz: tikzpicture
pgfplots: axis semilogxaxis semilogyaxis loglogaxis
tikz-cd: tikzcd
circuitikz: circuitikz
forest: forest
tcolorbox: tcolorbox
mdframed: mdframed
framed: framed shaded leftbar
tabularx: tabularx
tabulary: tabulary
longtable: longtable
tabu: longtabu tabu
xltabular: xltabular
tabularray: tblr longtblr
nicematrix: NiceTabular pNiceMatrix
threeparttable: threeparttable tablenotes
subcaption: subfigure subtable
wrapfig: wrapfigure wraptable
rotating: sidewaystable sidewaysfigure
pdflscape lscape: landscape
multicol: multicols
setspace: spacing onehalfspace doublespace singlespace
changepage: adjustwidth
appendix: appendices
adjustbox: adjustbox
ragged2e: justify FlushLeft Center
csquotes: displayquote
lineno: linenumbers
cuted: strip
CJKutf8 CJK: CJK CJK*
babel polyglossia: otherlanguage
acronym: acronym
tasks: tasks
enumitem[inline]: itemize* enumerate*
paralist: compactitem compactenum inparaenum
beamer: frame block exampleblock alertblock columns column
IEEEtran: IEEEkeywords
elsarticle: keyword
exam: questions solution
pstricks: pspicture
overpic: overpic
"""
    ),
    "colour": _by_name(
        """
xcolor[dvipsnames]: NavyBlue
xcolor[dvipsnames] xcolor[svgnames]: ForestGreen
"""
    ),
}
"""Packages to load for a name that several bring, best first. Source: the manual of the first package named; where a
package only loads another that defines the name, the one that documents teach is named (amssymb for amsfonts)."""

SYNONYMS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "command": _by_name(
        """
textbf: bold textbold textstrong strong
textit: italic italics textitalic
emph: textemph
underline: textunderline
mathbf: mathbold
mathit: mathitalic
textcolor: textcolour
color: colour
definecolor: definecolour
centering: centre centered
centerline: centreline
includegraphics: image includeimage includegraphic includefigure includepicture graphics
href: link hyperlinkto
paragraph: subsubsubsection
section: heading
subsection: subheading
texttt: monospace code textcode texttype inlinecode
newline: newlines
linebreak: linebreaks
pagebreak: pageBreak
frac: fraction
sqrt: squareroot
infty: infinity
alpha: alfa
int: integral integrate
sum: summation
prod: product
neq: notequal
leq: lessthanorequal lte
geq: greaterthanorequal gte
pm: plusminus
in: elementof
implies: implication
degree: Degree
vec: vect
appendix: appendices
tableofcontents: contents toc
footnote: footnotes
bibliography: references bibliographyfile
ref: reference
hrule: horizontalline hr
"""
    ),
    "environment": _by_name(
        """
itemize: ul bulletlist bullets unorderedlist itemise
enumerate: ol enumeration numbered numberedlist orderedlist
description: dl
verbatim lstlisting: code codeblock
lstlisting: listing listings
center: centre centering centered
flushleft: left
flushright: right
equation: eqn eq
align equation: equations
align: aligneq
eqnarray: eqnarrays
quote: blockquote
figure: image graph fig
table tabular: tab
tblr: tabularray
multicols: multicol multicolumn twocolumns
thebibliography: bibliography references
frame: slide
tikzpicture: tikz chart plot
minipage: mini
matrix: matrices
proof: demonstration
"""
    ),
}
"""What is meant by names that people and language models write out of habits from elsewhere: other languages, other
programs, British spelling, the thing's name instead of the command's. Source: our own observation."""

OWN_NAMES = frozenset(
    """N R Z Q C E F K D T norm abs set ceil floor inner foo bar baz highlight emphasize emphasis vect mat argmin argmax
    sign tr diag rank eps given code note name comment keyword term alert important""".split()
)
"""Commands that many documents define for themselves, so that a package that has the name is not what they lack."""

ARGUMENTS: Mapping[str, str] = {
    name: "".join(takes).replace("-", "")
    for name, takes in _by_name(
        """
omo: documentclass usepackage RequirePackage
smoom: newcommand renewcommand providecommand
smoomm: newenvironment renewenvironment
smomo: newtheorem
mo: newcounter
mm: setcounter addtocounter setlength addtolength frac dfrac tfrac binom overset underset stackrel hypertarget
    hyperlink texorpdfstring markboth
som: part chapter section subsection subsubsection paragraph subparagraph caption setlist makecell thead
smom: captionof
om: footnote footnotetext cite bibitem color sqrt hyperref marginpar fancyhead fancyfoot subref
o: footnotemark item linebreak pagebreak nolinebreak nopagebreak twocolumn toprule midrule bottomrule
    printbibliography printindex printglossary printglossaries
omo: setmainfont setsansfont setmonofont setCJKmainfont setCJKsansfont setCJKmonofont
somo: gls Gls glspl Glspl acrshort acrlong acrfull
oom: parencite textcite footcite fullcite subfloat citealt
soom: autocite
omoom: subcaptionbox newtcolorbox
smomommo: titleformat
smmmmo: titlespacing
omom: colorlet
mmm: ifthenelse setCJKfamilyfont
m: label ref pageref nocite citeyear bibliography bibliographystyle title author date thanks input include
    textbf textit texttt textsf textsc textrm textup textsl textmd textnormal emph underline mathbf mathrm
    mathit mathsf mathtt mathcal mathbb mathfrak mathscr overline overbrace underbrace substack text intertext
    hat widehat tilde widetilde bar vec dot ddot boldsymbol phantom vphantom hphantom cline mbox fbox url
    pagestyle thispagestyle pagenumbering markright index usetikzlibrary ce theoremstyle lstset hypersetup
soom: citet citep includegraphics Citet Citep
sm: citeauthor operatorname tag hspace vspace autoref nameref enquote
omm: textcolor colorbox cfrac rule rotatebox href
ommm: definecolor
oommm: fcolorbox
smm: DeclareMathOperator
mmm: multicolumn addcontentsline
omomom: multirow
oom: makebox framebox
ooomm: parbox
moom: raisebox
mom: scalebox
smmm: resizebox
odm: cmidrule
-: makeatletter makeatother maketitle tableofcontents listoffigures listoftables appendix newpage clearpage
    centering hline par noindent bfseries itshape ttfamily small large Large
?: node draw path fill foreach tikz addplot verb lstinline mintinline put line vector
"""
    ).items()
}
"""What commands take whose definition does not tell, in the letters of texrepair.latex.names.arguments_of; - nothing,
? what these letters cannot say. Source: usrguide and the manuals of graphicx, xcolor, hyperref, amsmath, natbib,
biblatex, caption, fontspec, glossaries, titlesec."""
