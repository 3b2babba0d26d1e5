"""script/make_names reads TeX's files without running them, and believes TeX where the two differ."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[2] / "script"))

from naming.asked import Answer, Asker
from naming.counts import counted
from naming.definitions import document_arguments, read
from naming.owners import Owner, corrected
from naming.tree import Tree
from naming.written import write


def test_commands_are_found_however_they_are_defined() -> None:
    facts = read(r"""
        \def\plain#1#2{body}  \newcommand*{\latex}[2][x]{\def\temporary{}}
        \NewDocumentCommand \document { s O{} m } { \cs_new:Npn }
        \let\alias=\relax  \newlength{\size}  \newif\ifdone
        \expandafter\def\csname built\endcsname{}  \@namedef{named}{}
        \DeclareMathOperator*{\argmax}{arg\,max}  \newcounter{step}
        % \def\commented{}
    """)
    assert facts.commands["plain"] == "mm"
    assert facts.commands["latex"] == "om"
    assert facts.commands["document"] == "som"
    expected = {"alias", "size", "ifdone", "donetrue", "donefalse", "built", "named", "argmax", "thestep"}
    assert expected <= facts.commands.keys()
    assert facts.counters == {"step"}
    assert facts.inner == {"temporary"}
    assert "commented" not in facts.commands


def test_environments_are_found() -> None:
    facts = read(
        r"\newenvironment{box*}[1]{\let\item\boxitem}{} \def\old{} \def\endold{} \NewDocumentEnvironment{new}{om}{}{}"
        r"\newtheorem{lemma}{Lemma}"
    )
    assert facts.environments == {"box*": "m", "old": "", "new": "om", "lemma": None}
    assert facts.inner == {"item"}


def test_what_is_loaded_under_a_condition_is_told_apart() -> None:
    facts = read(
        r"\RequirePackage[a]{one,two}[2020] \DeclareOption{late}{\RequirePackage{three}}"
        r"\ifx\a\b \RequirePackage{four} \fi \LoadClass{article} \input{own.def} \endinput \RequirePackage{never}"
    )
    assert facts.loads == {
        "one.sty": True, "two.sty": True, "three.sty": False, "four.sty": False, "article.cls": True,
    }  # fmt: skip
    assert facts.inputs == {"own.def"}
    assert facts.options == {"late"}


def test_expl3_names_are_read_as_expl3() -> None:
    facts = read(r"\ExplSyntaxOn \cs_new_protected:Npn \my_show:nn #1#2 { } \ExplSyntaxOff \def\my_not{}")
    assert facts.commands == {"my_show:nn": "mm", "my": None}


@pytest.mark.parametrize(
    ("specification", "short"),
    [("m", "m"), ("s o m", "som"), ("O{a{b}} +m", "om"), ("d() m", "dm"), ("> { \\SplitList , } m t+", "mt"), ("", "")],
)
def test_document_arguments_in_short(specification: str, short: str) -> None:
    assert document_arguments(specification) == short


def test_tex_overrules_the_text() -> None:
    owner = Owner("package", "mine", commands={"real": None, "option": None, "borrowed": None})
    answer = Answer(["mine.sty", "other.sty"], commands={"real": "m", "built": None, "borrowed": None})
    other = Answer(["other.sty"], commands={"borrowed": None})
    corrected(owner, answer, {("package", "other"): other}, Answer())
    assert owner.commands == {"real": "m", "built": None}
    assert owner.perhaps == {"option"}
    assert owner.requires == {("package", "other")}


def test_each_folder_of_documents_counts_once(tmp_path: Path) -> None:
    for folder, text in (("a", r"\usepackage{tikz} \draw \draw"), ("b", r"\draw % \fill")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.tex").write_text(text)
        (tmp_path / folder / "y.tex").write_text(text)
    counts = counted([tmp_path], [])
    assert counts.commands["draw"] == 2
    assert counts.packages["tikz"] == 1
    assert "fill" not in counts.commands


def test_tables_are_written_in_order(tmp_path: Path) -> None:
    one = Owner("package", "one", commands={"b": "m", "a": None})
    two = Owner("package", "two", requires={one.key}, commands={"a": None}, options={"draft"})
    assert write(tmp_path, {one.key: one, two.key: two}, counted([], [])) == (2, 2)
    assert (tmp_path / "names.tsv").read_text() == "c\ta\t\t0,1\nc\tb\t\t0=m\n"
    assert (tmp_path / "packages.tsv").read_text() == "package\tone\t0\t\t\t\t0,1\npackage\ttwo\t0\t0\t\tdraft\t0\n"


def test_the_first_tree_wins(tmp_path: Path) -> None:
    for root in ("first", "second"):
        (tmp_path / root / "tex" / "latex" / "x").mkdir(parents=True)
        (tmp_path / root / "tex" / "latex" / "x" / "x.sty").write_text(root)
    tree = Tree((tmp_path / "first", tmp_path / "second"))
    assert tree.files["x.sty"].read_text() == "first"


@given(st.lists(st.sampled_from([*"\\def{}[]#1%a @:_\n", "\\newcommand", "\\csname", "\\endcsname"])).map("".join))
@settings(max_examples=100, deadline=None)
def test_any_text_can_be_read(text: str) -> None:
    read(text)


@pytest.mark.tex
def test_tex_tells_what_a_package_defines(tmp_path: Path) -> None:
    preamble = "\\documentclass{article}\\usepackage{booktabs}\n"
    answer = Asker(tmp_path, (), jobs=1).answers([preamble])[preamble]
    assert answer.errors == 0
    assert "booktabs.sty" in answer.files
    assert {"toprule", "section"} <= answer.commands.keys()
    assert answer.commands["section"] == "som"
    assert Asker(tmp_path, (), jobs=0).answers([preamble]) == {preamble: answer}
