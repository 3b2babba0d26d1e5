"""A message becomes a code, a token and an explanation."""

from __future__ import annotations

import pytest

from texrepair.diagnosis import causes, classified

MESSAGES = [
    ("Undefined control sequence", "undefined-control-sequence", None),
    ("Missing $ inserted", "missing-dollar", None),
    ("Display math should end with $$", "missing-dollar", None),
    ("Missing } inserted", "missing-brace", None),
    ("Missing number, treated as zero", "missing-number", None),
    ("Missing = inserted for \\ifnum", "missing-number", "\\ifnum"),
    ("Missing \\endcsname inserted", "missing-endcsname", None),
    ("Missing \\right. inserted", "extra-right", None),
    ("Missing delimiter (. inserted)", "missing-delimiter", None),
    ("Missing \\cr inserted", "missing-cr", None),
    ("Extra }, or forgotten $", "extra-brace", "$"),
    ("Extra }, or forgotten \\endgroup", "extra-brace", "\\endgroup"),
    ("Too many }'s", "extra-brace", None),
    ("Extra \\right", "extra-right", "\\right"),
    ("Extra \\fi", "extra-or", "\\fi"),
    ("Extra \\endcsname", "extra-endcsname", None),
    ("Extra alignment tab has been changed to \\cr", "extra-alignment", None),
    ("Misplaced alignment tab character &", "misplaced-alignment", "&"),
    ("Misplaced \\noalign", "misplaced-noalign", None),
    ("Misplaced \\omit", "misplaced-omit", None),
    ("Argument of \\foo has an extra }", "runaway-argument", "\\foo"),
    ("Paragraph ended before \\@xdblarg was complete", "runaway-argument", "\\@xdblarg"),
    ("File ended while scanning use of \\frac", "runaway-argument", "\\frac"),
    ("File ended while scanning use of \\frac .", "runaway-argument", "\\frac"),
    ("File ended while scanning definition of \\foo", "runaway-argument", "\\foo"),
    ("Forbidden control sequence found while scanning use of \\foo", "runaway-argument", "\\foo"),
    ("Use of \\foo doesn't match its definition", "use-does-not-match", "\\foo"),
    ("Illegal parameter number in definition of \\foo", "illegal-parameter", "\\foo"),
    ("You can't use `macro parameter character #' in vertical mode", "parameter-character", "#"),
    ("You can't use `\\raise' in vertical mode", "wrong-mode", "\\raise"),
    ("Illegal unit of measure (pt inserted)", "illegal-unit", None),
    ("Dimension too large", "dimension-too-large", None),
    ("Double subscript", "double-subscript", None),
    ("Double superscript", "double-superscript", None),
    ("Incomplete \\iffalse; all text was ignored after line 5", "incomplete-conditional", "\\iffalse"),
    ("Text line contains an invalid character", "invalid-character", None),
    ("String contains an invalid utf-8 sequence", "invalid-character", None),
    ("I can't find file `x'", "file-not-found", "x"),
    ("TeX capacity exceeded, sorry [input stack size=10000]", "capacity-exceeded", None),
    ("Interruption", "interrupted", None),
    ("Emergency stop", "emergency-stop", None),
    ("Font \\x=cmr99 not loadable: Metric (TFM) file not found", "font-not-found", "cmr99"),
    ('Font TU/A(0)/m/n/10="A B" at 10.0pt not loadable: Metric (TFM) file not found', "font-not-found", "A B"),
    ("Unable to load picture or PDF file 'a b.png'", "image-not-found", "a b.png"),
    ("pdfTeX error: pdflatex: cannot find image file nothere.png", "image-not-found", "nothere.png"),
    ("error: (file a.png) (pdf backend): cannot find image file 'a.png'", "image-not-found", "a.png"),
    ("pdfTeX error: pdflatex (file ./bad.png): reading image file failed", "pdf-inclusion", "./bad.png"),
    ("[\\directlua]:1: attempt to call a nil value (global 'x')", "lua-error", None),
    ("a file.lua:3: attempt to index a nil value", "lua-error", None),
    ("LaTeX Error: Environment nosuch undefined", "undefined-environment", "nosuch"),
    ("LaTeX Error: Command \\nothing undefined", "undefined-control-sequence", "\\nothing"),
    ("LaTeX Error: \\begin{a} on input line 5 ended by \\end{b}", "environment-mismatch", "a"),
    ("LaTeX Error: Missing \\begin{document}", "missing-begin-document", None),
    ("LaTeX Error: File `x.sty' not found", "package-not-found", "x"),
    ("LaTeX Error: File `x.cls' not found", "class-not-found", "x"),
    ("LaTeX Error: File `a/b.png' not found", "image-not-found", "a/b.png"),
    ("LaTeX Error: File `ch/one.tex' not found", "file-not-found", "ch/one.tex"),
    ("LaTeX Error: Option clash for package geometry", "option-clash", "geometry"),
    ("LaTeX Error: Unknown option `x' for package `babel'", "unknown-option", "babel"),
    ("LaTeX Error: There's no line here to end", "no-line-to-end", None),
    ("LaTeX Error: No counter 'x' defined", "undefined-counter", "x"),
    ("LaTeX Error: Illegal character in array arg", "bad-column-spec", None),
    ("LaTeX Error: Can be used only in preamble", "only-in-preamble", None),
    ("LaTeX Error: Two \\documentclass or \\documentstyle commands", "two-documentclasses", None),
    ("LaTeX Error: Something's wrong--perhaps a missing \\item", "missing-item", None),
    ("LaTeX Error: Not in outer par mode", "not-in-outer-par-mode", None),
    ("LaTeX Error: \\caption outside float", "outside-float", None),
    ("LaTeX Error: Too deeply nested", "too-deeply-nested", None),
    ("LaTeX Error: Command \\foo already defined. Or name \\end... illegal", "already-defined", "\\foo"),
    ("LaTeX Error: Bad math environment delimiter", "bad-math-environment", None),
    ("LaTeX Error: \\mathbb allowed only in math mode", "wrong-mode", "\\mathbb"),
    ("LaTeX Error: Unicode character 中 (U+4E2D) not set up for use with LaTeX", "unicode-not-set-up", "中"),
    ("LaTeX Error: Invalid UTF-8 byte sequence (é)", "invalid-character", None),
    ("LaTeX cmd Error: Command '\\foo' already defined", "already-defined", "\\foo"),
    ("Package xcolor Error: Undefined color `x'", "undefined-colour", "x"),
    ("Package keyval Error: paperr undefined", "unknown-key", "paperr"),
    ("Package pgfkeys Error: I do not know the key '/tikz/x' and I am going to ignore it", "unknown-key", "/tikz/x"),
    ('Package fontspec Error: The font "A B" cannot be found', "font-not-found", "A B"),
    ("Fatal Package fontspec Error: The fontspec package requires either XeTeX or LuaTeX", "wrong-engine", "fontspec"),
    ("Package minted Error: You must invoke LaTeX with the -shell-escape flag", "shell-escape-needed", None),
    ("Package PGF Math Error: Unknown function `f' (in 'f(1)')", "bad-expression", "f"),
    ("Package nobody Error: Undefined", "package-error", None),
    ("Class nobody Error: Undefined", "class-error", None),
    ("LaTeX Error: Something new", "latex-error", None),
    ("A macro's own words", "tex-error", None),
]  # fmt: skip


@pytest.mark.parametrize(("message", "code", "token"), MESSAGES)
def test_a_message_has_its_code_and_names_what_it_is_about(message, code, token):
    found = classified(message)
    assert (found.code, found.token) == (code, token)


@pytest.mark.parametrize(("message", "code", "token"), MESSAGES)
def test_a_message_means_the_same_with_tex_s_exclamation_mark(message, code, token):
    assert classified(f"! {message}") == classified(message)


def test_every_code_has_a_plain_explanation():
    for code, cause in causes().items():
        assert cause.code == code
        assert cause.explanation.endswith(".")
        assert len(cause.explanation) < 260


def test_what_a_message_says_besides_is_kept():
    assert classified("LaTeX Error: \\begin{a} on input line 5 ended by \\end{b}").detail == {
        "begun": "5",
        "ended": "b",
    }
    assert classified("LaTeX Error: Unknown option `x' for package `babel'").detail == {"option": "x"}
    assert classified("Package keyval Error: a undefined").detail == {"package": "keyval"}
