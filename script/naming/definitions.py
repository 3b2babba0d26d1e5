"""What one TeX file defines, loads and reads, found by reading its text.

TeX cannot be read without running it, so this is an approximation: bodies of macros are skipped, bodies of everything
else (\\AtBeginDocument, \\DeclareOption, \\@ifundefined …) are entered. What TeX itself says (asked.py) is preferred.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_WORD = re.compile(r"\\(?:[^\W\d_]|@)+|\\.|[{}]|%[^\n]*", re.S)
_EXPL = re.compile(r"\\(?:[^\W\d]|[@:])+|\\.|[{}]|%[^\n]*", re.S)
_SPACE = re.compile(r"(?:\s|%[^\n]*\n)*")
_TARGET = re.compile(r"\{?\s*\\((?:[^\W\d]|[@:])+|[^\s\w])\s*\}?")
_TARGET_WORD = re.compile(r"\{?\s*\\((?:[^\W\d_]|@)+|[^\s\w])\s*\}?")
_CSNAME = re.compile(r"\\csname\s*([^\\{}%#]*?)\s*\\endcsname")
_GROUP_NAME = re.compile(r"\{\s*([^\\{}%#\n]+?)\s*\}")
_OPTION = re.compile(r"\[([^\]]*)\]")
_FILE = re.compile(r"\{?\s*([\w@./+-]+)\s*\}?")

_DEF = frozenset("def gdef edef xdef".split())
_NEWCOMMAND = frozenset(
    "newcommand providecommand DeclareRobustCommand newrobustcmd providerobustcmd newcommandx".split()
)
_RENEW = frozenset("renewcommand renewrobustcmd renewcommandx renewenvironment RenewDocumentCommand".split())
_DOCUMENT = re.compile(r"(New|Provide|Declare)(Expandable)?DocumentCommand$")
_ENVIRONMENT = frozenset(
    "newenvironment provideenvironment NewDocumentEnvironment DeclareDocumentEnvironment newenvironmentx "
    "ProvideDocumentEnvironment newtcolorbox DeclareTColorBox NewTColorBox newtcblisting NewTCBListing "
    "lstnewenvironment newmdenv DefineVerbatimEnvironment NewEnviron newmdtheoremenv newtcbtheorem "
    "declaretheorem newshadetheorem NewTblrEnviron newlist newtheorem".split()
)
_THEOREMS = frozenset("newtheorem declaretheorem newmdtheoremenv newtcbtheorem".split())
_TARGET_ONLY = frozenset(
    "let newlength newdimen newcount newskip newmuskip newbox newtoks newread newwrite newsavebox newinsert newfam "
    "chardef mathchardef countdef dimendef skipdef toksdef Umathchardef Umathcharnumdef newlanguage newmarks "
    "globcount loccount font newrgbcolor newif DeclareMathOperator".split()
)
_EXPL_NEW = re.compile(
    r"cs_(?:new|set|gset)(?:_protected)?(?:_nopar)?:(?:Npn|Npx|Nn|Npe|Nx)$|cs_(?:new|set|gset)_eq:N[Nc]$"
)
_DECLARE = re.compile(r"(?:Declare|declare)[A-Za-z]+$")
_INNER = re.compile(r"\\(?:[gex]?def|let|(?:re)?newcommand\*?|DeclareRobustCommand)\s*\{?\\([^\W\d_]{2,})(?![A-Za-z@])")
_LOAD = frozenset("RequirePackage RequirePackageWithOptions usepackage LoadClass LoadClassWithOptions".split())
_INPUT = frozenset("input @input @@input @iinput InputIfFileExists file_input:n".split())
_NAMED = frozenset("@namedef csdef csgdef csedef csletcs @xnamedef @gnamedef cs_new:cpn".split())
_COLOUR = frozenset("definecolor providecolor colorlet preparecolor DefineNamedColor".split())
_KEY_OPTION = frozenset("DeclareOptionX DeclareStringOption DeclareBoolOption DeclareVoidOption".split())
_FAMILY = re.compile(r"\s*<[^>]*>|\s*\[[^\]]*\]")
_MEANING = re.compile(r"\s*=?\s*\\(?:[^\W\d]|[@:])+")
_UNICODE_SYMBOL = re.compile(r'\{"?\w+\}\{\\([A-Za-z]+)\s*\}')
_STRAY_IF = re.compile(
    r"if(?!thenelse$|f$|def$|undef|cs|bool|toggle|str|num|blank|empty|File|Package|Class|Format|pack|hmode)"
)


@dataclass
class Facts:
    """What one file says. Names without backslash; `commands` maps to the arguments it takes, or None if unknown."""

    commands: dict[str, str | None] = field(default_factory=dict)
    environments: dict[str, str | None] = field(default_factory=dict)
    options: set[str] = field(default_factory=set)
    colours: set[str] = field(default_factory=set)
    counters: set[str] = field(default_factory=set)
    loads: dict[str, bool] = field(default_factory=dict)
    """File name with ending → whether it is loaded without condition."""
    inputs: set[str] = field(default_factory=set)
    inner: set[str] = field(default_factory=set)
    """Commands that the bodies of macros and environments define: there only while those run."""

    def add(self, name: str, arguments: str | None = None) -> None:
        if name and (name not in self.commands or self.commands[name] is None):
            self.commands[name] = arguments


def read(text: str, expl: bool = False) -> Facts:
    """The facts of one file. `expl`: it begins in expl3 syntax, as the kernel's own expl3-code.tex does."""
    return _Reader(text, expl).facts


