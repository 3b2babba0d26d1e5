"""The command line: parse, call, print, exit. The answer goes to standard output, all else to standard error."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

import click

import texrepair
from texrepair.errors import InputNotFound, ProjectError, SettingsError, TexrepairError

if TYPE_CHECKING:
    from texrepair.batch import Outcome
    from texrepair.result import Diagnostic, Step
    from texrepair.settings import Settings

USAGE = 64
INTERRUPTED = 130

ENGINES = ("xelatex", "pdflatex", "lualatex")
STYLES: dict[str, dict[str, Any]] = {
    "place": {"bold": True},
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "note": {"fg": "cyan"},
    "source": {},
    "marker": {"fg": "red"},
}
"""Colours of a diagnostic's parts on a terminal; click leaves them out elsewhere."""
EDIT_MODES = ("full", "diff", "auto")
SANDBOXES = ("auto", "bwrap", "docker", "landlock", "none")


class _Commands(click.Group):
    """click's group, with the exit statuses of texrepair."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        as_json = "--json" in (sys.argv[1:] if args is None else args)
        try:
            status = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.ClickException as wrong:
            wrong.show()
            status = USAGE
            _json_of_failure(as_json, status, wrong.format_message())
        except TexrepairError as error:
            tell(f"texrepair: {error}")
            status = error.exit_code
            _json_of_failure(as_json, status, str(error))
        except (KeyboardInterrupt, click.Abort):
            tell("texrepair: interrupted")
            status = INTERRUPTED
        sys.exit(status)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(texrepair.__version__, prog_name="texrepair", message="%(prog)s %(version)s")
def commands() -> None:
    """Repairs LaTeX that does not compile, with the compiler as the judge.

    INPUT is a .tex file, a folder, a .zip, or - for standard input.
    """


def main() -> None:
    """The program `texrepair`."""
    sys.excepthook = report_fault
    for number in (signal.SIGTERM, signal.SIGHUP):
        # The way out of Ctrl-C closes the session, and that ends the engines.
        signal.signal(number, _interrupt)
    commands(prog_name="texrepair")


def tell(text: str) -> None:
    """Print a line on standard error, control characters made visible."""
    from texrepair.visible import visible

    click.echo(visible(text), err=True)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def report_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Write what happened into a file, and say where it is. Python then exits with status 1."""
    import platform
    import tempfile
    import traceback

    said = "".join(traceback.format_exception(kind, error, trace))
    what = f"texrepair {texrepair.__version__}, Python {platform.python_version()}, {platform.platform()}\n\n{said}"
    try:
        descriptor, path = tempfile.mkstemp(prefix="texrepair-fault-", suffix=".txt")
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(what)
    except OSError as unwritable:
        path = f"nowhere ({unwritable})"
    tell(f"texrepair: a fault of texrepair's own ({kind.__name__}); what happened is written to {path}")


def _settings(**given: object) -> Settings:
    """Settings from the options that were given, the environment and texrepair.toml. Raises SettingsError."""
    from texrepair.settings import read_settings, unknown_variables

    for name in unknown_variables(os.environ):
        tell(f"texrepair: warning: there is no setting {name}; it is ignored")
    return read_settings(**{name: value for name, value in given.items() if value is not None and value != ()})


def _values(pairs: tuple[str, ...]) -> dict[str, str] | None:
    for pair in pairs:
        if not pair.partition("=")[0].strip() or "=" not in pair:
            raise SettingsError(f"--set {pair}: write NAME=VALUE")
    return {name.strip(): value for name, _, value in (pair.partition("=") for pair in pairs)} or None


def _json_of_failure(as_json: bool, status: int, reason: str) -> None:
    """What a consumer of --json reads where there is no result."""
    if as_json:
        from texrepair.deliver.views import failure

        _json(failure(status, reason))


def _json(value: object) -> None:
    import json

    # ASCII alone: whatever a document holds, a terminal and any locale can take it.
    click.echo(json.dumps(value, indent=1))


