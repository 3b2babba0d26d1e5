"""The laws that every rule keeps, static or error; the examples in the rule files are their cases."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from texrepair.compile.session import Session
from texrepair.latex import Mode, lex
from texrepair.project import Draft, Project
from texrepair.result import Diagnostic
from texrepair.rules import Case, Edit, Example, Rule, answering, applied, loaded, shipped, table
from texrepair.sanitize import sanitize

ROOT = Path(__file__).resolve().parent.parent
RIGHT = {
    path.stem: path.read_bytes().decode("utf-8") for path in sorted((ROOT / "fixtures/documents/right").glob("*.tex"))
}
"""Documents that compile with xelatex and hold what rules look for, but in places where it is right."""

RULES = shipped()

STATIC = tuple(rule for rule in RULES if rule.static)
ERROR = tuple(rule for rule in RULES if not rule.static)
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{number}")
    for rule in RULES
    for number, example in enumerate(rule.examples, 1)
]
ENGINES = ("xelatex", "pdflatex", "lualatex")


def test_what_answers_a_code_is_told_by_the_text_of_the_rules() -> None:
    told = answering()
    assert {code: sorted(ids) for code, ids in told.items()} == {
        code: [rule.id for rule in RULES if code in (rule.answers or ())] for code in told
    }
    assert told.keys() == {code for rule in RULES for code in rule.answers or ()}


def test_static_rules_are_told_by_their_text() -> None:
    assert [rule.id for rule in shipped(static=True)] == [rule.id for rule in RULES if rule.static]
    assert {rule.id for rule in loaded(None, static=True, disable=["code-fence", "unknown-name"])} == {
        rule.id for rule in RULES if rule.static
    } - {"code-fence"}


def of_each(rules: tuple[Rule, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("rule", rules, ids=lambda rule: rule.id)


def case_of(rule: Rule, example: Example, text: str | None = None) -> Case:
    """What the rule is shown for an example, with another text in the place of the example's own if one is given."""
    texts = {example.path: example.before if text is None else text, **example.files}
    main = example.path
    if example.path != "main.tex":
        main = "main.tex"
        texts.setdefault(
            main, f"\\documentclass{{article}}\n\\begin{{document}}\n\\input{{{example.path}}}\n\\end{{document}}\n"
        )
    diagnostic = None
    if rule.answers is not None:
        lines = texts[example.path].splitlines() or [""]
        shown = lines[min(example.line, len(lines)) - 1] if example.context_before is None else example.context_before
        diagnostic = Diagnostic(
            "error",
            "error",
            example.message,
            code=example.code or rule.answers[0],
            file=example.path,
            line=example.line,
            token=example.token,
            before=shown,
        )
    return Case(Draft(texts), main, example.path, diagnostic, example.engine, example.assets, example.values)


def outcome(rule: Rule, case: Case) -> str:
    """The file after a static rule's candidates together, or after an error rule's best one."""
    candidates = [candidate for candidate in rule.fix(case) if candidate.engine is None]
    if not rule.static:
        candidates = sorted(candidates, key=lambda c: -c.certainty)[:1]
    return applied(case.draft, (edit for candidate in candidates for edit in candidate.edits)).text(case.path)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_each_example_gives_its_after_or_stays(rule: Rule, example: Example) -> None:
    assert outcome(rule, case_of(rule, example)) == (example.before if example.after is None else example.after)


@of_each(RULES)
def test_every_rule_has_examples_of_both_kinds(rule: Rule) -> None:
    assert any(example.after is not None for example in rule.examples)
    assert any(example.after is None for example in rule.examples)


@of_each(RULES)
def test_every_rule_says_what_it_is_about(rule: Rule) -> None:
    assert rule.summary.endswith((".", "?")), "the docstring begins with one sentence on one line"
    assert "When nothing is done:" in rule.doc


def test_the_id_is_the_name_of_the_file() -> None:
    files = {path.stem for path in (ROOT / "sanitizers").glob("[!_]*.py")}
    assert {rule.id.replace("-", "_") for rule in RULES} == files


@pytest.mark.parametrize(("rule", "example"), [p for p in EXAMPLES if p.values[0].static])
def test_a_static_rule_has_nothing_to_say_about_its_own_result(rule: Rule, example: Example) -> None:
    if example.after is not None:
        assert outcome(rule, case_of(rule, example, example.after)) == example.after


@of_each(STATIC)
@pytest.mark.parametrize("name", RIGHT)
def test_a_static_rule_leaves_right_documents_as_they_are(rule: Rule, name: str) -> None:
    case = Case(Draft({"main.tex": RIGHT[name]}), "main.tex", "main.tex", None, "xelatex")
    assert list(rule.fix(case)) == []


@of_each(STATIC)
@pytest.mark.parametrize("name", RIGHT)
def test_a_static_rule_leaves_right_documents_alone_when_values_are_set(rule: Rule, name: str) -> None:
    values = {"name": "N", "title": "T", "nosuch": "X", "clientname": "C"}
    case = Case(Draft({"main.tex": RIGHT[name]}), "main.tex", "main.tex", None, "xelatex", frozenset(), values)
    assert list(rule.fix(case)) == []


