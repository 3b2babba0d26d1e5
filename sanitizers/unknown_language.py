r"""A language that babel does not know, or whose file is not installed.

Why it breaks: babel takes every option that it does not know for a language: "Unknown option 'spanish'. Either you
misspelled it or the language definition file was not found".

What is done: the name is corrected to the nearest language; a language that has no file of the old form, but a locale,
is asked for with provide=*, and what its own options said of words (es-tabla) is written out; Chinese, Japanese and
Korean beside a package that sets them are no longer asked for; other options go last of all.

When nothing is done: no call that loads babel, nor the class's options, hold it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Package, Source
from texrepair.latex.names import is_name, nearest
from texrepair.latex.preamble import newline_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import key_of, split_options, with_options

_CJK = re.compile(r"chinese|japanese|korean|mandarin|schinese|tchinese", re.IGNORECASE)
_SETS_CJK = {"ctex", "xeCJK", "CJKutf8", "CJK", "ctexart", "ctexrep", "ctexbook", "ctexbeamer", "luatexja", "kotex"}
_WORDS = {
    "es-tabla": ("spanish", "tablename", "Tabla"),
    "es-cuadro": ("spanish", "tablename", "Cuadro"),
    "es-indice": ("spanish", "contentsname", "Índice"),
}
"""Options of spanish.ldf that choose words: the language, the macro and the word (manual of babel-spanish)."""
_OWN = re.compile(r"(?:es|activeacute|mexico|english-us|french|german)-?[a-z]*")
_OTHERS = ("provide", "main", "shorthands", "safe", "math", "headfoot", "config", "base", "bidi", "layout", "strings")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    match = re.search(r"Unknown option [`'‘](.+?)['’]", found.message) if found is not None else None
    option = match[1] if match else (found.token or "" if found is not None else "")
    source = case.lexed(case.main)
    calls = [
        p for p in source.packages
        if source.live(p.start) and p.name == "babel" and option and option in _names(p)
    ]  # fmt: skip
    if found is None or "babel" not in found.message or not calls:
        return
    load = calls[0]
    options = split_options(load.options)
    kept = [o for o in options if o != option and not (key_of(o) == "main" and option in o)]
    languages = [o for o in kept if key_of(o) not in _OTHERS and not o.startswith("es-")]
    others = _SETS_CJK & set(case.packages)
    if _CJK.fullmatch(re.sub(r"[-_].*", "", option)) and others:
        edits = _edits(case.main, source, load, kept, "")
        yield Candidate(edits, f"do not ask babel for {option}: {sorted(others)[0]} sets it", 0.94)
    if option in _WORDS or (option.startswith("es-") and any(o.startswith("spanish") for o in languages)):
        line = _line(option)
        yield Candidate(_edits(case.main, source, load, kept, line), f"say in words what {option} asks for", 0.9)
    near = [n for n in nearest(option, kind="language") if n != option and n not in kept][:2]
    for rank, name in enumerate(near):
        right = [o.replace(option, name) if o not in kept else o for o in options]
        certainty = 0.55 if is_name(option, "language") else 0.9
        why = f"ask for the language {name} for {option}"
        yield Candidate(_edits(case.main, source, load, right, ""), why, round(certainty - 0.06 * rank, 2))
    if "provide=*" not in options and not option.startswith("es-"):
        own = [o for o in options if o.startswith("es-")]
        provided = [*(o for o in options if o not in own), "provide=*"]
        lines = "".join(_line(o) for o in own)
        edits = _edits(case.main, source, load, provided, lines)
        yield Candidate(edits, f"take {option} from babel's locales", 0.88 if is_name(option, "language") else 0.7)
    yield Candidate(_edits(case.main, source, load, kept, ""), f"do not ask babel for {option}", 0.3)


def _names(load: Package) -> set[str]:
    return {part for o in split_options(load.options) for part in (o, o.partition("=")[2].strip())}


def _line(option: str) -> str:
    if option not in _WORDS:
        return ""
    language, macro, word = _WORDS[option]
    return f"\\addto\\captions{language}{{\\renewcommand{{\\{macro}}}{{{word}}}}}"


def _edits(path: str, source: Source, load: Package, options: list[str], lines: str) -> tuple[Edit, ...]:
    edit = with_options(path, source, load, ",".join(options))
    edits = [edit] if edit is not None else []
    if lines:
        end = source.line_span(source.line(load.end))[1]
        said = lines.replace("\\addto", newline_of(source.text) + "\\addto")
        edits.append(Edit(path, end, end, said))
    return tuple(edits)


_BODY = "\\begin{document}\nx\n\\end{document}\n"
_SAID = (
    "Package babel Error: Unknown option '{}'. Either you misspelled it or the language definition file was not found"
)

RULE = Rule(
    id="unknown-language",
    fix=propose,
    answers=("unknown-key", "package-error", "unknown-option"),
    deletes="an option of babel that it does not know",
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage[english,chinese]{babel}\n\\usepackage{ctex}\n" + _BODY,
            "\\documentclass{article}\n\\usepackage[english]{babel}\n\\usepackage{ctex}\n" + _BODY,
            message=_SAID.format("chinese"),
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage[spanish,es-tabla]{babel}\n" + _BODY,
            "\\documentclass{article}\n\\usepackage[spanish,provide=*]{babel}\n"
            "\\addto\\captionsspanish{\\renewcommand{\\tablename}{Tabla}}\n" + _BODY,
            message=_SAID.format("spanish"),
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage[frnech]{babel}\n" + _BODY,
            "\\documentclass{article}\n\\usepackage[french]{babel}\n" + _BODY,
            message=_SAID.format("frnech"),
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage[english]{babel}\n" + _BODY,
            None,
            message=_SAID.format("klingon"),
            line=2,
        ),
    ),
)
