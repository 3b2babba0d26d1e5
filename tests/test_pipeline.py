"""A build from end to end: real engines in a real sandbox, a real HTTP server that plays the model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

import texrepair
from texrepair import Status

pytestmark = pytest.mark.tex

TEXREPAIR = Path(sys.executable).parent / "texrepair"

BROKEN = r"""\documentclass{article}
\begin{document}
\section{Harvest}\label{sec:harvest}
The orchard gave 412 kg of apples in the third year.
\alphabad

\begin{tabular}{lr}
early & 118 \\
late & 294 \\
\end{tabular}

Section~\ref{sec:harvest} sums it up.
\end{document}
"""
OTHER = BROKEN.replace("alphabad", "betabad")
THIRD = BROKEN.replace("alphabad", "gammabad")
RIGHT = BROKEN.replace("\\alphabad\n", "")
NO_TABLE = RIGHT.replace(RIGHT[RIGHT.index("\\begin{tabular}") : RIGHT.index("Section~")], "")


def answer(text: str) -> Response:
    """A server's answer in the form of Chat Completions, with the document in a fence."""
    message = {"role": "assistant", "content": f"Here it is:\n```latex\n{text}```\n"}
    body = {
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 300},
    }
    return Response(json.dumps(body), content_type="application/json")


@pytest.fixture
def article(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith("TEXREPAIR_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "article.tex"
    path.write_text(BROKEN)
    return path


@pytest.fixture
def ask(httpserver: HTTPServer, article: Path) -> Callable[..., texrepair.BuildResult]:
    """Builds with a model server that gives these answers, one after the other."""

    # Without the rules that answer errors, so that the model has something to do.
    def run(*answers: str, **named: object) -> texrepair.BuildResult:
        for text in answers:
            httpserver.expect_ordered_request("/v1/chat/completions").respond_with_response(answer(text))
        return texrepair.build(
            article,
            model="openai:play",
            base_url=httpserver.url_for("/v1"),
            api_key="sk-secret-0815",
            output="out",
            only=("code-fence",),
            **named,
        )

    return run


def texts(pdf: Path) -> str:
    return subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout


def test_a_rule_repairs_it_without_any_model(article: Path) -> None:
    article.write_text(BROKEN.replace("\\alphabad", "The plots a_b & c_d gave more."))
    result = texrepair.build(article, output="out")
    assert result and result.status is Status.SUCCESS and result.exit_code == 0
    assert result.pdf == Path("out/article.pdf")
    assert "& " in texts(result.pdf)
    assert {fix.file for fix in result.kept} == {"article.tex"}
    assert Path("out/article.tex").read_bytes() == result.sources["article.tex"]


def test_a_right_document_comes_out_with_the_same_text(article: Path) -> None:
    article.write_text(RIGHT)
    result = texrepair.build(article, output="out")
    assert result.ok and not result.sources and not result.fixes and result.diff == ""
    assert "412 kg" in texts(Path("out/article.pdf"))


def test_round_1_fails_and_round_2_succeeds(ask: Callable[..., texrepair.BuildResult]) -> None:
    result = ask(OTHER, RIGHT)
    assert result.status is Status.SUCCESS
    assert [done.outcome for done in result.rounds] == ["no better", "repaired"]
    assert result.usage.tokens_in == 1800 and result.usage.tokens_out == 600
    assert "294" in texts(Path("out/article.pdf"))


def test_the_same_error_again_stops_after_round_1(ask: Callable[..., texrepair.BuildResult]) -> None:
    result = ask(BROKEN.replace("in the third year", "in  the third year"))
    assert (result.status, result.gate, result.exit_code) == (Status.NO_PROGRESS, "no_progress", 4)
    assert len(result.rounds) == 1


def test_two_rounds_without_success_end_it(ask: Callable[..., texrepair.BuildResult]) -> None:
    result = ask(OTHER, THIRD)
    assert (result.status, result.gate, result.exit_code) == (Status.MAX_ROUNDS, "max_rounds", 2)
    assert len(result.rounds) == 2
    assert not result.sources, "a draft that is no better is not delivered"
    with zipfile.ZipFile("out/article-export.zip") as archive:
        assert archive.read("article.tex").decode() == BROKEN
        assert "Undefined control sequence" in archive.read("README.txt").decode()


def test_the_budget_ends_it(article: Path, httpserver: HTTPServer) -> None:
    ahead = [0.0]

    def slow(request: Request) -> Response:
        ahead[0] += 1000.0
        return answer(OTHER)

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(slow)
    result = texrepair.build(
        article,
        model="openai:play",
        base_url=httpserver.url_for("/v1"),
        api_key="sk-secret-0815",
        output="out",
        only=("code-fence",),
        clock=lambda: time.monotonic() + ahead[0],
    )
    assert (result.status, result.gate, result.exit_code) == (Status.TIMEOUT, "budget", 3)
    assert len(result.rounds) == 1
    assert Path("out/article-export.zip").is_file()


def test_a_model_that_drops_a_table_is_refused(ask: Callable[..., texrepair.BuildResult]) -> None:
    result = ask(NO_TABLE, NO_TABLE)
    assert (result.status, result.exit_code) == (Status.ESCALATE, 5)
    assert [done.outcome for done in result.rounds] == ["refused by the guard"] * 2
    assert "118" in result.rounds[0].reason or "early" in result.rounds[0].reason
    assert not result.sources


def test_round_2_is_told_why_round_1_was_refused(
    ask: Callable[..., texrepair.BuildResult], httpserver: HTTPServer
) -> None:
    result = ask(NO_TABLE, RIGHT)
    assert result.status is Status.SUCCESS
    second = httpserver.log[1][0].get_data(as_text=True)
    assert "early" in second and result.rounds[0].reason.split("\n")[0][:40] in json.dumps(json.loads(second))


def test_without_rules_or_model_that_help_a_person_gets_a_package(article: Path) -> None:
    result = texrepair.build(article, output="out", only=("code-fence",))
    assert (result.status, result.exit_code) == (Status.ESCALATE, 5)
    assert not Path("out/article.pdf").exists()
    with zipfile.ZipFile("out/article-export.zip") as archive:
        assert {"article.tex", "article.log", "README.txt"} <= set(archive.namelist())


def test_a_model_server_that_is_down_leaves_the_package(article: Path, unused_port: int) -> None:
    result = texrepair.build(
        article,
        model="openai:play",
        base_url=f"http://127.0.0.1:{unused_port}/v1",
        api_key="sk-x",
        output="out",
        budget=30,
        only=("code-fence",),
    )
    assert result.exit_code == 5
    assert "could not be asked" in result.reason
    assert Path("out/article-export.zip").is_file()


@pytest.mark.parametrize(
    "reply", ["", "\\documentclass{article}\n\\begin{document}\nThe orchard", "I am sorry, I cannot."]
)
def test_an_empty_or_truncated_answer_is_never_compiled(ask: Callable[..., texrepair.BuildResult], reply: str) -> None:
    result = ask(*[reply] * 4)
    assert result.status is Status.ESCALATE
    assert {done.outcome for done in result.rounds} == {"unusable reply"}
    assert not result.sources


def test_no_key_is_written_anywhere(ask: Callable[..., texrepair.BuildResult]) -> None:
    result = ask(OTHER, THIRD)
    assert "sk-secret-0815" not in repr(result)
    for path in Path("out").rglob("*"):
        data = path.read_bytes()
        assert b"sk-secret-0815" not in data, path
    with zipfile.ZipFile("out/article-export.zip") as archive:
        assert all(b"sk-secret-0815" not in archive.read(name) for name in archive.namelist())


def test_two_builds_of_one_project_do_not_disturb_each_other(article: Path) -> None:
    article.write_text(RIGHT)
    results: dict[str, texrepair.BuildResult] = {}

    def run(name: str) -> None:
        results[name] = texrepair.build(article, output=name)

    threads = [threading.Thread(target=run, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results["one"].ok and results["two"].ok
    assert texts(Path("one/article.pdf")) == texts(Path("two/article.pdf"))


def test_a_killed_build_leaves_the_users_folder_as_it_was_and_no_process(article: Path, tmp_path: Path) -> None:
    article.write_text(RIGHT.replace("\\section", "\\message{started}\\def\\x{\\x}\\x\\section"))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    child = subprocess.Popen([TEXREPAIR, "build", "article.tex", "--no-llm"], cwd=tmp_path, start_new_session=True)
    engines = wait_for(lambda: running_below(child.pid, "xelatex"))
    child.send_signal(signal.SIGKILL)
    child.wait()
    wait_for(lambda: not any(Path(f"/proc/{engine}").exists() for engine in engines))
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before


def test_the_async_form_gives_the_same(article: Path) -> None:
    import asyncio

    article.write_text(RIGHT)
    assert asyncio.run(texrepair.abuild(article, output="out")).status is Status.SUCCESS


@pytest.fixture
def unused_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def running_below(parent: int, program: str) -> list[int]:
    """The processes of that program that descend from `parent`."""
    parents, names = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        pid, rest = int(stat.parent.name), text.rpartition(")")[2].split()
        parents[pid], names[pid] = int(rest[1]), text[text.index("(") + 1 : text.rindex(")")]

    def descends(pid: int) -> bool:
        while pid in parents and pid != parent:
            pid = parents[pid]
        return pid == parent

    return [pid for pid, name in names.items() if name == program and descends(pid)]


def wait_for(look: Callable[[], Any]) -> Any:
    """What `look` gives once it is true; polls, since a process in another namespace tells nobody of its end."""
    until = time.monotonic() + 60
    while not (found := look()):
        assert time.monotonic() < until, "waited for a minute"
        time.sleep(0.05)
    return found


def test_a_main_file_in_a_subfolder_reads_what_lies_above_it(article: Path, tmp_path: Path) -> None:
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "main.tex").write_text(RIGHT.replace("The orchard", "\\input{../shared}\nThe orchard"))
    (tmp_path / "shared.tex").write_text("Rain fell in May.\n")
    article.unlink()
    result = texrepair.build(tmp_path, output="out")
    assert result.ok and "Rain fell in May" in texts(Path("out/main.pdf"))
