"""Another pass is due when what a pass wrote is not what it read; tools run on what it wrote."""

import pytest

from texrepair.compile.passes import EnginePass, changed
from texrepair.compile.recorder import Recorded
from texrepair.compile.tools import jobs
from texrepair.sandboxes import Ran


def done(read: tuple[str, ...] = (), before: dict[str, bytes] | None = None) -> EnginePass:
    return EnginePass("1", Ran(0), b"", Recorded(read=read), before or {}, {})


AUX = b"\\relax \n\\newlabel{a}{{1}{1}}\n"


def test_a_file_that_would_be_read_for_the_first_time() -> None:
    assert changed(done(), {"main.toc": b"x"}) == ("main.toc",)


def test_a_file_that_was_read_and_now_is_another() -> None:
    assert changed(done(("main.aux",), {"main.aux": AUX}), {"main.aux": AUX + b"%"}) == ("main.aux",)


def test_the_same_again_is_stable() -> None:
    assert changed(done(("main.aux",), {"main.aux": AUX}), {"main.aux": AUX}) == ()


def test_a_file_that_is_gone_is_a_change() -> None:
    assert changed(done(("main.toc",), {"main.toc": b"x"}), {}) == ("main.toc",)


def test_an_aux_file_of_nothing_is_as_good_as_none() -> None:
    assert changed(done(("main.aux",)), {"main.aux": b"\\relax \n\\gdef \\@abspage@last{3}\n"}) == ()


@pytest.mark.parametrize("name", ["main.log", "main.idx", "main.bcf", "main.glo", "main.run.xml"])
def test_what_is_written_for_others_asks_for_no_pass(name: str) -> None:
    assert changed(done(), {name: b"x"}) == ()


def test_a_file_that_is_never_read_asks_for_no_pass() -> None:
    assert changed(done((), {"notes.txt": b"x"}), {"notes.txt": b"y"}) == ()


# tools


def test_nothing_to_do() -> None:
    assert list(jobs("main", {"main.aux": b"\\relax \n"}, "")) == []


def test_bibtex_depends_on_what_it_reads_of_the_aux_files_alone() -> None:
    aux = b"\\relax\n\\citation{k}\n\\bibstyle{plain}\n\\bibdata{refs}\n\\@input{one.aux}\n\\newlabel{a}{{1}{%d}}\n"
    (first,) = jobs("main", {"main.aux": aux % 1, "one.aux": b"\\citation{l}\n"}, "")
    (second,) = jobs("main", {"main.aux": aux % 2, "one.aux": b"\\citation{l}\n\\newlabel{b}{{}{}}\n"}, "")
    (third,) = jobs("main", {"main.aux": aux % 1, "one.aux": b"\\citation{m}\n"}, "")
    assert first.command == ("bibtex", "main")
    assert first.makes == ("main.bbl",)
    assert first.needs == second.needs != third.needs


def test_aux_files_that_read_each_other_end() -> None:
    files = {"main.aux": b"\\bibdata{r}\n\\@input{one.aux}\n", "one.aux": b"\\@input{main.aux}\n\\@input{one.aux}\n"}
    assert len(list(jobs("main", files, ""))) == 1


def test_each_bibliography_of_its_own_has_its_bibtex() -> None:
    files = {"main.aux": b"\\relax\n", "bu1.aux": b"\\bibdata{r}\n", "ch/two.aux": b"\\bibdata{s}\n"}
    assert [job.command[1] for job in jobs("main", files, "")] == ["bu1", "ch/two"]


def test_biber_ignores_a_configuration_of_the_documents() -> None:
    (job,) = jobs("main", {"main.bcf": b"<x/>", "main.aux": b"\\bibdata{never}"}, "")
    assert job.command == ("biber", "--noconf", "main")


def test_an_index_with_the_style_that_imakeidx_asks_for() -> None:
    log = "runsystem(makeindex -s my.ist  main.idx)...disabled\nrunsystem(makeindex  names.idx)...disabled\n"
    found = {job.command for job in jobs("main", {"main.idx": b"x", "names.idx": b"y", "empty.idx": b""}, log)}
    assert found == {
        ("makeindex", "-s", "my.ist", "-t", "main.ilg", "-o", "main.ind", "main.idx"),
        ("makeindex", "-t", "names.ilg", "-o", "names.ind", "names.idx"),
    }


@pytest.mark.parametrize("style", ["../up.ist", "/etc/passwd", "-o", ";id", "$(id)"])
def test_a_style_that_may_not_stand_on_a_command_line_is_left_out(style: str) -> None:
    (job,) = jobs("main", {"main.idx": b"x"}, f"runsystem(makeindex -s {style} main.idx)...disabled")
    assert job.command == ("makeindex", "-t", "main.ilg", "-o", "main.ind", "main.idx")


@pytest.mark.parametrize("name", ["-x.idx", "a b.idx", "../up.idx", "$(id).idx", "/abs.idx", "-x.aux", "..aux"])
def test_names_that_may_not_stand_on_a_command_line_are_left_alone(name: str) -> None:
    assert list(jobs("main", {name: b"\\bibdata{r}\n"}, "")) == []


def test_glossaries_depend_on_their_entries() -> None:
    aux = b"\\@newglossary{main}{glg}{gls}{glo}\n\\@newglossary{acronym}{alg}{acr}{acn}\n"
    (job,) = jobs("main", {"main.aux": aux, "main.glo": b"one", "main.acn": b"two"}, "")
    assert job.command == ("makeglossaries", "main")
    assert job.makes == ("main.gls", "main.acr")
    assert list(jobs("main", {"main.aux": aux, "main.glo": b"", "main.acn": b""}, "")) == []
