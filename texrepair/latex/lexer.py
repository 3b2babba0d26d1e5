"""`lex`: one linear pass over LaTeX text, by TeX's own rules where it is sound, with the least damage where it is not.

Nothing is expanded. What the file says about its own names is believed: shorthands for \\begin and \\end, environments
that wrap math or verbatim text, catcode changes, short verbs. Where something was never closed, it ends where TeX would
give up or where something begins that it cannot hold: an inline formula at a blank line, a group at the \\end of the
environment around it, everything at \\begin{document}.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from texrepair.latex import patterns, vocabulary
from texrepair.latex.source import Command, Environment, Fence, Mode, Part, Source
from texrepair.latex.specials import Specials

_FIRST_CLASS = re.compile(r"(?:^|(?<=[\r\n]))[ \t\ufeff]*(?=\\documentclass\b)")
_Record = TypeVar("_Record", Environment, Fence)


def lex(text: str, part: Part = "main") -> Source:
    """Read one file. `main`: preamble until \\begin{document}; `body`: an \\input file; `style`: a package or class, in
    which @ is a letter. Never raises, whatever the text."""
    return _Lexer(text, part).run()


class _Lexer(Specials):
    def __init__(self, text: str, part: Part) -> None:
        super().__init__(text, part)
        self.document_start: int | None = None
        self.document_end: int | None = None
        first_class = _FIRST_CLASS.search(text) if part == "main" else None
        self.chat_end = first_class.end() if first_class is not None else 0
        """Where \\documentclass begins a line: what stands before may be chat that talks of a document."""

    def run(self) -> Source:
        text = self.text
        commands = self.commands
        stack = self.stack
        signatures = vocabulary.COMMANDS
        special = self.special
        pos = 0
        catcodes_of_pattern: tuple[str, str] | None = None
        while True:
            if catcodes_of_pattern != (self.letters, self.short_verbs):
                catcodes_of_pattern = (self.letters, self.short_verbs)
                next_token = patterns.token(*catcodes_of_pattern).match
            match = next_token(text, pos, self.limit)
            if match is None:
                break
            kind = match.lastindex
            pos = match.end()
            if kind == 1:
                name = match[1]
                start = pos - len(name) - 1
                if name in special:
                    pos = special[name](name, start, pos)
                elif name in signatures:
                    commands.append(Command(name, start, pos))
                    self.opener, self.opener_end = name, pos
                    pos = self.take(name, start, pos, signatures[name])
                else:
                    commands.append(Command(name, start, pos))
                    self.opener, self.opener_end = name, pos
                    if name in self.shorthands:
                        pos = self.use_shorthand(name, start, pos)
                    elif name in self.inline_verbatims:
                        pos = self.take(name, start, pos, "ov")
                    elif name in self.conditionals_defined:
                        commands.pop()
                        pos = self.conditional(name, start, pos)
            elif kind == 2:
                self.open_brace(pos - 1)
            elif kind == 3:
                pos = self.close_brace(pos - 1)
            elif kind == 4:
                pos = self.shift(pos - 1)
            elif kind == 5:
                if "%" not in self.catcodes:
                    comment = patterns.COMMENT.match(text, pos - 1)
                    end = comment.end() if comment else pos
                    self.overlay(pos - 1, end, Mode.COMMENT)
                    if self.opener and not text[self.opener_end : min(pos - 1, self.opener_end + 80)].strip():
                        self.opener_end = end  # an argument may follow behind a comment
                    pos = end
            elif kind == 6:
                self.blank_line(pos)
            elif kind == 7:
                if stack and stack[-1].kind == "[":
                    pos = self.close_bracket(pos - 1)
            elif kind == 8:
                self.cell(pos - 1)
            elif kind == 9:
                pos = self.inline_verbatim(pos - 1)
        return self.finish()

    def finish(self) -> Source:
        end = len(self.text)
        self.limit = max(self.limit, self.mark)  # a verbatim text or the like may reach over the line of \endinput
        while self.commands and self.commands[-1].start >= self.limit:
            self.commands.pop()
        self.cut(0, self.limit)
        if self.limit < end:
            self.switch(self.limit, Mode.DEAD)
        if end > self.mark:
            self._emit(self.mark, end, self.mode)
        document = None
        if self.document_start is not None:
            document = (self.document_start, end if self.document_end is None else self.document_end)
        return Source(
            text=self.text,
            part=self.part,
            spans=tuple(self.spans),
            commands=tuple(self.commands),
            environments=_kept(self.environments),
            groups=tuple(g for g in self.groups if g is not None),
            fences=_kept(self.fences),
            math=tuple(m for m in self.math if m is not None),
            stray_closers=tuple(self.stray_closers),
            stray_ends=tuple(self.stray_ends),
            stray_shifts=tuple(self.stray_shifts),
            open_math=tuple(sorted(self.open_math)),
            packages=tuple(self.packages),
            definitions=self.definitions,
            bodies=_outermost(self.bodies),
            document=document,
            catcodes=tuple(self.catcode_events),
        )

    # Commands with a meaning of their own.

    @cached_property
    def special(self) -> dict[str, Callable[[str, int, int], int]]:
        found: dict[str, Callable[[str, int, int], int]] = {
            "begin": self.begin,
            "end": self.end,
            "(": self.open_delimited,
            "[": self.open_delimited,
            ")": self.close_delimited,
            "]": self.close_delimited,
            "\\": self.line_break,
            "left": self.open_fence,
            "right": self.close_fence,
            "begingroup": self.open_fence,
            "endgroup": self.close_fence,
            "bgroup": self.open_fence,
            "egroup": self.close_fence,
            "verb": self.verb,
            "Verb": self.verb,
            "lstinline": self.verb,
            "mintinline": self.verb,
            "mint": self.verb,
            "path": self.path,
            "csname": self.csname,
            "catcode": self.catcode,
            "makeatletter": self.make_at,
            "makeatother": self.make_at,
            "ExplSyntaxOn": self.expl,
            "ExplSyntaxOff": self.expl,
            "ProvidesExplPackage": self.expl,
            "ProvidesExplClass": self.expl,
            "MakeShortVerb": self.short_verb,
            "DefineShortVerb": self.short_verb,
            "lstMakeShortInline": self.short_verb,
            "DeleteShortVerb": self.short_verb,
            "UndefineShortVerb": self.short_verb,
            "lstDeleteShortInline": self.short_verb,
            "iffalse": self.conditional,
            "else": self.conditional,
            "fi": self.conditional,
            "endinput": self.end_input,
            "documentclass": self.document_class,
        }
        found |= dict.fromkeys(vocabulary.CONDITIONALS, self.conditional)
        found |= dict.fromkeys(vocabulary.ENDS_MATH, self.ends_math)
        return found

    def begin(self, name: str, start: int, pos: int) -> int:
        self.plain(name, start, pos)
        found = self.environment_name(pos)
        if found is None:
            return pos
        environment, brace, end, closed = found
        if environment == "document" and start < self.chat_end:
            return end
        if environment == "document" and self.part != "style":
            self.cut(0, start)
            if self.document_start is None and self.part == "main":
                self.document_start = end
        self.flat_group(brace, end, "begin", closed)
        self.overlay(brace, end, Mode.ARGUMENT)
        return self.open_environment(environment, start, end)

    def end(self, name: str, start: int, pos: int) -> int:
        self.plain(name, start, pos)
        found = self.environment_name(pos)
        if found is None:
            return pos
        environment, brace, end, closed = found
        if environment == "document" and start < self.chat_end:
            return end
        if environment == "document" and not self.open_of["body"]:
            place = self.innermost("document")
            self.cut(place + 1, start)
            if place >= 0:
                self.close(start, end, start)
            self.document_end = start
            self.limit = end
        else:
            self.close_environment(environment, start, end)
        self.flat_group(brace, end, "end", closed)
        self.overlay(brace, end, Mode.ARGUMENT)
        return end

    def ends_math(self, name: str, start: int, pos: int) -> int:
        if name != "par":
            self.leave_argument(start)
        self.leave_math(start, display=name != "par")
        return self.signed(name, start, pos)

    def document_class(self, name: str, start: int, pos: int) -> int:
        """Nothing that chat before it opened reaches into the document."""
        if start == self.chat_end:
            self.cut(0, start)
        return self.signed(name, start, pos)


def _outermost(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return tuple(found)


def _kept(records: list[_Record | None]) -> tuple[_Record, ...]:
    """Without those that a definition left open; the indices of parents follow."""
    places: list[int | None] = []
    kept: list[_Record] = []
    for record in records:
        places.append(None if record is None else len(kept))
        if record is not None:
            kept.append(record)
    return tuple(e if e.parent is None else e._replace(parent=places[e.parent]) for e in kept)
