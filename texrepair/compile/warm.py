"""Which documents may be compiled by an engine that was started ahead, and where their text is cut.

TeX reads its main file line by line. Fed through a pipe up to the line of \\begin{document}, an engine loads the
preamble and waits; the rest may come later. Nothing else differs from an ordinary run, as long as what the preamble
reads is the same then as it is when the rest comes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_BEGIN = re.compile(rb"^[^%\n\r]*?\\begin\{document\}", re.M)
_JOB_NAME = re.compile(rb"\\jobname|\\currfile|tikzexternalize|\bexternalize\b|totcount")
"""In a preamble: signs that it reads or asks for files of the build, or for its own."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A main file in two parts."""

    preamble: bytes
    body: bytes


def cut(main: bytes, main_name: str, job: str) -> Cut | None:
    """The main file, cut before the line of \\begin{document}; None if it has to be compiled in one piece."""
    found = _BEGIN.search(main)
    if found is None or main.lstrip().startswith(b"%&"):
        return None
    preamble = main[: found.start()]
    if _JOB_NAME.search(preamble) or main_name.encode() in preamble or b"{" + job.encode() + b"}" in preamble:
        return None
    try:
        main.decode("utf-8")
    except UnicodeDecodeError:
        return None  # XeTeX would look at the first bytes, and find the mark of UTF-8 that we set
    return Cut(preamble, main[found.start() :])


def reads_job(files: Mapping[str, bytes]) -> bool:
    """Whether a file that the preamble reads looks for files of the build."""
    return any(_JOB_NAME.search(data) for data in files.values())
