"""How the lexer reads a command's arguments, after the signatures of vocabulary.py."""

from __future__ import annotations

import re

from texrepair.latex import patterns, vocabulary
from texrepair.latex.source import Command, Mode, Package
from texrepair.latex.structure import Definition, Structure

_NAMED = re.compile(r"\{\s*\\([A-Za-z@_:]++|.)\s*\}|\\([A-Za-z@_:]++|[^A-Za-z@])", re.DOTALL)
_NAMED_PLAIN = re.compile(r"\{\s*\\([A-Za-z]++|.)\s*\}|\\([A-Za-z]++|.)", re.DOTALL)
_COUNT = re.compile(r"\[\s*(\d)\s*\]\s*(\[)?")
_SIMPLE_GROUP = re.compile(r"\{[^{}\\$%\r\n]*+\}")
_BOX_SIZE = re.compile(r"[ \t]*(?:to|spread)[^{}\r\n]*(?=\{)")
_PLAIN_PACKAGE_NAME = re.compile(r"[^\s,{}%][^,{}%\r\n]*")
_BOUND = 8000
"""Characters within which a name or a list of options must close."""

VERBATIM_DEFINERS = frozenset(
    {"lstnewenvironment", "DefineVerbatimEnvironment", "newtcblisting", "NewTCBListing", "excludecomment"}
)


