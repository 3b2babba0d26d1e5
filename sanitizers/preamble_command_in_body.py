r"""A preamble command in the body.

Why it breaks: \usepackage, \DeclareMathOperator and the like are forbidden behind \begin{document}: "Can be used only
in preamble".

What is done: the calls are moved, whole and in order, to the end of the preamble; all at once.

When nothing is done: the body holds no such command, or it stands in a definition.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.latex import Command, Mode, Source
from texrepair.latex.preamble import end_of_preamble, newline_of, package_place
from texrepair.rules import Candidate, Case, Edit, Example, Rule

ARGUMENTS = {
    "usepackage": 2,
    "RequirePackage": 2,
    "DeclareMathOperator": 2,
    "DeclareUnicodeCharacter": 2,
    "addbibresource": 2,
    "usetikzlibrary": 1,
    "usepgfplotslibrary": 1,
    "makeindex": 0,
    "makeglossaries": 0,
    "includeonly": 1,
    "setmainfont": 3,
    "newacronym": 4,
    "PassOptionsToPackage": 2,
    "DeclareGraphicsExtensions": 1,
    "setbeamertemplate": 3,
    "hypersetup": 1,
}
"""Commands and how many arguments may follow them (\\@onlypreamble in the kernel and in the packages)."""

MOVED_ONLY_IF_NAMED = frozenset(
    {"hypersetup", "setmainfont", "setbeamertemplate", "newacronym", "usetikzlibrary", "usepgfplotslibrary"}
)


def propose(case: Case) -> Iterator[Candidate]:
    main = case.lexed(case.main)
    place = end_of_preamble(main)
    if place is None or case.diagnostic is None:
        return
    edits: list[Edit] = []
    loads: list[str] = []
    settings: list[str] = []
    for path, source in case.tex_files():
        for command in source.command_named(*ARGUMENTS):
            if command.name in MOVED_ONLY_IF_NAMED and command.name not in case.diagnostic.before:
                continue
            if (
                source.in_preamble(command.start)
                or source.in_definition(command.start)
                or source.mode(command.start) is Mode.VERBATIM
            ):
                continue
            if not source.live(command.start):
                continue
            start, end = _call(source, command)
            call = source.text[start:end]
            (loads if command.name in ("usepackage", "RequirePackage") else settings).append(call)
            edits.append(Edit(path, *_line_of(source, start, end), ""))
    if not edits:
        return
    newline = newline_of(main.text)
    behind = package_place(main, "")
    fresh = [call for call in dict.fromkeys(loads) if call not in main.text[: main.document[0] if main.document else 0]]
    if fresh and behind is not None:
        at_line_start = behind == main.line_span(main.line(behind))[0] and behind < len(main.text)
        text = newline.join(fresh)
        edits.append(Edit(case.main, behind, behind, text + newline if at_line_start else newline + text))
    if settings:
        edits.append(Edit(case.main, place, place, "".join(call + newline for call in settings)))
    yield Candidate(tuple(edits), "move what belongs into the preamble there", 0.9)


def _call(source: Source, command: Command) -> tuple[int, int]:
    arguments = source.arguments(command, ARGUMENTS[command.name])
    end = arguments[-1].end if arguments else command.end
    if command.name in ("usepackage", "RequirePackage"):
        first = next((a for a in arguments if not a.optional), None)
        end = first.end if first else end
    return command.start, end


def _line_of(source: Source, start: int, end: int) -> tuple[int, int]:
    low, high = source.line_span(source.line(start))[0], source.line_span(source.line(end))[1]
    rest = source.text[end:high]
    if source.text[low:start].strip() or (rest.strip() and not rest.lstrip().startswith("%")):
        return start, end
    following = source.line(end) < source.line_count and not rest.strip()
    return (low, source.line_span(source.line(end) + 1)[0]) if following else (start, end)


RULE = Rule(
    id="preamble-command-in-body",
    fix=propose,
    answers=("only-in-preamble",),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\usepackage[T1]{fontenc}\nText.\n"
            "\\DeclareMathOperator{\\E}{E}\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\DeclareMathOperator{\\E}{E}\n"
            "\\begin{document}\nText.\n"
            "\\end{document}\n",
            message="LaTeX Error: Can be used only in preamble",
            line=3,
            context_before="\\usepackage",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\verb|\\usepackage{x}|\n\\end{document}\n",
            None,
            message="LaTeX Error: Can be used only in preamble",
            line=3,
        ),
    ),
)