class _Reader:
    def __init__(self, text: str, expl: bool) -> None:
        self.text, self.expl = text, expl
        self.facts = Facts()
        self.depth = self.ifs = 0
        position = 0
        while match := (_EXPL if self.expl else _WORD).search(text, position):
            token, position = match.group(), match.end()
            if token == "{":
                self.depth += 1
            elif token == "}":
                self.depth = max(0, self.depth - 1)
            elif token[0] == "\\":
                if token == "\\endinput" and not self.depth and not self.ifs:
                    break
                position = self.command(token[1:], position)
        self._environments_by_end()

    def command(self, name: str, position: int) -> int:
        """Deal with one control sequence that ends at `position`; returns where to go on."""
        if name in _DEF:
            return self._def(position)
        if name in _NEWCOMMAND:
            return self._newcommand(position, keep=True)
        if name in _RENEW:
            return self._newcommand(position, keep=False)
        if _DOCUMENT.match(name):
            return self._document_command(position)
        if name in _ENVIRONMENT:
            return self._environment(name, position)
        if name in _TARGET_ONLY or name in {"newif", "DeclareMathOperator"} or _DECLARE.match(name):
            return self._declared(name, position)
        if self.expl and _EXPL_NEW.match(name):
            return self._def(position)
        return self._other(name, position)

    def _target(self, position: int) -> tuple[str | None, int]:
        position = self._after_space(position)
        if self.text.startswith("*", position):
            position = self._after_space(position + 1)
        match = _CSNAME.match(self.text, position)
        if match is None:
            match = (_TARGET if self.expl else _TARGET_WORD).match(self.text, position)
        return (match.group(1), match.end()) if match else (None, position)

    def _after_space(self, position: int) -> int:
        match = _SPACE.match(self.text, position)
        return match.end() if match else position

    def _after_group(self, position: int) -> int:
        """After the balanced group that begins here; unchanged where none does or it never closes."""
        start = self._after_space(position)
        if not self.text.startswith("{", start):
            return position
        depth = 0
        for match in _WORD.finditer(self.text, start):
            depth += {"{": 1, "}": -1}.get(match.group(), 0)
            if depth == 0:
                return match.end()
        return position

    def _after_body(self, position: int) -> int:
        """As _after_group, for the body of a macro; what it defines in turn is noted."""
        end = self._after_group(position)
        self.facts.inner.update(_INNER.findall(self.text, position, end))
        return end

    def _def(self, position: int) -> int:
        name, position = self._target(position)
        if name is None:
            return position
        opening = self.text.find("{", position)
        if opening < 0:
            return position
        parameters = self.text[position:opening]
        self.facts.add(name, _arity(parameters) if "\\def" not in parameters else None)
        return self._after_body(opening)

    def _newcommand(self, position: int, keep: bool) -> int:
        name, position = self._target(position)
        if name is None:
            return position
        position = self._after_space(position)
        count = _OPTION.match(self.text, position)
        arguments = ""
        if count:
            position = self._after_space(count.end())
            number = int(count.group(1)) if count.group(1).strip().isdecimal() else 0
            default = _OPTION.match(self.text, position)
            arguments = "m" * number
            if default:
                position = default.end()
                arguments = "o" + "m" * (number - 1)
        if keep:
            self.facts.add(name, arguments)
        return self._after_body(position)

    def _document_command(self, position: int) -> int:
        name, position = self._target(position)
        if name is None:
            return position
        end = self._after_group(position)
        specification = self.text[position:end].strip()
        self.facts.add(name, document_arguments(specification[1:-1]) if specification else None)
        return self._after_body(end)

    def _environment(self, definer: str, position: int) -> int:
        position = self._after_space(position)
        if self.text.startswith("*", position):
            position = self._after_space(position + 1)
        option = _OPTION.match(self.text, position)
        if option:
            position = self._after_space(option.end())
        match = _GROUP_NAME.match(self.text, position)
        if match is None:
            return position
        name, position = match.group(1), match.end()
        after = self._after_space(position)
        arguments: str | None = None
        if "Document" in definer:
            end = self._after_group(after)
            arguments = document_arguments(self.text[after:end].strip()[1:-1])
            after = end
        elif count := _OPTION.match(self.text, after):
            after = self._after_space(count.end())
            number = int(count.group(1)) if count.group(1).strip().isdecimal() else 0
            arguments = "m" * number
            if default := _OPTION.match(self.text, after):
                after, arguments = default.end(), "o" + "m" * (number - 1)
        self.facts.environments.setdefault(name, arguments)
        if definer in _THEOREMS:
            self.facts.counters.add(name)
        if definer in {"newenvironment", "provideenvironment", "NewDocumentEnvironment", "DeclareDocumentEnvironment"}:
            return self._after_body(self._after_body(after))
        return position

    def _declared(self, definer: str, position: int) -> int:
        if definer == "DeclareOption":
            match = _GROUP_NAME.match(self.text, self._after_space(position))
            if match:
                self.facts.options.add(match.group(1))
                return match.end()
            return position
        if definer in _KEY_OPTION:
            start = self._after_space(position)
            start = start + 1 if self.text.startswith("*", start) else start
            if family := _FAMILY.match(self.text, start):
                start = family.end()
            match = _GROUP_NAME.match(self.text, self._after_space(start))
            if match:
                self.facts.options.add(match.group(1))
                return match.end()
            return position
        name, end = self._target(position)
        if name is None:
            return position
        if definer == "newif":
            if name.startswith("if"):
                for derived in (name, name[2:] + "true", name[2:] + "false"):
                    self.facts.add(derived, "")
            return end
        if definer == "let":
            self.facts.add(name)
            meaning = _MEANING.match(self.text, end)
            return meaning.end() if meaning else end
        self.facts.add(name, None if _DECLARE.match(definer) and "MathOperator" not in definer else "")
        return end

    def _other(self, name: str, position: int) -> int:
        facts = self.facts
        if name in {"ExplSyntaxOn", "ProvidesExplPackage", "ProvidesExplClass", "ProvidesExplFile"}:
            self.expl = True
        elif name == "ExplSyntaxOff":
            self.expl = False
        elif name == "fi":
            self.ifs = max(0, self.ifs - 1)
        elif _STRAY_IF.match(name):
            self.ifs += 1
        elif name in _LOAD:
            return self._loads(name, position)
        elif name in _INPUT:
            if match := _FILE.match(self.text, self._after_space(position)):
                facts.inputs.add(match.group(1).rpartition("/")[2])
                return match.end()
        elif name in _NAMED:
            if match := _GROUP_NAME.match(self.text, self._after_space(position)):
                facts.add(match.group(1))
                return self._after_group(match.end())
        elif name in {"newcounter", "@definecounter"}:
            if match := _GROUP_NAME.match(self.text, self._after_space(position)):
                facts.counters.add(match.group(1))
                facts.add("the" + match.group(1), "")
        elif name in _COLOUR:
            return self._colour(position)
        elif name == "UnicodeMathSymbol" and (match := _UNICODE_SYMBOL.match(self.text, position)):
            facts.add(match.group(1), "")
        return position

    def _loads(self, name: str, position: int) -> int:
        start = self._after_space(position)
        if option := _OPTION.match(self.text, start):
            start = self._after_space(option.end())
        match = _GROUP_NAME.match(self.text, start)
        if match is None:
            return position
        ending = ".cls" if name.startswith("LoadClass") else ".sty"
        for item in match.group(1).split(","):
            key = item.strip() + ending
            if item.strip():
                self.facts.loads[key] = self.facts.loads.get(key, False) or not (self.depth or self.ifs)
        return match.end()

    def _colour(self, position: int) -> int:
        start = self._after_space(position)
        if option := _OPTION.match(self.text, start):
            start = option.end()
        match = _GROUP_NAME.match(self.text, self._after_space(start))
        if match:
            self.facts.colours.add(match.group(1))
            return match.end()
        return position

    def _environments_by_end(self) -> None:
        """A pair \\foo, \\endfoo is an environment (ltmiscen: \\begin calls the one, \\end the other)."""
        commands = self.facts.commands
        for name in list(commands):
            if name.startswith("end") and len(name) > 3 and name[3:] in commands:
                self.facts.environments.setdefault(name[3:], commands[name[3:]])


