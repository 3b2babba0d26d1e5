"""What belongs to a project, which file is the main one, and what every bad input comes to."""

from __future__ import annotations

import codecs
import io
import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from texrepair.errors import InputNotFound, ProjectError, SettingsError
from texrepair.loading.belongs import RUN_LOG_HEAD
from texrepair.loading.load import load
from texrepair.project import Project
from texrepair.settings import Settings

PAGE = "\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n"


def page(preamble: str = "", body: str = "Text.") -> str:
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def lay(folder: Path, files: dict[str, str | bytes]) -> Path:
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def paths(project: Project) -> set[str]:
    return {*project.draft, *project.assets}


# A file


def test_a_file_is_loaded_byte_for_byte(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + PAGE.replace("\n", "\r\n").encode() + b"after\rthe end"
    project = load(lay(tmp_path, {"article.tex": data}) / "article.tex")
    assert (project.main, project.name, project.root) == ("article.tex", "article", tmp_path)
    assert project.draft.encoded("article.tex") == data
    assert project.findings == ()


def test_what_the_document_refers_to_comes_along(tmp_path: Path) -> None:
    body = (
        "\\input{chapters/one}\\include{chapters/two}\\input chapters/three \n\\includegraphics[width=1cm]{plot}\n"
        "\\lstinputlisting[language=Python]{code/run.py}\\inputminted{c}{code/main.c}\\import{parts/}{last}\n"
        "\\addplot table {runs/a.out};\\bibliography{refs,more}"
    )
    preamble = "\\usepackage{house}\\graphicspath{{figures/}{other/}}\\newfontfamily\\x[Path=fonts/]{y.woff}"
    files = {
        "main.tex": page(preamble, body),
        "chapters/one.tex": "\\input{chapters/deep.inc}",
        "chapters/deep.inc": "deep",
        "chapters/two.tex": "x",
        "chapters/three.tex": "x",
        "parts/last.tex": "x",
        "figures/plot.png": b"\x89PNG",
        "code/run.py": "x",
        "code/main.c": "x",
        "runs/a.out": "1 2",
        "refs.bib": "",
        "more.bib": "",
        "house.sty": "",
    }
    project = load(lay(tmp_path, files) / "main.tex")
    assert paths(project) == set(files)
    assert "chapters/deep.inc" in project.draft, "TeX reads it as code, whatever its ending"
    assert set(project.assets) == {"figures/plot.png", "code/run.py", "code/main.c", "runs/a.out"}


def test_files_of_known_kinds_below_the_main_file_come_along_too(tmp_path: Path) -> None:
    files = {"main.tex": PAGE, "img/Figure1.JPG": b"\xff\xd8\xff", "data/x.csv": "1,2", "styles/a.sty": ""}
    others = {"notes.md": "", "movie.mp4": b"", "Makefile": "", "src/tool.py": ""}
    assert paths(load(lay(tmp_path, files | others) / "main.tex")) == set(files)


def test_another_document_beside_is_carried_but_not_edited(tmp_path: Path) -> None:
    project = load(lay(tmp_path, {"main.tex": PAGE, "talk.tex": page(body="An open $")}) / "main.tex")
    assert list(project.draft) == ["main.tex"]
    assert list(project.assets) == ["talk.tex"]


def test_a_folder_with_another_document_stays_out_unless_something_points_there(tmp_path: Path) -> None:
    body = "\\input{used/part}\\includegraphics{fig}\\newcommand\\plot[1]{\\includegraphics{plots/#1}}"
    files = {
        "main.tex": page("\\graphicspath{{art/}}", body),
        "used/part.tex": "Text",
        "used/talk.tex": PAGE,
        "art/fig.png": b"\x89PNG",
        "art/draft.tex": PAGE,
        "plots/a.png": b"\x89PNG",
        "plots/a.tex": PAGE,
        "parts/one.tex": "\\documentclass[../main]{subfiles}\\begin{document}x\\end{document}",
        "data/x.csv": "1,2",
    }
    private = {
        "letters/2024/to-bank.tex": PAGE,
        "letters/account.csv": "1",
        "letters/2025/signature.png": b"\x89PNG",
        "used/old/main.tex": PAGE,
    }
    project = load(lay(tmp_path, files | private) / "main.tex")
    assert paths(project) == set(files)
    assert project.findings == ()


def test_a_part_with_a_preamble_of_its_own_is_edited(tmp_path: Path) -> None:
    part = "\\documentclass[../main]{subfiles}\\begin{document}x\\end{document}"
    files = {"main.tex": page(body="\\subfile{ch/one}"), "ch/one.tex": part}
    assert "ch/one.tex" in load(lay(tmp_path, files) / "main.tex").draft


def test_hidden_files_version_control_and_run_commands_stay_out(tmp_path: Path) -> None:
    files = {".secret.tex": "", ".git/x.tex": "", "CVS/y.tex": "", "latexmkrc": "system('x')", "biber.conf": ""}
    project = load(lay(tmp_path, {"main.tex": page(body="\\input{.secret}"), **files}) / "main.tex")
    assert paths(project) == {"main.tex"}
    assert {one.file for one in project.findings} == {"latexmkrc", "biber.conf", ".secret.tex"}


def test_what_texrepair_wrote_earlier_does_not_belong(tmp_path: Path) -> None:
    files = {
        "main.tex": PAGE,
        "main.pdf": b"%PDF-",
        "main.texrepair/main.tex": "",
        "main.tex.orig": "",
        "out/chapter.tex": "",
        "earlier/chapter.tex": "",
        "earlier/run.json": RUN_LOG_HEAD + b' "0.1.0"}',
        "data/run.json": "{}",
        "batch/other.pdf": b"%PDF-",
        "batch/other.texrepair/other.tex": "",
        "batch/figure.pdf": b"%PDF-",
    }
    project = load(lay(tmp_path, files) / "main.tex", output=tmp_path / "out")
    assert paths(project) == {"main.tex", "data/run.json", "batch/figure.pdf"}


def test_generated_files_that_came_along_stay_out(tmp_path: Path) -> None:
    made = [
        "main.aux",
        "main.toc",
        "main.log",
        "main.out",
        "main.run.xml",
        "main.synctex.gz",
        "main-blx.bib",
        "main.bbl",
    ]
    files: dict[str, str | bytes] = dict.fromkeys(made, "x")
    files |= {"main.tex": page(body="\\input{main.toc}\\bibliography{refs}"), "refs.bib": ""}
    assert paths(load(lay(tmp_path, files) / "main.tex")) == {"main.tex", "refs.bib"}


@pytest.mark.parametrize(
    ("body", "there", "belongs"),
    [
        ("\\bibliography{refs}", [], True),
        ("\\bibliography{refs}", ["refs.bib"], False),
        ("\\bibliography{IEEEabrv,refs}", ["refs.bib"], False),
        ("\\bibliography{refs,more}", ["refs.bib"], True),
        ("\\begin{filecontents}{refs.bib}\\end{filecontents}\\bibliography{refs}", [], False),
        ("\\input{main.bbl}", [], True),
        ("", [], False),
    ],
)
def test_a_bbl_is_a_source_only_without_its_bib(tmp_path: Path, body: str, there: list[str], belongs: bool) -> None:
    files: dict[str, str | bytes] = {"main.tex": page(body=body), "main.bbl": "x", **dict.fromkeys(there, "")}
    assert ("main.bbl" in load(lay(tmp_path, files) / "main.tex").draft) is belongs


def test_a_listing_called_log_is_no_generated_file(tmp_path: Path) -> None:
    files = {"main.tex": page(body="\\lstinputlisting{server.log}"), "server.log": "x"}
    assert paths(load(lay(tmp_path, files) / "main.tex")) == set(files)


def test_number_and_size_are_bounded_and_what_is_referred_to_comes_first(tmp_path: Path) -> None:
    files = {f"a{number}.tex": "x" for number in range(20)}
    files |= {"main.tex": page(body="\\input{deep/er/z}"), "deep/er/z.tex": "x"}
    project = load(lay(tmp_path, files) / "main.tex", settings=Settings(max_files=3))
    assert list(project.draft) == ["main.tex", "deep/er/z.tex", "a0.tex", "a1.tex"]
    assert "18 files beyond" in project.findings[0].message


def test_a_home_folder_is_never_taken_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    files = {"main.tex": page(body="\\input{one}\\includegraphics{pics/a}"), "one.tex": "", "pics/a.png": b"x"}
    others = {"diary.tex": "", "pics/private.png": b"x"}
    lay(tmp_path, files | others)
    assert paths(load(tmp_path / "main.tex")) == set(files)
    with pytest.raises(ProjectError, match="more than one document"):
        load(tmp_path)
    with pytest.raises(ProjectError, match="more than one document"):
        load(tmp_path.parent)


# Links and special files


def test_no_link_is_followed(tmp_path: Path) -> None:
    outside = lay(tmp_path / "outside", {"secret.tex": "SECRET", "sub/x.tex": "SECRET"})
    inside = lay(tmp_path / "in", {"main.tex": page(body="\\input{chapter}\\input{sub/x}\\input{hard}")})
    (inside / "chapter.tex").symlink_to(outside / "secret.tex")
    (inside / "sub").symlink_to(outside / "sub")
    (inside / "figure.png").symlink_to(outside / "secret.tex")
    project = load(inside / "main.tex")
    assert paths(project) == {"main.tex"}
    assert {one.file for one in project.findings} == {"chapter.tex", "figure.png"}
    (inside / "link.tex").symlink_to(inside / "main.tex")
    with pytest.raises(ProjectError, match="is a link"):
        load(inside / "link.tex")


def test_a_folder_may_be_reached_through_a_link(tmp_path: Path) -> None:
    lay(tmp_path / "real", {"main.tex": PAGE})
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert load(tmp_path / "link").root == tmp_path / "real"
    assert load(tmp_path / "link" / "main.tex").root == tmp_path / "real"


def test_pipes_and_sockets_are_left_out_without_waiting(tmp_path: Path) -> None:
    lay(tmp_path, {"main.tex": page(body="\\input{chapter}")})
    os.mkfifo(tmp_path / "chapter.tex")
    with socket.socket(socket.AF_UNIX) as endpoint:
        endpoint.bind(os.path.relpath(tmp_path / "s.png"))
    project = load(tmp_path / "main.tex")
    assert paths(project) == {"main.tex"}
    assert {one.code for one in project.findings} == {"left-out"}
    with pytest.raises(ProjectError, match="not a regular file"):
        load(tmp_path / "chapter.tex")


@pytest.mark.parametrize(
    "name",
    ["new\nline.tex", "-rf.tex", "$(touch x).png", "`x`.bib", "a;b.sty", "\x1b[31m.tex", "\u202etxet.tex", "|x.tex"],
)
def test_odd_names_are_left_out_and_said_to_be(tmp_path: Path, name: str) -> None:
    project = load(lay(tmp_path, {"main.tex": PAGE, name: "x"}) / "main.tex")
    assert paths(project) == {"main.tex"}
    assert [one.file for one in project.findings] == [name]


@pytest.mark.parametrize("name", ["é – 中文 ü.tex", "50%.png", "a'b (1).tex", "می\u200cخواهم.tex"])
def test_names_of_any_script_are_welcome(tmp_path: Path, name: str) -> None:
    assert paths(load(lay(tmp_path, {"main.tex": PAGE, name: "x"}) / "main.tex")) == {"main.tex", name}


def test_a_name_that_is_not_utf8_is_left_out(tmp_path: Path) -> None:
    lay(tmp_path, {"main.tex": PAGE, os.fsdecode(b"caf\xe9.tex"): "x"})
    assert paths(load(tmp_path / "main.tex")) == {"main.tex"}


# A folder


@pytest.mark.parametrize(
    ("files", "main"),
    [
        ({"a.tex": PAGE, "b.tex": "x"}, "a.tex"),
        ({"intro.tex": PAGE, "main.tex": PAGE}, "main.tex"),
        ({"paper.tex": PAGE, "slides.tex": PAGE}, "paper.tex"),
        ({"z.tex": page(body="\\input{main}"), "main.tex": PAGE}, "z.tex"),
        ({"old/main.tex": PAGE, "thing.tex": PAGE}, "thing.tex"),
        ({"main.tex": "% \\documentclass{article}\n", "b.tex": PAGE}, "b.tex"),
        ({"fig.tex": page().replace("article", "standalone"), "b.tex": PAGE}, "b.tex"),
        ({"a.tex": "\\documentstyle{article}\\begin{document}\\end{document}", "b.tex": "x"}, "a.tex"),
        ({"sub/deep.tex": PAGE}, "deep.tex"),
        ({"a.tex": '{"content": "\\\\documentclass{article}"}', "b.tex": "x"}, "a.tex"),
        ({"a.tex": "\\begin{document}x\\end{document}", "b.tex": "x"}, "a.tex"),
        ({"verb.tex": "\\begin{verbatim}\n\\documentclass{x}\n\\end{verbatim}", "b.tex": PAGE}, "b.tex"),
    ],
)
def test_the_main_file_is_found(tmp_path: Path, files: dict[str, str | bytes], main: str) -> None:
    assert load(lay(tmp_path, files)).main == main


def test_the_folders_own_name_tells(tmp_path: Path) -> None:
    assert load(lay(tmp_path / "bats", {"bats.tex": PAGE, "cats.tex": PAGE})).main == "bats.tex"


def test_a_tie_is_not_guessed(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"a\.tex, b\.tex could be the main file; name one"):
        load(lay(tmp_path, {"a.tex": PAGE, "b.tex": PAGE}))


@pytest.mark.parametrize("files", [{}, {"notes.txt": "x"}, {"a.tex": "Chapter", "b.tex": "\\section{B}"}])
def test_a_folder_without_a_main_file(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    with pytest.raises(ProjectError, match=r"has \\documentclass; name the document's main file"):
        load(lay(tmp_path, files))


def test_files_above_the_main_file_move_the_root_up(tmp_path: Path) -> None:
    body = "\\includegraphics{../figures/x}\\input{parts/a}"
    files = {"tex/main.tex": page(body=body), "tex/parts/a.tex": "", "figures/x.png": b"x", "other/y.tex": ""}
    project = load(lay(tmp_path, files))
    assert (project.main, project.root) == ("tex/main.tex", tmp_path)
    assert paths(project) == {"tex/main.tex", "tex/parts/a.tex", "figures/x.png"}
    assert project.findings == ()


def test_a_main_file_below_the_folder_is_its_own_root(tmp_path: Path) -> None:
    project = load(lay(tmp_path, {"tex/main.tex": PAGE, "tex/a.sty": "", "README": ""}))
    assert (project.main, project.root) == ("main.tex", tmp_path / "tex")


def test_what_lies_outside_is_reported(tmp_path: Path) -> None:
    body = "\\includegraphics{../figures/x.png}\\input{/etc/hostname}\\input{../../../../etc/passwd}"
    lay(tmp_path, {"tex/main.tex": page(body=body), "figures/x.png": b"x"})
    project = load(tmp_path / "tex/main.tex")
    assert paths(project) == {"main.tex"}
    assert {one.file for one in project.findings} == {
        "../figures/x.png",
        "/etc/hostname",
        "../../../../etc/passwd",
    }
    assert {one.code for one in project.findings} == {"outside-project"}


# Magic comments


def test_root_is_followed_through_a_chain(tmp_path: Path) -> None:
    files = {
        "main.tex": page(body="\\input{ch/one}"),
        "ch/one.tex": "%!TeX root=../main\n\\input{ch/deep/two}",
        "ch/deep/two.tex": "% !TEX root = ../one.tex\nText",
    }
    project = load(lay(tmp_path, files) / "ch/deep/two.tex")
    assert (project.main, project.root, project.name) == ("main.tex", tmp_path, "main")
    assert paths(project) == set(files)


def test_the_output_folder_stays_out_when_the_root_moves(tmp_path: Path) -> None:
    files = {"ch/one.tex": "% !TEX root = ../main.tex\nText", "main.tex": PAGE, "out/old.tex": "x"}
    assert paths(load(lay(tmp_path, files) / "ch/one.tex", output=tmp_path / "out")) == {"ch/one.tex", "main.tex"}


def test_root_brings_the_folders_above_into_reach(tmp_path: Path) -> None:
    files = {"ch/one.tex": "% !TEX root = ../tex/main.tex\nText", "tex/main.tex": page(body="\\input{../ch/one}")}
    project = load(lay(tmp_path, files) / "ch/one.tex")
    assert (project.main, project.root) == ("tex/main.tex", tmp_path)
    assert paths(project) == set(files)


@pytest.mark.parametrize(
    "root", ["main.tex", "b.tex", "missing.tex", "/etc/hostname", "../../../../../../../../missing.tex", "."]
)
def test_a_loop_or_a_missing_file_ends_the_chain(tmp_path: Path, root: str) -> None:
    files = {"main.tex": f"% !TEX root = {root}\n{PAGE}", "b.tex": f"% !TEX root = main.tex\n{PAGE}"}
    assert load(lay(tmp_path, files) / "main.tex").main in ("main.tex", "b.tex")


def test_root_never_leaves_the_folder_that_was_given(tmp_path: Path) -> None:
    lay(tmp_path, {"in/main.tex": f"% !TEX root = ../private.tex\n{PAGE}", "private.tex": PAGE})
    project = load(tmp_path / "in")
    assert (project.main, project.root) == ("main.tex", tmp_path / "in")
    (finding,) = project.findings
    assert (finding.file, finding.code) == ("main.tex", "outside-project")
    assert finding.message == "% !TEX root = ../private.tex leads out of what was given, and was not followed"
    assert load(tmp_path / "in/main.tex").main == "private.tex"


def test_root_leads_from_a_file_to_no_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, {"in/main.tex": f"% !TEX root = ../thesis/main.tex\n{PAGE}", "thesis/main.tex": PAGE})
    monkeypatch.setenv("HOME", str(tmp_path))
    project = load(tmp_path / "in/main.tex")
    assert (project.root, len(project.findings)) == (tmp_path / "in", 1)


@pytest.mark.parametrize("root", ["../notes.txt", "../.hidden/main.tex"])
def test_root_leads_only_to_a_document(tmp_path: Path, root: str) -> None:
    files = {"in/main.tex": f"% !TEX root = {root}\n{PAGE}", "notes.txt": "password", ".hidden/main.tex": PAGE}
    project = load(lay(tmp_path, files) / "in/main.tex")
    assert (project.main, project.root) == ("main.tex", tmp_path / "in")
    assert "names no LaTeX document" in project.findings[0].message


def test_magic_comments_count_only_in_the_leading_comment_block(tmp_path: Path) -> None:
    text = f"% !TEX encoding = UTF-8\n\n% !TEX program = lualatex\n{PAGE}"
    assert load(lay(tmp_path, {"main.tex": text}) / "main.tex").engine == "lualatex"
    text = f"{PAGE}% !TEX program = lualatex\n% !TEX root = other.tex\n"
    assert load(lay(tmp_path, {"main.tex": text, "other.tex": PAGE}) / "main.tex").engine == "xelatex"


@pytest.mark.parametrize(
    ("text", "engine"),
    [
        (PAGE, "xelatex"),
        (f"%!TeX TS-program = PDFLaTeX\n{PAGE}", "pdflatex"),
        (f"% !TEX program = rm -rf /\n{PAGE}", "xelatex"),
        ("% !TEX program = latexmk\n" + page("\\usepackage{luacode}"), "lualatex"),
        (page("\\usepackage{fontspec}"), "xelatex"),
        (page("\\usepackage[a]{x, luacode}"), "lualatex"),
        (page("% \\usepackage{luacode}"), "xelatex"),
        (page(body="\\directlua{tex.print(1)}"), "lualatex"),
        (page(body="\\begin{verbatim}\n\\directlua{}\n\\end{verbatim}"), "xelatex"),
        (page("\\usepackage{iftex}", "\\ifluatex\\directlua{tex.print(1)}\\fi"), "xelatex"),
        (page("\\usepackage[utf8]{inputenc}"), "xelatex"),
        (page("\\usepackage[latin1]{inputenc}"), "pdflatex"),
        (page("\\usepackage{iftex}\\ifPDFTeX\\usepackage[latin1]{inputenc}\\fi"), "xelatex"),
    ],
)
def test_the_engine_is_what_the_document_needs(tmp_path: Path, text: str, engine: str) -> None:
    project = load(lay(tmp_path, {"main.tex": text}) / "main.tex")
    assert (project.engine, project.engine_named) == (engine, False)


def test_an_engine_that_the_caller_names_wins(tmp_path: Path) -> None:
    lay(tmp_path, {"main.tex": f"% !TEX program = lualatex\n{PAGE}"})
    project = load(tmp_path / "main.tex", engine="pdflatex")
    assert (project.engine, project.engine_named) == ("pdflatex", True)
    project = load(tmp_path / "main.tex", settings=Settings(engine="xelatex"))
    assert (project.engine, project.engine_named) == ("xelatex", True)
    with pytest.raises(SettingsError, match="no engine is called tex"):
        load(tmp_path / "main.tex", engine="tex")


# Encodings


def test_bytes_are_decoded_as_the_document_declares(tmp_path: Path) -> None:
    main = page("\\usepackage[latin1]{inputenc}", "caf\xe9").encode("latin-1")
    lay(tmp_path, {"main.tex": main, "a.tex": b"na\xefve", "utf8.tex": "é".encode(), "plain.tex": "ascii"})
    draft = load(tmp_path / "main.tex").draft
    assert ("café" in draft.text("main.tex"), draft.text("a.tex"), draft.text("utf8.tex")) == (True, "naïve", "é")
    assert draft.encoded("main.tex") == main
    assert draft.replace("plain.tex", "é").encoded("plain.tex") == b"\xe9"


def test_bytes_that_nothing_declares_are_kept_and_found(tmp_path: Path) -> None:
    data = page(body="one\ncaf\xe9").encode("latin-1")
    project = load(lay(tmp_path, {"main.tex": data}) / "main.tex")
    assert project.draft.encoded("main.tex") == data
    (finding,) = project.findings
    assert (finding.code, finding.file, finding.line, finding.tool) == ("invalid-bytes", "main.tex", 5, "texrepair")


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_utf16_is_known_by_its_mark(tmp_path: Path, mark: bytes) -> None:
    data = mark + page(body="é 中").encode("utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be")
    project = load(lay(tmp_path, {"main.tex": data}) / "main.tex")
    assert "é 中" in project.draft.text("main.tex")
    assert project.draft.encoded("main.tex") == data
    assert project.findings == ()


# Standard input and zips are tested with what they are made of: bytes.


def test_standard_input_is_a_document_of_its_own() -> None:
    project = load("-", stdin=io.BytesIO(PAGE.encode()))
    assert (project.main, project.name, project.root) == ("document.tex", "document", None)


def test_standard_input_is_bounded() -> None:
    with pytest.raises(ProjectError, match="larger than 1 MiB"):
        load("-", settings=Settings(max_project_mb=1), stdin=io.BytesIO(b"\\x" * 1024 * 1024))


# Bad input


@pytest.mark.parametrize("name", ["absent.tex", "absent/a.tex", "main.tex/a.tex", "a\0b", "x" * 300])
def test_no_such_file(tmp_path: Path, name: str) -> None:
    lay(tmp_path, {"main.tex": PAGE})
    with pytest.raises(InputNotFound):
        load(tmp_path / name)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n\n", "is empty"),
        (b"%PDF-1.5\n\xd0\xd4", "is a PDF, not LaTeX source"),
        (b"\x89PNG\r\n\x1a\n", "is a PNG picture"),
        (bytes(range(256)) * 40, "is a binary file"),
        (b"\0\0\0\1\2", "is a binary file"),
        (b"Just a few words.\n", "holds no LaTeX command"),
    ],
)
def test_what_is_no_document_is_refused_with_a_sentence(tmp_path: Path, data: bytes, says: str) -> None:
    with pytest.raises(ProjectError, match=says) as caught:
        load(lay(tmp_path, {"main.tex": data}) / "main.tex")
    assert "name " in str(caught.value), "it says what to do"
    assert caught.value.exit_code == 65
    with pytest.raises(ProjectError, match=says):
        load("-", stdin=io.BytesIO(data))


