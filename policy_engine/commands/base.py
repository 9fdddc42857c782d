"""What a command is: a file `commands/NAME.py` with `COMMAND: click.Command`; the group finds it by its file name.

`new_rule.py` is `policy new-rule`. A command's module is imported when the command is named, or when help lists them
all. A command writes only its result to standard output, and returns its exit status (None is 0) or raises one of
`model.errors`; `cli.py` turns that into the process's status.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import shutil
import sys
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, TypeVar

import click

import policy_engine
from policy_engine.reports.base import Style

FAMILY = "policy_engine.commands"
F = TypeVar("F", bound=Callable[..., Any])


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
            near = get_close_matches(name, command_names(), n=1)
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
    wanted = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return Style(color=wanted and not forbidden, width=shutil.get_terminal_size().columns)


def emit(text: str) -> None:
    """Write a finished result to standard output as UTF-8, adding the closing line end if it lacks one."""
    data = (text if text.endswith("\n") or not text else text + "\n").encode("utf-8", "backslashreplace")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
