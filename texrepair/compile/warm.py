"""Where a document's text is cut, so that an engine may read its preamble before the rest is there.

TeX reads its main file line by line. Fed through a pipe up to the line of \\begin{document}, an engine loads the
preamble and waits; the rest may come later. Nothing else differs from an ordinary run, as long as what the preamble
reads is the same then as it is when the rest comes. Whether that was so is seen in the recorder file (ahead.py); here
stand the signs that the recorder file does not show.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_COMMENT = re.compile(rb"(?<!\\)((?:\\\\)*)%[^\n]*")
_BEGIN = re.compile(rb"\\begin[ \t]*\{[ \t]*document[ \t]*\}|\\document(?![A-Za-z@])")
_PLAIN = re.compile(rb"\\begin[ \t]*\{document\}\Z")
_SIGNS = re.compile(
    rb"\\jobname|\\c_sys_jobname_str|\\currfile|tikzexternalize|\bexternalize\b|totcount"
    # Lua opens files and asks for them without a word in the recorder file.
    rb"|\b(?:io|lfs|os|kpse)\.(?=[a-z])|\b(?:dofile|loadfile)\b"
    # LaTeX and its packages print the time of day from these.
    rb"|\\time(?![A-Za-z@])|\\currenttime|\\thistime|\\DTMcurrenttime|\\DTMnow|\\pdfcreationdate|\\creationdate"
    rb"|\\pdfelapsedtime|\\elapsedtime|\\pdffile(?:moddate|size|dump)|\\file(?:moddate|size|dump)|\\(?:pdf)?mdfivesum"
)
"""In a preamble: signs that it reads or asks for files of the build, or for the time."""

_LAST = re.compile(
    rb"\\(?:usepackage|RequirePackage|documentclass|use(?:inner|outer|color|font)?theme)[ \t]*"
    rb"(?:\[[^][]*\]\s*)?\{[^{}]*\}(?=\s*\Z)"
)
"""At the end of a preamble: what looks behind the name whether a date follows, and till then loads nothing."""

_READS = re.compile(rb"[iI]nput|[iI]nclude|FileExists|openin|\\file_|\\ior_")


@dataclass(frozen=True, slots=True)
class Cut:
    """A main file in two parts."""

    preamble: bytes
    body: bytes


def preamble(main: bytes) -> bytes | None:
    """What stands before the line of \\begin{document}; None where it has none, or one that is hard to tell."""
    masked = _COMMENT.sub(lambda found: found[1] + b" " * (len(found[0]) - len(found[1])), main)
    found = _BEGIN.search(masked)
    if found is None or not _PLAIN.match(found[0]):
        return None
    return main[: main.rfind(b"\n", 0, found.start()) + 1]


def cut(main: bytes) -> Cut | None:
    """The main file, cut before the line of \\begin{document}; None if it has to be compiled in one piece."""
    if main.lstrip().startswith(b"%&"):
        return None
    first = preamble(main)
    if not first or reads_build(first):
        return None
    if re.search(rb"\r(?!\n)", first):
        return None  # TeX ends a line at a line feed alone (web2c, input_line)
    try:
        main.decode("utf-8")
    except UnicodeDecodeError:
        return None  # XeTeX would look at the first bytes, and find the mark of UTF-8 that we set
    return Cut(first, main[len(first) :])


def nudged(preamble: bytes) -> tuple[bytes, int] | None:
    """A preamble that ends with a class or package, with a command after it that does nothing, and the line of that.

    An engine would wait to see whether a date follows, and load the package only when the body comes. None where the
    preamble ends otherwise.
    """
    masked = _COMMENT.sub(lambda found: found[1] + b" " * (len(found[0]) - len(found[1])), preamble)
    found = _LAST.search(masked)
    if found is None or b"filecontents" in preamble:
        return None
    return preamble[: found.end()] + b"\\relax" + preamble[found.end() :], masked.count(b"\n", 0, found.end()) + 1


def reads_build(text: bytes) -> bool:
    """Whether what a preamble reads looks for files of the build, or for what else changes while it waits."""
    return _SIGNS.search(text) is not None


def may_read(text: bytes, stems: set[bytes]) -> bool:
    """Whether a preamble reads files and names one with such a stem."""
    return any(stem in text for stem in stems) and _READS.search(text) is not None


def before(main: bytes, start: int, place: int) -> int:
    """The start of a line of the body some way before `place`: what is to change there may begin earlier.

    It is two blank lines back, or a few lines where there are none; `start`, where the body begins, at the least.
    """
    for step, times in ((b"\n\n", 2), (b"\n", 4)):
        end = place
        for _ in range(times):
            end = main.rfind(step, start, end)
            if end < 0:
                break
        else:
            return end + len(step)
    return start


def reading(main: bytes, start: int, name: str) -> int | None:
    """The start of the line of the body that reads that file, if one names it."""
    stem = re.escape(name.removesuffix(".tex").encode("utf-8", "surrogateescape"))
    found = re.compile(rb"^.*\\(?:input|include|subfile)\s*\{?\s*" + stem + rb"(?:\.tex)?\s*(?:\}|$)", re.M).search(
        main, start
    )
    return None if found is None else max(start, found.start())


def line_start(text: bytes, number: int) -> int:
    """The offset of a line, counted from 1 as TeX counts."""
    return sum(len(line) + 1 for line in text.split(b"\n")[: number - 1])


def shared(one: bytes, other: bytes) -> int:
    """The length of the common beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