def _arity(parameters: str) -> str | None:
    """`#1#2` → mm, `[#1]#2` → om; None for parameter texts with other delimiters."""
    plain = parameters.replace(" ", "").replace("\n", "").rstrip("#")
    if re.fullmatch(r"(?:#\d)*", plain):
        return "m" * (len(plain) // 2)
    if match := re.fullmatch(r"\[#1\]((?:#\d)*)", plain):
        return "o" + "m" * (len(match.group(1)) // 2)
    return None


def document_arguments(specification: str) -> str:
    """An xparse specification in short: s for a star or token, o for what may be left out, m for what may not."""
    result = ""
    position = 0
    while position < len(specification):
        letter = specification[position]
        position += 1
        if letter in "mvl":
            result += "m"
        elif letter == "r":
            result, position = result + "r", position + 2
        elif letter == "R":
            result, position = result + "r", _skip(specification, position + 2)
        elif letter == "o":
            result += "o"
        elif letter == "O":
            result, position = result + "o", _skip(specification, position)
        elif letter in "dD":
            delimiters = specification[position : position + 2]
            result += "o" if delimiters == "[]" else "d"
            position = _skip(specification, position + 2) if letter == "D" else position + 2
        elif letter == "s":
            result += "s"
        elif letter == "t":
            result, position = result + "t", position + 1
        elif letter in "eE":
            result, position = result + "e", _skip(specification, position)
            if letter == "E":
                position = _skip(specification, position)
        elif letter in "gG":
            result += "g"
            if letter == "G":
                position = _skip(specification, position)
        elif letter == "b":
            break
        elif letter in ">=":
            position = _skip(specification, position)
    return result


def _skip(text: str, position: int) -> int:
    """After the group or the single token that follows."""
    while position < len(text) and text[position].isspace():
        position += 1
    if position >= len(text) or text[position] != "{":
        return position + 1
    depth = 0
    for index in range(position, len(text)):
        depth += {"{": 1, "}": -1}.get(text[index], 0)
        if depth == 0:
            return index + 1
    return len(text)
