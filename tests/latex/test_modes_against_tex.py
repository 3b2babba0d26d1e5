"""The lexer agrees with TeX: at every probe about the mode, and where it can be compared about the groups."""

from __future__ import annotations

import subprocess
from typing import NamedTuple

import pytest
from mode_snippets import PREAMBLE, SNIPPETS, Snippet

from texrepair.latex import Environment, Fence, Group, Math, Mode, Source, lex

pytestmark = pytest.mark.tex


class Seen(NamedTuple):
    mode: str
    level: int
    group: int


@pytest.fixture(scope="module")
def seen_by_tex(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, str], Seen]:
    """One run for all snippets, each in a group of its own. TeX goes on after errors: some snippets are broken."""
    folder = tmp_path_factory.mktemp("probes")
    bodies = [
        f"\\begingroup\\def\\snippet{{{number}}}\\probe{{base}}\n{snippet.text}\n\\endgroup\\par\n"
        for number, snippet in enumerate(SNIPPETS)
    ]
    preamble = PREAMBLE + "\n".join(snippet.preamble for snippet in SNIPPETS)
    start = "\\begin{document}\n\\immediate\\openout\\probes=probes.txt\n"
    (folder / "probes.tex").write_text(preamble + start + "\n".join(bodies) + "\\end{document}\n")
    subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "probes.tex"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )
    found = {}
    for line in (folder / "probes.txt").read_text().splitlines():
        number, probe, mode, level, group = line.split(":")
        found[int(number), probe] = Seen(mode, int(level), int(group))
    return found


def probes(snippet: Snippet) -> tuple[Source, dict[str, int]]:
    """The snippet as a document, lexed, and where its probes stand; probes that the lexer does not take for commands
    are left out."""
    text = PREAMBLE + snippet.preamble + "\n\\begin{document}\n\\probe{base}\n" + snippet.text + "\n\\end{document}\n"
    source = lex(text)
    assert source.document is not None
    places = {}
    for command in source.command_named("probe"):
        if source.document[0] <= command.start:
            (argument,) = source.arguments(command, 1)
            places[source.inner(argument)] = command.start
    return source, places


def group_type(source: Source, pos: int) -> set[int]:
    """What TeX's \\currentgrouptype may be (etex.ch): 1 simple, 9 math, 14 semi-simple, 15 math shift, 16 math left."""
    match source.innermost(pos):
        case Group():
            return {1, 9}
        case Math():
            return {15}
        case Fence(name="left"):
            return {16}
        case Fence(name="bgroup"):
            return {1, 9}
        case Environment() | Fence():
            return {14}
    return set()


def test_there_are_enough_documents() -> None:
    assert len({snippet.name for snippet in SNIPPETS}) == len(SNIPPETS) >= 40


@pytest.mark.parametrize("number", range(len(SNIPPETS)), ids=[snippet.name for snippet in SNIPPETS])
def test_the_lexer_agrees_with_tex(number: int, seen_by_tex: dict[tuple[int, str], Seen]) -> None:
    snippet = SNIPPETS[number]
    source, places = probes(snippet)
    names = {Mode.TEXT: "text", Mode.INLINE: "inline", Mode.DISPLAY: "display"}
    ours = {probe: names.get(source.mode(pos)) for probe, pos in places.items()}
    theirs = {probe: seen for (of, probe), seen in seen_by_tex.items() if of == number}
    assert ours.keys() == theirs.keys(), "TeX runs other probes than the lexer sees"
    # Inside a display, TeX is in inner math wherever the formula is built from pieces (alignments, \left … \right).
    assert {p: m == "text" for p, m in ours.items()} == {p: s.mode == "text" for p, s in theirs.items()}
    assert {p for p, s in theirs.items() if s.mode == "display"} <= {p for p, m in ours.items() if m == "display"}
    if snippet.level:
        base = source.level(places["base"])
        assert {p: source.level(pos) - base for p, pos in places.items()} == {
            p: seen.level - theirs["base"].level for p, seen in theirs.items()
        }
        for probe, pos in places.items():
            if source.level(pos) > base:
                assert theirs[probe].group in group_type(source, pos), probe
