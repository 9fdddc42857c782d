"""Define a command: a file `commands/NAME.py` with `COMMAND: click.Command`; the group finds it by its file name.

`new_rule.py` is `policy new-rule`. A command's module is imported when the command is named, or when help lists them
all. A command writes only its result to standard output, and returns its exit status (None is 0) or raises one of
`model.errors`; `cli.py` turns that into the process's status.
"""

from __future__ import annotations

import getpass
import importlib
import json
import os
import pkgutil
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

import policy_engine
from policy_engine.export.parquet import SUFFIX, DecisionFile
from policy_engine.loading.event_lines import open_events
from policy_engine.loading.packs import Pack
from policy_engine.model.decision import Decision
from policy_engine.model.errors import ConfigurationError, PolicyLoadError
from policy_engine.model.ladder import RANK
from policy_engine.reports.base import Style, columns, counted, painted, shown, wants_color, without_surrogates

FAMILY = "policy_engine.commands"
FINDINGS, MISUSED, DOES_NOT_LOAD, UNDECIDED = 1, 2, 3, 4  # exit statuses, the same whatever the command and its flags
WATCH_SECONDS = 0.3  # between two looks at files that are watched
TOLD_EVERY = 5.0  # seconds between two lines about the progress of a stage
F = TypeVar("F", bound=Callable[..., Any])
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


GROUPS = {
    "Start here": ("init", "check", "test", "install", "doctor"),
    "Write policies": (
        "packs",
        "add",
        "new",
        "draft",
        "prompt",
        "fmt",
        "diff",
        "prove",
        "report",
        "explain-code",
        "migrate",
        "dump",
        "load",
        "bench",
    ),
    "See what was decided": ("status", "why", "log", "explain", "repl", "eval", "replay", "scan", "suggest", "ship"),
    "Say as a person": ("approve", "trust", "accept", "adopt", "forget"),
    "Run": ("hook", "serve", "mcp", "lsp", "dap"),
    "Set up a shell": ("completion", "man"),
}
"""Heading of `policy --help` -> its commands, in the order in which a newcomer needs them."""
OTHER_NAMES = {"lint": "check", "validate": "check", "format": "fmt", "run": "eval", "setup": "install", "logs": "log"}
"""What other tools call a command -> its name here."""


def command_names() -> list[str]:
    """The names of the commands, sorted, without importing any."""
    folder = importlib.import_module(FAMILY).__path__
    files = (info.name for info in pkgutil.iter_modules(folder))
    return sorted(name.replace("_", "-") for name in files if name != "base" and not name.startswith("_"))


