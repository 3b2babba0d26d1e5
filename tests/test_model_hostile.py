"""The command line against a real HTTP server whose model answers with spoilt forms of the expert's repair.

Judged from outside: exit status, the words of the delivered PDF, and the delivered sources. The rules are switched off,
so that every build comes to the model, whatever they have learnt.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import corpus_cases
import pytest
from hostile import file_variants, variants
from playing import Question, playing

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.tex,
    pytest.mark.bwrap,
    corpus_cases.needed,
    pytest.mark.timeout(7200),
]

ENOUGH = 330
CALL = "from texrepair.cli import main; main()"


class Spoilt(NamedTuple):
    case: str
    engine: str
    kind: str
    path: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.case}/{self.kind}"


def spoilt_repairs() -> list[Spoilt]:
    """`ENOUGH` of them, always the same: from each case in its turn the kind that was taken least often so far."""
    found: dict[str, list[Spoilt]] = defaultdict(list)
    for case in corpus_cases.cases():
        spec = json.loads((corpus_cases.FOLDER / "dev" / case.name / "case.json").read_text())
        if spec.get("repair") != "model":
            continue
        changed = case.fixed.changed_from(case.broken)
        made = [(kind, case.main, text) for kind, text in variants(case.fixed.text(case.main), case.name)]
        made += file_variants(case.fixed.texts, case.main, case.name)
        for kind, path, text in made:
            if path in changed:
                found[case.name].append(Spoilt(case.name, spec.get("engine", "xelatex"), kind, path, text))
    chosen: list[Spoilt] = []
    taken: Counter[str] = Counter()
    while len(chosen) < ENOUGH and any(found.values()):
        for of_case in filter(None, found.values()):
            one = min(of_case, key=lambda one: taken[one.kind])
            of_case.remove(one)
            taken[one.kind] += 1
            chosen.append(one)
    return chosen


def test_no_spoilt_answer_is_delivered(tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    chosen = spoilt_repairs()
    by_name = {one.name: one for one in chosen}
    assert len(by_name) == len(chosen) >= 300
    references = {name: _reference(name) for name in {one.case for one in chosen}}

    def answer(question: Question) -> str:
        one = by_name[question.model]
        if one.kind in ("empty", "apology", "truncated"):
            return one.text
        return f"```latex\n{one.text.rstrip()}\n```\n"

    def outcome(one: Spoilt) -> str:
        return _outcome(one, tmp_path, server.url, references[one.case])

    with playing(answer) as server, ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = dict(zip(by_name, pool.map(outcome, chosen), strict=True))
    asked = {question.model for question in server.asked}
    missed = {name: said for name, said in outcomes.items() if said.startswith("MISSED")}
    said = f"{len(chosen) - len(missed)}/{len(chosen)}"
    record_property("detected", said)
    print(f"\nspoilt answers detected end to end: {said}, {len({one.kind for one in chosen})} kinds")
    print(json.dumps(Counter(outcomes.values()), indent=1))
    assert asked == set(by_name)
    assert not missed


def _outcome(one: Spoilt, scratch: Path, url: str, reference: list[str]) -> str:
    """How a build ended whose model gives this answer; it begins with MISSED where the answer came through."""
    folder = corpus_cases.FOLDER / "dev" / one.case
    out = scratch / one.name.replace("/", "--")
    model = ["--model", f"openai:{one.name}", "--base-url", url]
    command = [sys.executable, "-c", CALL, "build", str(folder / "main.tex"), "--engine", one.engine]
    done = subprocess.run([*command, *model, "--only", "code-fence", "-o", str(out)], capture_output=True, text=True)
    rounds = json.loads((out / "run.json").read_text())["rounds"] if (out / "run.json").exists() else []
    how = "; ".join(f"{one['outcome']}" for one in rounds)
    if done.returncode == 0:
        same = _score().words(_score().pdf_text(out / "main.pdf")) == reference
        return f"exit 0 and the text is right: {how}" if same else f"MISSED: exit 0, another text: {how}"
    if done.returncode not in (2, 4, 5):
        return f"MISSED: exit {done.returncode}: {done.stderr[-500:]}"
    delivered = out / one.path
    if delivered.exists() and delivered.read_bytes() != (folder / one.path).read_bytes():
        return f"MISSED: exit {done.returncode}, and the source is changed: {how}"
    return f"exit {done.returncode}: {how}"


def _score() -> Any:
    """The corpus's judge, as a module."""
    if "corpus_score" not in sys.modules:
        spec = importlib.util.spec_from_file_location("corpus_score", corpus_cases.FOLDER / "score.py")
        assert spec is not None and spec.loader is not None
        module = sys.modules["corpus_score"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules["corpus_score"]


def _reference(name: str) -> list[str]:
    """The words of the expert's repair, in the order of its PDF."""
    folder = corpus_cases.FOLDER / "dev" / name
    spec = json.loads((folder / "case.json").read_text())
    right = _score().reference(folder, spec, Path(os.environ.get("TMPDIR", "/tmp")) / "texrepair-score")
    return list(_score().words(right["text"]))
