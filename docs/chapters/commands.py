"""The command line → `commands.md`: every command with its arguments and options, read from the commands themselves."""

from __future__ import annotations

import inspect

import click

from docs.chapters.base import Chapter, code, deeper, page, table
from policy_engine.commands.base import CommandGroup, command_names

STATUS = """Exit status, whatever the flags: 0 clean or allowed, 1 findings or a refusing verdict, 2 usage or
configuration error, 3 a policy does not load, 4 undecided, 5 tests failed or none ran, 70 internal error. `policy
hook` alone follows the host it speaks to. Nothing but the result is on standard output; colour and progress only on a
terminal. `POLICY_DEBUG=1` shows where an internal error happened."""


def _files() -> dict[str, str]:
    group = CommandGroup()
    context = click.Context(group)
    commands = [(name, group.get_command(context, name)) for name in command_names()]
    return {"commands.md": page("Commands", STATUS, *(_command(name, found) for name, found in commands if found))}


def _command(name: str, command: click.Command) -> str:
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    usage = " ".join(["policy", name, *(["[OPTIONS]"] if options else []), *map(_argument, arguments)])
    parts = [f"## policy {name}", f"    {usage}", deeper(inspect.cleandoc(command.help or ""), 2)]
    if options:
        parts.append(table(("option", "meaning", "default"), map(_option, options)))
    if command.epilog:
        parts.append(command.epilog.replace("Example: ", "Example: `", 1) + "`")
    return "\n\n".join(parts)


def _argument(argument: click.Argument) -> str:
    shown = argument.metavar or (argument.name or "").upper()
    return shown if argument.required or shown.startswith("[") else f"[{shown}]"


def _option(option: click.Option) -> tuple[str, str, str]:
    names = ", ".join(code(name) for name in (*option.opts, *option.secondary_opts))
    kind = option.type
    value = ""
    if isinstance(kind, click.Choice):
        value = " " + " | ".join(code(str(choice)) for choice in kind.choices)
    elif not option.is_flag:
        value = " " + (option.metavar or kind.name.split()[0].upper())
    shown = option.default if isinstance(option.default, str | int) and not isinstance(option.default, bool) else ""
    return names + value, option.help or "", code(str(shown)) if shown != "" else ""


CHAPTER = Chapter("Commands", "every command of the command line, with its options", _files)