class CommandGroup(click.Group):
    """The `policy` command."""

    def __init__(self) -> None:
        super().__init__(
            name="policy",
            help="Rules for coding agents: write them, test them, decide by them.\n\n"
            "Example: policy check .policy && policy test .policy",
            context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        )
        self.params += [_version_option(), no_color_option()]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in groups; one that is in no group stands in the last."""
        grouped = {name for names in GROUPS.values() for name in names}
        others = tuple(name for name in command_names() if name not in grouped)
        for heading, names in {**GROUPS, **({"Others": others} if others else {})}.items():
            subcommands = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(heading):
                formatter.write_dl([(name, one.get_short_help_str(70)) for name, one in subcommands if one is not None])

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command's name."""
        return command_names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in command_names():
            return None
        module = importlib.import_module(f"{FAMILY}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.COMMAND
        command.name = cmd_name
        if not any(parameter.name == "no_color" for parameter in command.params):
            command.params.append(no_color_option())
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` begins with; an unknown one is refused with the nearest name."""
        name = args[0]
        if not ctx.resilient_parsing and not name.startswith("-") and name not in command_names():
            known = command_names()
            near = [OTHER_NAMES[name]] if name in OTHER_NAMES else get_close_matches(name, known, n=1)
            advice = f"; did you mean `{near[0]}`?" if near else ""
            raise click.UsageError(f"no such command `{name}`{advice}", ctx)
        return super().resolve_command(ctx, args)


def _version_option() -> click.Option:
    def show(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value and not context.resilient_parsing:
            click.echo(f"policy {policy_engine.__version__}")
            context.exit(0)

    return click.Option(
        ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=show, help="Show the version and exit."
    )


def complete_from(names: Callable[[], Iterable[str]]) -> Callable[..., list[str]]:
    """Return what completes an argument in a shell: those of the names that begin as what was typed."""
    return lambda _context, _parameter, typed: [name for name in names() if name.startswith(typed)]


def host_names() -> list[str]:
    """Return the names of the coding agents that have an adapter."""
    folder = importlib.import_module("policy_engine.adapters").__path__
    return sorted(info.name.replace("_", "-") for info in pkgutil.iter_modules(folder) if info.name != "base")


def no_color_option() -> click.Option:
    """`--no-color`, which every command takes before or after its name."""

    def forbid(context: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value:
            context.find_root().color = context.color = False

    return click.Option(["--no-color"], is_flag=True, expose_value=False, callback=forbid, help="Never use colour.")


def format_option(*names: str) -> Callable[[F], F]:
    """`--format`, which hands the chosen name to the command as `format_name`; the first name is the default."""
    return click.option(
        "--format",
        "format_name",
        type=click.Choice(names),
        default=names[0],
        show_default=True,
        help="Form of the output.",
    )


def output_style() -> Style:
    """Colour and width for standard output: colour only on a terminal that wants it, width in columns."""
    context = click.get_current_context(silent=True)
    forbidden = context is not None and context.find_root().color is False
    return Style(color=wants_color(sys.stdout.isatty()) and not forbidden, width=shutil.get_terminal_size().columns)


def emit(text: str) -> None:
    """Write a finished result to standard output as UTF-8, adding the closing line end if it lacks one."""
    data = (text if text.endswith("\n") or not text else text + "\n").encode("utf-8", "backslashreplace")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def note(text: str) -> None:
    """A remark for the person at standard error; never part of the result."""
    sys.stderr.write(shown(text) + "\n")
    sys.stderr.flush()


def remark_solver(is_open: bool, with_solver: bool) -> None:
    """Say what else may answer where something was left open."""
    if is_open and not with_solver:
        note("note: --solver also asks cvc5 about what is left open (extra `solver`)")


def stage_progress() -> Callable[[str, float, str], None] | None:
    """Return what tells a person at a terminal, every few seconds, how far a stage of `verify` is; None elsewhere."""
    if not sys.stderr.isatty():
        return None
    times: dict[str, float] = {}

    def tell(stage: str, seconds: float, line: str) -> None:
        if seconds < times.get(stage, 0):
            del times[stage]  # it runs again
        if seconds - times.get(stage, 0) >= TOLD_EVERY:
            times[stage] = seconds
            note(f"{stage}: {seconds:.0f} s  {line}")

    return tell


def write_file(name: str, text: str) -> None:
    """Write a result into a file. Raises ConfigurationError."""
    try:
        Path(name).write_text(text, "utf-8")
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise ConfigurationError(f"cannot write `{name}`: {reason.lower()}") from None


def person_here() -> str:
    """Return who is at which terminal, for a record of what was said there."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid())
    return f"{user} at {os.ttyname(0)}"


def emit_json(value: Any) -> None:
    """Write one JSON document, indented for reading."""
    emit(json.dumps(without_surrogates(value), indent=2, allow_nan=False))


# ---- policies ------------------------------------------------------------------------------------------------------


def policy_arguments(command: F) -> F:
    """`[PATH...]`: policy files, or folders with every `*.policy` below; `.policy` if none is named."""
    return click.argument("paths", nargs=-1, metavar="[PATH]...")(command)


def policy_options(command: F) -> F:
    """`-p PATH`, once or more."""
    return click.option(
        "-p",
        "--policy",
        "paths",
        multiple=True,
        metavar="PATH",
        help="Policy file or folder; may be repeated [.policy].",
    )(command)


def watch_option(command: F) -> F:
    """`--watch`, with which a command runs again after each change."""
    return click.option("--watch", is_flag=True, help="Run again after each change, until interrupted.")(command)


def existing(paths: Sequence[str]) -> tuple[str, ...]:
    """The paths, or `.policy` if there are none. Raises ConfigurationError for one that does not exist."""
    for path in paths or (".policy",):
        if "\0" in path or not os.path.lexists(path):
            advice = "" if paths else "; name one, or let `policy init` write a starter"
            raise ConfigurationError(f"no such file or folder: `{path}`{advice}")
    return tuple(paths) or (".policy",)


def builtin_option(command: F) -> F:
    """`--builtin`, with which the built-in rules decide too."""
    return click.option("--builtin", is_flag=True, help="Decide by the built-in rules too, as a hook does.")(command)


def solver_option(command: F) -> F:
    """`--solver`, with which cvc5 is asked what the own proof leaves open."""
    text = "Ask the solver cvc5 about what is left open (extra `solver`)."
    return click.option("--solver", "with_solver", is_flag=True, help=text)(command)


def remark_builtin(builtin: bool) -> None:
    """Say at standard error that the built-in rules do not decide here."""
    if not builtin:
        note("note: the built-in rules are left out; --builtin adds them")


@contextmanager
def event_stream(name: str) -> Iterator[BinaryIO]:
    """The events in file `name`, `-` for standard input. Raises ConfigurationError if the file cannot be read."""
    if name != "-":
        with open_events(name) as file:
            yield file
        return
    remark_terminal()
    yield sys.stdin.buffer


@contextmanager
def decision_file(name: str | None) -> Iterator[DecisionFile | None]:
    """The table that is written to a file of this name, None without one; says how much was written."""
    if name is None:
        yield None
        return
    if not name.endswith(SUFFIX):
        raise click.UsageError(f"--out writes a Parquet file: `{name}` does not end in {SUFFIX}")
    with DecisionFile(name) as file:
        yield file
    note(f"wrote {counted(file.written, 'row')} to {name}")


def remark_terminal() -> None:
    """Say what is waited for, where standard input is a terminal."""
    if sys.stdin.isatty():
        note("reading events from the terminal, one JSON object per line; Ctrl-D ends")


def status_of(decisions: Iterable[Decision]) -> int:
    """1 if any verdict refuses, else 4 if any is undecided, else 0."""
    status = 0
    for decision in decisions:
        if RANK[decision.verdict] >= RANK["ask"]:
            return FINDINGS
        if any(rule.outcome == "undecided" for rule in decision.rules):
            status = UNDECIDED
    return status


def repeated(paths: Sequence[str], run: Callable[[], int]) -> int:
    """Run now and whenever a policy below the paths has changed, until interrupted; return the last status."""
    status = 0
    try:
        while True:
            stamp = _stamp(paths)
            try:
                status = run()
            except PolicyLoadError as error:
                from policy_engine.reports.base import Findings, formats_of_check

                status = DOES_NOT_LOAD
                emit(formats_of_check()["text"].render(Findings(tuple(error.diagnostics)), output_style()))
            note("watching for changes; Ctrl-C ends")
            while _stamp(paths) == stamp:
                time.sleep(WATCH_SECONDS)
    except KeyboardInterrupt:
        return status


def _stamp(paths: Sequence[str]) -> frozenset[tuple[str, int, int]]:
    """Return what tells whether a policy file came, went or changed."""
    times = set()
    for path in map(Path, paths):
        for file in path.rglob("*") if path.is_dir() else (path,):
            with suppress(OSError):
                if file.suffix in (".policy", ".toml"):
                    status = file.stat()
                    times.add((str(file), status.st_mtime_ns, status.st_size))
    return frozenset(times)


# ---- for people ----------------------------------------------------------------------------------------------------


def terminal_width() -> int | None:
    """Columns of the terminal at standard output; None if it is none, and nothing need be cut to fit."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


Cell = tuple[str, str]  # text and its rich style


def table(heads: Sequence[str], rows: Sequence[Sequence[Cell]], least: Sequence[int] = ()) -> str:
    """Aligned columns under dim heads. A terminal gets the last column cut to fit, or on a line of its own.

    With `least`, columns are at least so wide, and the heads are left out: rows that are added to a table.
    """
    first = [least or [columns(head) for head in heads]]
    sizes = [[columns(shown(text)) for text, _ in row] for row in rows]
    widths = [max(column) for column in zip(*first, *sizes, strict=True)]
    room = _room(sum(widths[:-1]) + 2 * (len(widths) - 1), max(widths[-1], 1))
    segments: list[Cell] = []
    for row in ([] if least else [[(head, "dim") for head in heads]]) + [list(row) for row in rows]:
        for (text, look), width in zip(row[:-1], widths, strict=False):
            segments += [(shown(text), look), (" " * (width + 2 - columns(shown(text))), "")]
        text, look = row[-1]
        is_head = not least and row[-1] == (heads[-1], "dim")
        segments += [*(() if is_head and room is not None and room < 0 else _last(shown(text), look, room)), ("\n", "")]
    return "\n".join(line.rstrip() for line in painted(segments, output_style()).split("\n"))


def _room(used: int, wanted: int) -> int | None:
    """Columns for the last column: None is no limit, a negative number a line of its own with so many."""
    width = terminal_width()
    if width is None or used + wanted <= width:
        return None
    return width - used if width - used >= LEAST_MESSAGE else -max(LEAST_MESSAGE, width - INDENT)


def _last(text: str, look: str, room: int | None) -> list[Cell]:
    if room is None or room >= 0:
        return [(shortened(text, room), look)]
    return [("\n" + " " * INDENT, ""), (shortened(text, -room), look)] if text else []


LEAST_MESSAGE = 40  # a last column with less room gets a line of its own
INDENT = 4


def shortened(text: str, room: int | None) -> str:
    """Return the text in at most so many columns, with `…` where it was cut; None is no limit."""
    if room is None or columns(text) <= room:
        return text
    while columns(text) >= room:
        text = text[:-1]
    return text + "…"


@contextmanager
def working(title: str) -> Iterator[None]:
    """A spinner at standard error while the body runs, if that is a terminal and the body takes a noticeable time."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    from rich.console import Console
    from rich.status import Status

    status = Status(shown(title), console=Console(stderr=True))
    timer = threading.Timer(SPINNER_SECONDS, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int, str], None]]:
    """Show a progress bar, or a line now and then without a terminal; the body calls with a number and a name."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        said = time.monotonic()

        def tell(number: int, name: str) -> None:
            nonlocal said
            if time.monotonic() - said >= PROGRESS_SECONDS:
                said = time.monotonic()
                note(f"{title}: {number} of {total}")

        yield tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda number, name: bar.update(task, completed=number, description=shown(name).replace("[", "\\["))


PROGRESS_SECONDS = 30.0  # between two lines about long work where there is no terminal
SPINNER_SECONDS = 0.4  # what ends sooner needs no spinner, which would only flicker


def parameter_lines(pack: Pack) -> list[tuple[str, str]]:
    """Return the lines that show which parameters of a pack an import may set, with their defaults."""
    if not pack.parameters:
        return []
    segments: list[tuple[str, str]] = [("\nwith", "bold"), (" { … } behind the import sets\n", "dim")]
    for each in pack.parameters:
        line = f"  {each.name} = {each.default}"
        segments += [(shortened(line, terminal_width() or 10_000), ""), (f"\n    {each.title}\n", "dim")]
    return segments
