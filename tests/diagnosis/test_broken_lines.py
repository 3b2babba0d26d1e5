"""The same log says the same, however its lines are broken."""

# Logs have long lines.
# ruff: noqa: E501
from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from printer import Printer

from texrepair.diagnosis import Diagnosis, diagnose

WORDS = st.lists(
    st.sampled_from(["a", "to", "the", "proof", "(see", "2.1)", "größer", "引言", "value", "however", "x" * 17, "--"]),
    min_size=1,
    max_size=24,
).map(" ".join)
BALANCED = WORDS.filter(
    lambda text: text.count("(see") == text.count("2.1)") and text.find("2.1)") >= text.find("(see")
)
NAMES = st.sampled_from(
    [
        "./a.tex",
        "./my notes/part (1).tex",
        "./résumé/état.tex",
        "./" + "long-folder-name/" * 4 + "file.tex",
        "./v1.2 b.tex",
    ]
)
LINES = st.integers(1, 999)
COMMANDS = st.sampled_from(["\\foo", "\\undefinedcommand", "\\bär", "\\x"])
ITEMS = st.one_of(
    st.tuples(st.just("error"), LINES, BALANCED, COMMANDS, BALANCED),
    st.tuples(st.just("package error"), LINES, BALANCED, BALANCED),
    st.tuples(st.just("warning"), LINES, BALANCED, BALANCED),
    st.tuples(st.just("info"), LINES, WORDS, WORDS),
    st.tuples(st.just("box"), LINES, WORDS),
    st.tuples(st.just("typeout"), BALANCED),
    st.tuples(st.just("message"), BALANCED),
)
FILES = st.lists(st.tuples(NAMES, st.lists(ITEMS, max_size=5)), max_size=4)


def log(files: list, engine: str, width: int, placed: bool = False) -> bytes:
    out = Printer(width, "characters" if engine == "xelatex" else "bytes")
    out.banner(engine)
    out.open("./main.tex")
    for name, items in files:
        out.open(name)
        for number, item in enumerate(items):
            item_to(out, item, number * 1000, name if placed else "")
        out.close()
    out.end()
    return out.log


def item_to(out: Printer, item: tuple, base: int, place: str) -> None:
    kind, *rest = item
    if kind == "error":
        line, before, command, after = rest
        help_text = ("The control sequence at the end of the top line", "and I'll forget about whatever was undefined.")
        out.error("Undefined control sequence", base + line, f"{before} {command}", f" {after}", help_text, place)
    elif kind == "package error":
        line, text, more = rest
        message = f"Package demo Error: {text}\n(demo)                {more}.\n\nSee the demo package documentation for explanation.\n"
        out.fresh("")
        out.line()
        out.error(message + "Type  H <return>  for immediate help", base + line, "\\demo", "", ("No help.", ""), place)
    elif kind == "warning":
        line, text, more = rest
        out.package_message("Warning", "demo", text, (more,), base + line)
    elif kind == "info":
        line, text, more = rest
        out.package_message("Info", "demo", text, (more,), base + line)
    elif kind == "box":
        line, text = rest
        out.overfull("12.5", base + line, base + line, f"[]\\OT1/cmr/m/n/10 {text} ! ")
    elif kind == "typeout":
        out.write(rest[0])
    else:
        out.message(rest[0])


def said(found: Diagnosis) -> list[tuple]:
    return [(d.kind, d.code, d.file, d.line, d.message, d.token) for d in found.diagnostics]


@settings(max_examples=120, deadline=None)
@given(FILES)
def test_a_log_of_pdftex_says_the_same_broken_at_79_at_80_and_not_at_all(files):
    whole = said(diagnose(log(files, "pdflatex", 1_000_000)))
    assert said(diagnose(log(files, "pdflatex", 79))) == whole
    assert said(diagnose(log(files, "pdflatex", 80))) == whole


@settings(max_examples=120, deadline=None)
@given(FILES)
def test_a_log_of_xetex_says_the_same_broken_at_79_at_80_and_not_at_all(files):
    whole = said(diagnose(log(files, "xelatex", 1_000_000)))
    assert said(diagnose(log(files, "xelatex", 79))) == whole
    assert said(diagnose(log(files, "xelatex", 80))) == whole


@settings(max_examples=80, deadline=None)
@given(FILES)
def test_placed_errors_say_the_same_as_plain_ones(files):
    plain = said(diagnose(log(files, "pdflatex", 79)))
    assert said(diagnose(log(files, "pdflatex", 79, placed=True))) == plain
    assert said(diagnose(log(files, "pdflatex", 1_000_000, placed=True))) == plain


@settings(max_examples=60, deadline=None)
@given(FILES)
def test_everything_printed_is_found_in_its_file(files):
    found = diagnose(log(files, "xelatex", 79))
    wanted = {
        (name.removeprefix("./"), item[0] == "box", 1000 * number + item[1])
        for name, items in files
        for number, item in enumerate(items)
        if item[0] in ("error", "package error", "warning", "box")
    }
    assert {(d.file, d.kind == "overfull", d.line) for d in found.diagnostics} == wanted
