r"""A command that runs into the word behind it.

Why it breaks: a command's name goes on as long as letters follow, and under XeTeX and LuaTeX Chinese and Japanese
characters are letters too (they have catcode 11): \LaTeX中文 and \itemFirst are single, unknown names.

What is done: the name is cut behind the longest part that is a known command: before a non-Latin letter {} is put in,
before a Latin one a space. All names in the document that are cut at a non-Latin letter go together.

When nothing is done: no part of the name is known; an argument follows, so that the name is one command's; or what is
left is no word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texrepair.latex import Command, Mode, Source
from texrepair.latex.names import arguments_of, is_known
from texrepair.rules import Candidate, Case, Edit, Example, Rule


def propose(case: Case) -> Iterator[Candidate]:
    found = case.diagnostic
    if found is None or not found.token:
        return
    name = found.token.removeprefix("\\")
    # The log, and so the token, may show only a part of a long name, and the lexer's names end at non-Latin letters.
    head = re.match(r"[A-Za-z]*", name)
    latin = head[0] if head else ""
    foreign = list(_foreign(case))
    if foreign and (latin != name or any(e.path == case.path for e, _ in foreign)):
        edits = tuple(edit for edit, _ in foreign)
        yield Candidate(edits, "end the command names before the characters that follow", 0.95)
        near = [e for e, at in foreign if e.path == case.path and abs(at - case.at) < 200]
        if len(near) == 1 and len(edits) > 1:
            yield Candidate((near[0],), "end the command's name before the character that follows", 0.6)
    if latin != name:
        return
    for size in range(len(name) - 1, 1, -1):
        part, rest = name[:size], name[size:]
        if part not in case.defined and not is_known(part, case.packages):
            continue
        commands = [c for c in case.source.command_named(name) if case.source.live(c.start)]
        if not commands:
            return
        if not all(_glued(case.source, c, part, rest) for c in commands):
            return
        edits = tuple(Edit(case.path, c.start + 1 + size, c.start + 1 + size, " ") for c in commands)
        yield Candidate(
            edits, f"write \\{part} {rest} for \\{name}", _certainty(case.source, commands[0].start, part, rest)
        )
        return


def _glued(source: Source, command: Command, part: str, rest: str) -> bool:
    """Whether the name can be a command and a word."""
    if source.text[command.end : command.end + 1] in ("{", "["):
        return False
    if source.mode(command.start) in (Mode.INLINE, Mode.DISPLAY):
        return True
    return "m" not in (arguments_of(part) or "") and re.search(r"[aeiouyAEIOUY]|^.$", rest) is not None


def _certainty(source: Source, at: int, part: str, rest: str) -> float:
    if rest[0].isupper() and part.islower():
        return 0.85
    if source.mode(at) in (Mode.INLINE, Mode.DISPLAY) and len(rest) <= 2:
        return 0.75
    return 0.6 if part == "item" else 0.3


def _foreign(case: Case) -> Iterator[tuple[Edit, int]]:
    for path, source in case.tex_files():
        for command in source.commands:
            end = command.start + 1
            while end < command.end and source.text[end].isascii():
                end += 1
            name = source.text[command.start + 1 : end]
            behind = source.text[end : end + 1]
            if not name.isalpha() or behind.isascii() or not behind.isalpha() or not source.live(command.start):
                continue
            whole = re.compile(r"[^\W\d_]+").match(source.text, command.start + 1)
            if whole and whole[0] in case.defined:
                continue
            if name in case.defined or is_known(name, case.packages):
                for edit in _parted(path, source, end):
                    yield edit, end


def _parted(path: str, source: Source, end: int) -> Iterator[Edit]:
    """{} between the name and the letter; words that a formula ends with leave it, as math fonts lack them."""
    around = source.math_at(end)
    words = re.compile(r"(?:(?![ -~])[\w，。；：])+").match(source.text, end)
    if not around or words is None:
        yield Edit(path, end, end, "{}")
        return
    formula = around[-1]
    if not formula.display and words.end() == formula.body_end and formula.end > formula.body_end:
        closing = source.text[formula.body_end : formula.end]
        yield Edit(path, end, end, closing)
        yield Edit(path, formula.body_end, formula.end, "")
    else:
        yield Edit(path, end, end, "\\mbox{")
        yield Edit(path, words.end(), words.end(), "}")


RULE = Rule(
    id="command-glued-to-text",
    fix=propose,
    answers=("undefined-control-sequence",),
    examples=(
        Example(
            "\\documentclass{article}\n\\begin{document}\n用\\LaTeX写成，\\TeX的\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n用\\LaTeX{}写成，\\TeX{}的\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\LaTeX写成",
            line=3,
            context_before="用\\LaTeX写成",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n当$\\alpha值$过大，$\\beta的 + 1$\n\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n当$\\alpha$值过大，$\\beta\\mbox{的} + 1$\n\\end{document}\n",
            message="Undefined control sequence",
            token="\\alpha值",
            line=3,
            context_before="当$\\alpha值",
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\begin{itemize}\n\\itemFirst\n\\end{itemize}\n"
            "\\end{document}\n",
            "\\documentclass{article}\n\\begin{document}\n\\begin{itemize}\n\\item First\n\\end{itemize}\n"
            "\\end{document}\n",
            message="Undefined control sequence",
            token="\\itemFirst",
            line=4,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\emphasize{this}\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\emphasize",
            line=3,
        ),
        Example(
            "\\documentclass{article}\n\\begin{document}\n\\qqzz x\n\\end{document}\n",
            None,
            message="Undefined control sequence",
            token="\\qqzz",
            line=3,
        ),
    ),
)
