r"""Settings that only another engine knows: \pdfoutput=1, \pdfminorversion, \input{glyphtounicode} under XeTeX.

Why it breaks: pdfTeX's own parameters, and \DeclareUnicodeCharacter of inputenc, are undefined with engines that read
Unicode and write PDF in another way; what stands behind the equals sign is then typeset.

What is done: such settings of the preamble are taken out, all at once; the loading of inputenc and of 8-bit font
encodings too, which would hide letters; what \DeclareUnicodeCharacter says of a character that the usual font may lack
is said with newunicodechar.

When nothing is done: the command is a known one of the engine, or stands in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Source
from texrepair.latex.names import is_known
from texrepair.latex.preamble import newline_of, package_line
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import split_options, whole_line, without
from ._needs import loads
from ._statements import end_of

_ENGINES = ("pdflatex", "xelatex", "lualatex")
_VALUE = re.compile(r"[ \t]*(?:=[ \t]*)?-?(?:\d+(?:\.\d+)?(?:[ \t]*(?:true)?(?:pt|in|cm|mm|bp|sp)\b)?|\\[A-Za-z@]+)?")
_FILES = re.compile(
    r"\\(?:input|include|@@input)[ \t]*(?:\{[ \t]*)?(?:glyphtounicode|pdfglyphlist)(?:\.tex)?(?:[ \t]*\})?"
)
_TEXT_ENCODINGS = {"T1", "T2A", "T2B", "T2C", "T5", "OT1", "OT2", "LGR", "LY1", "X2", "LAE"}


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not found.token:
        return
    name = found.token.removeprefix("\\")
    unicode_engine = case.engine != "pdflatex"
    if not _foreign(name, case.engine) and not (unicode_engine and name == "DeclareUnicodeCharacter"):
        return
    edits: list[Edit] = []
    mapped: dict[str, str] = {}
    for path in (case.main, *sorted(p for p in case.draft if p != case.main)):
        if path == case.main or path.endswith((".tex", ".sty", ".cls", ".ltx")):
            source = case.lexed(path)
            for start, end in _settings(source, case.engine, mapped, path == case.main):
                edits.append(Edit(path, *whole_line(source, start, end), ""))
    if not edits:
        return
    if unicode_engine:
        edits += _eight_bit(case)
    main = case.lexed(case.main)
    line = package_line(main, "newunicodechar") if mapped else None
    if line is not None:
        newline = newline_of(main.text)
        said = "".join(f"\\newunicodechar{{{sign}}}{{{meaning}}}{newline}" for sign, meaning in mapped.items())
        place, text = line
        text = text + said if text.endswith(newline) else text + newline + said.rstrip(newline)
        edits.append(Edit(case.main, place, place, text))
    yield Candidate(tuple(edits), f"take out settings that {case.engine} does not know", 0.97)


def _foreign(name: str, engine: str) -> bool:
    """Does another engine know the command, and this one not?"""
    return not is_known(name, engine=engine) and any(is_known(name, engine=other) for other in _ENGINES)


def _settings(source: Source, engine: str, mapped: dict[str, str], main: bool) -> Iterator[tuple[int, int]]:
    done = 0
    for command in source.commands:
        if main and not source.in_preamble(command.start):
            break
        if command.start < done or not source.live(command.start) or source.in_definition(command.start):
            continue
        if source.groups_at(command.start) or _in_test(source, command):
            continue
        reads = _FILES.match(source.text, command.start)
        if reads is not None and engine != "pdflatex":
            done = reads.end()
            yield command.start, done
        elif command.name == "DeclareUnicodeCharacter" and engine != "pdflatex":
            arguments = source.arguments(command, 2)
            if len(arguments) == 2:
                done = arguments[1].end
                _map(source.inner(arguments[0]), source.inner(arguments[1]), source, mapped)
                yield command.start, done
        elif _foreign(command.name, engine):
            done = _value_end(source, command)
            yield command.start, done


def _value_end(source: Source, command: Command) -> int:
    arguments = source.arguments(command, 2)
    if arguments and "\n" not in source.text[command.end : arguments[0].start]:
        return end_of(source, command) if end_of(source, command) > command.end else arguments[0].end
    value = _VALUE.match(source.text, command.end)
    return value.end() if value and value.end() > command.end and value[0].strip() else command.end


def _in_test(source: Source, command: Command) -> bool:
    """Behind \\ifdefined, \\ifx, \\let and the like the command is only asked for."""
    before = source.text[max(0, command.start - 40) : command.start]
    return bool(
        re.search(r"\\(?:ifdefined|ifx|let|undefined|csname|string|noexpand)\s*(?:\\[A-Za-z@]+\s*=?\s*)?$", before)
    )


def _map(code: str, meaning: str, source: Source, mapped: dict[str, str]) -> None:
    """Letters and common punctuation are in every font; the other characters that the text uses keep their meaning."""
    try:
        sign = chr(int(code.strip(), 16))
    except (ValueError, OverflowError):
        return
    if sign.isprintable() and not sign.isalpha() and sign in source.text and ord(sign) > 0xFF:
        mapped[sign] = meaning


def _eight_bit(case: Case) -> Iterator[Edit]:
    for path, source, load in loads(case):
        options = set(split_options(load.options))
        if load.name == "inputenc" or (load.name == "fontenc" and options and options <= _TEXT_ENCODINGS):
            yield without(path, source, load)


_BODY = "\\begin{document}\nx\n\\end{document}\n"

RULE = Rule(
    id="other-engine-settings",
    fix=propose,
    answers=("undefined-control-sequence", "missing-begin-document"),
    deletes="settings of the preamble that only another engine knows",
    examples=(
        Example(
            "\\pdfoutput=1\n\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\input{glyphtounicode}\n"
            "\\pdfgentounicode=1\n" + _BODY,
            "\\documentclass{article}\n" + _BODY,
            message="Undefined control sequence",
            token="\\pdfoutput",
        ),
        Example(
            "\\documentclass{article}\n\\DeclareUnicodeCharacter{2212}{\\ensuremath{-}}\n\\begin{document}\n−1\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{newunicodechar}\n\\newunicodechar{−}{\\ensuremath{-}}\n"
            "\\begin{document}\n−1\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\DeclareUnicodeCharacter",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\ifdefined\\pdfoutput\\fi\n" + _BODY,
            None,
            message="Undefined control sequence",
            token="\\pdfoutput",
            line=2,
        ),
    ),
)
