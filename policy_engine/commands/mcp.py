"""A server's command → the server, its tool calls judged on the way."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

import click

from policy_engine.model.errors import ConfigurationError


@click.command(
    short_help="Guard the tools of an MCP server.",
    epilog="Example: policy mcp --name forge -- npx forge-server",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.option("--name", metavar="NAME", help="The server's name in rules.  [default: its program's name]")
@click.option(
    "--workspace",
    metavar="FOLDER",
    default=".",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder whose policies decide.  [default: this one]",
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- SERVER [ARGS]...")
def COMMAND(name: str | None, workspace: Path, command: tuple[str, ...]) -> int:  # noqa: N802 -- the family finds a command by this name
    """Run an MCP server on standard input and output, and judge each `tools/call` by the policies in force.

    A client starts this in the server's place. A refused call is answered with the reason; everything else passes as
    it came. The exit status is the server's.
    """
    from policy_engine.bootstrap import Engine
    from policy_engine.integrations.base import Guard
    from policy_engine.proxy.messages import Session
    from policy_engine.proxy.relay import relay

    called = name or os.path.basename(command[0]) or "server"
    if not called.isprintable():
        raise ConfigurationError("the server's name is not printable")
    logging.basicConfig(stream=sys.stderr, format="policy mcp: %(message)s", level=logging.WARNING)
    session = Session(Guard(Engine.at(workspace), "mcp", workspace), called)
    session.guard.rule(session.run, "session_start")
    # a reader of our own: the interpreter cannot end while a thread waits in the one of `sys.stdin`
    return relay(session, command, os.fdopen(os.dup(0), "rb"), sys.stdout.buffer)
