r"""The packages CJK and CJKutf8 under XeTeX or LuaTeX, or where they are not installed.

Why it breaks: they are pdfTeX's way to Chinese, Japanese and Korean; their fonts are not there, and the engines that
read Unicode need none of it.

What is done: ctex (for texts in simplified Chinese) or xeCJK with a font takes their place, without other headings or
sizes, and the marks \begin{CJK*}{UTF8}{…} and \end{CJK*} go; what stands between them stays.

When nothing is done: none of them is loaded, or the engine is pdfTeX and they are installed.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex import Source
from texrepair.latex.fonts import REGIONS, fits_fandol, region_of
from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._loading import whole_line, without
from ._needs import loads

_NAMES = ("CJK", "CJKutf8", "xeCJK", "CJKnumb", "CJKulem")


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    calls = [call for call in loads(case) if call[2].name in ("CJK", "CJKutf8")]
    if found is None or not calls:
        return
    if found.code in ("package-not-found", "file-not-found") and "CJK" not in (found.token or ""):
        return
    if case.engine == "pdflatex":
        yield Candidate((), "build with xelatex, which has fonts for these characters", 0.9, "xelatex")
    texts = "".join(s.text for s in case.read)
    heads = {call[2].start: call for call in loads(case) if call[2].name in _NAMES}
    marks = [Edit(path, *span, "") for path, source in case.tex_files() for span in _marks(source)]
    region = region_of(texts)
    font = REGIONS[region]["song"][0]
    choices = [f"\\usepackage{{xeCJK}}\n\\setCJKmainfont{{{font}}}\n"]
    if region == "SC":
        choices.insert(0 if fits_fandol(texts) else 1, "\\usepackage[scheme=plain]{ctex}\n")
    for rank, choice in enumerate(choices):
        edits: list[Edit] = []
        loaded = {"ctex", "xeCJK"} & set(case.packages)
        for path, source, load in heads.values():
            gone = without(path, source, load)
            if not loaded and not edits and gone.end - gone.start > len(load.name) + 1:
                edits.append(Edit(path, gone.start, gone.end, choice))
            elif not loaded and not edits:
                start = source.line_span(source.line(load.start))[0]
                edits += [Edit(path, start, start, choice), gone]
            else:
                edits.append(gone)
        name = "ctex" if "ctex" in choice else "xeCJK"
        why = f"load {name} in the place of {calls[0][2].name}, and take its marks out"
        yield Candidate((*edits, *marks), why, round(0.95 - 0.05 * rank, 2))


def _marks(source: Source) -> Iterator[tuple[int, int]]:
    for environment in source.environments:
        if environment.name not in ("CJK", "CJK*"):
            continue
        arguments = source.arguments_at(environment.begin_end, 3)
        braced = [a for a in arguments if not a.optional][:2]
        yield whole_line(source, environment.begin, braced[-1].end if braced else environment.begin_end)
        if environment.end is not None and environment.end_end is not None:
            yield whole_line(source, environment.end, environment.end_end)
    for command in source.command_named("CJKfamily", "CJKtilde", "CJKindent"):
        arguments = source.arguments(command, 1) if command.name == "CJKfamily" else ()
        if source.live(command.start) and not source.in_definition(command.start):
            yield command.start, arguments[0].end if arguments else command.end


RULE = Rule(
    id="cjk-environment",
    fix=propose,
    answers=("package-not-found", "file-not-found", "wrong-engine", "undefined-environment", "package-error"),
    deletes="the marks of the CJK environment",
    examples=(
        Example(
            "\\documentclass{article}\n\\usepackage{CJKutf8}\n\\begin{document}\n\\begin{CJK*}{UTF8}{gbsn}\n文字\n"
            "\\end{CJK*}\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[scheme=plain]{ctex}\n\\begin{document}\n文字\n\\end{document}\n",
            message="LaTeX Error: File `CJKutf8.sty' not found",
            token="CJKutf8",
            line=2,
        ),
        Example(
            "\\documentclass{article}\n\\usepackage{ctex}\n\\begin{document}\n文字\n\\end{document}\n",
            None,
            message="LaTeX Error: File `CJKutf8.sty' not found",
            token="CJKutf8",
        ),
    ),
)
