"""What only looks like an error is none, and what hardly looks like one is."""

# Logs have long lines.
# ruff: noqa: E501
from __future__ import annotations

import pytest

from texrepair.diagnosis import diagnose

BANNER = "This is pdfTeX, Version 3.14 (TeX Live 2022) (preloaded format=pdflatex 2026.1.1)  1 JAN 2026 10:00\n**main.tex\n(./main.tex\nLaTeX2e <2022-11-01>\n"
ERROR = "! Undefined control sequence.\nl.9 \\real\n         \nThe control sequence at the end of the top line\nand I'll forget about whatever was undefined.\n\n"


def errors(text, banner=BANNER):
    return [(d.file, d.line, d.message) for d in diagnose(banner + text).errors]


NOISE = [
    "! Undefined control sequence.\nl.5 typed out\n",
    "! Package demo Error: only words.\n\nSee the demo package documentation for explanation.\n",
    "./main.tex:3: Undefined control sequence.\n",
    "l.12 \\foo\n",
    "Package demo Info: Error: value (3 out of 4 on input line 4.\n",
    "Package demo Warning: ! Undefined control sequence (really\n(demo)                l.5 x.\n\n",
    "> \\foo=macro:\n->! Emergency stop.\nl.5 \\show\\foo\n             \n\n",
    "> \\box0=\n\\hbox(6.94+2.5)x20.0\n.\\OT1/cmr/m/n/10 (\n.\\OT1/cmr/m/n/10 !\n\n! OK.\nl.5 \\showbox0\n             \n\n",
    "Overfull \\hbox (408.7pt too wide) in paragraph at lines 1--2\n[]\\OT1/cmr/m/n/10 Wide: $\\OML/cmm/m/it/10 u \\OT1/cmr/m/n/10 : (\\OML/cmm/m/it/10\n! \\OT1/cmr/m/n/10 (\\OML/cmm/m/it/10 A\n []\n\n",
    "{the character (}\n{blank space  }\n\\foo #1->(#1\n#1<-x\n",
    "Some text :-) and more\n",
    "Chapter 3 (one that is not closed\n",
    "[1{/var/lib/fonts/pdftex.map} <./fig (1.pdf>]\n",
]  # fmt: skip


@pytest.mark.parametrize("noise", NOISE)
def test_noise_is_no_error_and_does_not_move_the_file(noise):
    assert errors(f"(./part.tex\n{noise}{ERROR})\n)") == [("part.tex", 9, "Undefined control sequence")]


@pytest.mark.parametrize(
    "name",
    [
        "./my text/draft (2).tex",
        "./résumé/état des lieux.tex",
        "./copy [final] (1)/a.b.c.tex",
        "./x)y.tex",
        "./x(y.tex",
        "./:-).tex",
        "./no-ending",
        "../up/one.tex",
        "/absolute/path/one.tex",
        "C:/Users/A B/one.tex",
    ],
)
def test_file_names_may_hold_anything(name):
    expected = name.removeprefix("./")
    assert errors(f"({name}\n{ERROR})\n{ERROR}") == [
        (expected, 9, "Undefined control sequence"),
        ("main.tex", 9, "Undefined control sequence"),
    ]


def test_a_quoted_name_ends_with_its_quote():
    assert errors(f'("./a b (c.tex"\n{ERROR})')[0][0] == "a b (c.tex"


def test_names_without_a_folder_are_read_where_the_main_file_has_none():
    banner = BANNER.replace("(./main.tex", "(main.tex")
    assert errors(f"(chapters/one.tex\n{ERROR})\n{ERROR}", banner) == [
        ("chapters/one.tex", 9, "Undefined control sequence"),
        ("main.tex", 9, "Undefined control sequence"),
    ]


def test_a_known_name_is_taken_whole():
    log = BANNER + f"(./odd name.tex and more\n{ERROR})"
    assert diagnose(log, sources={"odd name.tex and more": ""}).errors[0].file == "odd name.tex and more"


def test_a_recorder_file_knows_the_names():
    log = BANNER + f"(./odd name.tex and more\n{ERROR})"
    recorder = (
        "PWD /home/user/project\nINPUT main.tex\nINPUT /home/user/project/odd name.tex and more\nOUTPUT main.log\n"
    )
    assert diagnose(log, recorder=recorder).errors[0].file == "odd name.tex and more"