@pytest.mark.tex
@pytest.mark.bwrap
@pytest.mark.parametrize("name", RIGHT)
def test_the_right_documents_are_right(name: str) -> None:
    project = Project("main.tex", Draft({"main.tex": RIGHT[name]}))
    with Session(project) as session:
        assert session.check(project.draft).errors == ()


@of_each(ERROR)
@pytest.mark.parametrize("name", RIGHT)
def test_an_error_rule_proposes_nothing_inside_verbatim_text(rule: Rule, name: str) -> None:
    text = RIGHT[name]
    source = lex(text, part="main")
    verbatim = [span for span in source.spans if span.mode is Mode.VERBATIM]
    for example in rule.examples:
        for line in range(1, source.line_count + 1, 3):
            shown = Example(text, message=example.message, code=example.code, line=line, token=example.token)
            for candidate in rule.fix(case_of(rule, shown)):
                for edit in candidate.edits:
                    assert not any(_touches(edit, span.start, span.end) for span in verbatim), edit


def _touches(edit: Edit, start: int, end: int) -> bool:
    """Does it change what lies between? Removing the whole of it, with more around it, is allowed."""
    if edit.path != "main.tex" or (edit.start <= start and end <= edit.end):
        return False
    return edit.start < end and start < edit.end


@pytest.mark.parametrize(("rule", "example"), [p for p in EXAMPLES if p.values[0].static])
def test_all_static_rules_together_come_to_rest(rule: Rule, example: Example) -> None:
    case = case_of(rule, example)
    once, _ = sanitize(case.draft, case.main, case.engine, case.assets, RULES, case.values)
    again, fixes = sanitize(once, case.main, case.engine, case.assets, RULES, case.values)
    assert (again.texts, fixes) == (once.texts, ())


PIECES = st.sampled_from(
    [
        *r"""
        \documentclass{article} \begin{document} \end{document} \begin{itemize} \end{itemize} \item \begin{verbatim}
        \end{verbatim} \newcommand{\x} \def\y \section{ \textbf{ { } [ ] $ $$ \[ \] % & # _ ^ ~ \\ \ \n \\begin{tabular}
        \\section{ \\item \\documentclass{a} ```latex ``` <think> </think> {"content": " " \u00e9 \ud83d {{ name }}
        <<NAME>> %%NAME%% \VAR{name} &amp; \vspace{−2pt} \begin｛a｝ \begin{{a}} \usepackage{unicode-math} , . ; 1,5
        \mathbf{\alpha} \hat{\mathbf{β}} \usepackage{x} \iffalse \fi \else \label{a_b} \verb| | 中文
        word extbf{ egin{a} rac{1}{2} 5 5%}
        """.split(),
        *"\t\n\r \b\f\v\a\x1b\u200b\ufeff\u00a0\udc80",
        "\r\n",
        "\n\n",
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=25).map("".join))
PATHS = st.sampled_from(["main.tex", "part.tex", "own.sty", "refs.bib"])


@given(text=TEXTS, path=PATHS, engine=st.sampled_from(ENGINES))
@settings(max_examples=150, deadline=None)
def test_static_rules_never_raise_and_never_grow_a_text_without_bound(text: str, path: str, engine: str) -> None:
    main = (
        "\\documentclass{article}\n\\usepackage{own}\n\\begin{document}\n"
        "\\input{part}\\bibliography{refs}\n\\end{document}\n"
    )
    draft = Draft({"main.tex": main, path: text})
    values = {"name": "a long value & more"}
    once, _ = sanitize(draft, "main.tex", engine, frozenset(), STATIC, values)
    again, fixes = sanitize(once, "main.tex", engine, frozenset(), STATIC, values)
    assert fixes == () and again.texts == once.texts
    assert len(once.text(path)) <= 200 + 8 * len(text)


@given(
    data=st.data(),
    text=TEXTS,
    line=st.integers(0, 12),
    token=st.sampled_from([None, "", "\\x", "itemize", "\\", "a.png", "中", "_"]),
)
@settings(max_examples=150, deadline=None)
def test_error_rules_never_raise_and_their_edits_can_be_made(
    data: st.DataObject, text: str, line: int, token: str | None
) -> None:
    rule = data.draw(st.sampled_from(ERROR))
    example = data.draw(st.sampled_from(rule.examples))
    code = data.draw(st.sampled_from(rule.answers or ()))
    before = data.draw(st.sampled_from([None, "", "x", example.context_before]))
    shown = Example(text, message=example.message, code=code, line=line, token=token, context_before=before)
    case = case_of(rule, shown)
    for number, candidate in enumerate(rule.fix(case)):
        after = applied(case.draft, candidate.edits)
        assert sum(len(after.text(p)) for p in after) <= 4000 + 8 * len(text)
        assert number < 200


def test_the_table_of_rules_in_readme_is_current() -> None:
    _, opening, rest = (ROOT / "README.md").read_text(encoding="utf-8").partition("<!-- rules -->\n")
    shown, closing, _ = rest.partition("<!-- /rules -->")
    assert opening and closing, "README holds the two markers"
    assert shown.strip() == table(RULES), "run .venv/bin/python script/rules_table"
