r"""A picture that the driver cannot read: a cut-off .png, a damaged .pdf.

Why it breaks: XeTeX reads only the size of a picture; xdvipdfmx, which copies it into the PDF, stops at it, and does
not say at which one.

What is done: one picture after the other gives way to a box of its width that names the file, until the driver ends
well.

When nothing is done: the driver names the file, or no picture is used.
"""

from __future__ import annotations

from collections.abc import Iterator

from texrepair.rules import Candidate, Case, Edit, Example, Rule

from ._pictures import placeholder

_MOST = 12
"""Pictures that are tried: each costs a whole compile."""


def propose(case: Case) -> Iterator[Candidate]:
    if case.diagnostic is None or case.diagnostic.token:
        return
    uses: dict[str, list[Edit]] = {}
    for path, source in case.tex_files():
        for command in source.command_named("includegraphics"):
            name = next((a for a in source.arguments(command, 3) if not a.optional), None)
            if name is not None and source.live(command.start) and not source.in_definition(command.start):
                edit = placeholder(path, source, command, name, "Damaged figure")
                uses.setdefault(source.inner(name).strip(), []).append(edit)
    for rank, (file, edits) in enumerate(list(uses.items())[:_MOST]):
        yield Candidate(tuple(edits), f"put a box in the place of {file}", round(0.28 - 0.01 * rank, 2))


RULE = Rule(
    id="damaged-image",
    fix=propose,
    answers=("driver-error",),
    examples=(
        Example(
            "\\includegraphics[width=4cm]{a_b.png}\n",
            "\\fbox{\\parbox[c][3cm][c]{4cm}{\\centering Damaged figure: a\\_b.png}}\n",
            message="xdvipdfmx was killed by signal 6: libpng error: Read Error",
            path="part.tex",
        ),
        Example("No picture.\n", None, message="xdvipdfmx: something", path="part.tex"),
    ),
)
