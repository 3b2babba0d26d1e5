"""SEARCH/REPLACE blocks: how a model says what to change without writing a whole file.

    <<< path=relative/name.tex >>>
    <<<<<<< SEARCH
    text to find
    =======
    text to put
    >>>>>>> REPLACE

Whatever stands around the blocks is chat. Nothing here raises: what is wrong with a block is told in words that a model
can act on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

_HEADER = re.compile(r"^\s*<<<\s*path\s*=\s*[\"'`]?(.+?)[\"'`]?\s*>>>\s*$")
_SEARCH = re.compile(r"^<{5,9} ?SEARCH\s*$")
_MIDDLE = re.compile(r"^={5,9}\s*$")
_REPLACE = re.compile(r"^>{5,9} ?REPLACE\s*$")

MOST_SHOWN = 600
"""Characters of the nearest text that a model is told."""
NEAREST = 3
"""Blocks of an answer for which it is looked for, which takes long."""
MOST_BLOCKS = 200
"""Blocks of an answer that are applied."""


@dataclass(frozen=True, slots=True)
class Block:
    """Find this, put that."""

    path: str
    search: str
    replace: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """The blocks of an answer, and what is wrong with the others."""

    blocks: tuple[Block, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Patched:
    """Texts with the blocks applied."""

    texts: Mapping[str, str]
    """All texts, the changed ones changed."""
    landed: int = 0
    """How many blocks matched."""
    problems: tuple[str, ...] = ()
    """Why the others did not."""


def has_blocks(text: str) -> bool:
    """Whether there is the beginning of a block in the text."""
    return any(_SEARCH.match(line) for line in text.splitlines())


def parsed(text: str, allowed: Collection[str], single: str | None = None) -> Parsed:
    """The blocks in a model's answer.

    `allowed` are the paths that may be changed. With `single` all blocks are for that file, and headers are ignored;
    without it every block stands under a header, and no path has two.
    """
    blocks: list[Block] = []
    problems: list[str] = []
    seen: set[str] = set()
    path, usable = single, single is not None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        header = _HEADER.match(line)
        if header and single is None:
            path = header[1].strip().removeprefix("./")
            usable = False
            if path not in allowed:
                problems.append(f"{path} is none of the files that may be changed: {', '.join(sorted(allowed))}")
            elif path in seen:
                problems.append(f"{path} has two headers: put all its blocks under one")
            else:
                usable = True
            seen.add(path)
        if not _SEARCH.match(line):
            continue
        # The next SEARCH before the end of this block means that the end is missing.
        stop = next((n for n in range(at, len(lines)) if _SEARCH.match(lines[n]) or _REPLACE.match(lines[n])), None)
        middle = next((n for n in range(at, stop or at) if _MIDDLE.match(lines[n])), None)
        if stop is None or _SEARCH.match(lines[stop]) or middle is None:
            problems.append("a block is not whole: after its SEARCH line it needs ======= and >>>>>>> REPLACE")
            at = len(lines) if stop is None else stop if _SEARCH.match(lines[stop]) else stop + 1
            continue
        search, replace = "\n".join(lines[at:middle]), "\n".join(lines[middle + 1 : stop])
        at = stop + 1
        if path is None:
            problems.append("a block stands under no <<< path=… >>> header")
        elif usable and not search.strip():
            problems.append(f"a block for {path} has nothing to search for")
        elif usable:
            blocks.append(Block(path, search, replace))
    return Parsed(tuple(blocks), tuple(problems))


def patched(texts: Mapping[str, str], blocks: Collection[Block]) -> Patched:
    """The texts with each block applied in turn: where its text stands exactly once, else where it stands once but for
    white space. A block that matches nowhere, or in several places, changes nothing."""
    changed = dict(texts)
    problems: list[str] = []
    landed = 0
    if len(blocks) > MOST_BLOCKS:
        problems.append(f"there are {len(blocks)} blocks: give {MOST_BLOCKS} at most")
    looked = 0
    for block in list(blocks)[:MOST_BLOCKS]:
        text = changed[block.path]
        found = found_at(text, block.search)
        if len(found) == 1:
            changed[block.path] = _replaced(text, *found[0], block)
            landed += 1
        elif found:
            where = f"stands {len(found)} times in {block.path}: give more of the lines around it"
            problems.append(f"this text {where}\n{_short(block.search)}")
        else:
            looked += 1
            near = f"\nthe nearest there is\n{_short(nearest(text, block.search))}" if looked <= NEAREST else ""
            problems.append(f"this text does not stand in {block.path}\n{_short(block.search)}{near}")
    return Patched(changed, landed, tuple(problems))


def found_at(text: str, search: str) -> list[tuple[int, int]]:
    """Where the text stands: exactly, whole lines before parts of lines; else the same words with other white space."""
    exact = []
    at = text.find(search)
    while at >= 0:
        exact.append((at, at + len(search)))
        at = text.find(search, at + len(search))
    if exact:
        lines = [(start, end) for start, end in exact if _is_lines(text, start, end)]
        return lines if len(lines) == 1 else exact
    # The end of a paragraph means something to TeX, the end of a line does not.
    words = re.split(r"(\s+)", search.strip())
    gaps = [_PARAGRAPH if gap.count("\n") > 1 else _GAP for gap in words[1::2]]
    pattern = "".join(re.escape(word) + gap for word, gap in zip(words[::2], [*gaps, ""], strict=True))
    return [match.span() for match in re.finditer(pattern, text)]


_GAP = r"(?:[^\S\n]*\n[^\S\n]*|[^\S\n]+)"
_PARAGRAPH = r"[^\S\n]*\n(?:[^\S\n]*\n)+[^\S\n]*"


def _is_lines(text: str, start: int, end: int) -> bool:
    begins = start == 0 or text[start - 1] == "\n"
    return begins and (end == len(text) or text.startswith(("\n", "\r\n"), end))


def _replaced(text: str, start: int, end: int, block: Block) -> str:
    # A match but for white space begins and ends at a word.
    put = block.replace if text[start:end] == block.search else block.replace.strip()
    if "\r\n" in text:
        put = put.replace("\n", "\r\n")
    if not put and _is_lines(text, start, end):
        # A line that was deleted leaves no empty one, which would end a paragraph.
        end += len(text[end:]) - len(text[end:].removeprefix("\r").removeprefix("\n"))
    return text[:start] + put + text[end:]


def nearest(text: str, search: str) -> str:
    """The lines of the text that are most like the searched ones."""
    wanted = search.strip().split("\n")
    lines = text.split("\n")
    size = min(len(wanted), len(lines))
    words = set(re.findall(r"\w+", search))
    shared = [len(words.intersection(re.findall(r"\w+", line))) for line in lines]
    scores = [(sum(shared[at : at + size]), -at) for at in range(len(lines) - size + 1)]
    likely = [-at for _, at in sorted(scores, reverse=True)[:12]]
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2("\n".join(line.strip() for line in wanted)[:MOST_SHOWN])
    ratios = []
    for at in likely:
        matcher.set_seq1("\n".join(line.strip() for line in lines[at : at + size])[:MOST_SHOWN])
        ratios.append((matcher.ratio(), -at))
    best = -max(ratios)[1]
    return "\n".join(lines[best : best + size])


def _short(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 4] + " ..."
