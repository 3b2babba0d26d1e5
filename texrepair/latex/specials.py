"""Commands that change how the text behind them is read: verbatim macros, catcodes, conditionals, fences."""

from __future__ import annotations

import re

from texrepair.latex import patterns, vocabulary
from texrepair.latex.delimiters import Delimiters
from texrepair.latex.source import Command, Mode, Part

_SHORT_VERB = re.compile(r"\*?(?:\[[^\]\r\n]*\])?\{?\\?([^\sA-Za-z0-9])\}?")
_MOST = 12
"""Characters that a file may make letters or short verbs; each set of them needs a regular expression of its own."""
_IF_ZERO = re.compile(r"0(?=\s)")


class Specials(Delimiters):
    """Each public method takes a command's name, start and end, notes the command, and returns where to read on."""

    def __init__(self, text: str, part: Part) -> None:
        super().__init__(text, "@" if part == "style" else "")
        self.part: Part = part
        self.conditionals: list[str] = []
        """Those that are open."""
        self.flags: dict[str, bool] = {}
        """Whether a conditional of the file's own is ever made true."""

    def plain(self, name: str, start: int, pos: int) -> None:
        """Note a command as any other is noted."""
        self.commands.append(Command(name, start, pos))
        self.opener, self.opener_end = name, pos

    def signed(self, name: str, start: int, pos: int) -> int:
        self.plain(name, start, pos)
        signature = vocabulary.COMMANDS.get(name)
        return pos if signature is None else self.take(name, start, pos, signature)

    def environment_name(self, pos: int) -> tuple[str, int, int, bool] | None:
        """Name, start and end of its braces, and whether they are closed; None where no name follows."""
        brace = self.gap(pos)
        match = patterns.ENVIRONMENT_NAME.match(self.text, brace)
        if match is not None:
            return match[1].strip(), brace, match.end(), True
        match = patterns.LOST_ENVIRONMENT_NAME.match(self.text, brace)
        return None if match is None else (match[1], brace, match.end(), False)

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
        """Inline verbatim; the arguments of \\lstinline, \\mintinline and \\mint come first."""
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
        stop = self.text.find("\\endcsname", pos, min(pos + 400, self.line_end(pos)))
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
        elif character not in "\\{}":
            if not character.isalnum() and len(self.letters) < _MOST:
                self.letters = self.letters.replace(character, "") + (character if value == "11" else "")
            if character != "@":
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
        if (
            "elete" not in name
            and "Undefine" not in name
            and character not in "\\{}$%]&\r\n"
            and len(self.short_verbs) < _MOST
        ):
            self.short_verbs += character
        return match.end()

    def conditional(self, name: str, start: int, pos: int) -> int:
        """Counts \\if and \\fi; what \\iffalse, \\if0 or a flag that is never set opens is skipped as TeX skips it."""
        if name == "fi":
            if self.conditionals:
                self.conditionals.pop()
            return self.signed(name, start, pos)
        skipped = (
            name == "iffalse"
            or (name == "if" and _IF_ZERO.match(self.text, pos) is not None)
            or (name in self.conditionals_defined and not self.open_of["body"] and self.never_set(name))
        )
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

    def never_set(self, name: str) -> bool:
        """Is a flag that the main file makes (\\newif) never made true in it?"""
        if name not in self.flags:
            flag = name[2:]
            self.flags[name] = any(way in self.text for way in (f"{flag}true", f"boolean{{{flag}}}"))
        return self.part == "main" and not self.flags[name]

    def end_of_branch(self, pos: int, stop_at_else: bool) -> tuple[int, int, str]:
        """Where a skipped branch ends: start and end of its \\fi or \\else, and which (tex.web, section 494)."""
        depth = 0
        for match in patterns.SKIPPED.finditer(self.text, pos, self.limit):
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
        return self.limit, self.limit, ""

    def end_input(self, name: str, start: int, pos: int) -> int:
        """TeX reads the line to its end and nothing behind it; in an argument, the line on which the argument ends."""
        self.commands.append(Command(name, start, pos))
        if not self.open_of["body"] and not self.conditionals:
            self.ends_here = True
            self.end_line(pos)
        return pos
