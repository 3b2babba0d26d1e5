r"""A colour that is not defined: \textcolor{navy}{...}, colback=lightblue, \color{ForestGreen}.

Why it breaks: xcolor knows nineteen colours by itself; those of style sheets are there with other capitals and only
with an option, own ones only after \definecolor: "Undefined color `navy'".

What is done: a misspelt one becomes the document's own colour that is nearest; one that style sheets know by that name
(its capitals and signs aside) is defined as they do, one that an option of xcolor brings by that option's value. As the
last resort one that names a colour in its name (accentblue) becomes that colour, any other one black.

When nothing is done: the name is no plain word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex.names import providers
from texrepair.latex.preamble import package_line, preamble_line
from texrepair.latex.spelling import distance, reach
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import split_options, with_options
from ._needs import loads

_PLAIN = frozenset(
    "red green blue cyan magenta yellow black gray white darkgray lightgray brown lime olive orange pink purple teal"
    " violet".split()
)
"""What xcolor defines without options (its manual, 2.4.1)."""
_SHEET = """
    aliceblue F0F8FF antiquewhite FAEBD7 aqua 00FFFF aquamarine 7FFFD4 azure F0FFFF beige F5F5DC bisque FFE4C4
    blanchedalmond FFEBCD blueviolet 8A2BE2 burlywood DEB887 cadetblue 5F9EA0 chartreuse 7FFF00 chocolate D2691E
    coral FF7F50 cornflowerblue 6495ED cornsilk FFF8DC crimson DC143C darkblue 00008B darkcyan 008B8B darkgoldenrod
    B8860B darkgray A9A9A9 darkgreen 006400 darkgrey A9A9A9 darkkhaki BDB76B darkmagenta 8B008B darkolivegreen
    556B2F darkorange FF8C00 darkorchid 9932CC darkred 8B0000 darksalmon E9967A darkseagreen 8FBC8F darkslateblue
    483D8B darkslategray 2F4F4F darkslategrey 2F4F4F darkturquoise 00CED1 darkviolet 9400D3 deeppink FF1493
    deepskyblue 00BFFF dimgray 696969 dimgrey 696969 dodgerblue 1E90FF firebrick B22222 floralwhite FFFAF0
    forestgreen 228B22 fuchsia FF00FF gainsboro DCDCDC ghostwhite F8F8FF gold FFD700 goldenrod DAA520 greenyellow
    ADFF2F grey 808080 honeydew F0FFF0 hotpink FF69B4 indianred CD5C5C indigo 4B0082 ivory FFFFF0 khaki F0E68C
    lavender E6E6FA lavenderblush FFF0F5 lawngreen 7CFC00 lemonchiffon FFFACD lightblue ADD8E6 lightcoral F08080
    lightcyan E0FFFF lightgoldenrodyellow FAFAD2 lightgreen 90EE90 lightgrey D3D3D3 lightpink FFB6C1 lightsalmon
    FFA07A lightseagreen 20B2AA lightskyblue 87CEFA lightslategray 778899 lightslategrey 778899 lightsteelblue
    B0C4DE lightyellow FFFFE0 limegreen 32CD32 linen FAF0E6 maroon 800000 mediumaquamarine 66CDAA mediumblue 0000CD
    mediumorchid BA55D3 mediumpurple 9370DB mediumseagreen 3CB371 mediumslateblue 7B68EE mediumspringgreen 00FA9A
    mediumturquoise 48D1CC mediumvioletred C71585 midnightblue 191970 mintcream F5FFFA mistyrose FFE4E1 moccasin
    FFE4B5 navajowhite FFDEAD navy 000080 navyblue 000080 oldlace FDF5E6 olivedrab 6B8E23 orangered FF4500 orchid
    DA70D6 palegoldenrod EEE8AA palegreen 98FB98 paleturquoise AFEEEE palevioletred DB7093 papayawhip FFEFD5
    peachpuff FFDAB9 peru CD853F plum DDA0DD powderblue B0E0E6 rebeccapurple 663399 rosybrown BC8F8F royalblue
    4169E1 saddlebrown 8B4513 salmon FA8072 sandybrown F4A460 seagreen 2E8B57 seashell FFF5EE sienna A0522D silver
    C0C0C0 skyblue 87CEEB slateblue 6A5ACD slategray 708090 slategrey 708090 snow FFFAFA springgreen 00FF7F
    steelblue 4682B4 tan D2B48C thistle D8BFD8 tomato FF6347 turquoise 40E0D0 wheat F5DEB3 whitesmoke F5F5F5
    yellowgreen 9ACD32
