"""Signs that a document does more with references and lists than print them.

Such a document may take another way where a label is not yet known: report an error, write other files, settle on other
pages. It has to start from nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_SIGNS = re.compile(
    # refcount.sty: numbers, 0 where the label is unknown. \IfRefUndefinedExpandable is its test.
    r"getrefnumber|getpagerefnumber|getrefbykey|counter(?:page)?ref(?![A-Za-z])|IfRefUndefined"
    # latex.ltx, \newlabel: what is known of the label x is the macro \r@x.
    r"|(?<![A-Za-z0-9.@_-])r@"
    # ifthen.sty lets \pageref and \ref be numbers in its tests.
    r"|(?:ifthenelse|whiledo|isodd|equal|ifstrequal|ifnum|ifodd|ifcase|numexpr|setcounter|addtocounter)"
    r"[^\n]{0,40}\\(?:page|name)?ref(?![A-Za-z])"
    r"|\\(?:edef|xdef|protected@edef|protected@xdef|setbox|sbox|settowidth)[^\n]{0,40}\\(?:page|name)?ref(?![A-Za-z])"
    # Files that are looked for by name, and runs that leave none.
    r"|\\(?:jobname|c_sys_jobname_str)\s*\.(?:aux|toc|lof|lot|\\|#)|\\nofiles(?![A-Za-z])"
    # A list of no entries is an error (latex.ltx, \@noitemerr).
    r"|begin\s*\{(?:itemize|enumerate|description|list|trivlist)\}[^\n]{0,80}\\@starttoc"
)
_NO_PROGRAMS = (".bib", ".bbl", ".bst")


def hinges(sources: Mapping[str, str], job: str) -> bool:
    """Whether one of the sources, by name, holds such a sign. `job` is the stem of the generated files."""
    named = re.compile(rf"(?<![\w.-]){re.escape(job)}\.(?:aux|toc|lof|lot)(?![\w.])")
    texts = [text for name, text in sources.items() if not name.endswith(_NO_PROGRAMS)]
    return any(_SIGNS.search(text) or named.search(text) for text in texts)
