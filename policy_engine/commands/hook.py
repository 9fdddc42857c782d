"""`policy hook` as help and completion show it; the call itself never comes here (hook_process/hook_entry.py)."""

from __future__ import annotations

import click

from policy_engine.commands.base import complete_from, host_names


@click.command(
    short_help="Answer one event of a coding agent.",
    epilog="Example: policy hook claude-code < payload.json",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("host", shell_complete=complete_from(host_names))
@click.option("--event", metavar="NAME", help="The native event, where the payload does not name it.")
def COMMAND(host: str, event: str | None) -> int:
    """Answer one event of the coding agent HOST: its payload on standard input, its answer on standard output.

    The form of the answer and the exit status are the host's own. `policy install HOST` registers a faster way to
    call the same code.
    """
    from policy_engine.hook_process.hook_entry import main

    return main([host, *(["--event", event] if event is not None else [])])
