"""What opens and closes: braces, math shifts, environments, and the places where something unclosed must end."""

from __future__ import annotations

import re
from functools import cached_property

from texrepair.latex import patterns, vocabulary
from texrepair.latex.arguments import Arguments
from texrepair.latex.source import Command, Mode
from texrepair.latex.structure import Definition, Effect, Frame

_MATH = (Mode.INLINE, Mode.DISPLAY)
_SHORT_TEXT = frozenset(
    "text textrm textbf textit texttt textsf textsc textsl textup textmd textnormal emph tag".split()
)
"""Text commands that take no \\par in their argument."""
_HORIZONTAL = frozenset("mbox hbox fbox makebox framebox text textrm llap rlap".split())
"""Boxes in which $$ is an empty formula (restricted horizontal mode)."""
_NEXT_DISPLAY = re.compile(r"\\[\[\]]")
_LOST_VERBATIM_END = re.compile(
    r"(?:^|(?<=[\r\n]))[ \t]*+(?=\\(?:end|begin|section|subsection|chapter|part|paragraph)\b)"
)
_DOUBLE_SHIFT = re.compile(r"\\.|\$\$", re.DOTALL)


class Delimiters(Arguments):
    def __init__(self, text: str, letters: str) -> None:
        super().__init__(text, letters)
        self.shorthands: dict[str, Effect] = {}
        self.environment_effects: dict[str, tuple[Mode | None, str]] = {}
        self.limit = len(text)
        """Where TeX stops reading."""
        self.ends_here = False
        """\\endinput was seen."""
        self._no_end_after: dict[str, int] = {}
        self._display_close = -1

    # Braces and brackets.

    def open_brace(self, pos: int) -> None:
        name, text = "", self.text
        if self.opener:
            between = text[self.opener_end : pos] if pos - self.opener_end < 60 else "x"
            if not between or not between.strip(" \t\r\n*") or patterns.OVERLAY.fullmatch(between):
                name = "" if self.opener in vocabulary.DECLARATIONS else self.opener
            self.opener = ""
        mode = self.mode
        if mode is Mode.ARGUMENT and patterns.TYPESET_KEY.search(text, max(0, pos - 40), pos):
            mode = Mode.TEXT
        frame = self.push("{", name, pos, mode, pos + 1, pos)
        if ":" in self.letters:
            self.make_body(frame)

    def close_brace(self, pos: int) -> int:
        places = self.open_of["{"]
        if not places:
            self.stray_closers.append(pos)
            return pos + 1
        place = places[-1]
        group = self.stack[place]
        environments = self.open_of["env"]
        if group.effect is None and environments and environments[-1] > place and self.has_end(environments[-1]):
            self.stray_closers.append(pos)
            return pos + 1
        if group.effect is not None:
            group.effect.begins += [f.name for f in self.stack[place + 1 :] if f.kind in ("env", "math")]
        self.cut(place + 1, pos)
        self.close(pos, pos + 1, pos + 1)
        self.opener, self.opener_end = group.name, pos + 1
        if group.effect is not None and group.definition is not None:
            self.bodies.append((group.at, pos + 1))
            group.definition.bodies.append(group.effect)
            for command in reversed(self.commands):
                if command.start < group.at:
                    break
                group.effect.commands.add(command.name)
            if "d" not in group.rest:
                self.define(group.definition)
        if self.ends_here:
            self.end_line(pos)
        if group.rest:
            return self.take(group.name, group.start, pos + 1, group.rest, group.definition)
        return pos + 1

    def end_line(self, pos: int) -> None:
        """\\endinput was seen: outside all braces, TeX stops at the end of this line."""
        if not self.open_of["{"]:
            self.limit = min(self.limit, self.line_end(pos))

    def close_bracket(self, pos: int) -> int:
        frame = self.stack[-1]
        self.cut(len(self.stack) - 1, pos + 1)
        if frame.definition is not None:
            frame.definition.arguments += self.text[frame.at : pos + 1]
        self.opener, self.opener_end = frame.name, pos + 1
        if frame.rest:
            return self.take(frame.name, frame.start, pos + 1, frame.rest, frame.definition)
        return pos + 1

    # Math.

    def shift(self, pos: int) -> int:
        """A dollar sign."""
        if "$" in self.catcodes or ":" in self.letters:
            return pos + 1
        double = self.text.startswith("$", pos + 1)
        if self.mode not in _MATH:
            if not double:
                self.push("math", "$", pos, Mode.INLINE, pos + 1, pos)
                return pos + 1
            braces = self.open_of["{"]
            if braces and self.stack[braces[-1]].name in _HORIZONTAL:
                self.push("math", "$", pos, Mode.INLINE, pos + 1, pos)
                self.close(pos + 1, pos + 2, pos + 2)
                return pos + 2
            self.push("math", "$$", pos, Mode.DISPLAY, pos + 2, pos)
            return pos + 2
        place = self.top("math")
        name = self.stack[place].name if place >= 0 else ""
        width = 1 + (double and name == "$$")
        if name in ("$", "\\(", "$$"):
            if name == "$$" and not double:
                self.stray_shift(pos)
            self.cut(place + 1, pos)
            self.close(pos, pos + width, pos + width)
        else:
            self.stray_shift(pos)
        return pos + width

    def stray_shift(self, pos: int) -> None:
        if not self.open_of["body"]:
            self.stray_shifts.append(pos)

    def open_delimited(self, name: str, start: int, pos: int) -> int:
        """\\( or \\[."""
        self.commands.append(Command(name, start, pos))
        if self.mode in _MATH:
            self.stray_shift(start)
            return pos
        mode = Mode.INLINE if name == "(" else Mode.DISPLAY
        self.push("math", "\\" + name, start, mode, pos, start)
        return pos

    def close_delimited(self, name: str, start: int, pos: int) -> int:
        """\\) or \\]; as in TeX they also close what a dollar sign opened."""
        self.commands.append(Command(name, start, pos))
        place = self.innermost("\\(" if name == ")" else "\\[")
        if place < 0:
            top = self.top("math")
            if top >= 0 and self.mode in _MATH and self.stack[top].name == ("$" if name == ")" else "$$"):
                place = top
        if place >= 0:
            self.cut(place + 1, start)
            self.close(start, pos, pos)
        elif (effect := self.effect_here()) is not None:
            effect.ends.append("\\(" if name == ")" else "\\[")
        else:
            self.stray_shift(start)
        return pos

    def blank_line(self, pos: int) -> None:
        """TeX's \\par: it ends an inline formula, and a display too unless its end is in sight."""
        self.opener = ""
        place = self.top("math")
        if place < 0:
            return
        name = self.stack[place].name
        if self.mode not in _MATH:
            above = self.stack[place + 1] if place + 1 < len(self.stack) else None
            if name in ("$", "\\(") and above is not None and above.kind == "{" and above.name in _SHORT_TEXT:
                self.cut(place, pos)
            return
        if name in ("$", "\\(") or not self._closes_behind(place, pos):
            self.cut(place, pos)

    def _closes_behind(self, place: int, pos: int) -> bool:
        """Is the end of the display at that place of the stack in sight behind a blank line?"""
        name = self.stack[place].name
        if name in ("display", "inline"):
            return place > 0 and self.has_end(place - 1)
        if name == "$$":
            start = pos + len(self.text[pos : pos + 2]) if self.text[pos : pos + 2] == "\r\n" else pos + 1
            blank = patterns.BLANK_LINE.search(self.text, start)
            paragraph = self.text[pos : blank.start() if blank else len(self.text)]
            return sum(m[0] == "$$" for m in _DOUBLE_SHIFT.finditer(paragraph)) % 2 == 1
        if self._display_close < pos:
            match = _NEXT_DISPLAY.search(self.text, pos)
            while match is not None and self.text[match.start() - 1] == "\\":
                match = _NEXT_DISPLAY.search(self.text, match.end())
            self._display_close = match.start() if match is not None and match[0] == "\\]" else -1
        return self._display_close >= pos

    def cell(self, pos: int) -> None:
        """& or \\\\ in a table: the cell ends, and with it a formula that was opened in it."""
        if self.mode is not Mode.INLINE:
            return
        place = self.top("math")
        if place > 0 and place == len(self.stack) - 1 and self.stack[place].name in ("$", "\\("):
            below = self.stack[place - 1]
            if below.kind == "env" and below.name in vocabulary.TABULAR_ENVIRONMENTS:
                self.cut(place, pos)

    def leave_math(self, pos: int, display: bool) -> None:
        """Something comes that no formula can hold."""
        place = self.top("math")
        if place >= 0 and self.mode in _MATH:
            name = self.stack[place].name
            if (
                name in ("$", "\\(")
                or (display and name in ("$$", "\\["))
                or (display and name == "display" and not self.has_end(place - 1))
            ):
                self.cut(place, pos)

    def leave_argument(self, pos: int) -> None:
        """Something comes that no list of keys can hold."""
        if self.mode is Mode.ARGUMENT and ":" not in self.letters and not self.open_of["body"]:
            place = len(self.stack) - 1
            while place > 0 and self.stack[place].outer is Mode.ARGUMENT:
                place -= 1
            if place >= 0:
                self.cut(place, pos)

    # Environments.

    def open_environment(self, name: str, start: int, pos: int) -> int:
        """\\begin{name} stands at start..pos."""
        if self.mode in _MATH and name in vocabulary.BLOCKS and name not in vocabulary.TEXT_BOXES:
            self.leave_math(start, display=name not in vocabulary.DISPLAY_ENVIRONMENTS)
        elif name in vocabulary.BLOCKS:
            self.leave_argument(start)
        in_body = bool(self.open_of["body"])
        signature = self.verbatims.get(name)
        if signature is not None and not in_body:
            return self._verbatim_environment(name, start, pos, signature)
        mode, catcodes = self.environment_effects.get(name, (None, ""))
        if mode is Mode.VERBATIM and not in_body:
            return self._verbatim_environment(name, start, pos, "o")
        flips = self.mode in _MATH and name in vocabulary.TEXT_BOXES
        self.push("env", name, start, Mode.TEXT if flips else self.mode, pos, pos)
        signature = vocabulary.ENVIRONMENTS.get(name)
        if signature is not None:
            pos = self.take(name, start, pos, signature)
        if catcodes:
            self.set_catcodes(pos, self.catcodes + catcodes)
        if name in vocabulary.DISPLAY_ENVIRONMENTS or mode is Mode.DISPLAY:
            self.push("math", "display", start, Mode.DISPLAY, pos, pos)
        elif (
            name in vocabulary.INLINE_ENVIRONMENTS
            or mode is Mode.INLINE
            or (name in vocabulary.INNER_ENVIRONMENTS and self.mode is Mode.TEXT)
        ):
            self.push("math", "inline", start, Mode.INLINE, pos, pos)
        self.opener, self.opener_end = name, pos
        return pos

    def close_environment(self, name: str, start: int, end: int) -> None:
        """\\end{name} stands at start..end."""
        place = self.innermost(name)
        if place >= 0:
            above = self.stack[place + 1] if place + 1 < len(self.stack) else None
            if above is not None and above.name in ("display", "inline") and above.at == self.stack[place].at:
                self.cut(place + 2, start)
                self.close(start, end, start)
            else:
                self.cut(place + 1, start)
            self.close(start, end, start)
        elif (effect := self.effect_here()) is not None:
            effect.ends.append(name)
        else:
            self.stray_ends.append(start)
            top = self.top("env")
            if top >= 0 and self.stack[top].name != "document" and not self.has_end(top):
                self.cut(top, start)

    def _verbatim_environment(self, name: str, start: int, pos: int, signature: str) -> int:
        text = self.text
        self.push("env", name, start, self.mode, pos, pos)
        for letter in signature:
            after = pos + len(text[pos : pos + 80]) - len(text[pos : pos + 80].lstrip(" \t"))
            pattern = patterns.BRACKETED if letter == "o" else patterns.BRACED
            match = pattern.match(text, after, after + 8000)
            if match is not None:
                self.consume(after, match.end(), Mode.ARGUMENT)
                pos = match.end()
        closing = f"\\end{{{name}}}"
        end = -1 if self._no_end_after.get(name, len(text) + 1) <= pos else text.find(closing, pos)
        if end < 0:
            self._no_end_after[name] = min(pos, self._no_end_after.get(name, pos))
            match = _LOST_VERBATIM_END.search(text, pos + 1)
            end = match.end() if match else len(text)
            self.overlay(pos, end, Mode.VERBATIM)
            return end
        self.overlay(pos, end, Mode.VERBATIM)
        self.commands.append(Command("end", end, end + 4))
        stop = end + len(closing)
        self.flat_group(end + 4, stop, "end")
        self.overlay(end + 4, stop, Mode.ARGUMENT)
        self.close(end, stop, end)
        return stop

    def has_end(self, place: int) -> bool:
        """Has the environment at that place of the stack an \\end, as far as counting \\begin and \\end tells?"""
        return self._ends.get(self.stack[place].at, True)

    @cached_property
    def _ends(self) -> dict[int, bool]:
        """For each literal \\begin: has it an \\end? Counted apart from all other structure."""
        found: dict[int, bool] = {}
        open_begins: list[tuple[str, int]] = []
        places: dict[str, int] = {}
        verbatim = ""
        for match in patterns.BEGIN_OR_END.finditer(self.text):
            if match[1] is None:
                continue
            name = match[2].strip()
            if verbatim:
                if match[1] != "end" or name != verbatim:
                    continue
                verbatim = ""
            if match[1] == "begin":
                found[match.start()] = False
                open_begins.append((name, match.start()))
                places[name] = places.get(name, 0) + 1
                if name in self.verbatims:
                    verbatim = name
            elif places.get(name, 0):
                while True:
                    top, at = open_begins.pop()
                    places[top] -= 1
                    if top == name:
                        found[at] = True
                        break
        return found

    # What the file says about its own names.

    def define(self, definition: Definition) -> None:
        """All bodies of a definition have been read: remember what it does to the structure."""
        first = definition.bodies[0]
        if not definition.environment:
            if first.ends or first.begins:
                self.shorthands[definition.name] = first
            return
        mode: Mode | None = None
        catcodes = first.catcodes
        environments = {*self.verbatims, *vocabulary.DISPLAY_ENVIRONMENTS, "VerbatimEnvironment"}
        for name in [*first.begins, *sorted(first.commands & environments)]:
            inner_mode, inner_catcodes = self.environment_effects.get(name, (None, ""))
            catcodes += inner_catcodes
            if name in self.verbatims or name == "VerbatimEnvironment" or inner_mode is Mode.VERBATIM:
                mode = Mode.VERBATIM
                break
            if name in vocabulary.DISPLAY_ENVIRONMENTS or name in ("$$", "\\[", "display"):
                mode = mode or Mode.DISPLAY
            elif name in ("$", "\\(", "inline", "math"):
                mode = mode or Mode.INLINE
            else:
                mode = mode or inner_mode
        if mode is not None or catcodes:
            self.environment_effects[definition.name] = (mode, catcodes)

    def use_shorthand(self, name: str, start: int, pos: int) -> int:
        """A macro whose body begins or ends something."""
        effect = self.shorthands[name]
        for ended in effect.ends:
            if ended in ("$", "$$", "\\(", "\\[", "display", "inline"):
                place = self.innermost(ended)
                if place >= 0:
                    self.cut(place + 1, start)
                    self.close(start, pos, start)
            else:
                self.close_environment(ended, start, pos)
        for begun in effect.begins:
            if begun in ("$", "$$", "\\(", "\\["):
                mode = Mode.INLINE if begun in ("$", "\\(") else Mode.DISPLAY
                if self.mode not in _MATH:
                    self.push("math", begun, start, mode, pos, start)
            elif begun not in ("display", "inline"):
                self._open_by_shorthand(begun, start, pos)
        return pos

    def _open_by_shorthand(self, name: str, start: int, pos: int) -> Frame:
        frame = self.push("env", name, start, self.mode, pos, pos)
        mode = self.environment_effects.get(name, (None, ""))[0]
        if name in vocabulary.DISPLAY_ENVIRONMENTS or mode is Mode.DISPLAY:
            self.push("math", "display", start, Mode.DISPLAY, pos, pos)
        return frame
