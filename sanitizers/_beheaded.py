"""Commands whose first letter makes an escape sequence (\\a \\b \\e \\f \\n \\r \\t \\v in C, Python or JSON)."""

from __future__ import annotations

COMMON = frozenset(
    """
    alph alpha addbibresource addcontentsline addlegendentry addplot address addtocounter addtolength affil
    affiliation aleph algrenewcommand alert align amalg angle appendix approx arabic arccos arcsin arctan arg argmax
    argmin arraybackslash arraycolsep arraystretch arrow ast asymp author authorblockA authorblockN autoref bar
    baselinestretch baselineskip because begin begingroup beta bfseries bibitem bibliography bibliographystyle big
    Big bigcap bigcup bigg biggl biggr bigl bigm bigoplus bigotimes bigr bigskip binom blacksquare bm bmod
    boldsymbol bot bottomrule bowtie box boxed boxplus breve bullet backmatter backslash balance ell emph emptyset
    end endfirsthead endfoot endgroup endhead endinput endlastfoot enquote ensuremath enspace epsilon eqno eqref
    equiv eta exists exp expandafter extracolsep facopy fancyfoot fancyhead fancyhf fbox fcolorbox figurename fi
    fill flat flushbottom fontfamily fontseries fontsize fontspec footnote footnotemark footnotesize footnotetext
    footrulewidth forall foreach frac frame framebox framesubtitle frametitle frenchspacing frontmatter frown nabla
    nameref natural ncong nearrow neg neq newacronym newblock newcolumntype newcommand newcounter newcommandx
    newdimen newenvironment newfontfamily newgeometry newglossaryentry newif newlabel newlength newline newpage
    newsavebox newtcolorbox newtcblisting newtheorem newtheoremstyle ngeq ni nicefrac nleq nmid nobreak nobreakspace
    nocite nocolsep node noindent nolimits nolinebreak nonfrenchspacing nonumber nopagebreak nopagecolor normalfont
    normalsize not notag notin nsubseteq nu null num numberwithin numlist numrange nwarrow ne nexists nsim
    raggedbottom raggedleft raggedright raisebox rangle rceil Re ref refname refstepcounter relax renewcommand
    renewenvironment renewcommandx rebox reflectbox resizebox restoregeometry rfloor rfoot rhead rho right
    rightarrow rightharpoonup rightleftharpoons rightmargin rightskip rm rmfamily Roman roman rotatebox rowcolor
    rowcolors rule rvert rVert rlap root tabcolsep tableofcontents tablename tabularnewline tag tan tanh tau tcbset
    tcbuselibrary tcblower tensor text textasciicircum textasciitilde textbackslash textbar textbf textbullet
    textcite textcolor textdegree textellipsis textemdash textendash textgreater textheight textit textless textmd
    textmu textnormal textquotedblleft textquotedblright textregistered textrm textsc textsf textsl textsubscript
    textsuperscript texttrademark texttt textunderscore textup textwidth tfrac tbinom thanks thechapter theequation
    thefigure thefootnote thepage thesection thesubsection thetable theorembodyfont theoremstyle therefore theta
    thickapprox thicksim thinspace thispagestyle tightlist tikz tikzset tikzstyle tilde times tiny title titleformat
    titlepage titlespacing titlerule to today tolerance top topmargin toprule totalheight trace triangle
    triangleleft triangleq triangleright tt ttfamily twocolumn twoheadrightarrow typeout texorpdfstring textquote
    tnote todo value varepsilon varkappa varphi varpi varpropto varrho varsigma vartheta vbox vcenter vdash vdots
    vec vee veebar verb vert Vert vfill vline vphantom vskip vspace vrule vDash
    """.split()
)

WORDS = frozenset(
    """
    able ace an angle aper arrow at ax aise ale all allow and are ars art ash atural ave eal ear ease ecall eed eel
    eference egion eject elate elation em en ends enter epeat eport ere erm ernd error est exit exists ext eyes he
    hen here his hose ibbon ice ide ie ill in ine ing io ion is it ite ode of oil old on one op or ore orm ot other
    otes ound our out over own rail race rain raise rap ray read ree rend cong ceil floor foot head vert oman frac
    note binom hanks rame rial rim rip rite road room rope rue run uff uge ull un up ure us use ust
    """.split()
)
"""Rests that are words or parts of words, so that only their surroundings tell what they are."""


def is_plain_word(rest: str, follows: str, short: int = 3) -> bool:
    """Could `rest`, a command's name without its first letter, stand in a sentence, with `follows` behind it?

    Rests of at most `short` letters are taken for words.
    """
    if follows == "{" and len(rest) > 1:
        return False
    return len(rest) <= short or rest.lower() in WORDS
