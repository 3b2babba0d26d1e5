"""What may stand in the place of a picture that cannot be had."""

from __future__ import annotations

import posixpath
import re

from texrepair.latex import Argument, Command, Source
from texrepair.rules import Edit

_WIDTH = re.compile(r"(?:^|[,{])\s*width\s*=\s*(\{[^{}]*\}|[^,\]]+)")


def plain(name: str) -> str:
    """The file's name as a path, without quotes and backslashes."""
    return posixpath.normpath(name.strip().strip('"').replace("\\", "/"))


def placeholder(path: str, source: Source, command: Command, name: Argument, why: str) -> Edit:
    """The edit that puts a box of the picture's width in its place, in which `why` and the file's name stand."""
    options = next((source.inner(a) for a in source.arguments(command, 3) if a.optional), "")
    width = _WIDTH.search(options)
    size = width[1].strip().strip("{}") if width else "0.5\\linewidth"
    shown = re.sub(r"[_#%&$]", r"\\\g<0>", plain(source.inner(name)))
    box = f"\\fbox{{\\parbox[c][3cm][c]{{{size}}}{{\\centering {why}: {shown}}}}}"
    return Edit(path, command.start, name.end, box)
