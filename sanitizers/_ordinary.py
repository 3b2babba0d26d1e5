"""Where TeX surely reads text as text: not in an environment that may be verbatim."""

from __future__ import annotations

import re

from texrepair.latex import Mode
from texrepair.rules import Case

_ORDINARY = frozenset(
    """
    document abstract titlepage appendices frontmatter mainmatter itemize enumerate description list trivlist
    inparaenum compactitem compactenum compactdesc tasks multicols center flushleft flushright quote quotation verse
    minipage displayquote spacing singlespace onehalfspace doublespace adjustwidth sloppypar samepage landscape
    figure table wrapfigure wraptable subfigure subtable floatrow sidewaysfigure sidewaystable threeparttable
    tablenotes adjustbox tabular tabularx tabulary longtable supertabular xltabular tblr longtblr array tabbing
    equation align gather multline split aligned gathered alignedat alignat flalign cases dcases rcases matrix
    pmatrix bmatrix vmatrix Vmatrix Bmatrix smallmatrix displaymath math eqnarray subequations theorem lemma
    corollary proposition definition example examples remark remarks proof claim conjecture note exercise problem
    solution question answer thm lem cor prop defn rem frame block alertblock exampleblock columns column overprint
    onlyenv tcolorbox mdframed framed shaded leftbar picture tikzpicture axis algorithm algorithmic thebibliography
    letter acknowledgments acknowledgements keywords IEEEkeywords CJK refsection refsegment questions parts choices
    resume rSection summary small footnotesize large otherlanguage english french german chinese
    """.split()
)
_UNREAD = (Mode.VERBATIM, Mode.COMMENT, Mode.DEAD)
_OWN_VERBATIM = re.compile(r"catcode|obeylines|@sanitize|scantokens|erbatim|lstnewenvironment|newminted|dospecials")


def in_ordinary_text(case: Case, pos: int) -> bool:
    """Is every environment around the place known to read its body as usual?

    An environment of a class or package that is not known here may print its body as it stands; one of the draft's own
    may do so only if the draft plays with category codes.
    """
    names = [environment.name.strip("{} ").removesuffix("*") for environment in case.source.environments_at(pos)]
    own = [name for name in names if name not in _ORDINARY]
    if not own:
        return True
    return all(name in case.defined for name in own) and not any(_OWN_VERBATIM.search(s.text) for s in case.read)


def is_read(case: Case, pos: int) -> bool:
    """Does TeX surely read the place, as text, formula or argument?"""
    return case.source.mode(pos) not in _UNREAD and in_ordinary_text(case, pos)
