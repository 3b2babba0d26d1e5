"""The command line against a real HTTP server whose model answers each case of the corpus with the expert's repair."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import corpus_cases
import pytest
from playing import Question, playing

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.tex,
    pytest.mark.bwrap,
    corpus_cases.needed,
    pytest.mark.timeout(1800),
]

TEXREPAIR = f"{shlex.quote(sys.executable)} -c 'from texrepair.cli import main; main()'"


def expert(question: Question) -> str:
    """The expert's repair of the file that is asked for; the model's name is the case's."""
    assert question.target is not None
    fixed = corpus_cases.FOLDER / "dev" / question.model / "fixed" / question.target
    return f"Here is the corrected file.\n\n```latex\n{fixed.read_text('utf-8').rstrip()}\n```\n"


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_every_model_case_ends_repaired(
    provider: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with playing(expert) as server:
        model = f"--model {provider}:{{case}} --base-url {server.url}"
        command = f"{TEXREPAIR} build {{main}} --engine {{engine}} {model} -o {{out}}"
        score = [sys.executable, str(corpus_cases.FOLDER / "score.py"), str(corpus_cases.FOLDER / "dev")]
        done = subprocess.run(
            [*score, "--repair", "model", "--command", command, "--json", str(tmp_path / "rows.json")],
            capture_output=True,
            text=True,
        )
    rows = json.loads((tmp_path / "rows.json").read_text())
    asked = {question.model for question in server.asked}
    record_property("asked", len(asked))
    print(f"\n{provider}: {sum(row['repaired'] for row in rows)}/{len(rows)} repaired, {len(asked)} by the model")
    wrong = {row["case"]: row["said"][-600:] for row in rows if not (row["repaired"] and row["honest"])}
    assert rows and not wrong, done.stdout
