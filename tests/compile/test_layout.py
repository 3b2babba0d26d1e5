"""Names in the box are safe, and what came of earlier builds is left out."""

import pytest

from texrepair.compile.layout import layout
from texrepair.project import Draft, Project
from texrepair.result import Diagnostic, Place


def project(main: str, *others: str, text: str = "", assets: tuple[str, ...] = ()) -> Project:
    return Project(main, Draft({main: text, **dict.fromkeys(others, "")}), dict.fromkeys(assets, b""))


@pytest.mark.parametrize("stem", ["main", "Report-2", "a.b_c", "0"])
def test_a_plain_name_is_kept(stem: str) -> None:
    assert layout(project(f"{stem}.tex")).job == stem


@pytest.mark.parametrize("stem", ["my report", "-output", "$(id)", "图", ".hidden", "a'b", "a\nb", "_x", "~"])
def test_an_odd_name_becomes_our_own_and_back(stem: str) -> None:
    laid = layout(project(f"{stem}.tex"))
    assert laid.main_path == "document.tex"
    assert set(laid.texts(project(f"{stem}.tex").draft)) == {"document.tex"}
    diagnostic = Diagnostic("error", "error", "x", file="document.tex", origin=Place("./document.tex", 3))
    back = laid.translated(diagnostic)
    assert back.file == f"{stem}.tex"
    assert back.origin == Place(f"{stem}.tex", 3)


def test_our_own_name_is_nobody_elses() -> None:
    assert layout(project("my report.tex", "document.tex", assets=("document-2.pdf",))).job == "document-3"


def test_an_odd_suffix_is_laid_as_tex() -> None:
    assert layout(project("main.txt")).main_name == "main.tex"
    assert layout(project("main.ltx")).main_name == "main.ltx"


def test_a_main_file_in_a_folder_runs_there() -> None:
    laid = layout(project("paper/main.tex", "paper/ch/one.tex", "shared.tex"))
    assert (laid.main_path, laid.main_name, laid.within("3")) == ("paper/main.tex", "main.tex", "3/paper")
    assert laid.inside("paper/ch/one.tex") == "ch/one.tex"
    assert laid.inside("shared.tex") == "../shared.tex"
    assert laid.outside("./ch/one.tex") == "paper/ch/one.tex"
    assert laid.outside("../shared.tex") == "shared.tex"
    assert laid.outside("/usr/share/x.sty") == "/usr/share/x.sty"


def test_generated_files_that_came_along_are_left_out() -> None:
    came = ("main.aux", "main.toc", "main.out", "main.run.xml", "main.synctex.gz", "ch/one.aux", "main.log")
    kept = ("figure.out", "other.toc", "ch/one.tex")
    given = project("main.tex", *came, *kept, assets=("main.pdf", "figure.pdf"))
    laid = layout(given)
    assert set(laid.texts(given.draft)) == {"main.tex", *kept}
    assert set(laid.assets(given)) == {"figure.pdf"}


@pytest.mark.parametrize("name", ["biber.conf", ".latexmkrc", "latexmkrc", "texmf.cnf", "sub/dvipdfmx.cfg"])
def test_files_that_give_orders_are_left_out(name: str) -> None:
    given = project("main.tex", assets=(name,))
    assert not layout(given).assets(given)


def test_a_bbl_without_its_bib_is_a_source() -> None:
    text = "\\bibliography{refs, more}"
    alone = project("main.tex", "main.bbl", "refs.bib", text=text)
    assert "main.bbl" in layout(alone).texts(alone.draft)
    whole = project("main.tex", "main.bbl", "refs.bib", text=text, assets=("more.bib",))
    assert "main.bbl" not in layout(whole).texts(whole.draft)


def test_a_bbl_follows_its_main_file_to_our_own_name() -> None:
    given = project("my report.tex", text="\\bibliography{none}", assets=("my report.bbl",))
    laid = layout(given)
    assert set(laid.assets(given)) == {"document.bbl"}
    assert laid.given(given.draft) == {"document.tex", "document.bbl"}
    assert laid.outside("document.bbl") == "my report.bbl"


def test_a_bbl_that_is_read_by_hand_is_a_source() -> None:
    given = project("main.tex", "main.bbl", text="\\input{main.bbl}")
    assert "main.bbl" in layout(given).texts(given.draft)
