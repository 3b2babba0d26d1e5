"""The words that everything else uses: what a diagnostic, a fix, a round and a result are.

Plain frozen values. Every view of a build (table, JSON, exit status, run log) is a function of one BuildResult.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Literal, TypeVar

Severity = Literal["error", "warning"]

_Number = TypeVar("_Number", int, float)

Tool = Literal["tex", "bibtex", "biber", "index", "driver", "texrepair"]
"""Who reported a diagnostic: an engine, a bibliography or index tool, xdvipdfmx, or texrepair itself."""


class Status(Enum):
    """How a build ended. The value is the name in JSON."""

    SUCCESS = "SUCCESS"
    MAX_ROUNDS = "MAX_ROUNDS"
    TIMEOUT = "TIMEOUT"
    NO_PROGRESS = "NO_PROGRESS"
    ESCALATE = "ESCALATE"

    @property
    def exit_code(self) -> int:
        """The exit status of the process: 0, 2, 3, 4 or 5."""
        return {"SUCCESS": 0, "MAX_ROUNDS": 2, "TIMEOUT": 3, "NO_PROGRESS": 4, "ESCALATE": 5}[self.value]

    @property
    def sentence(self) -> str:
        """The status in plain words."""
        return {
            "SUCCESS": "The document compiles.",
            "MAX_ROUNDS": "The model's rounds are used up and errors remain.",
            "TIMEOUT": "The time budget ended before the document compiled.",
            "NO_PROGRESS": "The same error came back, so asking again would not help.",
            "ESCALATE": "No rule helps any more and no model could be used: a person is needed.",
        }[self.value]


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a source file."""

    file: str
    """Path relative to the project's root, with forward slashes."""
    line: int | None
    """1-based, or None where the report names none."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error or warning of one program."""

    severity: Severity
    kind: str
    """`error`, or the kind of the warning: undefined-reference, undefined-citation, missing-character, overfull,
    underfull, font, rerun, other."""
    message: str
    """The whole text, unwrapped, continuation lines joined, without the final full stop."""
    code: str = ""
    """What exactly it is, e.g. `undefined-control-sequence`; the table of codes is diagnosis/causes.py."""
    file: str | None = None
    """The file that the program read at that moment, as the program named it."""
    line: int | None = None
    """1-based line of that file."""
    token: str | None = None
    """The command, environment, file or character that the message is about."""
    before: str = ""
    """What TeX had read of the line (the first half of its `l.NN` context)."""
    after: str = ""
    """What it had not read yet (the second half)."""
    context: tuple[str, ...] = ()
    """The expansion context above `l.NN` (macros, arguments), and Runaway text, innermost first, one string a line."""
    tool: Tool = "tex"
    origin: Place | None = None
    """Where the cause probably stands, if that is known to be elsewhere."""
    key: str | None = None
    """The bibliography entry's key."""
    independent: bool = True
    """False when it follows from an earlier one."""
    explanation: str = ""
    """One or two plain sentences for a person."""
    detail: Mapping[str, str | int | float] = field(default_factory=dict)
    """What only some kinds have: `size` of a box in pt, `character`, `font`, `package`, `option` …"""

    @property
    def is_error(self) -> bool:
        return self.severity == "error"

    @property
    def headline(self) -> str:
        """The message in one line; that of an error with the token that it is about."""
        named = self.is_error and self.token and self.token not in self.message
        return " ".join((f"{self.message}: {self.token}" if named else self.message).split())

    @property
    def place(self) -> Place | None:
        """Where to look first: the origin if it is known, else TeX's own place."""
        if self.origin is not None:
            return self.origin
        return Place(self.file, self.line) if self.file is not None else None


@dataclass(frozen=True, slots=True)
class Pass:
    """One run of one program."""

    program: str
    seconds: float
    exit_status: int | None
    """None when it was killed."""
    warm: bool = False
    stopped_for: str | None = None
    """The limit that ended it: `time`, `memory`, `output`, or None."""


