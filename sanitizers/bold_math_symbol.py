r"""\mathbf of a Greek letter or a symbol under unicode-math, which prints nothing.

Why it breaks: with unicode-math \mathbf takes its characters from the bold text font (manual, section "Legacy
alphabets"). Latin Modern Roman has no mathematical Greek and few symbols: the character is missing in the PDF, and
only the log says so.

What is done: \mathbf becomes \symbf where its argument holds such a character; around an accent rather than inside
it.

When nothing is done: for Latin letters and digits, which \mathbf prints; where \mathbf was redefined, or set to the
symbol alphabet, or the text font was chosen.
"""

import re
from collections.abc import Iterator

from texrepair.latex import Command, Source
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_GREEK = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda mu nu "
    "xi omicron pi varpi rho "
    "varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma "
    "Upsilon Phi Psi Omega"
)
_SYMBOLS = "partial nabla ell hbar Re Im wp aleph imath jmath vec dddot"
_MISSING = frozenset((_GREEK + " " + _SYMBOLS).split())
_CHARACTERS = re.compile("[\u0391-\u03a9\u03b1-\u03c9∂∇ℓℏℜℑ℘ℵ]")
_ACCENTS = frozenset("hat tilde bar vec dot ddot widehat widetilde check breve acute grave mathring".split())
_OTHER_ALPHABETS = re.compile(r"\A(?:text|math|sym|mbox|hbox|boldsymbol|bm\Z|label|ref|tag|operatorname)")
_CHOSEN = re.compile(
    r"mathbf\s*=\s*sym|\\(?:setmainfont|setromanfont|setmathrm|setboldmathrm|setmathfontface|setmathsf|"
    r"setmathtt|babelfont)\b"
    r"|\\(?:let|def|(?:re)?newcommand|DeclareMathAlphabet|SetMathAlphabet)\*?\s*\{?\s*\\mathbf\b"
)
_FONT_PACKAGE = re.compile(
    r"libert|stix|xits|fourier|kpfonts|garamond|erewhon|computermodern|newcm|plex|noto|roboto|source|"
    r"times|palat|font(?!spec)"
)


def fix(case: Case) -> Iterator[Candidate]:
    if "\\mathbf" not in case.text or case.path.endswith(".bib") or case.engine not in ("xelatex", "lualatex"):
        return
    if "unicode-math" not in case.packages or any(_FONT_PACKAGE.search(name) for name in case.packages):
        return
    if any(_CHOSEN.search(source.text) for source in case.read):
        return
    source = case.source
    for bold in source.command_named("mathbf"):
        if not source.live(bold.start):
            continue
        whole = _argument(source, bold)
        if whole is None or not _holds_missing(source, *whole):
            continue
        accent = _accent_around(source, bold, whole[1])
        if accent is None:
            edits = (Edit(case.path, bold.start, bold.end, "\\symbf"),)
        else:
            inner = source.text[whole[0] : whole[1]]
            inner = inner if inner.startswith("{") else f"{{{inner}}}"
            new = f"\\symbf{{\\{accent[0]}{inner}}}"
            edits = (Edit(case.path, accent[1], accent[2], new),)
        yield Candidate(edits, "take the bold symbol from the math font: \\symbf", 1.0)


def _argument(source: Source, bold: Command) -> tuple[int, int] | None:
    arguments = source.arguments(bold, 1)
    if arguments:
        return None if arguments[0].optional else (arguments[0].start, arguments[0].end)
    for follower in source.commands:
        if follower.start >= bold.end:
            single = not source.text[bold.end : follower.start].strip()
            return (follower.start, follower.end) if single else None
    return None


def _holds_missing(source: Source, start: int, end: int) -> bool:
    places = [c.start for c in source.commands if start <= c.start < end and c.name in _MISSING]
    places += [m.start() for m in _CHARACTERS.finditer(source.text, start, end)]
    return any(_plain(source, start, place) for place in places)


def _plain(source: Source, start: int, place: int) -> bool:
    """Does the symbol at `place` take the alphabet of the argument that begins at `start`?"""
    around = [g for g in source.groups_at(place) if g.open > start]
    return source.live(place) and not any(_OTHER_ALPHABETS.match(g.opener) for g in around)


def _accent_around(source: Source, bold: Command, end: int) -> tuple[str, int, int] | None:
    """Name, start and end of the accent whose whole argument the bold is."""
    for accent in source.command_named(*_ACCENTS):
        if accent.start < bold.start <= accent.end + 3:
            arguments = source.arguments(accent, 1)
            if (
                arguments
                and source.text[arguments[0].start + 1 : arguments[0].end - 1].strip() == source.text[bold.start : end]
            ):
                return accent.name, accent.start, arguments[0].end
            if not arguments and not source.text[accent.end : bold.start].strip():
                return accent.name, accent.start, end
    return None


_HEAD = "\\documentclass{article}\n\\usepackage{unicode-math}\n\\begin{document}\n"
RULE = Rule(
    id="bold-math-symbol",
    fix=fix,
    examples=(
        Example(
            _HEAD + "$\\mathbf{\\alpha} + \\mathbf{x} + \\mathbf\\nabla + \\mathbf{\\vec{E}}$\n\\end{document}\n",
            _HEAD + "$\\symbf{\\alpha} + \\mathbf{x} + \\symbf\\nabla + \\symbf{\\vec{E}}$\n\\end{document}\n",
        ),
        Example(
            _HEAD + "$\\hat{\\mathbf{\\beta}}$, $\\hat\\mathbf{ω}$\n\\end{document}\n",
            _HEAD + "$\\symbf{\\hat{\\beta}}$, $\\symbf{\\hat{ω}}$\n\\end{document}\n",
        ),
        Example(_HEAD + "$\\hat{\\mathbf{x}} + \\mathbf{v}_\\alpha + \\mathbf{\\text{α}}$\n\\end{document}\n"),
        Example("\\documentclass{article}\n\\begin{document}\n$\\mathbf{\\alpha}$\n\\end{document}\n"),
        Example(
            "\\documentclass{article}\n\\usepackage[mathbf=sym]{unicode-math}\n\\begin{document}\n"
            "$\\mathbf{\\alpha}$\n\\end{document}\n"
        ),
    ),
)
