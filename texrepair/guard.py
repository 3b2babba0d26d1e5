"""Did an edit keep the content? Judges every edit, a rule's or a model's, before it is kept.

Compared are the files that the main file really reads, in live text, unit by unit (see latex.content and
latex.comparing). Of the units that changed, every word, number, symbol, key and picture must be found again, and in its
order. What reaches beyond the document (see latex.reaching) may not be added.
"""

from __future__ import annotations

import posixpath
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from texrepair.latex.comparing import Comparison, Placed
from texrepair.latex.content import content, data_content, unwrapped
from texrepair.latex.pictures import whole_picture
from texrepair.latex.reaching import reaching
from texrepair.latex.source import STYLES, Part, part_of
from texrepair.latex.units import Content, file_key, kind_of, raw_words, shown
from texrepair.project import Draft

_TEX = (".tex", ".ltx", ".latex", ".tikz", ".pgf", ".bbl", ".toc", ".inc", ".ins")
_CODE = (".bst", ".ist", ".lua", ".py", ".gst", ".xdy", ".latexmkrc")

_TRACE_WORDS = 2
_TRACE_SYMBOLS = 2
_TRACE_PREAMBLE = 30
"""Stray words in a preamble: chat, notes; nothing prints them."""
_INSERTED = 40
_INSERTED_RUN = 10
"""New words in a row: a placeholder says less."""
_WHOLE = frozenset(
    {"table row", "section title", "title", "title page entry", "caption", "footnote", "listing", "line"}
)
"""Units that are never lost as a whole, however short."""
_EXACT = frozenset({"table row", "section title", "title", "bibliography entry", "line"})
"""Units that may not lose a word."""
_AND = frozenset("and und et y e och og en ed i ve и 和 与 及".split())


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that an edit dropped, changed or added."""

    kind: str
    """section title, table row, paragraph, citation, number, order of the table row, insertion …"""
    what: str
    """How it reads, shortened."""
    file: str

    def __str__(self) -> str:
        return f"the {self.kind} ‘{self.what}’ of {self.file}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the guard says of an edit."""

    accepted: bool
    lost: tuple[Loss, ...]
    """Why it is refused; empty where it is accepted."""
    trace: tuple[Loss, ...]
    """What is missing and was let pass: a word or two, a mark."""
    reason: str
    """One sentence for a person and for the model; "" where nothing is missing."""


def guard(before: Draft, after: Draft, main: str, assets: Mapping[str, Path | bytes] | None = None) -> Verdict:
    """Compare two drafts of a project. Accepted when nothing is lost, or no more than a trace.

    `assets` are the project's other files: a picture that is there may not be replaced by a placeholder.
    """
    if before.texts == after.texts:
        return Verdict(True, (), (), "")
    (reads_before, often_before), (reads_after, often_after) = _reads(before, main), _reads(after, main)
    files = (assets or {}).items()
    comparison = Comparison(
        reads_before,
        reads_after,
        lambda key: any(file_key(path) == key and whole_picture(asset) for path, asset in files),
    )
    missing, small = _losses(comparison), _is_trace(comparison)
    again = [path for path, number in often_after.items() if number > max(1, often_before[path])]
    grave = [
        *(_disorder(comparison) if small else ()),
        *_hiding(comparison),
        *_definitions(comparison),
        *_insertion(comparison, before),
        *_reaching(before, after),
        *(Loss("second reading", path, path) for path in again if path in before and reads_after[path].units),
    ]
    stray = _stray(comparison)
    of_preamble = _named("text in the preamble", stray, comparison)
    if small and not grave and len(stray) <= _TRACE_PREAMBLE:
        trace = [*missing, *of_preamble]
        return Verdict(True, (), tuple(trace), f"Hardly anything is missing: {_listed(trace)}." if trace else "")
    lost = [*missing, *grave, *(of_preamble if len(stray) > _TRACE_PREAMBLE else ())]
    return Verdict(False, tuple(lost), (), f"The edit loses or changes content: {_listed(lost)}.")