"""
"""The names of style sheets with their codes (CSS Color Module Level 4), those that xcolor has itself aside."""
_OWN = re.compile(
    r"\\(?:define|provide|redefine)colou?r(?:set)?\s*\{\s*([^{}]+?)\s*\}|\\colorlet\s*\{\s*([^{}]+?)\s*\}"
)
_USE = r"(?<=[\[{,=!])(\s*)NAME(?=\s*(?:[!,}\]]|$))"


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    name = (found.token or "").strip() if found else ""
    if not re.fullmatch(r"[A-Za-z][\w.-]*", name):
        return
    own = {m[1] or m[2] for s in case.read for m in _OWN.finditer(s.text) if s.live(m.start())} - {name}
    bound = reach(name)
    near = [c for c in sorted(own | _PLAIN) if (distance(name, c, bound) if len(name) > 3 else None) is not None]
    for rank, colour in enumerate(sorted(near, key=lambda c: (distance(name, c, bound) or 0.0, c not in own))[:2]):
        edits = tuple(_renamed(case, name, colour))
        if edits:
            yield Candidate(edits, f"write the colour {colour} for {name}", round(0.92 - 0.04 * rank, 2))
    for option in [p.option for p in providers(name, "colour") if p.package == "xcolor" and p.option][:1]:
        edit = _with_option(case, option)
        if edit is not None:
            yield Candidate((edit,), f"load xcolor with {option}, which has {name}", 0.96)
    plain = re.sub(r"[\W_\d]", "", name).lower()
    code = _code(plain)
    if code is not None:
        yield from _defined(case, name, f"\\definecolor{{{name}}}{{HTML}}{{{code}}}", 0.95)
    else:
        said = [c for c in sorted(_PLAIN, key=len, reverse=True) if c in plain]
        yield from _defined(case, name, f"\\colorlet{{{name}}}{{{said[0] if said else 'black'}}}", 0.2)


def _with_option(case: Case, option: str) -> Edit | None:
    """The edit that gives the option to xcolor, or loads xcolor with it."""
    calls = [call for call in loads(case) if call[2].name == "xcolor"]
    if calls:
        path, source, load = calls[0]
        return with_options(path, source, load, ",".join([*split_options(load.options), option]))
    line = package_line(case.lexed(case.main), "xcolor", option)
    return None if line is None else Edit(case.main, line[0], line[0], line[1])


def _code(plain: str) -> str | None:
    words = _SHEET.split()
    return dict(zip(words[::2], words[1::2], strict=True)).get(plain)


def _defined(case: Case, name: str, text: str, certainty: float) -> Iterator[Candidate]:
    main = case.lexed(case.main)
    # Before the first use in the preamble: styles and boxes are declared there.
    use = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    first = next((m.start() for m in use.finditer(main.text) if main.live(m.start())), None)
    if first is not None and main.in_preamble(first):
        groups = main.groups_at(first)
        start = main.line_span(main.line(groups[0].open if groups else first))[0]
        edit = Edit(case.main, start, start, text + "\n")
    else:
        line = preamble_line(main, text)
        if line is None:
            return
        edit = Edit(case.main, line[0], line[0], line[1])
    yield Candidate((edit,), f"define the colour {name}", certainty)


def _renamed(case: Case, name: str, colour: str) -> Iterator[Edit]:
    use = re.compile(_USE.replace("NAME", re.escape(name)))
    for path in case.draft:
        if path == case.main or path.endswith((".tex", ".ltx", ".sty", ".cls", ".tikz")):
            source = case.lexed(path)
            for match in use.finditer(source.text):
                if source.live(match.start()):
                    yield Edit(path, match.end(1), match.end(), colour)


_HEAD = "\\documentclass{article}\n\\usepackage{xcolor}\n"
_SAYS = "Package xcolor Error: Undefined color `{}'"


def _example(name: str, line: str, *, renamed: str = "") -> Example:
    body = f"\\begin{{document}}\n\\textcolor{{{name}}}{{x}}\n\\end{{document}}\n"
    after = _HEAD + line + (body.replace(name, renamed) if renamed else body)
    return Example(_HEAD + (line if renamed else "") + body, after, message=_SAYS.format(name), token=name, line=4)


RULE = Rule(
    id="unknown-colour",
    fix=propose,
    answers=("undefined-colour",),
    examples=(
        _example("navy", "\\definecolor{navy}{HTML}{000080}\n"),
        _example("accentblue", "\\colorlet{accentblue}{blue}\n"),
        _example("brnad", "\\definecolor{brand}{rgb}{0,0,1}\n", renamed="brand"),
        Example(
            _HEAD + "\\begin{document}\n\\color{ForestGreen}\n\\end{document}\n",
            _HEAD.replace("{xc", "[dvipsnames]{xc") + "\\begin{document}\n\\color{ForestGreen}\n\\end{document}\n",
            message=_SAYS.format("ForestGreen"),
            token="ForestGreen",
            line=4,
        ),
        Example(_HEAD + "\\begin{document}\n\\color{}x\n", None, message=_SAYS.format(""), token="", line=4),
    ),
)
