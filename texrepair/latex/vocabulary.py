"""What the lexer knows of LaTeX's own names: how commands and environments read their arguments.

A signature is a string, one letter for each argument that is read in a special way; what follows its last letter is read
as ordinary text. The facts are those of the kernel (source2e) and of each package's manual.

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


def _table(*rows: tuple[str, str]) -> dict[str, str]:
    return {name: signature for signature, names in rows for name in names.split()}


COMMANDS: Final = _table(
    # names of labels, citations, files, counters, languages, colours
    (
        "a",
        """label pageref eqref vref Vref cref Cref cpageref Cpageref labelcref labelcpageref nameref autoref subref fref
        Fref vpageref ref* pageref* autoref* cref* Cref* input include includeonly subfile bibliography bibliographystyle
        usetikzlibrary usepgfplotslibrary tcbuselibrary pgfplotslibrary usegdlibrary pagestyle thispagestyle pagenumbering
        stepcounter refstepcounter value arabic roman Roman alph Alph fnsymbol theoremstyle selectlanguage
        verbatiminput hypertarget hyperlink setdefaultlanguage bibdata bibstyle usecounter listfiles
        graphicspath DeclareGraphicsExtensions counterwithout* usebox makeglossary makeindex setotherlanguages
        ctexset ExplFileName mathversion IfFileExists tikzexternalize""",
    ),
    ("*a", "ref Autoref"),
    (
        "aa",
        "crefrange Crefrange numberwithin counterwithin counterwithout import subimport includefrom DeclareGraphicsRule",
    ),
    ("aan", "addcontentsline"),
    ("ab", "setcounter addtocounter colorlet"),
    ("an", "foreignlanguage"),
    (
        "*OOa",
        """cite citep citet citealp citealt citeauthor citeyear citeyearpar citetitle parencite textcite autocite
        footcite supercite fullcite footfullcite smartcite citenum citetext Cite Citep Citet Citealp Citealt Citeauthor
        Parencite Textcite Autocite Footcite Smartcite citedate citeurl shortcite citeA citeNP onlinecite notecite
        footcitetext blockcquote volcite pnotecite fnotecite citefield""",
    ),
    ("a", "nocite Citeyear defcitealias citetalias citepalias"),
    ("Oa", "bibitem"),
    (
        "a",
        "gls Gls GLS glspl Glspl GLSpl ac Ac acs acl acf acp aclp acsp acfp acrshort acrlong acrfull glsdesc glsname",
    ),
    ("oann", "newacronym"),
    ("ak", "newglossaryentry longnewglossaryentry DeclareAcronym newcites"),
    ("a", "printglossary"),
    (
        "oao",
        """usepackage RequirePackage documentclass LoadClass RequirePackageWithOptions LoadClassWithOptions
        usetheme usecolortheme usefonttheme useinnertheme useoutertheme setmainfont setsansfont setmonofont setmathfont
        setromanfont setCJKmainfont setCJKsansfont setCJKmonofont fontspec setmathrm setmathsf setmathtt""",
    ),
    (
        "oa",
        """addbibresource includepdf lstinputlisting VerbatimInput BVerbatimInput setmainlanguage setotherlanguage
        babelprovide color pagecolor includesvg movie externaldocument ProvidesPackage ProvidesClass ProvidesFile bibinput
        NeedsTeXFormat addglobalbib addsectionbib loadglsentries SetWatermarkText""",
    ),
    ("aoao", "babelfont"),
    ("oaa", "inputminted setfontfamily"),
    ("*ooa", "includegraphics includegraphics*"),
    ("oan", "textcolor"),
    ("oat", "colorbox"),
    ("oaoat", "fcolorbox"),
    ("oaoo", "rowcolor cellcolor columncolor arrayrulecolor doublerulesepcolor"),
    ("*oaaa", "rowcolors"),
    ("oaab", "definecolor providecolor"),
    ("Noao", "newfontfamily newCJKfontfamily setCJKfamilyfont newfontface"),
    ("o", "hyperref printbibliography printindex printglossaries printacronyms tableofcontents"),
    # lengths, rules, boxes
    ("*b", "hspace vspace"),
    ("b", "addvspace enlargethispage fontsize cline linespread hyphenation index glossary"),
    ("Nb", "setlength addtolength settowidth settoheight settodepth"),
    ("obb", "rule"),
    ("ooobt", "parbox"),
    ("oot", "makebox framebox"),
    ("t", "mbox fbox hbox vbox vtop llap rlap clap shortstack"),
    ("boot", "raisebox"),
    ("*bbt", "resizebox"),
    ("bot", "scalebox"),
    ("obt", "rotatebox"),
    ("bb", "multicolumn"),
    ("obobo", "multirow"),
    ("oPb", "cmidrule"),
    ("bbb", "specialrule"),
    ("o", "addlinespace toprule midrule bottomrule pause"),
    # keys
    (
        "k",
        "tikzset pgfplotsset pgfkeys hypersetup lstset geometry sisetup tcbset setminted fvset mdfsetup directlua luaexec newgeometry ltxsetup",
    ),
    ("ok", "captionsetup setlist usemintedstyle"),
    ("aok", "lstdefinelanguage"),
    (
        "ak",
        "lstdefinestyle tikzstyle pgfkeyssetvalue setbeamertemplate usebeamertemplate setbeamerfont usebeamerfont hyphenrules",
    ),
    ("*ak", "setbeamercolor usebeamercolor"),
    ("o", "draw fill filldraw path clip shade shadedraw node coordinate matrix addplot addplot3 pic graph foreach"),
    # quantities and formulas of siunitx, mhchem, chemfig
    ("ob", "num si ang unit ce cee chemfig complexnum numlist"),
    ("obobo", "SI"),
    ("obb", "qty numrange SIlist qtylist complexqty"),
    ("obbb", "SIrange qtyrange"),
    # urls and verbatim
    ("u", "url nolinkurl path"),
    ("ou", "href"),
    ("v", "detokenize"),
    # text in math, math in text
    (
        "t",
        """text intertext shortintertext textrm textbf textit texttt textsf textsc textsl textup textmd textnormal emph
        footnotetext fbox tag""",
    ),
    ("*t", "tag"),
    ("Ot", "footnote"),
    ("m", "ensuremath"),
    ("nb", "texorpdfstring"),
    # definitions
    (
        "*Nood",
        "newcommand renewcommand providecommand DeclareRobustCommand newrobustcmd renewrobustcmd providerobustcmd",
    ),
    ("*Noood", "newcommandx renewcommandx providecommandx"),
    (
        "Nbd",
        """NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand DeclareDocumentCommand
        NewExpandableDocumentCommand RenewExpandableDocumentCommand DeclareExpandableDocumentCommand""",
    ),
    ("*Eoodd", "newenvironment renewenvironment provideenvironment"),
    ("Ebdd", "NewDocumentEnvironment RenewDocumentEnvironment ProvideDocumentEnvironment DeclareDocumentEnvironment"),
    ("Eood", "NewEnviron RenewEnviron"),
    ("Npd", "def gdef edef xdef"),
    ("N=c", "let"),
    ("N=cc", "futurelet"),
    ("*Nd", "DeclareMathOperator"),
    ("Nbb", "DeclarePairedDelimiter DeclareTextFontCommand"),
    ("Nobbd", "DeclarePairedDelimiterX DeclarePairedDelimiterXPP"),
    (
        "N",
        """newlength newsavebox newif newcount newdimen newskip newtoks newbox newmuskip newread newwrite font chardef
        mathchardef DeclareMathSymbol DeclareMathAccent DeclareSymbolFont newfont countdef dimendef skipdef toksdef newfam""",
    ),
    ("ao", "newcounter"),
    ("*Eono", "newtheorem"),
    ("oEo", "declaretheorem newmdenv newmdtheoremenv DeclareFloatingEnvironment"),
    ("Eab", "newlist"),
    ("Eaao", "newfloat"),
    ("oEook", "newtcolorbox renewtcolorbox newtcblisting"),
    ("oEobk", "NewTColorBox DeclareTColorBox NewTCBListing"),
    ("oEnka", "newtcbtheorem"),
    ("Eoodd", "lstnewenvironment"),
    ("Eak", "DefineVerbatimEnvironment RecustomVerbatimEnvironment"),
    ("oak", "newminted newmint newmintinline"),
    ("aob", "newcolumntype"),
    ("E", "includecomment excludecomment"),
    ("bd", "DeclareUnicodeCharacter"),
    ("d", "AtBeginDocument AtEndDocument AtEndOfPackage AtBeginShipout"),
    # tokens that are only looked at
    ("c", "string noexpand meaning show csstring DescribeMacro cs undefine"),
    ("cc", "ifx"),
)

OPENS_DEFINITION: Final = frozenset(
    name for name, signature in COMMANDS.items() if "N" in signature or "E" in signature
) - {"setlength", "addtolength", "settowidth", "settoheight", "settodepth"}

PACKAGE_LOADERS: Final = frozenset(
    {"usepackage", "RequirePackage", "documentclass", "LoadClass", "RequirePackageWithOptions", "LoadClassWithOptions"}
)

ENVIRONMENTS: Final = _table(
    (
        "b",
        """multicols multicols* thebibliography spacing alignat alignat* xalignat xxalignat IEEEeqnarray IEEEeqnarray*
        alignedat adjustwidth list subarray tabbing*""",
    ),
    ("bb", "list"),
    (
        "ob",
        """tabular array longtable supertabular supertabular* mpsupertabular tabulary* tblr* adjustbox otherlanguage
        tabu darray alignedat* subfigure subtable otherlanguage* CJK* paracol""",
    ),
    ("bob", "tabular* tabularx tabulary xltabular longtabu tabu* mpxtabular"),
    ("ok", "tblr longtblr talltblr"),
    ("ooob", "minipage subfigure subtable"),
    ("obobo", "wrapfigure wraptable"),
    ("aa", "CJK CJK*"),
    (
        "o",
        """figure figure* table table* tikzpicture axis semilogxaxis semilogyaxis loglogaxis scope enumerate itemize
        tcolorbox mdframed algorithm algorithmic frame groupplot circuitikz sidewaystable sidewaysfigure dmath dmath*""",
    ),
    ("a", "otherlanguage otherlanguage* hyphenrules"),
    ("ob", "adjustbox"),
    ("aob", "adjustwidth*"),
)

VERBATIM_ENVIRONMENTS: Final = _table(
    (
        "",
        """verbatim verbatim* alltt comment boxedverbatim spverbatim verbatimtab semiverbatim luacode luacode* pycode
        pyblock pyconsole pylabcode sageblock sagesilent asy asydef gnuplot rawhtml latexonly htmlonly""",
    ),
    (
        "o",
        """lstlisting Verbatim Verbatim* BVerbatim BVerbatim* LVerbatim LVerbatim* SVerbatim Highlighting
        tcblisting* dispExample dispListing listing*""",
    ),
    ("ob", "minted filecontents filecontents* filecontentsdef VerbatimOut SaveVerbatim"),
    ("b", "VerbatimWrite verbatimwrite"),
    ("k", "tcblisting"),
)

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
    "tabular tabular* tabularx tabulary longtable tabu longtabu xltabular supertabular tblr longtblr talltblr tabbing".split()
)

BLOCKS: Final = frozenset(
    """document itemize enumerate description list trivlist figure figure* table table* center flushleft flushright quote
    quotation verse abstract thebibliography titlepage frame theorem lemma proof definition corollary proposition remark
    example tabular tabular* tabularx longtable lstlisting verbatim minted minipage multicols tcolorbox wrapfigure
    algorithm algorithmic tikzpicture columns column block alertblock exampleblock subfigure subequations equation
    equation* align align* gather gather* multline multline* displaymath eqnarray""".split()
)
"""Environments that an open inline formula cannot hold: where one begins, a $ was lost."""

TEXT_BOXES: Final = TABULAR_ENVIRONMENTS | {"minipage", "tikzpicture", "varwidth", "adjustbox"}
"""Environments that set text again when they stand in math."""

SECTIONING: Final = frozenset("part chapter section subsection subsubsection paragraph subparagraph".split())

ENDS_MATH: Final = SECTIONING | {
    "item",
    "par",
    "caption",
    "maketitle",
    "tableofcontents",
    "bibitem",
    "newpage",
    "clearpage",
}
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
    ifdefined ifcsname iffontchar ifincsname ifabsnum ifabsdim ifprimitive unless ifpdf ifxetex ifluatex ifPDFTeX ifXeTeX
    ifLuaTeX iftutex ifTUTeX ifpdftex ifpTeX ifupTeX""".split()
) - {"unless"}
