"""What a model is asked: the draft, the report, the rules, the mandate, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

import jinja2

from texrepair.better import path_in
from texrepair.diagnosis import excerpt
from texrepair.latex import lex, part_of
from texrepair.models.base import estimated_tokens
from texrepair.project import Draft
from texrepair.repair.part import LIMIT, outline, pieces
from texrepair.result import CompileResult, Diagnostic

Form = Literal["full", "diff"]
"""What the answer has to be: the whole file, or SEARCH/REPLACE blocks."""

MOST_NAMED = 12_000
"""Characters of a second file that is shown because the report names it."""
MOST_PATHS = 40
"""Files of the project that are named, beside the one that is asked for."""
_CODE = (".lua", ".py", ".latexmkrc", ".gst", ".xdy", ".sh", ".pl")
"""Other programs run what stands in these, outside of any sandbox: no model writes them."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An attempt that was not kept: what the next round is told of it."""

    reason: str = ""
    """Why the answer was refused or could not be used."""
    report: str = ""
    """The excerpt of what the compiler said, where it was compiled."""
    kept: bool = False
    """It was an improvement, but for the part that `reason` tells of."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question to a model."""

    system: str
    """The same for every document."""
    text: str
    """The draft and the report."""
    coda: str
    """What became of the attempt before this one; "" in the first round."""
    target: str
    """The file that is asked for."""
    form: Form

    @property
    def characters(self) -> int:
        return len(self.system) + len(self.text) + len(self.coda)


def composed(
    draft: Draft,
    main: str,
    result: CompileResult,
    *,
    engine: str,
    form: Form,
    full_limit: int,
    max_tokens: int,
    failure: Failure | None = None,
    limit: int = LIMIT,
) -> Prompt:
    """The prompt for one round.

    The file that holds the first error is shown, and small ones that this error names. A file of more than `full_limit`
    characters, or one that does not fit in `max_tokens` when it is written anew, is shown in part, and the form is then
    SEARCH/REPLACE whatever was asked for; `limit` is how many characters of it are shown.
    """
    errors = sorted(result.errors, key=lambda d: not d.independent)
    target = target_of(draft, main, errors)
    text = draft.text(target)
    whole = len(text) <= full_limit
    if not whole or estimated_tokens(text) * 1.1 > max_tokens:
        form = "diff"
    files = [_shown(draft, target, None if whole else _lines(draft, main, target, errors), main, limit)]
    files += [{"path": p, "whole": True, "text": draft.text(p)} for p in _named(draft, errors[:1], target)]
    report = excerpt(result.diagnostics) or "There is no error line, and no whole PDF either."
    others = [path for path in writable(draft) if path != target][:MOST_PATHS]
    values = {"form": form, "main": main, "target": target, "engine": engine, "others": others}
    coda = "" if failure is None else rendered("retry", failure=failure)
    return Prompt(
        rendered("system", **values), rendered("repair", files=files, report=report, **values), coda, target, form
    )


def target_of(draft: Draft, main: str, errors: Sequence[Diagnostic]) -> str:
    """The file of the draft that holds the first error; the main file where it is none of the draft's."""
    for error in errors[:1]:
        for file in (error.place.file if error.place else None, error.file):
            path = path_in(draft, file, main) if file is not None else None
            if path in writable(draft):
                return path
    return main


def writable(draft: Draft) -> list[str]:
    """The files of a draft that a model may change."""
    return [path for path in sorted(draft) if not path.lower().endswith(_CODE)]


def fenced(text: str, language: str = "") -> str:
    """The text between two fences that are longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{_sendable(text)}\n{fence}"


def rendered(template: str, **values: object) -> str:
    """One of the templates in templates/prompts; a variable that it does not get is an error."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("texrepair"),
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["fenced"] = fenced
    return environment.get_template(f"prompts/{template}.md.j2").render(values).strip("\n")


def _sendable(text: str) -> str:
    # Lone surrogates are bytes that could not be decoded; a byte-order mark is put back when the file is written.
    shown = re.sub(r"[\ud800-\udfff]", "\ufffd", text.removeprefix("\ufeff"))
    return shown.replace("\r\n", "\n").removesuffix("\n")


def _shown(draft: Draft, path: str, lines: Sequence[int] | None, main: str, limit: int) -> dict[str, object]:
    """What the template needs to know of the file that is asked for; with `lines`, of the parts around them."""
    text = draft.text(path)
    if lines is None:
        return {"path": path, "whole": True, "text": text}
    source = lex(text, part_of(path, main))
    return {
        "path": path,
        "whole": False,
        "lines": source.line_count,
        "pieces": pieces(source, lines, limit),
        "outline": outline(source),
    }


def _lines(draft: Draft, main: str, path: str, errors: Sequence[Diagnostic]) -> list[int]:
    """The lines of a file in which errors are."""
    places = [place for error in errors if (place := error.place) is not None]
    return [p.line for p in places if p.line is not None and path_in(draft, p.file, main) == path]


def _named(draft: Draft, errors: Sequence[Diagnostic], target: str) -> list[str]:
    """Other files of the draft that an error names, by path or by file name."""
    said = "\n".join(
        part
        for d in errors
        for part in (d.message, d.token, d.file, d.before, d.after, *d.context, d.origin.file if d.origin else None)
        if part
    )
    return [
        path
        for path in sorted(draft)
        if path != target and len(draft.text(path)) <= MOST_NAMED and _mentions(said, path)
    ]


def _mentions(text: str, path: str) -> bool:
    names = {path, PurePosixPath(path).name}
    # \input may leave the ending out; a bare stem is too often an ordinary word.
    return f"{{{path.removesuffix('.tex')}}}" in text or any(
        re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w-])", text) for name in names
    )
