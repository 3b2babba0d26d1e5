"""The static stage: order, rest, reach, and the account of what was changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from texrepair.project import Draft
from texrepair.reading import files_read
from texrepair.result import Fix
from texrepair.rules import Candidate, Case, Edit, Rule, shipped
from texrepair.sanitize import sanitize

DOCUMENT = "\\documentclass{article}\n\\begin{document}\nHi.\n\\end{document}\n"


def sanitized(
    texts: Mapping[str, str], rules: tuple[Rule, ...] | None = None, values: Mapping[str, str] | None = None
) -> tuple[Draft, tuple[Fix, ...]]:
    return sanitize(
        Draft(texts), "main.tex", "xelatex", frozenset(), shipped() if rules is None else rules, values or {}
    )


def reading(texts: Mapping[str, str]) -> tuple[str, ...]:
    return files_read(Case(Draft(texts), "main.tex", "main.tex"))


def test_a_right_document_comes_back_as_the_same_draft() -> None:
    draft = Draft({"main.tex": DOCUMENT})
    after, fixes = sanitize(draft, "main.tex", "xelatex", frozenset(), shipped(), {})
    assert after is draft
    assert fixes == ()


def test_damage_of_several_kinds_is_taken_off_layer_by_layer() -> None:
    answer = (
        "<think>\nWhich class? \\documentclass{book}?\n</think>\nHere it is:\n\n"
        "```json\n"
        '{"content": "\\\\documentclass{article}\\n\begin{document}\\nA \\textbf{bold} '
        'word.\\n\\\\end{document}\\n"}\n```\n'
    )
    after, fixes = sanitized({"main.tex": answer})
    assert (
        after.text("main.tex")
        == "\\documentclass{article}\n\\begin{document}\nA \\textbf{bold} word.\n\\end{document}\n"
    )
    assert [fix.rule for fix in fixes][-1] == "control-characters"


def test_a_fix_tells_the_file_the_line_and_the_lines_before_and_after() -> None:
    text = DOCUMENT.replace("Hi.", "One.\nA $\frac{1}{2}$ and $\theta$.\nThree.")
    _, (fix,) = sanitized({"main.tex": text})
    assert (fix.file, fix.line, fix.stage, fix.kept) == ("main.tex", 4, "sanitize", True)
    assert fix.before == "A $\frac{1}{2}$ and $\theta$."
    assert fix.after == "A $\\frac{1}{2}$ and $\\theta$."
    assert fix.why


def test_a_removed_line_is_told_without_its_neighbours() -> None:
    text = DOCUMENT.replace("Hi.", "One.\n\\begin{document}\nTwo.")
    _, (fix,) = sanitized({"main.tex": text})
    assert (fix.line, fix.before, fix.after) == (4, "\\begin{document}", "")


def test_error_rules_take_no_part() -> None:
    def shout(case: Case) -> Iterator[Candidate]:
        yield Candidate((Edit(case.path, 0, 0, "!"),), "shout")

    error = Rule("shouting", shout, (), answers=("extra-brace",))
    after, fixes = sanitized({"main.tex": DOCUMENT}, (error,))
    assert after.text("main.tex") == DOCUMENT and fixes == ()


def test_a_rule_that_never_comes_to_rest_is_stopped() -> None:
    def grow(case: Case) -> Iterator[Candidate]:
        yield Candidate((Edit(case.path, 0, 0, "%"),), "grow")

    after, fixes = sanitized({"main.tex": DOCUMENT}, (Rule("growing", grow, ()),))
    assert len(after.text("main.tex")) == len(DOCUMENT) + len(fixes)
    assert len(fixes) <= 1000


def test_a_large_text_that_is_changed_without_end_is_read_a_few_times_only() -> None:
    looked: list[str] = []

    def fix(case: Case) -> Iterator[Candidate]:
        looked.append(case.path)
        yield Candidate((Edit(case.path, 0, 0, "%"),), "again")

    sanitized({"main.tex": DOCUMENT + "%" * 2_000_000}, (Rule("endless", fix, ()),))
    assert len(looked) == 3


def test_candidates_that_overlap_are_taken_one_after_the_other() -> None:
    def both(case: Case) -> Iterator[Candidate]:
        at = case.text.find("aab")
        if at >= 0:
            yield Candidate((Edit(case.path, at, at + 2, "x"),), "first")
            yield Candidate((Edit(case.path, at + 1, at + 3, "y"),), "second")

    after, fixes = sanitized({"main.tex": "aab"}, (Rule("both", both, ()),))
    assert after.text("main.tex") == "xb"
    assert [fix.why for fix in fixes] == ["first"]


def test_the_files_that_tex_reads_are_found_by_their_names() -> None:
    texts = {
        "main.tex": (
            "\\documentclass{own}\n\\usepackage{amsmath, style/extra}\n\\begin{document}\n"
            "\\input{chapters/one}\\input two\n"
            "\\include{three}% \\input{commented}\n\\import{parts/}{four}\n\\bibliography{refs}\n"
            "\\end{document}\n\\input{dead}\n"
        ),
        "chapters/one.tex": "\\input{chapters/deeper}",
        "chapters/deeper.tex": "\\input{main}",
        "two.tex": "",
        "three.tex": "",
        "parts/four.tex": "",
        "own.cls": "",
        "style/extra.sty": "",
        "refs.bib": "",
        "commented.tex": "",
        "dead.tex": "",
        "unused.tex": "",
    }
    unread = {"commented.tex", "dead.tex", "unused.tex"}
    assert set(reading(texts)) == texts.keys() - unread
    assert reading(texts)[0] == "main.tex"


def test_a_file_that_is_shown_as_a_listing_is_left_alone() -> None:
    fenced = "```latex\n\\section{X}\n```\n"
    texts = {
        "main.tex": "\\documentclass{article}\n\\begin{document}\n\\input{part}\n"
        "\\lstinputlisting[language=TeX]{shown/demo.tex}\n\\VerbatimInput{both}\\input{both}\n\\end{document}\n",
        "part.tex": fenced,
        "shown/demo.tex": fenced,
        "both.tex": fenced,
        "stray.tex": fenced,
    }
    after, _ = sanitized(texts)
    assert after.changed_from(Draft(texts)) == ("part.tex",)


def test_a_main_file_in_a_folder_reads_from_that_folder() -> None:
    texts = {"paper/main.tex": "\\documentclass{own}\n\\begin{document}\n\\input{one}\n\\end{document}\n"}
    texts |= {"paper/one.tex": "", "paper/own.cls": "", "one.txt": ""}
    case = Case(Draft(texts), "paper/main.tex", "paper/main.tex")
    assert set(files_read(case)) == {"paper/main.tex", "paper/one.tex", "paper/own.cls"}


def test_values_fill_templates_and_a_value_cannot_call_itself() -> None:
    text = DOCUMENT.replace("Hi.", "{{ name }} {{ other }}")
    after, _ = sanitized({"main.tex": text}, values={"name": "Ada & Co", "other": "{{ other }}{{ other }}"})
    assert "Ada \\& Co {{ other }}" in after.text("main.tex")
