"""What the lexer knows of LaTeX's own names: how commands and environments read their arguments.

A signature has one letter for each argument that is read in a special way; what follows the last one is ordinary text.
The facts are those of the kernel (source2e) and of each package's manual.

    *  a star             P  (…) as of \\cmidrule
    o  [keys]             O  [text]
    a  {name}, {a,b}      b  {anything that is not typeset}       k  {keys}, possibly long
    u  {url} or |url|     v  {verbatim} or |verbatim|
    t  {text}, also in math                m  {math}              n  {text or math, as it is around}
    N  a macro that is defined: \\x or {\\x}                       E  {environment that is defined}
    c  a control sequence that is only named                      =  an optional equals sign
    p  parameter text of \\def             d  {body of a definition}
"""

from __future__ import annotations

from typing import Final


def _table(rows: str) -> dict[str, str]:
    """Each line: a signature (- for none), then the names that have it."""
    table = {}
    for row in rows.strip().splitlines():
        signature, *names = row.split()
        table.update(dict.fromkeys(names, signature.strip("-")))
    return table


COMMANDS: Final = _table("""
    o       hyperref printbibliography printindex printglossaries printacronyms tableofcontents addlinespace toprule
    o       midrule bottomrule pause draw fill filldraw clip shade shadedraw node coordinate matrix addplot addplot3
    o       pic graph foreach
    *OOa    cite citep citet citealp citealt citeauthor citeyear citeyearpar citetitle parencite textcite autocite
    *OOa    footcite supercite fullcite footfullcite smartcite citenum citetext Cite Citep Citet Citealp Citealt
    *OOa    Citeauthor Parencite Textcite Autocite Footcite Smartcite citedate citeurl shortcite citeA citeNP
    *OOa    onlinecite notecite footcitetext blockcquote volcite pnotecite fnotecite citefield
    *a      ref Autoref
    *ooa    includegraphics includegraphics*
    Oa      bibitem
    a       label pageref eqref vref Vref cref Cref cpageref Cpageref labelcref labelcpageref nameref autoref subref
    a       fref Fref vpageref ref* pageref* autoref* cref* Cref* input include includeonly subfile bibliography
    a       bibliographystyle usetikzlibrary usepgfplotslibrary tcbuselibrary pgfplotslibrary usegdlibrary pagestyle
    a       thispagestyle pagenumbering stepcounter refstepcounter value arabic roman Roman alph Alph fnsymbol
    a       theoremstyle selectlanguage verbatiminput hypertarget hyperlink setdefaultlanguage bibdata bibstyle
    a       usecounter graphicspath DeclareGraphicsExtensions usebox makeglossary makeindex setotherlanguages
    a       ctexset ExplFileName mathversion tikzexternalize nocite Citeyear defcitealias citetalias citepalias gls
    a       Gls GLS glspl Glspl GLSpl ac Ac acs acl acf acp aclp acsp acfp acrshort acrlong acrfull glsdesc glsname
    a       printglossary
    ao      newcounter
    oa      addbibresource includepdf lstinputlisting VerbatimInput BVerbatimInput setmainlanguage setotherlanguage
    oa      babelprovide color pagecolor includesvg movie externaldocument ProvidesPackage ProvidesClass
    oa      ProvidesFile bibinput NeedsTeXFormat addglobalbib addsectionbib loadglsentries SetWatermarkText
    oao     usepackage RequirePackage documentclass LoadClass RequirePackageWithOptions LoadClassWithOptions
    oao     usetheme usecolortheme usefonttheme useinnertheme useoutertheme setmainfont setsansfont setmonofont
    oao     setmathfont setromanfont setCJKmainfont setCJKsansfont setCJKmonofont fontspec setmathrm setmathsf
    oao     setmathtt
    oaoo    rowcolor cellcolor columncolor arrayrulecolor doublerulesepcolor
    a=o     tikzstyle
    aa      crefrange Crefrange numberwithin counterwithin counterwithout import subimport includefrom
    aa      DeclareGraphicsRule
    oaa     inputminted setfontfamily
    *oaaa   rowcolors
    oaab    definecolor providecolor
    aan     addcontentsline
    ab      setcounter addtocounter colorlet
    *ak     setbeamercolor usebeamercolor
    ak      newglossaryentry longnewglossaryentry DeclareAcronym newcites lstdefinestyle pgfkeyssetvalue
    ak      setbeamertemplate usebeamertemplate setbeamerfont usebeamerfont hyphenrules
    oak     newminted newmint newmintinline
    an      foreignlanguage
    oan     textcolor
    oann    newacronym
    aoao    babelfont
    oaokk   lstdefinelanguage
    oaoat   fcolorbox
    aob     newcolumntype
    oat     colorbox
    *b      hspace vspace
    b       addvspace enlargethispage cline linespread hyphenation index glossary
    oPb     cmidrule
    ob      num si ang unit ce cee chemfig complexnum numlist
    bb      fontsize multicolumn
    obb     rule qty numrange SIlist qtylist complexqty
    bbb     specialrule
    obbb    SIrange qtyrange
    *bbbb   titlespacing
    *bbt    resizebox
    obobo   multirow SI
    boot    raisebox
    bot     scalebox
    obt     rotatebox
    ooobt   parbox
    c       string noexpand meaning show csstring DescribeMacro
    cc      ifx
    k       tikzset pgfplotsset pgfkeys hypersetup lstset geometry sisetup tcbset setminted fvset mdfsetup directlua
    k       luaexec newgeometry ltxsetup
    ok      captionsetup setlist usemintedstyle
    m       ensuremath
    nb      texorpdfstring
    *t      tag
    Ot      footnote
    oot     makebox framebox
    t       mbox fbox hbox vbox vtop llap rlap clap shortstack text intertext shortintertext textrm textbf textit
    t       texttt textsf textsc textsl textup textmd textnormal emph footnotetext
    ou      href
    u       url nolinkurl
    v       detokenize
    E       includecomment excludecomment
    oEo     declaretheorem newmdenv newmdtheoremenv DeclareFloatingEnvironment
    Eaao    newfloat
    Eab     newlist
    Eak     DefineVerbatimEnvironment RecustomVerbatimEnvironment
    Ebdd    NewDocumentEnvironment RenewDocumentEnvironment ProvideDocumentEnvironment DeclareDocumentEnvironment
    oEnka   newtcbtheorem
    oEobk   NewTColorBox DeclareTColorBox NewTCBListing
    *Eono   newtheorem
    Eood    NewEnviron RenewEnviron
    *Eoodd  newenvironment renewenvironment provideenvironment
    Eoodd   lstnewenvironment
    oEook   newtcolorbox renewtcolorbox newtcblisting
    N       newlength newsavebox newif newcount newdimen newskip newtoks newbox newmuskip newread newwrite font
    N       chardef mathchardef DeclareMathSymbol DeclareMathAccent DeclareSymbolFont newfont countdef dimendef
    N       skipdef toksdef newfam
    N=c     let
    N=cc    futurelet
    Nb      setlength addtolength settowidth settoheight settodepth pgfmathsetmacro pgfmathsetlengthmacro
    Nbb     DeclarePairedDelimiter DeclareTextFontCommand
    Nbbb    pretocmd apptocmd
    oNbbbb  patchcmd
    Nbd     NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand DeclareDocumentCommand
    Nbd     NewExpandableDocumentCommand RenewExpandableDocumentCommand DeclareExpandableDocumentCommand
    *Nd     DeclareMathOperator
    Noao    newfontfamily newCJKfontfamily setCJKfamilyfont newfontface
    Nobbd   DeclarePairedDelimiterX DeclarePairedDelimiterXPP
    *Nood   newcommand renewcommand providecommand DeclareRobustCommand newrobustcmd renewrobustcmd providerobustcmd
    *Noood  newcommandx renewcommandx providecommandx
    Npd     def gdef edef xdef
    ad      AtBeginEnvironment AtEndEnvironment
    bd      DeclareUnicodeCharacter
    d       AtBeginDocument AtEndDocument AtEndOfPackage AtBeginShipout
    od      AtBeginSection
""")

