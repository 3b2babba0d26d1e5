r"""A % # or ~ in the name of a picture's file: \includegraphics{plot_50%.png}.

Why it breaks: % begins a comment and swallows the closing brace, # stands for a parameter, ~ for a space: "File ended
while scanning use of \Gin@ii", "Illegal parameter number". A backslash before the sign makes it a command.

What is done: if the project has a file of that name, the sign is written with a macro that stands for the bare sign,
defined at the end of the preamble.

When nothing is done: no such file is there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.preamble import newline_of, preamble_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

_CALL = re.compile(
    r"\\(?:includegraphics|includepdf|includesvg)\*?[ \t]*(?:\[[^\]\r\n]*\])?[ \t]*"
    r"\{(?P<name>[^{}\r\n]*[%#~][^{}\r\n]*)\}"
)
_SIGN = re.compile(r"\\?(?P<sign>[%#~])")
_MACROS = {
    "%": ("\\percentsign", "\\makeatletter\\let\\percentsign\\@percentchar\\makeatother"),
    "#": ("\\hashsign", "\\edef\\hashsign{\\string#}"),
    "~": ("\\tildesign", "\\edef\\tildesign{\\string~}"),
}
_ENDINGS = ("", ".pdf", ".png", ".jpg", ".jpeg", ".eps", ".svg")


def propose(case: Case) -> Iterator[Candidate]:
    edits: list[Edit] = []
    signs: set[str] = set()
    for path, source in case.tex_files():
        for call in _CALL.finditer(source.text):
            real = _SIGN.sub(r"\g<sign>", call["name"]).strip()
            there = any(asset == real + e or asset.endswith("/" + real + e) for asset in case.assets for e in _ENDINGS)
            if not there or not source.live(call.start()) or source.in_definition(call.start()):
                continue
            for sign in _SIGN.finditer(source.text, *call.span("name")):
                signs.add(sign["sign"])
                # The space ends the macro's name and goes; braces would become part of the file's.
                space = " " if source.text[sign.end() : sign.end() + 1].isalpha() else ""
                edits.append(Edit(path, *sign.span(), _MACROS[sign["sign"]][0] + space))
    main = case.lexed(case.main)
    lines = newline_of(main.text).join(text for sign, (_, text) in _MACROS.items() if sign in signs)
    line = preamble_line(main, lines)
    if edits and line is not None:
        edits.append(Edit(case.main, line[0], line[0], line[1]))
        yield Candidate(tuple(edits), "write the signs in file names with macros", 0.97)


_HEAD = "\\documentclass{article}\n"
_BODY = "\\begin{document}\n\\includegraphics[width=5cm]{a/plot_50%.png}\n\\includegraphics{run#2}\n\\end{document}\n"
_SAYS = "File ended while scanning use of \\Gin@ii"

RULE = Rule(
    id="sign-in-file-name",
    fix=propose,
    answers=(
        "runaway-argument", "illegal-parameter", "parameter-character", "image-not-found", "file-not-found",
        "missing-endcsname", "extra-endcsname", "tex-error", "missing-brace", "environment-mismatch",
        "missing-end-document",
    ),
    examples=(
        Example(
            _HEAD + _BODY,
            _HEAD + "\\makeatletter\\let\\percentsign\\@percentchar\\makeatother\n\\edef\\hashsign{\\string#}\n"
            + _BODY.replace("50%", "50\\percentsign").replace("run#", "run\\hashsign"),
            message=_SAYS,
            line=3,
            assets=frozenset({"a/plot_50%.png", "run#2.png"}),
        ),
        Example(_HEAD + _BODY, None, message=_SAYS, line=3),
    ),
)  # fmt: skip
