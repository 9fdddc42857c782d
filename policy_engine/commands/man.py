"""`policy man`: write manual pages of the commands, made from what `--help` knows."""

from __future__ import annotations

from pathlib import Path

import click

import policy_engine
from policy_engine.commands.base import GROUPS, CommandGroup, command_names, emit
from policy_engine.model.errors import ConfigurationError

STATUSES = (
    ("0", "clean, or allowed"),
    ("1", "findings, or a refusing verdict"),
    ("2", "wrong usage or configuration"),
    ("3", "a policy does not load"),
    ("4", "undecided"),
    ("5", "tests failed, or none ran"),
    ("70", "an error of the engine"),
)


@click.command(short_help="Show manual pages.", epilog="Example: policy man check | man -l -")
@click.argument("name", required=False, metavar="[COMMAND]")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the pages of all commands there, such as ~/.local/share/man/man1.",
)
def COMMAND(name: str | None, folder: Path | None) -> None:
    """Print the manual page of a command, or of `policy` itself, for man(1)."""
    group = CommandGroup()
    context = click.Context(group, info_name="policy")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "policy.1").write_text(_overview(group, context), "utf-8")
        for each in command_names():
            (folder / f"policy-{each}.1").write_text(_page(group, context, each), "utf-8")
        emit(f"wrote {len(command_names()) + 1} pages to {folder}")
        return
    if name is not None and name not in command_names():
        raise ConfigurationError(f"no such command `{name}`")
    emit(_overview(group, context) if name is None else _page(group, context, name))


def _overview(group: CommandGroup, context: click.Context) -> str:
    parts = [_head("policy", "rules for coding agents: write them, test them, decide by them")]
    parts.append(".SH SYNOPSIS\n.B policy\nCOMMAND [OPTIONS] [ARGUMENTS]\n")
    for heading, names in GROUPS.items():
        parts.append(f".SH {_text(heading).upper()}\n")
        for each in names:
            command = group.get_command(context, each)
            assert command is not None
            parts.append(f".TP\n.B policy-{_text(each)}(1)\n{_text(command.get_short_help_str(200))}\n")
    return "".join([*parts, _statuses()])


def _page(group: CommandGroup, context: click.Context, name: str) -> str:
    command = group.get_command(context, name)
    assert command is not None
    own = click.Context(command, info_name=name, parent=context)
    usage = " ".join(command.collect_usage_pieces(own))
    parts = [
        _head(f"policy-{name}", command.get_short_help_str(200).rstrip(".")),
        f".SH SYNOPSIS\n.B policy {_text(name)}\n{_text(usage)}\n",
        f".SH DESCRIPTION\n{_paragraphs(command.help or '')}\n",
        ".SH OPTIONS\n",
    ]
    for parameter in command.params:
        record = parameter.get_help_record(own)
        if record is not None:
            parts.append(f".TP\n.B {_text(record[0])}\n{_text(' '.join(record[1].split()))}\n")
    if command.epilog:
        parts.append(f".SH EXAMPLE\n{_text(command.epilog.removeprefix('Example: '))}\n")
    return "".join([*parts, _statuses()])


def _head(name: str, title: str) -> str:
    version = f"policy_engine {policy_engine.__version__}"
    return f'.TH "{_text(name.upper())}" "1" "" "{version}" "policy"\n.SH NAME\n{_text(name)} \\- {_text(title)}\n'


def _statuses() -> str:
    return ".SH EXIT STATUS\n" + "".join(f".TP\n.B {status}\n{meaning}\n" for status, meaning in STATUSES)


def _paragraphs(text: str) -> str:
    blocks = (" ".join(block.split()) for block in text.split("\n\n"))
    return "\n.PP\n".join(_text(block) for block in blocks if block)


def _text(text: str) -> str:
    """Return text as troff prints it: no escapes, no requests."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + plain if plain[:1] in (".", "'") else plain