OPENS_DEFINITION: Final = frozenset(
    name for name, signature in COMMANDS.items() if "N" in signature or "E" in signature
) - {"setlength", "addtolength", "settowidth", "settoheight", "settodepth"}

PACKAGE_LOADERS: Final = frozenset(
    {"usepackage", "RequirePackage", "documentclass", "LoadClass", "RequirePackageWithOptions", "LoadClassWithOptions"}
)

ENVIRONMENTS: Final = _table("""
    a       otherlanguage otherlanguage* hyphenrules
    aa      CJK* CJK
    aob     adjustwidth*
    b       multicols multicols* thebibliography spacing alignat alignat* xalignat xxalignat IEEEeqnarray
    b       IEEEeqnarray* alignedat adjustwidth subarray tabbing*
    bb      list
    bob     tabular* tabularx tabulary xltabular longtabu tabu* mpxtabular
    o       figure figure* table table* tikzpicture axis semilogxaxis semilogyaxis loglogaxis scope enumerate
    o       itemize tcolorbox mdframed algorithm algorithmic frame groupplot circuitikz sidewaystable sidewaysfigure
    o       dmath dmath*
    ob      tabular array longtable supertabular supertabular* mpsupertabular tabulary* tblr* adjustbox tabu darray
    ob      alignedat* paracol
    obobo   wrapfigure wraptable
    ok      tblr longtblr talltblr
    ooob    subfigure subtable minipage
""")

