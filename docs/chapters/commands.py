"""Write `commands.md`: each command with its arguments, its summary and its options, read from the commands."""

from __future__ import annotations

import inspect

import click

from docs.chapters.base import Chapter, code, first_line, page, table
from policy_engine.commands.base import CommandGroup, command_names

STATUS = """Exit status: 0 clean or allowed, 1 findings or a refusing verdict, 2 usage or configuration error,
3 a policy does not load, 4 undecided, 5 tests failed or none ran, 70 internal error. `policy hook` follows the host
that calls it. Standard output holds the result only; colour and progress appear on a terminal only. Every command
takes `--no-color`. `POLICY_DEBUG=1` shows the trace of an internal error. `policy NAME --help` has the details and an
example."""


def _files() -> dict[str, str]:
    group = CommandGroup()
    context = click.Context(group)
    commands = [(name, group.get_command(context, name)) for name in command_names()]
    return {"commands.md": page("Commands", STATUS, *(_command(name, one) for name, one in commands if one))}


def _command(name: str, command: click.Command) -> str:
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    usage = " ".join([name, *map(_argument, arguments)])
    summary = first_line(inspect.cleandoc(command.help or "")) or command.get_short_help_str(200)
    options = [one for one in command.params if isinstance(one, click.Option) and one.name != "no_color"]
    rows = [_option(option) for option in options]
    return f"## policy {usage}\n\n{summary}" + (f"\n\n{table(('option', 'meaning'), rows)}" if rows else "")


def _argument(argument: click.Argument) -> str:
    shown = argument.metavar or (argument.name or "").upper()
    return shown if argument.required or shown.startswith("[") else f"[{shown}]"


def _option(option: click.Option) -> tuple[str, str]:
    kind = option.type
    if isinstance(kind, click.Choice):
        value = " " + "|".join(str(choice) for choice in kind.choices)
    else:
        value = "" if option.is_flag else " " + (option.metavar or kind.name.split()[0].upper())
    names = ", ".join((*option.opts, *option.secondary_opts))
    default = option.default
    shown = f" [{default}]" if isinstance(default, str | int) and not isinstance(default, bool) else ""
    return code(names + value), (option.help or "").removesuffix(".") + shown


CHAPTER = Chapter("Commands", "every command of the command line, with its options", _files)
