r"""A font that is not installed: \setmainfont{Times New Roman} on a machine that does not have it.

Why it breaks: fontspec, xeCJK and unicode-math look the font up by its name or file, and stop with "The font ... cannot
be found"; the text that follows is set in whatever was there before, Chinese text in nothing at all.

What is done: every call that asks for the font is given one of the same kind: first those of the same widths, then
those that every TeX Live has, chosen by what the call sets (text, sans, mono, mathematics, Chinese) and by the letters
that the document uses, since a font without them would lose the text silently. Options that name files of the old font
go, others stay. A class or package that was asked for another system's Chinese fonts (fontset=windows) is given those
of TeX Live.

When nothing is done: no call in the document's own files names the font.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Argument, Command, Source
from texrepair.latex.fonts import CHINESE, FILES, chinese, clones_of, latin, shape_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import key_of, split_options, with_options

MOST = 5
"""Fonts that are tried in the place of one."""

_CALLS = {
    "setmainfont": "serif",
    "setromanfont": "serif",
    "setsansfont": "sans",
    "setmonofont": "mono",
    "setmathfont": "math",
    "setmathrm": "serif",
    "setmathsf": "sans",
    "setmathtt": "mono",
    "setboldmathrm": "serif",
    "fontspec": "",
    "newfontfamily": "",
    "renewfontfamily": "",
    "setfontfamily": "",
    "providefontfamily": "",
    "newfontface": "",
    "renewfontface": "",
    "setfontface": "",
    "babelfont": "",
    "setCJKmainfont": "song",
    "setCJKsansfont": "hei",
    "setCJKmonofont": "cjkmono",
    "setCJKfamilyfont": "song",
    "newCJKfontfamily": "song",
    "setCJKfallbackfamilyfont": "song",
    "setmainjfont": "song",
    "setsansjfont": "hei",
    "setmonojfont": "cjkmono",
}
"""Commands that name fonts, and what they set."""

_FACES = re.compile(
    r"(?:Path|Extension|UprightFont|(?:Bold|Italic|Slanted|BoldItalic|BoldSlanted|SmallCaps|Swash|BoldSwash)Font"
    r"|UprightFeatures|(?:Bold|Italic|Slanted|BoldItalic|SmallCaps)Features|FontFace|ExternalLocation|FontIndex"
    r"|(?:Stylistic|Character)(?:Set|Variant)|StylisticSet|Alternate|Style|Weight|SizeFeatures)\b"
)
"""Options that tell the old font's files, or what only it has."""
_BABEL = {"rm": "serif", "sf": "sans", "tt": "mono", "math": "math"}


_COMES_ALONG = re.compile(
    r"latin ?modern|lm(?:roman|sans|mono)|dejavu|tex ?gyre|fandol|noto|stix|libertinus|cmu |cmun|\\", re.IGNORECASE
)
"""Fonts that come with TeX Live or with most Linux systems."""


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None:
        return
    token = (found.token or "").strip("[]\"' ")
    wanted = re.sub(r":.*$|\.(?:otf|ttf|ttc)$", "", token).rpartition("/")[2]
    yield from _fontset(case)
    if not wanted:
        return
    texts = "".join(s.text for s in case.read)
    calls = [(path, source, *call) for path, source in _files(case) for call in _calls(source)]
    asking = [call for call in calls if _asks(call[1], call[4], wanted) or _names(call[1], call[5], wanted)]
    if not asking and found.line:
        near = [c for c in calls if c[0] == case.path and c[2].start <= case.at <= c[5][-1].end + 2]
        asking = near[-1:]
    path, source, command, shape, name, arguments = asking[0] if asking else (None,) * 6
    if source is None or name is None or arguments is None or path is None or command is None:
        return
    if not _asks(source, name, wanted) and _names(source, arguments, wanted):
        # Only a face of the font is not there: without it the font's own is used.
        edits = tuple(e for c in asking for e in _without_face(c[0], c[1], c[5], wanted))
        if edits:
            yield Candidate(edits, f"leave {wanted} out: the family's own face is used", 0.75)
    proprietary = [call for call in calls if call in asking or not _COMES_ALONG.match(call[1].inner(call[4]).strip())]
    if len(proprietary) > len(asking):
        # Where one of another system's fonts is missing, so are the others; XeTeX looks long for each of them.
        for clones, certainty in ((True, 0.92), (False, 0.9)):
            chosen = [_choice(s.inner(n), role, texts, clones)[0] for _, s, _, role, n, _ in proprietary]
            together = tuple(
                edit
                for (p, s, _, _, n, rest), font in zip(proprietary, chosen, strict=True)
                for edit in _replaced(p, s, n, rest, font)
            )
            named = ", ".join(dict.fromkeys(font.removesuffix(".otf") for font in chosen))
            yield Candidate(together, f"set in {named} what asks for fonts of another system", certainty)
    for rank, font in enumerate(_choice(source.inner(name), str(shape), texts)):
        edits = tuple(
            edit
            for p, s, c, role, n, rest in asking
            for edit in _replaced(p, s, n, rest, font if role == shape else _choice(s.inner(n), role, texts)[0])
        )
        why = f"set in {font.removesuffix('.otf')} what asks for {token}, which is not installed"
        yield Candidate(edits, why, round(0.85 - 0.04 * rank, 2))


