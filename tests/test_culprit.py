"""Looking for an error's cause elsewhere than where it is reported; the judge is a function of the text."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.culprit import bisected, collected, faults, near, suspects
from texrepair.latex import lex
from texrepair.project import Draft
from texrepair.result import CompileResult, Diagnostic, Place
from texrepair.rules import Case

MAIN = "main.tex"


def document(*paragraphs: str) -> str:
    return "\\documentclass{article}\n\\begin{document}\n" + "\n\n".join(paragraphs) + "\n\\end{document}\n"


def late(draft: Draft, path: str = MAIN) -> Diagnostic:
    """An error that is reported in the last line of a file, whatever its cause."""
    line = draft.text(path).rstrip("\n").count("\n") + 1
    return Diagnostic("error", "error", "Something is wrong", code="missing-brace", file=path, line=line)


class Judge:
    """Reports the error as long as a word stands somewhere in the draft's body."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.asked = 0

    def __call__(self, draft: Draft) -> CompileResult:
        self.asked += 1
        guilty = any(self.word in text for text in draft.texts.values())
        return CompileResult(not guilty, (late(draft),) if guilty else ())


def found(draft: Draft, judge: Callable[[Draft], CompileResult]) -> Place | None:
    case = Case(draft, MAIN, MAIN)
    return bisected(case, late(draft), judge(draft), judge)


def test_the_line_is_found_that_makes_the_error() -> None:
    draft = Draft(
        {MAIN: document(*(f"Paragraph {n}\nand its second line." for n in range(40)), "a\nCULPRIT\nb", "End.")}
    )
    judge = Judge("CULPRIT")
    assert found(draft, judge) == Place(MAIN, draft.text(MAIN)[: draft.text(MAIN).index("CULPRIT")].count("\n") + 1)
    assert judge.asked <= 12


def test_it_is_found_in_a_chapter_in_a_file_of_its_own() -> None:
    main = document("\\input{one}", "\\input{two}", "End.")
    draft = Draft({MAIN: main, "one.tex": "First.\n\nSecond.\n", "two.tex": "Third.\n\nCULPRIT\n\nFourth.\n"})
    assert found(draft, Judge("CULPRIT")) == Place("two.tex", 3)


def test_no_place_is_named_where_the_text_is_not_to_blame() -> None:
    draft = Draft({MAIN: document("One.", "Two.")})
    assert found(draft, Judge("\\begin{document}")) is None
    assert found(Draft({MAIN: "no document"}), Judge("no")) is None


def test_the_structure_around_what_is_omitted_stays() -> None:
    seen: list[str] = []

    def judge(draft: Draft) -> CompileResult:
        seen.append(draft.text(MAIN))
        guilty = "CULPRIT" in draft.text(MAIN)
        return CompileResult(not guilty, (late(draft),) if guilty else ())

    body = (
        "\\begin{itemize}\n\\item one\n\n\\item CULPRIT \\emph{two}\n\\end{itemize}",
        "\\begin{tabular}{ll}\na & b \\\\\n\nc & d \\\\\n\\end{tabular}",
    )
    place = found(Draft({MAIN: document(*body)}), judge)
    assert place == Place(MAIN, 6)
    for text in seen:
        for begin, end in (("\\begin{itemize}", "\\end{itemize}"), ("\\begin{tabular}{ll}", "\\end{tabular}")):
            assert text.count(begin) == text.count(end)
        assert text.count("\n") == seen[0].count("\n")


@given(st.lists(st.text(alphabet="ab \\{}$%&\n", max_size=20), min_size=1, max_size=12), st.integers(0, 11))
@settings(max_examples=80, deadline=None)
def test_whatever_the_text_it_ends_with_a_line_of_it_or_none(paragraphs: list[str], at: int) -> None:
    at %= len(paragraphs)
    text = document(*paragraphs[:at], "CULPRIT", *paragraphs[at:])
    judge = Judge("CULPRIT")
    place = found(Draft({MAIN: text}), judge)
    assert place is None or 1 <= (place.line or 0) <= text.count("\n") + 1
    assert judge.asked <= 30


def test_suspects_are_what_is_at_fault_before_the_report() -> None:
    draft = Draft({MAIN: document("A {\\small b", "c", "\\begin{quote} d", "e", "f }", "last")})
    case = Case(draft, MAIN, MAIN)
    at = {text: draft.text(MAIN)[: draft.text(MAIN).index(text)].count("\n") + 1 for text in ("\\begin{quote}",)}
    assert suspects(case, late(draft))[0] == Place(MAIN, at["\\begin{quote}"])
    early = Diagnostic("error", "error", "x", file=MAIN, line=3)
    assert Place(MAIN, at["\\begin{quote}"]) not in suspects(case, early)


def test_a_right_text_has_no_faults() -> None:
    text = document(
        "\\begin{itemize}\n\\item $a$ {b}\n\\end{itemize}", "\\[ \\left( x \\right) \\]", "% {", "\\verb|{|"
    )
    assert list(faults(lex(text))) == []


def test_an_environment_that_is_read_as_a_whole_is_known_by_its_end() -> None:
    assert collected("  \\end{frame}") == "frame"
    assert collected("\\end{frame} more") is None
    text = "\\begin{frame}\n\na\n\nb\n\\end{frame}\n\nc\n"
    assert near(text, text.index("a"), 6, "\\end{frame}")
    assert not near(text, text.index("a"), 8)
    assert not near(text, text.index("c"), 6, "\\end{frame}")
