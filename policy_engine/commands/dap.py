"""`policy dap`: speak the Debug Adapter Protocol at standard input and output."""

from __future__ import annotations

import sys

import click


@click.command(
    short_help="Serve an editor's debugger: step through a rule.",
    epilog="Example: an editor starts `policy dap` by itself; docs/how-to/editors.md has the settings",
)
def COMMAND() -> None:
    """Serve an editor's debugger over the Debug Adapter Protocol, at standard input and output.

    What is stepped through is the recorded evaluation of a test of a policy, or of an event: each rule that listens,
    each condition with its value. Nothing that a policy names is run. Status 0 when the editor leaves.
    """
    from policy_engine.debug_adapter.protocol import Channel
    from policy_engine.debug_adapter.server import Server

    Server(Channel(sys.stdin.buffer, sys.stdout.buffer)).serve()