class Arguments(Structure):
    """Reads arguments at once where they are simple, or opens a frame that remembers the rest of the signature."""

    def __init__(self, text: str, letters: str) -> None:
        super().__init__(text, letters)
        self.opener = ""
        """The command whose argument a brace would open …"""
        self.opener_end = 0
        """… if it stood here."""
        self.verbatims: dict[str, str] = dict(vocabulary.VERBATIM_ENVIRONMENTS)
        self.inline_verbatims: dict[str, str] = {}
        self.conditionals_defined: set[str] = set()
        self._line_start = 0
        self._line_stop = -1

    def line_end(self, pos: int) -> int:
        """Where the line of `pos` ends, its line end excluded."""
        if not self._line_start <= pos <= self._line_stop:
            match = patterns.LINE_END.search(self.text, pos)
            self._line_start, self._line_stop = pos, match.start() if match else len(self.text)
        return self._line_stop

    def gap(self, pos: int) -> int:
        """Step over spaces, one line end and comments."""
        after = patterns.skip_gap(self.text, pos, "%" not in self.catcodes)
        if after > pos + 1 and "%" in self.text[pos:after]:
            for comment in patterns.COMMENT.finditer(self.text, pos, after):
                self.overlay(comment.start(), comment.end(), Mode.COMMENT)
        return after

    def consume(self, start: int, end: int, mode: Mode) -> None:
        """Read start..end at once in one mode; comments and commands in it are seen."""
        text = self.text
        if text.find("\\", start, end) < 0 and text.find("%", start, end) < 0:
            self.overlay(start, end, mode)
            return
        done = start
        for match in patterns.inside(self.letters).finditer(text, start, end):
            if match.lastindex is None:
                if "%" in self.catcodes:
                    continue
                self.overlay(done, match.start(), mode)
                self.overlay(match.start(), match.end(), Mode.COMMENT)
                done = match.end()
            else:
                self.commands.append(Command(match[1], match.start(), match.end()))
        self.overlay(done, end, mode)

    def lost(self, name: str, pos: int) -> int:
        """A name whose brace is never closed: what looks like the name is taken for it, nothing more."""
        match = patterns.LOST_KEY.match(self.text, pos)
        end = match.end() if match else pos + 1
        self.overlay(pos, end, Mode.ARGUMENT)
        self.flat_group(pos, end, name, closed=False)
        return end

    def take(self, name: str, start: int, pos: int, signature: str, definition: Definition | None = None) -> int:
        """Read the arguments of a command that starts at `start`; returns where to go on."""
        text = self.text
        for at, letter in enumerate(signature):
            if letter == "*":
                pos += text.startswith("*", pos)
                continue
            after = self.gap(pos)
            opening = text[after : after + 1]
            if letter in "oO":
                if opening != "[":
                    continue
                if letter == "o" and (simple := patterns.SIMPLE_OPTIONS.match(text, after, after + _BOUND)):
                    self.overlay(after, simple.end(), Mode.ARGUMENT)
                    pos = simple.end()
                    if definition is not None:
                        definition.arguments += simple[0]
                elif patterns.BRACKETED.match(text, after, after + _BOUND):
                    mode = Mode.ARGUMENT if letter == "o" else self.mode
                    frame = self.push("[", name, after, mode, after + 1, after)
                    frame.rest, frame.start, frame.definition = signature[at + 1 :], start, definition
                    return after + 1
                else:
                    return pos
            elif letter == "q":
                options = patterns.BRACKETED.match(text, after, after + _BOUND) if opening == "[" else None
                if options:
                    self.consume(after, options.end(), Mode.ARGUMENT)
                    pos = options.end()
            elif letter == "P":
                if opening == "(" and (close := text.find(")", after, after + 40)) > 0:
                    self.overlay(after, close + 1, Mode.ARGUMENT)
                    pos = close + 1
            elif letter in "ab":
                if opening != "{":
                    return pos
                pattern = patterns.KEY if letter == "a" else patterns.BRACED
                match = pattern.match(text, after, after + _BOUND)
                if match is None:
                    return self.lost(name, after)
                self.flat_group(after, match.end(), name)
                self.consume(after, match.end(), Mode.ARGUMENT)
                if letter == "a":
                    self.named_something(name, start, pos, after, match.end())
                pos = match.end()
            elif letter in "uv":
                pos = self.literal(name, after, Mode.ARGUMENT if letter == "u" else Mode.VERBATIM)
            elif letter in "ktmnd":
                if name in ("hbox", "vbox", "vtop") and (size := _BOX_SIZE.match(text, after)):
                    self.consume(after, size.end(), Mode.ARGUMENT)
                    after = size.end()
                    opening = text[after : after + 1]
                if opening != "{":
                    return pos
                if letter == "k" and (group := _SIMPLE_GROUP.match(text, after, after + _BOUND)):
                    self.flat_group(after, group.end(), name)
                    self.overlay(after, group.end(), Mode.ARGUMENT)
                    pos = group.end()
                    continue
                frame = self.push("{", name, after, self._mode_of(letter, name), after + 1, after)
                frame.rest, frame.start, frame.definition = signature[at + 1 :], start, definition
                if letter == "d":
                    self.make_body(frame)
                return after + 1
            elif letter == "N":
                definition, pos = self._macro_name(name, start, after)
                if definition is None:
                    return pos
            elif letter == "E":
                match = patterns.ENVIRONMENT_NAME.match(text, after)
                if match is None:
                    return pos
                definition = Definition(match[1].strip(), True, name)
                self.definitions.setdefault(definition.name, start)
                if name in VERBATIM_DEFINERS:
                    self.verbatims[definition.name] = _verbatim_signature(text, match.end())
                self.flat_group(after, match.end(), name)
                self.overlay(after, match.end(), Mode.ARGUMENT)
                pos = match.end()
            elif letter == "=":
                pos = after + (opening == "=")
            elif letter == "c":
                match = _NAMED_PLAIN.match(text, after)
                if match is None:
                    return pos
                self.consume(after, match.end(), self.mode)
                pos = match.end()
            elif letter == "p":
                match = patterns.PARAMETER_TEXT.match(text, pos)
                if match is None:
                    return pos
                self.consume(pos, match.end(), Mode.ARGUMENT)
                pos = match.end()
        self.opener, self.opener_end = name, pos
        return pos

    def _mode_of(self, letter: str, name: str) -> Mode:
        if ":" in self.letters or letter == "k":
            return Mode.ARGUMENT
        if letter == "m" or (letter == "d" and name in ("DeclareMathOperator", "DeclarePairedDelimiterX")):
            return Mode.INLINE
        return self.mode if letter == "n" else Mode.TEXT

    def _macro_name(self, name: str, start: int, pos: int) -> tuple[Definition | None, int]:
        """The macro that a command defines or sets."""
        pattern = _NAMED if "@" in self.letters or ":" in self.letters else _NAMED_PLAIN
        match = pattern.match(self.text, pos)
        if match is None:
            return None, pos
        if self.text[pos] == "{":
            self.flat_group(pos, match.end(), name)
        self.consume(pos, match.end(), self.mode)
        macro = match[1] or match[2]
        if name in vocabulary.OPENS_DEFINITION:
            self.definitions.setdefault(macro, start)
            if name == "newif" and macro.startswith("if"):
                self.conditionals_defined.add(macro)
                self.definitions.setdefault(macro[2:] + "true", start)
                self.definitions.setdefault(macro[2:] + "false", start)
        return Definition(macro, False, name), match.end()

    def named_something(self, name: str, start: int, before: int, brace: int, end: int) -> None:
        """What follows from the name that a command was given: packages, verbatim macros."""
        text = self.text
        if name in vocabulary.PACKAGE_LOADERS:
            options = text[before:brace].strip()
            if not options:
                options = text[start:brace].partition("[")[2].rpartition("]")[0]
            date = patterns.SIMPLE_OPTIONS.match(text, end)
            for item in _PLAIN_PACKAGE_NAME.finditer(text, brace + 1, end - 1):
                stop = date.end() if date else end
                self.packages.append(Package(item[0].strip(), options, start, stop, name, item.start()))
                if item[0].strip() == "underscore" and not self.open_of["body"]:
                    self.set_catcodes(end, self.catcodes + "_")
        elif name in ("newminted", "newmint", "newmintinline"):
            own = text[start:brace].partition("[")[2].rpartition("]")[0].strip()
            language = text[brace + 1 : end - 1].strip()
            suffix = {"newminted": "code", "newmint": "", "newmintinline": "inline"}[name]
            if name == "newminted":
                self.verbatims[own or language + suffix] = "b" if own else ""
                self.verbatims[(own or language + suffix) + "*"] = "b"
            else:
                self.inline_verbatims[own or language + suffix] = "o"
            self.definitions.setdefault(own or language + suffix, start)

    def literal(self, name: str, pos: int, mode: Mode) -> int:
        """{…} or |…| that is not read as TeX."""
        text = self.text
        delimiter = text[pos : pos + 1]
        if not delimiter or delimiter.isspace() or delimiter == "\\":
            return pos
        if delimiter == "{":
            match = patterns.URL.match(text, pos, pos + _BOUND)
            if match is None:
                return self.lost(name, pos)
            self.flat_group(pos, match.end(), name)
            self.overlay(pos, match.end(), mode)
            return match.end()
        stop = self.line_end(pos)
        close = text.find(delimiter, pos + 1, stop)
        end = close + 1 if close >= 0 else stop
        self.overlay(pos, end, mode)
        return end


def _verbatim_signature(text: str, pos: int) -> str:
    """How the arguments of a new verbatim environment are read: its definition says [number][default]."""
    count = _COUNT.match(text, pos)
    if count is None:
        return "o"
    number = int(count[1])
    return "o" + "b" * (number - 1) if count[2] else "b" * number
