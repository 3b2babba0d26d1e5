"""`lex`: one linear pass over LaTeX text, with TeX's own rules where the text is sound and with the least damage where it is not.

Nothing is expanded. What the file says about its own names is believed: shorthands for \\begin and \\end, environments that
wrap math or verbatim text, catcode changes, short verbs. Where something was never closed, it ends where TeX would give
up or where something begins that it cannot hold: an inline formula at a blank line, a group at the \\end of the
environment around it, everything at \\begin{document}.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

from texrepair.latex import patterns, vocabulary
from texrepair.latex.delimiters import Delimiters
from texrepair.latex.source import Command, Environment, Fence, Mode, Part, Source

_SHORT_VERB = re.compile(r"\*?(?:\[[^\]\r\n]*\])?\{?\\?([^\sA-Za-z0-9])\}?")
_FIRST_CLASS = re.compile(r"(?:^|(?<=[\r\n]))[ \t\ufeff]*(?=\\documentclass\b)")
_IF_ZERO = re.compile(r"0(?=\s)")
_Record = TypeVar("_Record", Environment, Fence)


def lex(text: str, part: Part = "main") -> Source:
    """Read one file. `main`: preamble until \\begin{document}; `body`: an \\input file; `style`: a package or class, in
    which @ is a letter. Never raises, whatever the text."""
    return _Lexer(text, part).run()


class _Lexer(Delimiters):
    def __init__(self, text: str, part: Part) -> None:
        super().__init__(text, "@" if part == "style" else "")
        self.part: Part = part
        self.document_start: int | None = None
        self.document_end: int | None = None
        first_class = _FIRST_CLASS.search(text) if part == "main" else None
        self.chat_end = first_class.end() if first_class is not None else 0
        """Where \\documentclass begins a line: what stands before may be chat that talks of a document."""
        self.conditionals: list[str] = []

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
                        self.conditionals.append(name)
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

    def plain(self, name: str, start: int, pos: int) -> None:
        """Note a command as any other is noted."""
        self.commands.append(Command(name, start, pos))
        self.opener, self.opener_end = name, pos

    def signed(self, name: str, start: int, pos: int) -> int:
        self.plain(name, start, pos)
        signature = vocabulary.COMMANDS.get(name)
        return pos if signature is None else self.take(name, start, pos, signature)

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

    def environment_name(self, pos: int) -> tuple[str, int, int, bool] | None:
        """Name, start and end of its braces, and whether they are closed; None where no name follows."""
        brace = self.gap(pos)
        match = patterns.ENVIRONMENT_NAME.match(self.text, brace)
        if match is not None:
            return match[1].strip(), brace, match.end(), True
        match = patterns.LOST_ENVIRONMENT_NAME.match(self.text, brace)
        return None if match is None else (match[1], brace, match.end(), False)

    def ends_math(self, name: str, start: int, pos: int) -> int:
        if name != "par":
            self.leave_argument(start)
        self.leave_math(start, display=name != "par")
        return self.signed(name, start, pos)

    def line_break(self, name: str, start: int, pos: int) -> int:
        """\\\\, \\\\* and the length that may follow."""
        self.cell(start)
        self.commands.append(Command(name, start, pos))
        pos += self.text.startswith("*", pos)
        after = self.gap(pos)
        length = patterns.DIMENSION.match(self.text, after)
        if length is None:
            return pos
        self.consume(after, length.end(), Mode.ARGUMENT)
        return length.end()

    def open_fence(self, name: str, start: int, pos: int) -> int:
        self.commands.append(Command(name, start, pos))
        self.push("fence", name, start, self.mode, pos, pos)
        return pos

    def close_fence(self, name: str, start: int, pos: int) -> int:
        """\\right and the like; without effect where something else was opened in between."""
        self.commands.append(Command(name, start, pos))
        opening = {"right": "left", "endgroup": "begingroup", "egroup": "bgroup"}[name]
        if self.stack and self.stack[-1].kind == "fence" and self.stack[-1].name == opening:
            self.close(start, pos, pos)
        return pos

    def verb(self, name: str, start: int, pos: int) -> int:
        """Inline verbatim; `extra` arguments of \\lstinline, \\mintinline and \\mint come first."""
        self.commands.append(Command(name, start, pos))
        text = self.text
        pos += text.startswith("*", pos)
        if name != "verb" and (options := patterns.BRACKETED.match(text, pos, pos + 2000)):
            self.consume(pos, options.end(), Mode.ARGUMENT)
            pos = options.end()
        if name in ("mintinline", "mint") and (language := patterns.KEY.match(text, pos, pos + 200)):
            self.flat_group(pos, language.end(), name)
            self.overlay(pos, language.end(), Mode.ARGUMENT)
            pos = language.end()
        while text[pos : pos + 1] in (" ", "\t"):
            pos += 1
        return self.literal(name, pos, Mode.VERBATIM)

    def inline_verbatim(self, pos: int) -> int:
        """A short verb such as |x|."""
        return self.literal("verb", pos, Mode.VERBATIM)

    def path(self, name: str, start: int, pos: int) -> int:
        """\\path is a command of url and another one of TikZ."""
        self.commands.append(Command(name, start, pos))
        delimiter = self.text[pos : pos + 1]
        if self.innermost("tikzpicture") >= 0 or delimiter in ("[", "(", " ", "\n", "\r", ""):
            return self.take(name, start, pos, "o")
        return self.literal(name, pos, Mode.ARGUMENT)

    def csname(self, name: str, start: int, pos: int) -> int:
        line_end = patterns.LINE_END.search(self.text, pos)
        stop = self.text.find("\\endcsname", pos, line_end.start() if line_end else len(self.text))
        self.plain(name, start, pos)
        if stop < 0:
            return pos
        self.consume(pos, stop, Mode.ARGUMENT)
        inner, end = self.text[pos:stop].strip(), stop + len("\\endcsname")
        self.commands.append(Command("endcsname", stop, end))
        if inner == "begin" or inner == "end":
            found = self.environment_name(end)
            if found is not None:
                environment, brace, end, closed = found
                self.flat_group(brace, end, inner, closed)
                self.overlay(brace, end, Mode.ARGUMENT)
                if inner == "begin":
                    return self.open_environment(environment, start, end)
                self.close_environment(environment, start, end)
        return end

    def catcode(self, name: str, start: int, pos: int) -> int:
        self.commands.append(Command(name, start, pos))
        match = patterns.CATCODE.match(self.text, pos)
        if match is None:
            return pos
        character, value = match[1], match[2]
        self.consume(pos, match.end(), Mode.ARGUMENT)
        plain = value in ("11", "12", "13", "\\active", "\\other", "\\@other")
        if (effect := self.effect_here()) is not None:
            if plain:
                effect.catcodes += character
        elif character == "@":
            self.letters = self.letters.replace("@", "") + ("@" if value == "11" else "")
        elif character not in "\\{}":
            others = self.catcodes.replace(character, "")
            self.set_catcodes(match.end(), others + character if plain else others)
        return match.end()

    def make_at(self, name: str, start: int, pos: int) -> int:
        self.commands.append(Command(name, start, pos))
        others = self.letters.replace("@", "")
        self.letters = others + "@" if name == "makeatletter" or self.part == "style" else others
        return pos

    def expl(self, name: str, start: int, pos: int) -> int:
        """In expl3 code _ and : are letters and ~ is a space; nothing in it is text."""
        self.commands.append(Command(name, start, pos))
        others = "".join(c for c in self.letters if c not in "_:")
        if name == "ExplSyntaxOff":
            self.letters = others
            self.set_catcodes(pos, "".join(c for c in self.catcodes if c not in "_~"))
            if not self.stack or self.stack[-1].kind == "env":
                self.switch(pos, Mode.TEXT)
            return pos
        self.letters = others + "_:"
        self.set_catcodes(pos, self.catcodes + "_~")
        if not self.stack or self.stack[-1].kind == "env":
            self.switch(pos, Mode.ARGUMENT)
        return pos

    def short_verb(self, name: str, start: int, pos: int) -> int:
        """\\MakeShortVerb{\\|} (shortvrb, fancyvrb) and \\lstMakeShortInline| make a character work like \\verb."""
        self.commands.append(Command(name, start, pos))
        match = _SHORT_VERB.match(self.text, pos)
        if match is None or self.open_of["body"]:
            return pos
        character = match[1]
        self.consume(pos, match.end(), Mode.ARGUMENT)
        self.short_verbs = self.short_verbs.replace(character, "")
        if "elete" not in name and "Undefine" not in name and character not in "\\{}$%]&\r\n":
            self.short_verbs += character
        return match.end()

    def conditional(self, name: str, start: int, pos: int) -> int:
        """Counts \\if and \\fi; what \\iffalse (or \\if0) opens is skipped as TeX skips it."""
        if name == "fi":
            if self.conditionals:
                self.conditionals.pop()
            return self.signed(name, start, pos)
        skipped = name == "iffalse" or (name == "if" and _IF_ZERO.match(self.text, pos) is not None)
        if name == "else":
            skipped = bool(self.conditionals) and self.conditionals[-1] == "iftrue"
            if skipped:
                self.conditionals.pop()
        elif not skipped:
            self.conditionals.append(name)
        if not skipped or ":" in self.letters:
            return self.signed(name, start, pos)
        self.commands.append(Command(name, start, pos))
        self.opener = ""
        end, after, word = self.end_of_branch(pos, name != "else")
        self.overlay(pos, end, Mode.DEAD)
        if word:
            self.commands.append(Command(word, end, after))
        if word == "else":
            self.conditionals.append("else")
        return after

    def end_of_branch(self, pos: int, stop_at_else: bool) -> tuple[int, int, str]:
        """Where a skipped branch ends: start and end of its \\fi or \\else, and which (tex.web, section 494)."""
        depth = 0
        for match in patterns.SKIPPED.finditer(self.text, pos):
            word = match[1]
            if word is None:
                continue
            if word == "fi":
                if not depth:
                    return match.start(), match.end(), word
                depth -= 1
            elif word == "else":
                if not depth and stop_at_else:
                    return match.start(), match.end(), word
            elif word in vocabulary.CONDITIONALS or word in self.conditionals_defined:
                depth += 1
        return len(self.text), len(self.text), ""

    def document_class(self, name: str, start: int, pos: int) -> int:
        """Nothing that chat before it opened reaches into the document."""
        if start == self.chat_end:
            self.cut(0, start)
        return self.signed(name, start, pos)

    def end_input(self, name: str, start: int, pos: int) -> int:
        """TeX reads the line to its end and nothing behind it; in an argument, the line on which the argument ends."""
        self.commands.append(Command(name, start, pos))
        if not self.open_of["body"] and not self.conditionals:
            self.ends_here = True
            self.end_line(pos)
        return pos


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
