"""What TeX itself says: load a package in LuaLaTeX, and list the control sequences that are new.

LuaTeX alone can list its hash table (LuaTeX manual, tex.hashtokens). Names that packages build with \\csname come out
too, and so do the keys of pgfkeys, keyval and l3keys, colours, counters, styles, shapes and arrow tips, since all of
these are control sequences. The answers are cached, one JSON file for each question.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from naming.definitions import document_arguments

_DUMP = r"""
local function plain(meaning)
  return meaning and tostring(meaning):sub(1, 400):gsub("[\t\n\r]", " ") or ""
end
local out = io.open("names.out", "w")
for _, name in ipairs(tex.hashtokens()) do
  if token.is_defined(name) and not name:find("[\t\n\r]") then
    local made = token.create(name)
    if made.cmdname ~= "relax" then
      local meaning = token.get_meaning(name)
      out:write(name, "\t", made.cmdname or "", "\t", plain(meaning), "\n")
    end
  end
end
out:close()
"""
_END = "\\begin{document}\\directlua{dofile('dump.lua')}\\csname stop\\endcsname\n"
_FILES = re.compile(r"^INPUT .*/([^/\n]+\.(?:sty|cls|tex|def|clo|cfg|ldf))$", re.M)
"""The recorder file has one line for each file that was opened, under its full path."""
_STUB = re.compile(r"^->\\not@base|\\errmessage \{Not loaded\}")
"""Names that the kernel keeps only to complain (fontdef.dtx: \\Box; babel's hyphen.cfg: \\selectlanguage)."""
_NAME = re.compile(r"[^\W\d_]+\Z")
_SECONDS = 40


@dataclass
class Answer:
    """What one preamble brings beyond the kernel. Commands map to their arguments where the meaning tells them."""

    files: list[str] = field(default_factory=list)
    errors: int = 0
    commands: dict[str, str | None] = field(default_factory=dict)
    environments: dict[str, str | None] = field(default_factory=dict)
    marked: dict[str, list[str]] = field(default_factory=dict)
    """Names by kind for what is kept under a prefixed control sequence: key, colour, counter, pagestyle …"""


_MARKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("colour", re.compile(r"\\color@([A-Za-z][\w.! -]*)\Z")),
    ("counter", re.compile(r"c@([A-Za-z]+)\Z")),
    ("pagestyle", re.compile(r"ps@([A-Za-z]\w*)\Z")),
    ("theoremstyle", re.compile(r"th@([A-Za-z]\w*)\Z")),
    ("shape", re.compile(r"pgf@anchor@([^@]+)@center\Z")),
    ("arrow", re.compile(r"pgf@ar@name@end@([^@]+)\Z")),
    ("decoration", re.compile(r"pgf@decorate@@([^@]+)@initial\Z")),
)
_KEYS = (
    re.compile(r"pgfk@(/(?!handlers|errors|handler config)[^@#\\]+?)(?:/\.@cmd)?\Z"),
    re.compile(r"KV@([A-Za-z][^@]*@(?!.*@)[^@]+)\Z"),
    re.compile(r"key code > ([A-Za-z][^_].*?)\Z"),
)