def _files(case: Case) -> Iterator[tuple[str, Source]]:
    for path in (case.main, *sorted(p for p in case.draft if p != case.main)):
        if path == case.main or path.endswith((".tex", ".ltx", ".sty", ".cls")):
            yield path, case.lexed(path)


def _calls(source: Source) -> Iterator[tuple[Command, str, Argument, tuple[Argument, ...]]]:
    """Every call that names a font: command, what it sets, the argument with the name, all its arguments."""
    for command in source.command_named(*_CALLS):
        if not source.live(command.start):
            continue
        end = command.end
        shape = _CALLS[command.name]
        # The command or family that is defined comes first; it may stand without braces.
        if command.name.endswith(("fontfamily", "fontface")):
            defined = re.compile(r"\*?\s*(?:\[[^\[\]]*\]\s*)?(?:\{\s*)?\\[A-Za-z@]+(?:\s*\})?").match(source.text, end)
            if defined is None:
                continue
            shape = shape or shape_of(defined[0].replace("\\", " ")) or ""
            end = defined.end()
        elif command.name in ("setCJKfamilyfont", "setCJKfallbackfamilyfont"):
            defined = re.compile(r"\s*(?:\{[^{}]*\}|\\[A-Za-z@]+)").match(source.text, end)
            if defined is None:
                continue
            end = defined.end()
        elif command.name == "babelfont":
            defined = re.compile(r"\*?\s*(?:\[[^\[\]]*\]\s*)?\{\s*([a-z]+)\s*\}").match(source.text, end)
            if defined is None:
                continue
            shape = _BABEL.get(defined[1], "")
            end = defined.end()
        arguments = source.arguments_at(end, 3)
        name = next((a for a in arguments if not a.optional), None)
        if name is None:
            continue
        if not shape:
            shape = shape_of(source.inner(name)) or "serif"
        rest = arguments[: arguments.index(name) + 1]
        after = arguments[len(rest) : len(rest) + 1]
        yield command, shape, name, rest + (after if after and after[0].optional else ())


def _asks(source: Source, name: Argument, wanted: str) -> bool:
    """Does the argument name this font?"""
    plain = re.sub(r"\.(?:otf|ttf|ttc)$", "", source.inner(name).strip())
    return _plain(plain) == _plain(wanted)


def _plain(name: str) -> str:
    return re.sub(r"[\s\"]+", " ", name).casefold()


def _names(source: Source, arguments: tuple[Argument, ...], wanted: str) -> bool:
    """Is the font one of the faces that the options name?"""
    return any(
        _face(option, wanted, source, arguments) for a in arguments if a.optional for option in _parts(source, a)
    )


def _parts(source: Source, argument: Argument) -> list[str]:
    inner: str = source.inner(argument)
    return split_options(re.sub(r"(?<!\\)%.*", "", inner))


def _face(option: str, wanted: str, source: Source, arguments: tuple[Argument, ...]) -> bool:
    if not _FACES.match(option):
        return False
    value = option.partition("=")[2].strip().strip("{}").strip()
    name = next((source.inner(a).strip() for a in arguments if not a.optional), "")
    full = value.replace("*", name)
    return bool(value) and _plain(re.sub(r"\.(?:otf|ttf|ttc)$", "", full)) == _plain(wanted)