@dataclass(frozen=True, slots=True)
class CompileResult:
    """What a check or a compile found."""

    ok: bool
    """Exit status 0 of every program, no error, and (for a compile) a whole PDF written by this very run."""
    diagnostics: tuple[Diagnostic, ...] = ()
    pdf: Path | None = None
    """The PDF, outside the sandbox; it belongs to the session and goes with it."""
    log: str = ""
    """The log of the last engine pass, lossily decoded."""
    passes: tuple[Pass, ...] = ()
    seconds: float = 0.0
    generated: Mapping[str, bytes] = field(default_factory=dict)
    """Generated files worth keeping (.bbl, .ind, .gls), by name."""
    objections: tuple[str, ...] = ()
    """What is wrong although it compiled: output that never settled."""

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.is_error)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if not d.is_error)

    @property
    def timed_out(self) -> bool:
        return any(p.stopped_for == "time" for p in self.passes)


@dataclass(frozen=True, slots=True)
class Fix:
    """One change of the sources by a rule, kept or taken back."""

    rule: str
    file: str
    line: int
    """1-based line of the file before the change."""
    before: str
    """The changed lines as they were."""
    after: str
    """The same lines as they became."""
    why: str = ""
    kept: bool = True
    stage: Literal["sanitize", "mend"] = "sanitize"
    answered: str = ""
    """The message of the diagnostic that it answers."""
    verdict: str = ""
    """What the check (or the guard) said: why it was kept or taken back."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check or compile of a draft, as the run log tells it."""

    stage: str
    draft: str
    """The draft's digest, shortened."""
    ok: bool
    errors: int
    fingerprint: str
    seconds: float
    engine_passes: int = 0
    """Passes of the engine. The first one of a compile is that of the clean check before it, if there was one."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more calls; None where the server did not say."""

    tokens_in: int | None = None
    """All input tokens, cached ones included."""
    cached: int | None = None
    tokens_out: int | None = None
    seconds: float = 0.0
    cost: float | None = None
    """Money, in the unit of the prices in the settings; None where no prices are set."""

    def __add__(self, other: Usage) -> Usage:
        def both(a: _Number | None, b: _Number | None) -> _Number | None:
            return b if a is None else a if b is None else a + b

        return Usage(
            both(self.tokens_in, other.tokens_in),
            both(self.cached, other.cached),
            both(self.tokens_out, other.tokens_out),
            self.seconds + other.seconds,
            both(self.cost, other.cost),
        )


@dataclass(frozen=True, slots=True)
class Round:
    """One call to a model and the verification of what it returned."""

    number: int
    """1-based."""
    outcome: Literal["repaired", "better", "no better", "refused by the guard", "unusable reply", "model error"]
    reason: str = ""
    """Why it was refused or could not be used, or the guard's remark."""
    fingerprint: str | None = None
    """Of the draft that the model returned; None where nothing was compiled."""
    errors: int | None = None
    usage: Usage = Usage()
    prompt_characters: int = 0
    files: tuple[str, ...] = ()
    """The files that it changed."""


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of the pipeline and how long it took."""

    stage: str
    seconds: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build came to. Truthy when the document compiles."""

    status: Status
    reason: str
    """Why it ended so, in a sentence."""
    main: str
    engine: str
    pdf: Path | None = None
    """The delivered PDF."""
    sources: Mapping[str, bytes] = field(default_factory=dict)
    """The changed or added source files of the best draft, by path."""
    diff: str = ""
    """Unified diff from the input to the best draft."""
    fixes: tuple[Fix, ...] = ()
    rounds: tuple[Round, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    """Of the best draft's last compile, then what was found on loading."""
    checks: tuple[Check, ...] = ()
    passes: tuple[Pass, ...] = ()
    steps: tuple[Step, ...] = ()
    gate: str | None = None
    """The gate that ended the rounds: max_rounds, budget, no_progress; None where none did."""
    objections: tuple[str, ...] = ()
    sandbox: str = ""
    seconds: float = 0.0
    cached: bool = False
    """Whether it is the result of an earlier build of the same input; `checks` and `passes` are that build's."""
    delivered: Mapping[str, Path] = field(default_factory=dict)
    """What was written for the user, by kind: pdf, export, run_log, diff and `source:PATH`; and `kept:PATH`: where a
    file that was in the way lies now."""

    @property
    def ok(self) -> bool:
        return self.status is Status.SUCCESS

    def __bool__(self) -> bool:
        return self.ok

    @property
    def exit_code(self) -> int:
        return self.status.exit_code

    @property
    def usage(self) -> Usage:
        """Tokens and seconds of all rounds together."""
        total = Usage()
        for done in self.rounds:
            total = total + done.usage
        return total

    @property
    def kept(self) -> tuple[Fix, ...]:
        """The fixes that are in the result."""
        return tuple(f for f in self.fixes if f.kept)