def test_a_document_full_of_eaten_escapes_is_still_text(tmp_path: Path) -> None:
    text = page(body="\x08egin \x0crac \x07lpha \x0bdots \tau" * 100)
    assert load(lay(tmp_path, {"main.tex": text}) / "main.tex").draft.text("main.tex") == text


def test_a_document_that_includes_itself(tmp_path: Path) -> None:
    files = {"main.tex": page(body="\\input{main}\\input{a}"), "a.tex": "\\input{a}\\input{main}"}
    assert paths(load(lay(tmp_path, files) / "main.tex")) == set(files)


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    lay(tmp_path, {"main.tex": PAGE, "a.tex": "x", "b.png": b"x"})
    for name in ("a.tex", "b.png"):
        (tmp_path / name).chmod(0)
    project = load(tmp_path / "main.tex")
    assert paths(project) == {"main.tex"}
    assert {one.file for one in project.findings} == {"a.tex", "b.png"}
    (tmp_path / "main.tex").chmod(0)
    with pytest.raises(InputNotFound, match="Permission denied"):
        load(tmp_path / "main.tex")


def test_a_main_file_without_end_is_refused(tmp_path: Path) -> None:
    with (lay(tmp_path, {"main.tex": PAGE}) / "main.tex").open("ab") as file:
        file.truncate(1024 * 1024 * 1024)
    with pytest.raises(ProjectError, match="larger than"):
        load(tmp_path / "main.tex")


@hypothesis_settings(max_examples=150, deadline=None)
@given(
    st.binary(max_size=400) | st.text(max_size=200).map(lambda text: ("\\a" + text).encode("utf-8", "surrogatepass"))
)
def test_any_bytes_load_or_are_refused(data: bytes) -> None:
    try:
        project = load("-", stdin=io.BytesIO(data))
    except ProjectError:
        return
    assert project.draft.encoded("document.tex") == data


@hypothesis_settings(max_examples=100, deadline=None)
@given(
    st.text(alphabet="\\{}[]%,./~=\"'\n ab*", max_size=60),
    st.sampled_from(
        ["input", "includegraphics", "import", "graphicspath", "bibliography", "usetheme", "documentclass"]
    ),
)
def test_any_reference_is_survived(text: str, command: str) -> None:
    document = f"\\documentclass{{article}}\\{command}{text}\\{command}{{{text}}}"
    project = load("-", stdin=io.BytesIO(document.encode()))
    assert paths(project) == {"document.tex"}