_INPUT = click.argument("source", metavar="INPUT", type=click.Path(allow_dash=True))
_ENGINE = click.option("--engine", type=click.Choice(ENGINES), help="The engine; it is never switched then.")
_SANDBOX = click.option("--sandbox", type=click.Choice(SANDBOXES), help="Where programs run.  [default: auto]")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output, and nothing else there.")
_SET = click.option("--set", "pairs", metavar="NAME=VALUE", multiple=True, help="Value of a template's name.")
_ONLY = click.option("--only", metavar="ID", multiple=True, help="Only this rule; may be repeated.")
_DISABLE = click.option("--disable", metavar="ID", multiple=True, help="Not this rule; may be repeated.")
_RULES = click.option("--rules", metavar="DIR", type=click.Path(path_type=Path), help="A folder of further rules.")


def _options(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_BUILDING = (
    click.option("--model", metavar="PROVIDER:NAME", help="The model that is asked when no rule helps."),
    click.option("--base-url", metavar="URL", help="Address of the model's API.  [default: the provider's own]"),
    click.option("--no-llm", is_flag=True, help="Ask no model."),
    _ENGINE,
    click.option("--rounds", type=int, help="Most calls to the model.  [default: 2]"),
    click.option("--budget", type=float, metavar="SECONDS", help="Time for everything.  [default: 600]"),
    click.option(
        "--edit-mode",
        type=click.Choice(EDIT_MODES),
        help="What the model is asked for: the whole file, SEARCH/REPLACE blocks, or blocks and then the whole file.",
    ),
    click.option("--max-tokens", type=int, help="Most tokens that the model may answer with.  [default: 32000]"),
    click.option("--max-cost", type=float, help="Most money for the model; needs the settings price_in and price_out."),
    _SANDBOX,
    click.option("--strict", is_flag=True, help="Objections, such as output that never settles, are failures."),
    click.option("--cache/--no-cache", default=None, help="Give the earlier result where nothing has changed, or not."),
    _JSON,
    _SET,
    _ONLY,
    _DISABLE,
    _RULES,
)
"""What a build may be told."""


def _building(model: str | None, no_llm: bool, strict: bool, pairs: tuple[str, ...], **given: object) -> Settings:
    """Settings from the options in _BUILDING."""
    if model is not None and no_llm:
        raise click.UsageError("--model and --no-llm contradict each other.")
    settings = _settings(model=model, strict=strict or None, values=_values(pairs), **given)
    return settings.but(model=None) if no_llm else settings


@commands.command()
@_INPUT
@click.option("-o", "output", metavar="DIR", type=click.Path(path_type=Path), help="Put all results into this folder.")
@click.option("--in-place", is_flag=True, help="On success write the repaired sources over the input (old: .orig).")
@_options(*_BUILDING)
def build(source: str, output: Path | None, in_place: bool, as_json: bool, **given: Any) -> int:
    """Repair INPUT until it compiles, and write PDF, repaired sources, diff and run log.

    Without -o the PDF is put beside the input and all else into NAME.texrepair.
    """
    settings = _building(**given)
    from texrepair.account import account
    from texrepair.pipeline import build as run

    with _progress(shown=not as_json) as on_step:
        result = run(source, settings=settings, output=output, in_place=in_place, on_step=on_step)
    if as_json:
        from texrepair.deliver import as_json as view

        _json(view(result))
    else:
        for line in account(result):
            tell(line)
        if result.pdf is not None:
            click.echo(result.pdf)
    return result.exit_code


@commands.command()
@click.argument("sources", metavar="INPUT...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("-o", "output", metavar="DIR", required=True, type=click.Path(path_type=Path), help="Where results go.")
@click.option("--jobs", type=click.IntRange(1), help="Documents at the same time.  [default: one for each core]")
@_options(*_BUILDING)
def batch(sources: tuple[Path, ...], output: Path, jobs: int | None, as_json: bool, **given: Any) -> int:
    """Build every INPUT as `build` does, several at the same time.

    Results lie in DIR as the inputs lie below their common folder. A document that fails never stops the others. The
    exit status is 0 if all are, else the first of 1, 69, 64, 66, 65, 5, 4, 3, 2 that any document has.
    """
    settings = _building(**given)
    from texrepair.batch import documents, exit_code, run

    def tell_end(outcome: Outcome) -> None:
        if not as_json:
            tell(outcome.line)

    cores = len(os.sched_getaffinity(0))
    outcomes = run(documents(sources, output), settings, jobs or cores, on_end=tell_end, on_fault=report_fault)
    if as_json:
        _json([outcome.as_json() for outcome in outcomes])
    else:
        for outcome in outcomes:
            if outcome.result is not None and outcome.result.pdf is not None:
                click.echo(outcome.result.pdf)
    return exit_code(outcomes)


@contextmanager
def _progress(shown: bool) -> Iterator[Callable[[Step], None] | None]:
    """What to call after each stage: it moves a line on the terminal, if standard error is one."""
    if not shown or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text("texrepair")) as line:
        yield lambda step: line.update(Text(f"texrepair: {step.stage} done in {step.seconds:.1f} s"))


@commands.command()
@_INPUT
@_options(_ENGINE, _SANDBOX, _JSON)
def check(source: str, as_json: bool, **given: object) -> int:
    """Compile INPUT fully and say what is wrong with it. Nothing is changed.

    Exit status 0 where it compiles, 4 where it does not.
    """
    settings = _settings(**given)
    import time

    from texrepair.compile.session import Session
    from texrepair.project import Project

    project = Project.load(source, settings=settings)
    with Session(project, settings) as session:
        result = session.compile(project.draft, project.engine, deadline=time.monotonic() + settings.budget)
    _answer((*result.diagnostics, *project.findings), as_json, project.draft.texts)
    for objection in result.objections:
        tell(f"texrepair: {objection}")
    return 0 if result.ok else 4


@commands.command()
@_INPUT
@_options(_ENGINE, _SANDBOX)
def watch(source: str, **given: object) -> None:
    """Compile INPUT, a file or folder, and again on every save, until Ctrl-C. Nothing is repaired or changed.

    Says what is wrong, and how long after the save that and the PDF were there.
    """
    settings = _settings(**given)
    from texrepair.watch import Screen
    from texrepair.watch import watch as run

    def show(errors: Sequence[Diagnostic], texts: Mapping[str, str]) -> None:
        _answer(errors, False, texts)

    run(source, settings, Screen(tell, show))


@commands.command()
@_INPUT
@click.option("--write", is_flag=True, help="Write the repaired sources over the input (old: .orig).")
@click.option("--check", "only_check", is_flag=True, help="Exit with status 4 if anything would change.")
@_options(_ENGINE, _SET, _ONLY, _DISABLE, _RULES)
def sanitize(source: str, write: bool, only_check: bool, pairs: tuple[str, ...], **given: object) -> int:
    """Apply the static rules alone to INPUT, without compiling it; print what changes as a diff."""
    settings = _settings(values=_values(pairs), **given)
    from functools import partial

    from texrepair.deliver import check_places, diff, write_back
    from texrepair.encoding import readable
    from texrepair.guard import guard
    from texrepair.project import Project
    from texrepair.rules import loaded
    from texrepair.sanitize import sanitize as run

    project = Project.load(source, settings=settings)
    if write:
        check_places(project, None, in_place=True)
    recoded, first = readable(project.draft, project.engine)
    chosen = loaded(settings.rules, settings.only, settings.disable, static=True)
    watch = partial(guard, assets=project.assets)
    assets = frozenset(project.assets)
    after, then = run(recoded, project.main, project.engine, assets, chosen, settings.values, watch)
    for finding in project.findings:
        tell(f"texrepair: {finding.message}")
    for fix in (*first, *then):
        tell(f"{fix.file}:{fix.line}: {fix.why} [{fix.rule}]{'' if fix.kept else f': {fix.verdict}'}")
    _text(diff(project.draft, after))
    changed = after.changed_from(project.draft)
    if write and changed:
        write_back(project, {path: after.encoded(path) for path in changed})
    return 4 if only_check and changed else 0


@commands.command()
@click.argument("log", type=click.Path(allow_dash=True))
@_JSON
def diagnose(log: str, as_json: bool) -> int:
    """Say what LOG, the log of a TeX engine, bibtex, biber or an index program, reports. - reads standard input."""
    from texrepair.diagnosis import diagnose as run

    try:
        if log == "-":
            found = run(sys.stdin.buffer)
        else:
            with Path(log).open("rb") as stream:
                found = run(stream)
    except OSError as unreadable:
        raise InputNotFound(f"{log} cannot be read: {unreadable.strerror}") from unreadable
    if not (found.diagnostics or found.engine or found.finished or found.pages is not None):
        title = "standard input" if log == "-" else log
        raise ProjectError(f"{title}: this is no log of TeX, BibTeX, biber or an index program")
    _answer(found.diagnostics, as_json)
    return 0


@commands.command()
@_INPUT
@click.option("-o", "output", metavar="ZIP", type=click.Path(path_type=Path), help="Where the zip goes.")
@_options(_ENGINE, _SANDBOX)
def export(source: str, output: Path | None, **given: object) -> int:
    """Pack INPUT, as it is, into a zip that a person can go on with: all that it needs, its .bbl, its log, a README.

    An earlier zip that nobody has changed is replaced; any other file of its name is kept as .orig.
    """
    settings = _settings(**given)
    import time

    from texrepair.account import kept_places
    from texrepair.compile.session import Session
    from texrepair.deliver import export_zip, place_beside, write_export
    from texrepair.project import Project

    project = Project.load(source, settings=settings)
    with Session(project, settings) as session:
        result = session.compile(project.draft, project.engine, deadline=time.monotonic() + settings.budget)
    packed = export_zip(
        project,
        "It compiles." if result.ok else "It does not compile yet.",
        diagnostics=result.diagnostics,
        log=result.log,
        generated=result.generated,
    )
    place = output or place_beside(project) / f"{project.name}-export.zip"
    try:
        written = write_export(place, packed)
    except OSError as refused:
        raise SettingsError(f"{place} cannot be written: {refused.strerror}; name another place with -o") from refused
    for line in kept_places(written):
        tell(line)
    click.echo(written["export"])
    return 0


@commands.command()
@click.argument("rule", metavar="[ID]", required=False)
@_RULES
def rules(rule: str | None, **given: object) -> int:
    """List the rules, or show one: why it is needed, what it does, and its examples."""
    settings = _settings(**given)
    from texrepair.rules import loaded

    every = loaded(settings.rules)
    if rule is None:
        width = max((len(one.id) for one in every), default=0)
        for one in every:
            click.echo(f"{one.id:<{width}}  {one.summary}")
        return 0
    found = next((one for one in every if one.id == rule), None)
    if found is None:
        raise SettingsError(f"no rule is called {rule}; `texrepair rules` lists them")
    from texrepair.account import rule_page

    _text(rule_page(found))
    return 0


@commands.command()
def doctor() -> int:
    """Try what a build needs: sandboxes, engines, the programs around them, models."""
    settings = _settings()
    from texrepair.doctor import examine

    worst = 0
    for finding in examine(settings, os.environ):
        click.echo(finding.line)
        worst = worst if finding.well or not finding.needed else 69
    return worst


def _answer(diagnostics: Sequence[Diagnostic], as_json: bool, texts: Mapping[str, str] | None = None) -> None:
    """Print diagnostics as JSON, or in the form that editors parse. Control characters are made visible."""
    if as_json:
        from texrepair.deliver.views import diagnostics_as_json

        _json(diagnostics_as_json(diagnostics))
        return
    from texrepair.diagnosis.show import lines
    from texrepair.rules import answering

    answers = answering() if any(one.is_error for one in diagnostics) else {}
    styled = lines(
        diagnostics, texts or {}, answers=answers, style=lambda role, text: click.style(text, **STYLES[role])
    )
    for line in styled:
        click.echo(line)


def _text(text: str) -> None:
    """Print text of a document or log on standard output; on a terminal control characters are made visible."""
    from texrepair.visible import visible

    shown = visible(text) if sys.stdout.isatty() else text
    click.echo(shown.encode("utf-8", "surrogateescape"), nl=False)