def _reads(draft: Draft, main: str) -> tuple[dict[str, Content], Counter[str]]:
    """The content of what the main file reads and of the project's data files, and how often each file is read."""
    found: dict[str, Content] = {}
    often: Counter[str] = Counter()
    waiting: list[tuple[str, Part]] = [(main, "main")]
    only: frozenset[str] | None = None
    while waiting:
        path, part = waiting.pop()
        often[path] += 1
        if path in found or path not in draft:
            continue
        text = unwrapped(draft.text(path)) if path == main else draft.text(path)
        read = found[path] = content(text, part)
        only = only if read.include_only is None else read.include_only
        for command, name in read.inputs:
            if command == "include" and only is not None and name.removesuffix(".tex") not in only:
                continue
            target = _resolved(draft, main, path, command, name)
            if target is not None and not target.endswith(".bib"):
                waiting.append((target, part_of(target, main)))
    for path in draft:
        if path not in found and not path.endswith(STYLES + _TEX + _CODE):
            found[path] = data_content(draft.text(path), path.endswith(".bib"))
    return found, often


def _resolved(draft: Draft, main: str, path: str, command: str, name: str) -> str | None:
    ending = ".cls" if command in ("documentclass", "LoadClass") else ".sty" if "ackage" in command else ".tex"
    for folder in dict.fromkeys((posixpath.dirname(main), posixpath.dirname(path))):
        for candidate in (name + ending, name):
            target = posixpath.normpath(posixpath.join(folder, candidate))
            if target in draft:
                return target
    return None


def _losses(comparison: Comparison) -> list[Loss]:
    """The missing tokens, by the unit that they stood in."""
    found: list[Loss] = []
    for placed, tokens in _missing_by_unit(comparison):
        for kind in dict.fromkeys(kind_of(t) for t in tokens):
            of_kind = [shown(t) for t in tokens if kind_of(t) == kind]
            if kind == "number" and len(of_kind) < len(placed.unit.tokens):
                found.append(Loss("number", " ".join(of_kind), placed.path))
            elif kind in ("word", "number", "symbol", "macro"):
                found.append(Loss(placed.unit.kind, _shortened(placed, comparison), placed.path))
            else:
                found += [Loss(kind, word, placed.path) for word in of_kind]
    left = comparison.missing - Counter(t for _, tokens in _missing_by_unit(comparison) for t in tokens)
    return list(dict.fromkeys(found + [Loss("half-hidden text", shown(t), "the draft") for t in left]))


def _missing_by_unit(comparison: Comparison) -> list[tuple[Placed, list[str]]]:
    """Units that miss most of their tokens come first: a word that several units share is missing there."""
    missing = Counter(comparison.missing)
    shares = [
        (sum(missing[t] > 0 for t in placed.unit.tokens) / len(placed.unit.tokens), -at)
        for at, placed in enumerate(comparison.left)
    ]
    found: dict[int, list[str]] = {}
    for _, at in sorted(shares, reverse=True):
        for token in comparison.left[-at].unit.tokens:
            if missing[token] > 0:
                missing[token] -= 1
                found.setdefault(-at, []).append(token)
    return [(comparison.left[at], found[at]) for at in sorted(found)]


def _is_trace(comparison: Comparison) -> bool:
    """Is no more missing than a word or two of running text, or a mark that says little?"""
    missing = comparison.missing
    kinds = Counter(kind_of(t) for t in missing.elements())
    if set(kinds) - {"word", "symbol"} or kinds["word"] > _TRACE_WORDS or kinds["symbol"] > _TRACE_SYMBOLS:
        return False
    if any(_says_much(t) for t in missing):
        return False
    if kinds["word"] and any(kind_of(t) == "word" for t in comparison.gained):
        return False  # a word was replaced by another
    keys = [shown(t) for t in comparison.gained if kind_of(t) not in ("word", "number", "symbol", "macro")]
    if any(t in key for key in keys for t in missing if kind_of(t) == "word" and len(t) > 2):
        return False  # a damaged key came back as another one
    for placed, tokens in _missing_by_unit(comparison):
        if placed.unit.kind in _EXACT or (placed.unit.kind in _WHOLE and len(tokens) == len(placed.unit.tokens)):
            return False
    return True


def _says_much(token: str) -> bool:
    """A symbol whose loss changes a statement: an operator, a sign, a currency, a per cent."""
    return kind_of(token) == "symbol" and (
        token in "%&°§-/" or token.startswith("⟨") or unicodedata.category(token[0]) in ("Sm", "Sc")
    )


