"""What a sandbox shows, read-only: TeX's programs and files, fonts, and a Python for the supervisor."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

SYSTEM = (
    Path("/usr"),
    Path("/etc/fonts"),
    Path("/etc/texmf"),
    Path("/etc/alternatives"),
    Path("/etc/ld.so.cache"),
    Path("/var/lib/texmf"),
    Path("/var/cache/fontconfig"),
)
"""Folders of a Linux system in which TeX and its fonts live; none holds anything of a user."""

TOP = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Names below / that are links into /usr, or folders of their own on older systems."""

_FONTS = (".fonts", ".local/share/fonts")
"""Where users keep fonts of their own, below the home folder (fonts.conf)."""


def interpreter() -> Path:
    """The Python that runs supervisors: ours, outside any virtual environment."""
    return Path(os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable))


def programs() -> Path | None:
    """The folder in which TeX's programs are found first, links resolved; None where there are none."""
    found = next(filter(None, map(shutil.which, ("kpsewhich", "xelatex", "pdflatex", "lualatex"))), None)
    return Path(found).resolve().parent if found else None


def shown() -> tuple[Path, ...]:
    """All that programs inside may read, those that exist here."""
    wanted = {*SYSTEM, Path(sys.base_prefix).resolve(), Path(sys.base_exec_prefix).resolve()}
    folder = programs()
    if folder is not None:
        # TeX Live's own installer puts programs into TREE/bin/ARCHITECTURE.
        tree = folder.parent.parent
        wanted.add(tree if (tree / "texmf-dist").is_dir() else folder)
    found: list[Path] = []
    for path in sorted(path for path in wanted if path.exists()):
        if not found or found[-1] not in path.parents:  # what lies below another comes right behind it
            found.append(path)
    return tuple(found)


def personal() -> dict[str, Path]:
    """The user's own fonts and TeX packages, by the place below a home folder where programs look for them.

    Only these are shown of a home folder. A TEXMFHOME that holds more than a tree of TeX files is left out.
    """
    home = Path.home()
    tree = Path(os.environ.get("TEXMFHOME") or home / "texmf")
    found = {name: home / name for name in _FONTS}
    if (tree / "tex").is_dir() and not home.is_relative_to(tree):
        found["texmf"] = tree
    return {name: path.resolve() for name, path in found.items() if path.is_dir()}


def linked() -> dict[str, str]:
    """The links that stand in a box's home folder: to the user's own TeX packages."""
    return {name: str(path) for name, path in personal().items() if name not in _FONTS}


def settings() -> dict[str, bytes]:
    """The files that lie in a box's home folder: fontconfig's, which luaotfload reads as well.

    Both keep what they know of a font by its path. So the user's own fonts are named where they lie, not below a home
    folder that is another one in each session. The box's cache folder comes first, since to root the system's seems
    writable: where it is, a session would leave its litter there, and where it is not, nothing would be kept at all.
    """
    fonts = [str(path) for name, path in personal().items() if name in _FONTS]
    folders = "".join(f"<dir>{escape(path)}</dir>" for path in fonts if path.isprintable())
    text = f'<fontconfig>{folders}<cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n'
    return {"config/fontconfig/fonts.conf": text.encode()}


def environment(scratch: str, paths: Sequence[str] | None = None, formats: str | None = None) -> dict[str, str]:
    """The environment of every program inside: made here, nothing inherited but SOURCE_DATE_EPOCH.

    `scratch` is a writable folder, `paths` are where programs lie if not where they do here, `formats` is a folder in
    which engines look for their formats first. The widths are those in
    which no engine breaks a line of its log (web2c allows error_line up to 254, half_error_line up to 15 less).
    """
    if paths is None:
        folder = programs()
        paths = [str(folder)] if folder is not None else []
        paths += [path for path in ("/usr/local/bin", "/usr/bin", "/bin") if path not in paths]
    made = {
        "PATH": ":".join(paths),
        "HOME": f"{scratch}/home",
        "TMPDIR": f"{scratch}/tmp",
        "XDG_CACHE_HOME": f"{scratch}/home/cache",
        "XDG_CONFIG_HOME": f"{scratch}/home/config",
        "TEXMFHOME": f"{scratch}/home/texmf",
        "TEXMFVAR": f"{scratch}/home/texmf-var",
        "TEXMFCONFIG": f"{scratch}/home/texmf-config",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "max_print_line": "10000",
        "error_line": "254",
        "half_error_line": "238",
        "openin_any": "p",
        "openout_any": "p",
        "shell_escape": "f",
        # For a font that is not there, kpathsea would run Metafont again and again, for a minute, and find none.
        "MKTEXTFM": "0",
    }
    if formats is not None:
        made["TEXFORMATS"] = f"{formats}:"  # then where they are searched else (kpathsea, default expansion)
    return made | from_caller(os.environ)


def from_caller(variables: Mapping[str, str]) -> dict[str, str]:
    """What is taken over: the date for builds that can be repeated."""
    epoch = variables.get("SOURCE_DATE_EPOCH", "")
    # Without the second variable pdfTeX and XeTeX set the PDF's dates, but not \\today.
    return {"SOURCE_DATE_EPOCH": epoch, "FORCE_SOURCE_DATE": "1"} if epoch.isdecimal() else {}