def test_a_missing_file_has_the_place_of_the_stop_that_follows():
    text = "! LaTeX Error: File `x.sty' not found.\n\nType X to quit or <RETURN> to proceed,\nor enter new name. (Default extension: sty)\n\nEnter file name: \n! Emergency stop.\n<read *> \n         \nl.3 \\begin\n          {document}^^M\n*** (cannot \\read from terminal in nonstop modes)\n\n"
    found = diagnose(BANNER + text).errors
    assert [(d.file, d.line, d.code, d.independent) for d in found] == [
        ("main.tex", 3, "package-not-found", True),
        ("main.tex", 3, "emergency-stop", False),
    ]
    assert (found[1].before, found[1].after) == ("\\begin", "{document}")


def test_an_error_behind_a_prompt_is_one():
    text = "! Undefined control sequence.\nl.3 \\a\n      \n? ! Double subscript.\nl.4 $x_1_\n         2$\n? \n"
    assert [line for _, line, _ in errors(text)] == [3, 4]


def test_a_question_for_a_file_is_no_part_of_the_message():
    text = "! LaTeX Error: File `x.tex' not found.\n\nType X to quit or <RETURN> to proceed,\nor enter new name.\n\nEnter file name: \n"
    assert errors(text) == [("main.tex", None, "LaTeX Error: File `x.tex' not found")]


def test_the_end_of_the_terminal_has_no_line():
    text = ")\n! Emergency stop.\n<*> main.tex\n            \n*** (job aborted, no legal \\end found)\n\n"
    found = diagnose(BANNER + text).errors[0]
    assert (found.file, found.line, found.code) == ("main.tex", None, "missing-end-document")


def test_an_old_box_of_expl3_is_one_message():
    box = '\n!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!\n!\n! fontspec error: "font-not-found"\n! \n! The font "X" cannot be found.\n! \n! See the fontspec documentation for further information.\n! \n! For immediate help type H <return>.\n!...............................................  \n                                                  \nl.4 \\setmainfont{X}\n                   \n\n'
    assert errors(box) == [("main.tex", 4, 'fontspec error: "font-not-found" The font "X" cannot be found')]


def test_halves_and_levels_of_a_context_are_kept_apart():
    text = "! Undefined control sequence.\n<argument> a \\deep \n                   b\nl.5 \\outer{a \\deep b}\n                     , more\n\n"
    found = diagnose(BANNER + text).errors[0]
    assert (found.before, found.after, found.token) == ("\\outer{a \\deep b}", ", more", "\\deep")
    assert found.context == ("<argument> a \\deep b",)


def test_the_line_of_scanned_tokens_is_that_of_the_file():
    text = "! Undefined control sequence.\nl.1 a\\odd\n         b\nl.7 \\scantokens{a\\odd b}\n                        \n\n"
    found = diagnose(BANNER + text).errors[0]
    assert (found.line, found.token) == (7, "\\odd")


def test_two_commands_of_one_line_are_two_errors():
    one = "! Undefined control sequence.\nl.9 \\aa\n       \\bb\n\n"
    two = "! Undefined control sequence.\nl.9 \\aa\\bb\n          \n\n"
    assert [d.token for d in diagnose(BANNER + one + two + one).errors] == ["\\aa", "\\bb"]


def test_what_a_terminal_shows_is_read_too():
    banner = "This is pdfTeX, Version 3.14 (TeX Live 2022) (preloaded format=pdflatex)\n restricted \\write18 enabled.\nentering extended mode\n(./main.tex\n"
    text = "! Undefined control sequence.\nl.2 \\one\n        \n(./part.tex [1]\nOverfull \\hbox (3.0pt too wide) in paragraph at lines 4--5\n[]\\OT1/cmr/m/n/10 (text\n! Undefined control sequence.\nl.9 \\two\n        \n) )\n"
    found = diagnose(banner + text)
    assert [(d.file, d.line) for d in found.errors] == [("main.tex", 2), ("part.tex", 9)]
    assert [(d.file, d.line) for d in found.warnings] == [("part.tex", 4)]


