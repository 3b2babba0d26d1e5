"""What commands mean for the content of a document: which print, which name a key, which read a file."""

from __future__ import annotations

from typing import Final

from texrepair.latex import vocabulary

KEYS = {
    **{name: "citation" for name, signature in vocabulary.COMMANDS.items() if signature == "*OOa"},
    "nocite": "citation",
    "label": "label",
    **dict.fromkeys(
        """ref pageref eqref vref Vref cref Cref cpageref Cpageref labelcref labelcpageref nameref autoref subref fref
        Fref vpageref hyperref hyperlink""".split(),
        "reference",
    ),
    "hypertarget": "label",
    "bibitem": "bibliography entry",
    "href": "link",
    "index": "index entry",
    "includegraphics": "picture",
    "includesvg": "picture",
    "includepdf": "picture",
    "lstinputlisting": "listing file",
    "inputminted": "listing file",
    "verbatiminput": "listing file",
    "VerbatimInput": "listing file",
    **dict.fromkeys(
        "gls Gls GLS glspl Glspl GLSpl ac Ac acs acl acf acrshort acrlong acrfull".split(), "glossary term"
    ),
}
"""Commands whose argument is a key, and what the key is."""

INPUTS = frozenset("input include subfile import subimport InputIfFileExists @input".split())
FILES = INPUTS | {"bibliography", "addbibresource", "loadglsentries", "includefrom"} | vocabulary.PACKAGE_LOADERS
PRINTED_ARGUMENTS = frozenset(
    """num si SI ang qty unit numrange SIrange qtyrange SIlist numlist qtylist ce cee chemfig complexnum complexqty url
    nolinkurl path""".split()
)
"""Commands whose ARGUMENT is printed nevertheless."""
ACTIONS = {
    **{
        name: name
        for name in "maketitle tableofcontents listoffigures listoftables printindex lstlistoflistings".split()
    },
    **dict.fromkeys(("bibliography", "printbibliography", "thebibliography"), "bibliography"),
    **dict.fromkeys(("printglossary", "printglossaries"), "glossary"),
}
"""Commands that print something made elsewhere."""

NAMED_UNITS = {
    **dict.fromkeys(vocabulary.SECTIONING, "section title"),
    **dict.fromkeys("title subtitle frametitle framesubtitle".split(), "title"),
    **dict.fromkeys(
        "author date institute affiliation affil address email thanks keywords subject".split(), "title page entry"
    ),
    "caption": "caption",
    "captionof": "caption",
    "footnote": "footnote",
    "footnotetext": "footnote",
}
BREAKS = frozenset({"item", "par", "begin", "end", "bibitem"} | set(NAMED_UNITS))


UNPRINTED = frozenset(vocabulary.COMMANDS) | vocabulary.DECLARATIONS | BREAKS | set(ACTIONS)
"""Commands that print nothing of their own."""


PROSE: Final = frozenset(
    """document itemize enumerate description quote quotation abstract center flushleft flushright verse titlepage frame
    theorem lemma proof definition remark example minipage figure table columns column block""".split()
)
"""Environments in which a bare & is a character that somebody forgot to escape."""
