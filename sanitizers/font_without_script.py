r"""A font without the letters of the language: polyglossia with Russian, Greek or Hebrew and the usual font.

Why it breaks: polyglossia asks the font for the script: "The current main font does not contain the Cyrillic script";
without it nothing is printed.

What is done: the document is set in fonts with these letters if it chose none itself, else they are given to the script
alone, for text, sans serif and typewriter; the fonts that are commonly installed are tried one after the other.

When nothing is done: the script's font is set already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.fonts import SCRIPTS, WIDE
from texrepair.latex.preamble import line_end
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_SAID = re.compile(r"does not contain the [\"'`“]?(\w+)[\"'”]? script")
_ASKED = re.compile(r"define \\?(\w+?font)(?:sf|tt)?\b")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    said = _SAID.search(found.message) if found is not None else None
    source = case.lexed(case.main)
    loads = [p for p in source.packages if p.name in ("polyglossia", "fontspec") and source.live(p.start)]
    if found is None or said is None or not loads:
        return
    script = said[1]
    asked = _ASKED.search(found.message)
    name = asked[1] if asked else script.lower() + "font"
    if name in source.definitions or re.search(rf"\\{name}(?![A-Za-z])", source.text):
        return
    if script in ("Cyrillic", "Greek", "Latin"):
        families = list(zip(WIDE["serif"], WIDE["sans"], WIDE["mono"], strict=True))
    else:
        families = [(font, font, font) for font in SCRIPTS.get(script, ("FreeSerif", "DejaVu Sans"))]
    # DejaVu is what Linux distributions bring; a name that is not there makes XeTeX read every font it finds.
    families.sort(key=lambda family: not family[0].startswith("DejaVu"))
    place = line_end(source, max(p.end for p in loads))
    last = max((c.start for c in source.command_named("setmainfont", "setsansfont", "setmonofont")), default=place)
    place = max(place, line_end(source, last)) if source.in_preamble(last) else place
    chosen = any(source.live(c.start) for c in source.command_named("setmainfont", "setromanfont"))
    for rank, (serif, sans, mono) in enumerate(families[:4]):
        lines = "".join(
            f"\n\\newfontfamily\\{name}{ending}[Script={script}]{{{font}}}"
            for ending, font in (("", serif), ("sf", sans), ("tt", mono))
        )
        if not chosen and script in ("Cyrillic", "Greek"):
            # Headings and marks are set outside the language, in the document's own font.
            whole = f"\n\\setmainfont{{{serif}}}\n\\setsansfont{{{sans}}}\n\\setmonofont{{{mono}}}"
            why = f"set the document in {serif}, which has the {script} letters"
            yield Candidate((Edit(case.main, place, place, whole),), why, round(0.93 - 0.05 * rank, 2))
        why = f"give the {script} script the fonts of {serif}"
        yield Candidate((Edit(case.main, place, place, lines),), why, round(0.9 - 0.05 * rank, 2))


RULE = Rule(
    id="font-without-script",
    fix=propose,
    answers=("package-error", "font-not-found"),
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{polyglossia}\n\\setmainlanguage{russian}\n\\begin{document}\nы\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{polyglossia}\n"
            "\\setmainfont{DejaVu Serif}\n\\setsansfont{DejaVu Sans}\n\\setmonofont{DejaVu Sans Mono}\n"
            "\\setmainlanguage{russian}\n\\begin{document}\nы\n\\end{document}\n",
            message='Package polyglossia Error: The current latin roman font does not contain the "Cyrillic" script! '
            "Please define \\cyrillicfont with \\newfontfamily",
            line=5,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nx\n\\end{document}\n",
            None,
            message="Package polyglossia Error: something else",
        ),
    ),
)
