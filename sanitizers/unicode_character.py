r"""A character that pdfTeX does not know: ≤, α, →, ₂.

Why it breaks: with pdfTeX each character beyond ASCII needs a definition; LaTeX has those of letters and punctuation
only: "Unicode character ≤ (U+2264) not set up for use with LaTeX".

What is done: every such character of the document is given its meaning in the preamble with \DeclareUnicodeCharacter,
so that it prints in text and in formulas; nothing in the text is changed. A document with letters of a script that
needs other fonts is built with an engine that reads Unicode, if the caller named none.

When nothing is done: no meaning is known for the character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import newline_of, preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρςστυφχψωΓΔΘΛΞΠΣΥΦΨΩϑϕϱϖϵ",
        (
            "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho varsigma sigma tau "
            "upsilon varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega "
            "vartheta phi varrho varpi epsilon"
        ).split(),
        strict=True,
    )
)
_LATIN_LIKE = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))
_SIGNS = {
    sign: name
    for pair in """
    ≤:leq ≥:geq ≠:neq ≈:approx ≡:equiv ∼:sim ≃:simeq ≅:cong ≪:ll ≫:gg ∝:propto ∓:mp ∗:ast ∘:circ ∙:bullet ⋅:cdot √:surd
    ∞:infty ∂:partial ∇:nabla ∑:sum ∏:prod ∫:int ∮:oint ∈:in ∉:notin ∋:ni ⊂:subset ⊃:supset ⊆:subseteq ⊇:supseteq
    ∪:cup ∩:cap ∧:wedge ∨:vee ∀:forall ∃:exists ∅:emptyset →:rightarrow ←:leftarrow ↔:leftrightarrow ⇒:Rightarrow
    ⇐:Leftarrow ⇔:Leftrightarrow ↑:uparrow ↓:downarrow ↦:mapsto ⟶:longrightarrow ⟹:Longrightarrow ⟨:langle ⟩:rangle
    ⌈:lceil ⌉:rceil ⌊:lfloor ⌋:rfloor ⊕:oplus ⊗:otimes ⊥:perp ∥:parallel ∣:mid ⊢:vdash ⊨:models ⊤:top ★:star ◦:circ
    ℏ:hbar ℓ:ell ℜ:Re ℑ:Im ℵ:aleph ∠:angle △:triangle ◇:diamond ♠:spadesuit ♥:heartsuit ♦:diamondsuit ♣:clubsuit
    ∖:setminus ≺:prec ≻:succ ⊙:odot ⟺:Longleftrightarrow ⋯:cdots ⋮:vdots ⋱:ddots ′:prime
    """.split()
    for sign, _, name in [pair.partition(":")]
}
_SYMBOLS = {  # amssymb's
    sign: name
    for pair in """
    ℝ:mathbb{R} ℕ:mathbb{N} ℤ:mathbb{Z} ℚ:mathbb{Q} ℂ:mathbb{C} ℙ:mathbb{P} 𝔼:mathbb{E} ≲:lesssim ≳:gtrsim ⩽:leqslant
    ⩾:geqslant ∴:therefore ∵:because □:square ■:blacksquare ✓:checkmark ✔:checkmark ∄:nexists ⊊:subsetneq
    ▲:blacktriangle
    """.split()
    for sign, _, name in [pair.partition(":")]
}
_TEXT = {
    "\u2212": "\\ensuremath{-}", "\u2010": "-", "\u2011": "-", "\u2012": "--", "\u2015": "---", "\u2009": "\\,",
    "\u202f": "\\,", "\u2007": "\\phantom{0}", "\u2002": "\\enspace{}", "\u2003": "\\quad{}", "\u200a": "\\,",
    "″": "\\ensuremath{''}", "\u2044": "/", "\u2215": "/", "\u2236": ":", "½": "\\ensuremath{\\frac12}",
    "⅓": "\\ensuremath{\\frac13}", "⅔": "\\ensuremath{\\frac23}", "⅛": "\\ensuremath{\\frac18}",
    "\u2126": "\\ensuremath{\\Omega}", "\u212a": "K", "\u212b": "\\AA{}", "℃": "\\ensuremath{^{\\circ}}C",
    "℉": "\\ensuremath{^{\\circ}}F", "●": "\\textbullet{}", "○": "\\ensuremath{\\circ}", "▪": "\\textbullet{}",
    "‣": "\\textbullet{}", "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
}  # fmt: skip
_HIGH = dict(zip("¹²³⁰ⁱ⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", "1230i456789+-=()n", strict=True))
_LOW = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ᵢⱼₐₑₒₓₙ", "0123456789+-=()ijaeoxn", strict=True))
_OTHER_FONTS = re.compile(r"[\u0400-\u052f\u0590-\u10ff\u2e80-\ud7ff\uf900-\ufaff]")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or case.engine != "pdflatex":
        return
    texts = "".join(s.text for s in case.read)
    if _OTHER_FONTS.search(texts):
        yield Candidate((), "build with xelatex, which reads these characters", 0.9, "xelatex")
    declared = {int(m, 16) for m in re.findall(r"DeclareUnicodeCharacter\s*\{\s*([0-9A-Fa-f]{2,6})\s*\}", texts)}
    written = sorted(sign for sign in set(texts) if ord(sign) > 0x2FF or sign in "¹²³" + (found.token or ""))
    said = {sign: meaning for sign in written if ord(sign) not in declared and (meaning := _meaning(sign)) is not None}
    main = case.lexed(case.main)
    named = [sign for sign in found.token or "" if sign in said or not sign.isascii()]
    if not said or (named and named[0] not in said):
        return
    end = newline_of(main.text)
    lines = [f"\\DeclareUnicodeCharacter{{{ord(sign):04X}}}{{{meaning}}}" for sign, meaning in said.items()]
    if any(sign in _SYMBOLS for sign in said) and not {"amssymb", "amsfonts", "newtxmath"} & set(case.packages):
        lines.insert(0, "\\usepackage{amssymb}")
    place = preamble_line(main, end.join(lines))
    if place is not None:
        edit = Edit(case.main, place[0], place[0], place[1])
        yield Candidate((edit,), f"say what {' '.join(said)} mean{'s' if len(said) == 1 else ''}", 0.88)


def _meaning(sign: str) -> str | None:
    if sign in _TEXT:
        return _TEXT[sign]
    for table in (_GREEK, _SIGNS, _SYMBOLS):
        if sign in table:
            return f"\\ensuremath{{\\{table[sign]}}}"
    if sign in _LATIN_LIKE:
        return f"\\ensuremath{{\\mathrm{{{_LATIN_LIKE[sign]}}}}}"
    if sign in _HIGH:
        return f"\\ensuremath{{^{{{_HIGH[sign]}}}}}"
    return f"\\ensuremath{{_{{{_LOW[sign]}}}}}" if sign in _LOW else None


RULE = Rule(
    id="unicode-character",
    fix=propose,
    answers=("unicode-not-set-up",),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\nAt α ≤ 5.\n\\end{document}\n",
            "\\documentclass{article}\n\\DeclareUnicodeCharacter{03B1}{\\ensuremath{\\alpha}}\n"
            "\\DeclareUnicodeCharacter{2264}{\\ensuremath{\\leq}}\n\\begin{document}\nAt α ≤ 5.\n\\end{document}\n",
            message="LaTeX Error: Unicode character α (U+03B1) not set up for use with LaTeX",
            token="α",
            line=3,
            engine="pdflatex",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\nAt α ≤ 5.\n\\end{document}\n",
            None,
            message="LaTeX Error: Unicode character α (U+03B1) not set up for use with LaTeX",
            token="α",
            line=3,
        ),
    ),
)