VERBATIM_ENVIRONMENTS: Final = _table("""
    -       verbatim verbatim* alltt comment boxedverbatim spverbatim verbatimtab semiverbatim luacode luacode*
    -       pycode pyblock pyconsole pylabcode sageblock sagesilent asy asydef gnuplot rawhtml latexonly htmlonly
    b       VerbatimWrite verbatimwrite
    k       tcblisting
    o       lstlisting Verbatim Verbatim* BVerbatim BVerbatim* LVerbatim LVerbatim* SVerbatim Highlighting
    o       tcblisting* dispExample dispListing listing*
    ob      minted filecontents filecontents* filecontentsdef VerbatimOut SaveVerbatim
""")

HIDDEN_ENVIRONMENTS: Final = frozenset({"comment", "rawhtml", "htmlonly"})
"""Verbatim-like environments whose body is not typeset."""

DISPLAY_ENVIRONMENTS: Final = frozenset(
    """displaymath equation equation* eqnarray eqnarray* align align* alignat alignat* flalign flalign* gather gather*
    multline multline* xalignat xalignat* xxalignat dmath dmath* dgroup dgroup* darray darray* dseries dseries*
    IEEEeqnarray IEEEeqnarray* empheq numcases subnumcases""".split()
)

INLINE_ENVIRONMENTS: Final = frozenset({"math"})

INNER_ENVIRONMENTS: Final = frozenset(
    """array matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix psmallmatrix bsmallmatrix matrix* pmatrix*
    bmatrix* Bmatrix* vmatrix* Vmatrix* cases cases* dcases dcases* rcases rcases* drcases aligned alignedat gathered
    split multlined lgathered rgathered subarray crampedsubarray spreadlines IEEEeqnarraybox CD""".split()
)
"""Environments that need math around them; in text TeX inserts the missing $."""

TABULAR_ENVIRONMENTS: Final = frozenset(
    """tabular tabular* tabularx tabulary longtable tabu longtabu xltabular supertabular tblr longtblr talltblr
    tabbing""".split()
)

BLOCKS: Final = frozenset(
    """document itemize enumerate description list trivlist figure figure* table table* center flushleft flushright
    quote quotation verse abstract thebibliography titlepage frame theorem lemma proof definition corollary
    proposition remark example tabular tabular* tabularx longtable lstlisting verbatim minted minipage multicols
    tcolorbox wrapfigure algorithm algorithmic tikzpicture columns column block alertblock exampleblock subfigure
    subequations equation equation* align align* gather gather* multline multline* displaymath eqnarray""".split()
)
"""Environments that an open inline formula cannot hold: where one begins, a $ was lost."""

TEXT_BOXES: Final = TABULAR_ENVIRONMENTS | {"minipage", "tikzpicture", "varwidth", "adjustbox"}
"""Environments that set text again when they stand in math."""

SECTIONING: Final = frozenset("part chapter section subsection subsubsection paragraph subparagraph".split())

ENDS_MATH: Final = SECTIONING | set("item par caption maketitle tableofcontents bibitem newpage clearpage".split())
"""Commands that cannot stand in math: where one comes, a closing delimiter was lost."""

DECLARATIONS: Final = frozenset(
    """item bfseries itshape ttfamily rmfamily sffamily scshape slshape upshape mdseries normalfont em bf it tt rm sf sc
    sl tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge centering raggedright raggedleft hline
    toprule midrule bottomrule noindent indent par quad qquad newline linebreak clearpage newpage maketitle
    tableofcontents appendix displaystyle textstyle scriptstyle scriptscriptstyle left right ldots dots cdots times cdot
    relax begingroup endgroup bgroup egroup protect expandafter noexpand global long smallskip medskip bigskip hfill
    vfill fi else or""".split()
)
"""Commands without arguments: braces behind them are a group of their own."""

CONDITIONALS: Final = frozenset(
    """if ifcat ifnum ifdim ifodd ifvmode ifhmode ifmmode ifinner ifvoid ifhbox ifvbox ifx ifeof iftrue iffalse ifcase
    ifdefined ifcsname iffontchar ifincsname ifabsnum ifabsdim ifprimitive ifpdf ifxetex ifluatex ifPDFTeX ifXeTeX
    ifLuaTeX iftutex ifTUTeX ifpdftex ifpTeX ifupTeX""".split()
)
"""TeX's, e-TeX's and the engines' own conditionals, and those of iftex."""