def test_a_run_of_latexmk_is_told_by_its_last_passes():
    bad = "This is pdfTeX, Version 3.14 (TeX Live 2022) (preloaded format=pdflatex)\n(./main.tex\n! Undefined control sequence.\nl.2 \\one\n        \n)\n"
    good = "This is pdfTeX, Version 3.14 (TeX Live 2022) (preloaded format=pdflatex)\n(./main.tex [1] )\nOutput written on main.pdf (1 page, 999 bytes).\n"
    bib = 'This is BibTeX, Version 0.99d (TeX Live 2022)\nThe top-level auxiliary file: main.aux\nWarning--I didn\'t find a database entry for "x"\n'
    found = diagnose(f"Latexmk: x\n{bad}{bib}{good}")
    assert found.errors == ()
    assert [d.kind for d in found.warnings] == ["undefined-citation"]
    assert found.finished and found.pages == 1


def test_pages_and_the_end_are_told():
    assert diagnose(BANNER + ")\nHere is how much of TeX's memory you used:\n 1\nNo pages of output.\n").pages == 0
    assert not diagnose(BANNER + ")\n").finished


RERUNS = [
    "LaTeX Warning: Label(s) may have changed. Rerun to get cross-references right.",
    "Package longtable Warning: Table widths have changed. Rerun LaTeX.",
    "Package rerunfilecheck Warning: File `main.out' has changed.\n(rerunfilecheck)                Rerun to get outlines right\n(rerunfilecheck)                or use package `bookmark'.",
    "Package natbib Warning: Citation(s) may have changed.\n(natbib)                Rerun to get citations correct.",
    "Package biblatex Warning: Please (re)run Biber on the file:\n(biblatex)                main\n(biblatex)                and rerun LaTeX afterwards.",
]


@pytest.mark.parametrize("warning", RERUNS)
def test_requests_to_run_again_are_told(warning):
    found = diagnose(f"{BANNER}\n{warning}\n\n)")
    assert [d.kind for d in found.warnings] == ["rerun"]


WARNINGS = [
    ("LaTeX Warning: Reference `a' on page 1 undefined on input line 5.", "undefined-reference", 5, "a"),
    ("LaTeX Warning: Hyper reference `a' on page 1 undefined on input line 5.", "undefined-reference", 5, "a"),
    ("LaTeX Warning: Citation `a' on page 1 undefined on input line 5.", "undefined-citation", 5, "a"),
    ("Package natbib Warning: Citation `a' on page 1 undefined on input line 5.", "undefined-citation", 5, "a"),
    ("LaTeX Warning: There were undefined references.", "other", None, None),
    ("LaTeX Warning: Label `a' multiply defined.", "other", None, "a"),
    ("LaTeX Font Warning: Font shape `T1/x/m/n' undefined\n(Font)              using `T1/cmr/m/n' instead on input line 5.", "font", 5, None),
    ("LaTeX Warning: File `a.png' not found on input line 5.", "other", 5, "a.png"),
    ("Class demo Warning: Something on input line 12345.", "other", 12345, None),
]  # fmt: skip


@pytest.mark.parametrize(("warning", "kind", "line", "token"), WARNINGS)
def test_warnings_have_their_kind(warning, kind, line, token):
    found = diagnose(f"{BANNER}\n{warning}\n\n)").warnings
    assert [(d.kind, d.line, d.token, d.file) for d in found] == [(kind, line, token, "main.tex")]


def test_a_missing_character_names_itself_and_its_font():
    found = diagnose(
        BANNER + "Missing character: There is no 中 (U+4E2D) in font [lmroman10-regular]:mapping=tex-text;!\n"
    ).warnings[0]
    assert found.token == "中"
    assert found.detail == {"character": "中", "codepoint": "U+4E2D", "font": "[lmroman10-regular]:mapping=tex-text;"}
    null = diagnose(BANNER + "Missing character: There is no a in font nullfont!\n").warnings[0]
    assert (null.kind, null.code) == ("missing-character", "nullfont")


def test_a_box_has_its_size_and_lines():
    found = diagnose(
        BANNER
        + "Overfull \\vbox (16.9pt too high) detected at line 7\n []\n\nUnderfull \\hbox (badness 10000) in paragraph at lines 3--4\n\n []\n\n"
    ).warnings
    assert [(d.kind, d.line, dict(d.detail)) for d in found] == [
        ("overfull", 7, {"box": "vbox", "size": 16.9}),
        ("underfull", 3, {"box": "hbox", "badness": 10000, "last": 4}),
    ]
