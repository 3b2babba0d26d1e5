"""The result as JSON: all of it, in the shape that is promised."""

from __future__ import annotations

import json
from pathlib import Path

from texrepair.deliver import as_json
from texrepair.result import (
    BuildResult,
    Check,
    Diagnostic,
    Fix,
    Pass,
    Place,
    Round,
    Status,
    Step,
    Usage,
)

RESULT = BuildResult(
    Status.MAX_ROUNDS,
    "Two rounds.",
    "main.tex",
    "xelatex",
    sources={"main.tex": b"\xff"},
    fixes=(Fix("code-fence", "main.tex", 1, "a", "b"),),
    rounds=(
        Round(1, "better", usage=Usage(10, None, 5, 1.23456)),
        Round(2, "no better", usage=Usage(20, 4, None, 1.0)),
    ),
    diagnostics=(
        Diagnostic("error", "error", "Undefined control sequence", origin=Place("a.tex", 3), detail={"size": 1.5}),
        Diagnostic("warning", "overfull", "Overfull \\hbox", file="main.tex", line=2),
    ),
    checks=(Check("check", "abc", False, 1, "! Undefined", 0.1),),
    passes=(Pass("xelatex", 0.5, 1),),
    steps=(Step("load", 0.1),),
    gate="max_rounds",
    delivered={"run_log": Path("out/run.json")},
)


def test_it_is_json_and_says_all() -> None:
    told = json.loads(json.dumps(as_json(RESULT)))
    assert (told["status"], told["exit_code"], told["ok"], told["gate"]) == ("MAX_ROUNDS", 2, False, "max_rounds")
    assert told["usage"] == {"tokens_in": 30, "cached": 4, "tokens_out": 5, "seconds": 2.235, "cost": None}
    assert told["changed"] == ["main.tex"]
    assert told["delivered"] == {"run_log": "out/run.json"}
    (error,), (warning,) = told["errors"], told["warnings"]
    assert (error["message"], error["origin"]) == ("Undefined control sequence", {"file": "a.tex", "line": 3})
    assert (warning["kind"], warning["file"], warning["line"]) == ("overfull", "main.tex", 2)


def test_nothing_of_the_result_is_forgotten() -> None:
    seen = set(as_json(RESULT)) | {"diagnostics", "sources"}
    assert set(BuildResult.__dataclass_fields__) <= seen
