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
    pytest.mark.timeout(3600),
]

TEXREPAIR = f"{shlex.quote(sys.executable)} -c 'from texrepair.cli import main; main()'"
DEV = corpus_cases.FOLDER / "dev"
NO_RULES = "--only code-fence"


def expert(question: Question) -> str:
    """The expert's repair, as it was asked for: one file whole, or blocks where there is more; the model's name is the
    case's."""
    folder = DEV / question.model
    fixed = {str(p.relative_to(folder / "fixed")): p for p in sorted((folder / "fixed").rglob("*")) if p.is_file()}
    if fixed.keys() == {question.target}:
        text = fixed[question.target or ""].read_text("utf-8")
        return f"Here is the corrected file.\n\n```latex\n{text.rstrip()}\n```\n"
    return "".join(
        f"<<< path={path} >>>\n{_block((folder / path).read_text('utf-8'), place.read_text('utf-8'))}"
        for path, place in fixed.items()
        if (folder / path).exists()
    )


def _block(before: str, after: str) -> str:
    """One SEARCH/REPLACE block from the first line that differs to the last one."""
    # Not splitlines: a form feed is what an agent left of \frac.
    old, new = before.split("\n"), after.split("\n")
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    while (head, tail) != (0, 0):
        search = "\n".join(old[head : len(old) - tail])
        if search.strip() and before.count(search) == 1:
            break
        head, tail = max(0, head - 1), max(0, tail - 1)
    search, put = ("\n".join(lines[head : len(lines) - tail]) for lines in (old, new))
    return f"<<<<<<< SEARCH\n{search}\n=======\n{put}\n>>>>>>> REPLACE\n"


def _common(one: list[str], other: list[str]) -> int:
    """How many lines are the same at the beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


@pytest.mark.parametrize(
    ("provider", "options"), [("openai", ""), ("anthropic", NO_RULES), ("openai", f"{NO_RULES} --edit-mode diff")]
)
def test_every_model_case_ends_repaired(
    provider: str, options: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with playing(expert) as server:
        model = f"--model {provider}:{{case}} --base-url {server.url}"
        command = f"{TEXREPAIR} build {{main}} --engine {{engine}} {model} {options} -o {{out}}"
        done = subprocess.run(
            [
                *(sys.executable, str(corpus_cases.FOLDER / "score.py"), str(DEV), "--repair", "model"),
                *("--command", command, "--json", str(tmp_path / "rows.json")),
            ],
            capture_output=True,
            text=True,
        )
    rows = json.loads((tmp_path / "rows.json").read_text())
    asked = {question.model for question in server.asked}
    said = f"{sum(row['repaired'] for row in rows)}/{len(rows)} repaired, {len(asked)} by the model"
    record_property("repaired", said)
    print(f"\n{provider} {options}: {said}")
    wrong = {row["case"]: row["said"][-600:] for row in rows if not (row["repaired"] and row["honest"])}
    assert rows and not wrong, done.stdout
    assert not options or len(asked) == len(rows)