def _disorder(comparison: Comparison) -> list[Loss]:
    found = [
        Loss(f"order of the {placed.unit.kind}", _shortened(placed, comparison), placed.path)
        for placed in comparison.disordered()
    ]
    if comparison.cells[1] < comparison.cells[0] and (words := [t for t in comparison.gained if t in _AND]):
        found.append(Loss("ampersand", words[0], comparison.right[0].path if comparison.right else "the draft"))
    return found


def _hiding(comparison: Comparison) -> list[Loss]:
    """Macros in use that are redefined so that their arguments vanish, and text that is put behind a condition."""
    before = frozenset().union(*(read.swallowing for read in comparison.before.values()))
    used: Counter[str] = Counter()
    for read in comparison.after.values():
        used.update(read.commands)
    found = [
        Loss("argument of", "\\" + name, path)
        for path, read in comparison.after.items()
        for name in sorted(read.swallowing - before)
        if used[name] > 1
    ]
    behind = [t for t in comparison.conditioned if kind_of(t) in ("word", "number")]
    return found + (_named("text put behind a condition", behind, comparison) if len(behind) > _TRACE_WORDS else [])


def _definitions(comparison: Comparison) -> list[Loss]:
    """What definitions print: where one is changed, every token counts; where some only went, what is nowhere now."""
    gone, came = comparison.less("defined"), comparison.more("defined")
    kinds = ("word", "number", "symbol")
    there = comparison.gained + came
    if not any(kind_of(t) in kinds for t in came):
        for read in comparison.after.values():
            there += read.defined + read.arguments
    words = [t for t in (gone - there).elements() if kind_of(t) in kinds]
    return (
        _named("definition", words, comparison)
        if len(words) > _TRACE_WORDS or any(t[0].isdigit() for t in words)
        else []
    )


def _stray(comparison: Comparison) -> list[str]:
    """Text of the preamble, in no known entry, that is nowhere any more."""
    there = comparison.gained + comparison.more("defined")
    for read in comparison.after.values():
        there += read.stray + read.arguments
    return [t for t in comparison.less("stray") if kind_of(t) == "word" and len(t) > 2 and not there[t]]


def _insertion(comparison: Comparison, before: Draft) -> list[Loss]:
    """Many words that the project did not hold before in any form, live or not."""
    gained = comparison.gained + comparison.more("faint")
    gained = Counter({t: n for t, n in gained.items() if kind_of(t) in ("word", "number")})
    if gained.total() < _INSERTED_RUN:
        return []
    hidden: Counter[str] = Counter()
    for text in before.texts.values():
        hidden += raw_words(text)
    for read in comparison.before.values():
        hidden -= Counter(t for unit in read.units for t in unit.tokens)
    new = gained - hidden
    run: list[str] = []
    longest: list[str] = []
    left = Counter(new)
    for token in comparison.stream:
        if left[token] > 0:
            left[token] -= 1
            run.append(token)
            longest = max(longest, run, key=len)
        else:
            run = []
    if new.total() <= _INSERTED and len(longest) < _INSERTED_RUN:
        return []
    path = comparison.right[0].path if comparison.right else "the draft"
    return [Loss(f"insertion of {new.total()} words", " ".join(longest[:8]) + " …", path)]


def _reaching(before: Draft, after: Draft) -> list[Loss]:
    """What opens files or runs programs and was not there: no repair needs it, and no sandbox goes with a source."""
    there: Counter[str] = Counter()
    for text in before.texts.values():
        there += reaching(unwrapped(text))
    return [
        Loss("new access to files or programs", what, path)
        for path in after.changed_from(before)
        for what in sorted(reaching(after.text(path)) - there)
    ]


def _named(kind: str, words: list[str], comparison: Comparison) -> list[Loss]:
    path = next(iter(comparison.before), "the draft")
    return [Loss(kind, " ".join(shown(w) for w in words[:8]), path)] if words else []


def _shortened(placed: Placed, comparison: Comparison) -> str:
    text = " ".join(comparison.before[placed.path].text[placed.unit.start : placed.unit.end].split())
    return text if len(text) <= 60 else text[:57] + "…"


def _listed(losses: Iterable[Loss]) -> str:
    named = [str(loss) for loss in losses]
    return ", ".join(named[:4]) + (f" and {len(named) - 4} more" if len(named) > 4 else "")