class Asker:
    """Asks LuaLaTeX, two questions at a time, in scratch folders; `cache` keeps the answers."""

    def __init__(self, cache: Path, extra: Iterable[Path], jobs: int) -> None:
        self._cache, self._jobs = cache, jobs
        cache.mkdir(parents=True, exist_ok=True)
        self._variables = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(cache),
            "TEXMFVAR": str(cache / "texmf-var"),
            "openin_any": "p",
            "openout_any": "p",
        }
        roots = [str(root) for root in extra]
        if roots:
            for root in roots:
                subprocess.run(["mktexlsr", root], check=True, capture_output=True)
            self._variables["TEXMFAUXTREES"] = "".join(f"!!{root}," for root in roots)
            kept = subprocess.run(["kpsewhich", "-var-value", "TEXMFDBS"], check=True, capture_output=True, text=True)
            self._variables["TEXMFDBS"] = "{" + "".join(f"!!{root}," for root in roots) + kept.stdout.strip()[1:]
        self._kernel = self._dump("\\documentclass{minimal}\n")[1]
        if not self._kernel:
            raise SystemExit("lualatex cannot set an empty document here")

    def kernel(self) -> Answer:
        """All that is there before any class or package, internal names included; stubs (marked so) only complain."""
        answer = _reduced([], self._kernel, 0, {})
        answer.commands = {name: arguments(name, self._kernel) for name in self._kernel}
        answer.marked["stub"] = [name for name, (_, meaning) in self._kernel.items() if _STUB.search(meaning)]
        return answer

    def answers(self, preambles: Iterable[str], done: Callable[[int], None] = lambda _: None) -> dict[str, Answer]:
        """The answer for each preamble that TeX got through; those that crash or hang are left out."""
        found: dict[str, Answer] = {}
        questions = list(dict.fromkeys(preambles))
        with ThreadPoolExecutor(max(1, self._jobs)) as pool:
            for number, (preamble, answer) in enumerate(zip(questions, pool.map(self._answer, questions), strict=True)):
                done(number)
                if answer is not None:
                    found[preamble] = answer
        return found

    def files(self, preambles: Iterable[str]) -> dict[str, list[str]]:
        """What each preamble loads with XeLaTeX, or else with pdfLaTeX, where either gets through without an error."""
        questions = list(dict.fromkeys(preambles))
        with ThreadPoolExecutor(max(1, self._jobs)) as pool:
            found = zip(questions, pool.map(self._loaded, questions), strict=True)
            return {preamble: files for preamble, files in found if files}

    def _answer(self, preamble: str) -> Answer | None:
        path = self._kept("", preamble)
        if path.exists():
            kept = json.loads(path.read_text(encoding="utf-8"))
            return Answer(**kept) if kept else None
        if not self._jobs:
            return None
        files, names, errors = self._dump(preamble)
        answer = _reduced(files, names, errors, self._kernel) if names else None
        path.write_text(json.dumps(asdict(answer) if answer else None), encoding="utf-8")
        return answer

    def _loaded(self, preamble: str) -> list[str]:
        path = self._kept("files", preamble)
        if path.exists():
            return list(json.loads(path.read_text(encoding="utf-8")))
        if not self._jobs:
            return []
        files: list[str] = []
        for engine in ("xelatex", "pdflatex"):
            ran = self._run(engine, preamble + "\\begin{document}\\csname stop\\endcsname\n")
            if ran.errors == 0:
                files = ran.files
                break
        path.write_text(json.dumps(files), encoding="utf-8")
        return files

    def _kept(self, kind: str, preamble: str) -> Path:
        return self._cache / (kind + hashlib.sha256(preamble.encode()).hexdigest()[:24] + ".json")

    def _dump(self, preamble: str) -> tuple[list[str], dict[str, tuple[str, str]], int]:
        ran = self._run("lualatex", preamble + _END)
        names: dict[str, tuple[str, str]] = {}
        for line in ran.out.splitlines():
            name, _, rest = line.partition("\t")
            kind, _, meaning = rest.partition("\t")
            names[name] = kind, meaning
        return ran.files, names, ran.errors

    def _run(self, engine: str, text: str) -> _Ran:
        folder = Path(tempfile.mkdtemp(prefix="names-"))
        try:
            (folder / "dump.lua").write_text(_DUMP, encoding="utf-8")
            (folder / "ask.tex").write_text(text, encoding="utf-8")
            command = [engine, "-interaction=nonstopmode", "-no-shell-escape", "-recorder", "ask.tex"]
            try:
                ran = subprocess.run(
                    command, cwd=folder, env=self._variables, stdin=subprocess.DEVNULL,
                    capture_output=True, timeout=_SECONDS, check=False,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return _Ran([], "", 1)
            out, record = folder / "names.out", folder / "ask.fls"
            files = _FILES.findall(record.read_text(encoding="utf-8", errors="replace")) if record.exists() else []
            written = out.read_text(encoding="utf-8", errors="replace") if out.exists() else ""
            return _Ran(list(dict.fromkeys(files)), written, ran.stdout.count(b"\n! "))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class _Ran:
    files: list[str]
    out: str
    errors: int


def _reduced(
    files: list[str], names: dict[str, tuple[str, str]], errors: int, kernel: dict[str, tuple[str, str]]
) -> Answer:
    answer = Answer(files, errors)
    for name in names:
        ending = "end" + name
        if name in kernel and (ending in kernel or ending not in names):
            continue
        if _NAME.match(name) and name not in kernel and not (name.startswith("end") and name[3:] in names):
            answer.commands[name] = arguments(name, names)
        if ending in names and _NAME.match(name.removesuffix("*")):
            inner = "environment " + name
            answer.environments[name] = arguments(inner if inner in names else name, names)
        for kind, pattern in _MARKS:
            if match := pattern.match(name):
                answer.marked.setdefault(kind, []).append(match.group(1))
        for pattern in _KEYS:
            if match := pattern.match(name):
                key = match.group(1)
                if pattern is _KEYS[1]:
                    key = "/".join(key.rsplit("@", 1))
                answer.marked.setdefault("key", []).append(key.replace(" / ", "/"))
    return answer


_TAKES = re.compile(r"((?:\[#1\])?(?:#\d)*)->(.*)", re.S)
_SPEC = re.compile(r"\\__cmd_start\w*:\w+ ?(\{.*)", re.S)
_BEFORE = r"(?:\\(?:leavevmode|begingroup|bgroup|relax|par|noindent|let@token)\s*){0,3}"
_NEXT = re.compile(
    _BEFORE
    + r"\\(?:@|kernel@|new@)ifnextchar ?\[ ?(?:\{[^{}]*?\\(?P<group>[A-Za-z@]+) ?(?:\[.*)?\}|\\(?P<one>[A-Za-z@]+))",
    re.S,
)
_STAR = re.compile(
    _BEFORE + r"\\@ifstar ?(?:\{[^{}]*\}|\\[A-Za-z@]+ ?)(?:\{[^{}]*?\\(?P<group>[A-Za-z@]+) ?\}|\\(?P<one>[A-Za-z@]+))"
)
_TEST_OPTION = re.compile(r"\\(?:@protected@testopt ?\\[A-Za-z@]+ ?|@testopt ?|@dblarg ?)(?:\{?)(\\\\?[A-Za-z@]+)")


def arguments(name: str, names: dict[str, tuple[str, str]], depth: int = 0) -> str | None:
    """What a control sequence takes, in the letters of naming.definitions, or None where its meaning does not tell."""
    if name not in names or depth > 6:
        return None
    kind, meaning = names[name]
    if "call" not in kind:
        return "" if "given" in kind or kind.startswith("assign") or kind == "if_test" else None
    match = _TAKES.match(meaning)
    if match is None:
        return None
    taken, body = match.group(1), match.group(2).strip()
    if taken:
        if _takes_more(body, names, depth):
            return None
        return ("o" if taken.startswith("[") else "") + "m" * (taken.count("#") - taken.startswith("["))
    if spec := _SPEC.match(body):
        return document_arguments(_first_group(spec.group(1)))
    if body.startswith("\\protect \\"):
        return arguments(body.removeprefix("\\protect \\").rstrip() + " ", names, depth + 1)
    for pattern, letter in ((_STAR, "s"), (_NEXT, "o")):
        if match := pattern.match(body):
            rest = arguments(match.group("group") or match.group("one"), names, depth + 1)
            if letter == "o" and rest and rest.startswith("o"):
                return rest
            return None if rest is None else letter + rest
    if match := _TEST_OPTION.match(body):
        inner = match.group(1)[1:]
        rest = arguments(inner, names, depth + 1)
        if rest is None or body.startswith("\\@dblarg"):
            return "om"
        return rest if rest.startswith("o") else "o" + rest
    if body.startswith("\\@startsection"):
        return "som"
    if re.fullmatch(r"\\[A-Za-z@]+", body):
        return arguments(body[1:], names, depth + 1)
    return "" if "\\" not in body else None


def _takes_more(body: str, names: dict[str, tuple[str, str]], depth: int) -> bool:
    """Whether a body ends in a macro that may take something from behind the arguments."""
    last = re.search(r"\\([A-Za-z@:_]+) ?$", body)
    if last is None or last.group(1) not in names:
        return False
    kind, meaning = names[last.group(1)]
    return "call" in kind and meaning != "->" and arguments(last.group(1), names, depth + 1) != ""


def _first_group(text: str) -> str:
    depth = 0
    for index, char in enumerate(text):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if depth == 0:
            return text[1:index]
    return text[1:]
