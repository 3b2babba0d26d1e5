"""Where TeX was is one thing; where the cause stands is another."""

# Logs have long lines.
# ruff: noqa: E501
from __future__ import annotations

from texrepair.diagnosis import diagnose
from texrepair.result import Place

MAIN = "\\documentclass{article}\n\\input{macros}\n\\begin{document}\n\\section{A \\protect\\odd{} title}\nText.\n\\end{document}\n"


def origin(log, sources):
    return diagnose(log, sources=sources).errors[0].origin


def test_the_line_of_a_contents_file_comes_from_the_section_that_wrote_it():
    log = "./main.toc:1: Undefined control sequence.\n<argument> A \\odd \n                  {} title\nl.1 ...{1}A \\odd {} title}{1}{}\n                               %\n\n"
    assert origin(log, {"main.tex": MAIN}) == Place("main.tex", 4)


def test_the_line_of_a_bibliography_comes_from_its_entry():
    bib = "@misc{one, title = {Fine}}\n@misc{two,\n  title = {On \\odd things},\n}\n"
    log = "./main.bbl:9: Undefined control sequence.\nl.9 \\newblock On \\odd\n                    things.\n\n"
    assert origin(log, {"main.tex": MAIN, "refs.bib": bib}) == Place("refs.bib", 3)


def test_an_argument_that_never_ended_began_where_its_first_words_stand():
    text = "\\documentclass{article}\n\\begin{document}\nSee \\footnote{a note\nthat goes on.\n\nNext paragraph.\n\\end{document}\n"
    log = "Runaway argument?\n{a note that goes on. \n./main.tex:5: Paragraph ended before \\@footnotetext was complete.\n<to be read again> \n                   \\par \nl.5 \n    \n\n"
    assert origin(log, {"main.tex": text}) == Place("main.tex", 3)


def test_an_argument_that_swallowed_its_file_began_in_that_file():
    log = ")\nRunaway argument?\n{\\textbf {#1} \n./main.tex:2: File ended while scanning use of \\@argdef.\n<inserted text> \n                \\par \nl.2 \\input{macros}\n                  \n\n"
    sources = {"main.tex": MAIN, "macros.tex": "\\newcommand{\\a}{x}\n\\newcommand{\\b}[1]{\\textbf{#1}\n"}
    assert origin(log, sources) == Place("macros.tex", 2)


def test_a_macro_from_another_file_has_both_places():
    log = "./main.tex:5: Undefined control sequence.\n\\shout #1->\\fine {#1}\\loud \n                           \nl.5 Text \\shout{x}\n                  .\n\n"
    sources = {"main.tex": MAIN, "macros.tex": "% macros\n\\newcommand{\\shout}[1]{\\fine{#1}%\n  \\loud}\n"}
    error = diagnose(log, sources=sources).errors[0]
    assert (error.file, error.line, error.token) == ("main.tex", 5, "\\loud")
    assert error.origin == Place("macros.tex", 3)


def test_skipped_text_began_where_tex_says():
    log = "(./main.tex)\n! Incomplete \\iffalse; all text was ignored after line 4.\n<inserted text> \n                \\fi \n<*> main.tex\n            \n\n"
    assert origin(log, {}) == Place("main.tex", 4)


def test_a_lua_error_has_the_place_in_the_lua_file_too():
    log = "This is LuaHBTeX, Version 1.15 (format=lualatex 2026.1.1)  1 JAN 2026 10:00\n**main.tex\n(./main.texscripts/t.lua:3: attempt to call a nil value\nstack traceback:\n\tscripts/t.lua:3: in main chunk\n\t[\\directlua]:1: in main chunk.\nl.7 \\directlua{go()}\n                  \nThe lua interpreter ran into a problem, so the\nremainder of this lua chunk will be ignored.\n\n"
    error = diagnose(log).errors[0]
    assert (error.file, error.line, error.code) == ("main.tex", 7, "lua-error")
    assert error.message == "scripts/t.lua:3: attempt to call a nil value"
    assert error.origin == Place("scripts/t.lua", 3)


def test_a_warning_of_bibtex_has_the_place_of_its_entry():
    log = "This is BibTeX, Version 0.99d\nWarning--empty title in two\n"
    found = diagnose(log, sources={"refs.bib": "@misc{one}\n@misc{two,\n author = {A}}\n"})
    assert found.warnings[0].key == "two"
    assert found.warnings[0].origin == Place("refs.bib", 2)


def test_an_error_of_a_contents_file_that_the_source_shows_as_well_follows_from_it():
    log = (
        "./main.toc:1: Undefined control sequence.\nl.1 A \\odd\n          {} title\n\n"
        "./main.tex:4: Undefined control sequence.\nl.4 \\section{A \\protect\\odd\n                           {} title}\n\n"
    )
    found = diagnose(log, sources={"main.tex": MAIN})
    assert [error.independent for error in found.errors] == [False, True]