def _without_face(path: str, source: Source, arguments: tuple[Argument, ...], wanted: str) -> Iterator[Edit]:
    for argument in arguments:
        if not argument.optional:
            continue
        parts = _parts(source, argument)
        kept = [p for p in parts if not _face(p, wanted, source, arguments)]
        if len(kept) < len(parts):
            yield Edit(path, argument.start, argument.end, f"[{','.join(kept)}]" if kept else "")


def _choice(font: str, shape: str, text: str, clones: bool = True) -> tuple[str, ...]:
    """What may stand in for the font, best first."""
    if shape in CHINESE:
        shape = shape_of(font, cjk=True) or shape
        found = chinese(shape if shape in CHINESE else "song", text)
    else:
        told = shape if shape == "math" else shape_of(font) or shape
        found = latin(told if told != "math" or shape == "math" else "serif", text)
        found = (*clones_of(font), *found) if clones else found
    return tuple(dict.fromkeys(f for f in found if f.casefold() != font.strip().casefold()))[:MOST]


def _replaced(path: str, source: Source, name: Argument, arguments: tuple[Argument, ...], font: str) -> Iterator[Edit]:
    added = FILES.get(font, "")
    yield Edit(path, name.start + 1, name.end - 1, font)
    for argument in arguments:
        if not argument.optional:
            continue
        kept = [option for option in _parts(source, argument) if not _FACES.match(option)]
        if added:
            kept, added = [*split_options(added), *kept], ""
        yield Edit(path, argument.start, argument.end, f"[{','.join(kept)}]" if kept else "")
    if added:
        yield Edit(path, name.end, name.end, f"[{added}]")


def _fontset(case: Case) -> Iterator[Candidate]:
    """Another system's Chinese fonts, asked for by an option of ctex."""
    for path, source in _files(case):
        for load in source.packages:
            if not load.name.startswith("ctex") or not source.live(load.start):
                continue
            options = split_options(load.options)
            asked = [o for o in options if key_of(o) in ("fontset", "winfonts", "adobefonts", "nofonts")]
            if not asked or asked[0].replace(" ", "") in ("fontset=fandol", "fontset=none", "nofonts"):
                continue
            for rank, fontset in enumerate(("fandol", "ubuntu")):
                kept = [f"fontset={fontset}" if o is asked[0] else o for o in options if o not in asked[1:]]
                edit = with_options(path, source, load, ",".join(kept))
                if edit is not None:
                    yield Candidate((edit,), f"use the Chinese fonts of the set {fontset}", round(0.9 - 0.1 * rank, 2))


_HEAD = "\\documentclass{article}\n\\usepackage{fontspec}\n"
_BODY = "\\begin{document}\nx\n\\end{document}\n"

RULE = Rule(
    id="font-not-installed",
    fix=propose,
    answers=("font-not-found",),
    deletes="options that name files of a font that is not installed",
    examples=(
        Example(
            _HEAD + "\\setmainfont[Path=fonts/,BoldFont=*-Bold,Scale=0.9]{Minion}\n" + _BODY,
            _HEAD + "\\setmainfont[" + FILES["lmroman10"] + ",Scale=0.9]{lmroman10}\n" + _BODY,
            message='Package fontspec Error: The font "Minion" cannot be found',
            token="Minion",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{xeCJK}\n\\setCJKmainfont[ItalicFont=KaiTi]{SimSun}\n"
            "\\begin{document}\n文\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage{xeCJK}\n"
            "\\setCJKmainfont[BoldFont=FandolSong-Bold.otf,ItalicFont=FandolKai-Regular.otf]{FandolSong-Regular.otf}\n"
            "\\begin{document}\n文\n\\end{document}\n",
            message='Package fontspec Error: The font "SimSun" cannot be found',
            token="SimSun",
            line=3,
        ),
        Example(
            "\\documentclass[fontset=windows]{ctexart}\n\\begin{document}\n文\n\\end{document}\n",
            "\\documentclass[fontset=fandol]{ctexart}\n\\begin{document}\n文\n\\end{document}\n",
            message='Package fontspec Error: The font "SimSun" cannot be found',
            token="SimSun",
        ),
        Example(
            _HEAD + "\\setmainfont{Minion}\n" + _BODY,
            None,
            message='Package fontspec Error: The font "Nothing" cannot be found',
            token="Nothing",
        ),
    ),
)
