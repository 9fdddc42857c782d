"""Run an MCP server with its tool calls judged on the way, and let a person agree to changed tools."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

import click

from policy_engine.commands.base import FINDINGS, FOLDER, MISUSED, emit, note
from policy_engine.model.errors import ConfigurationError

PROOF = 4  # characters that are typed: who types them has come to the end of what is shown


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
    type=FOLDER,
    help="The folder whose policies decide.  [default: this one]",
)
@click.option("--agree", metavar="NAME", help="Show the tools of that server that changed, and agree to them.")
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="-- SERVER [ARGS]...")
def COMMAND(name: str | None, workspace: Path, agree: str | None, command: tuple[str, ...]) -> int:
    """Run an MCP server on standard input and output, and judge each `tools/call` by the policies in force.

    A client starts this in the server's place. A refused call is answered with the reason; everything else passes as
    it came. The exit status is the server's. A tool whose definition is another than the one that was first seen is
    refused until a person agrees, with `--agree`, at a terminal and not below a coding agent.
    """
    if agree is not None:
        return _agree(os.path.realpath(workspace), agree)
    if not command:
        raise ConfigurationError("the server's command is missing: `policy mcp -- SERVER [ARGS]...`")
    from policy_engine.bootstrap import Engine
    from policy_engine.integrations.base import Guard
    from policy_engine.proxy.definitions import Pins
    from policy_engine.proxy.messages import Session
    from policy_engine.proxy.relay import relay

    called = name or os.path.basename(command[0]) or "server"
    if not called.isprintable():
        raise ConfigurationError("the server's name is not printable")
    logging.basicConfig(stream=sys.stderr, format="policy mcp: %(message)s", level=logging.WARNING)
    pins = Pins(os.path.realpath(workspace), called)
    session = Session(Guard(Engine.at(workspace), "mcp", workspace), called, pins)
    session.guard.rule(session.run, "session_start")
    # a reader of our own: the interpreter cannot end while a thread waits in the one of `sys.stdin`
    return relay(session, command, os.fdopen(os.dup(0), "rb"), sys.stdout.buffer)


def _agree(workspace: str, server: str) -> int:
    """Show a person what is offered, and keep it as what is agreed to if they say so."""
    from policy_engine.consent.person import answer, no_person
    from policy_engine.consent.tool_definitions import Definitions, digest_of
    from policy_engine.reports.base import shown

    known = Definitions(workspace, server)
    try:
        known.read()
    except ValueError as reason:
        raise ConfigurationError(f"`{known.file}` cannot be believed ({reason}): remove it") from None
    if not known.offered:
        emit(f"nothing of `{shown(server)}` changed")
        return 0
    objection = no_person()
    if objection:
        note(f"error: nobody can be asked: {objection}")
        return MISUSED
    before = dict(known.offered)
    for tool, definition in before.items():
        emit(f"{shown(tool)}\n" + "\n".join(f"  {shown(part)}: {shown(str(definition[part]))}" for part in definition))
    proof = digest_of({"name": "", "inputSchema": before})[:PROOF]
    if answer(f"\nTo let these tools be called, type {proof}: ") != proof:
        note("not agreed: that is not what was asked for")
        return FINDINGS
    known.read()
    if known.offered != before:
        note(f"not agreed: the tools changed while you read; run `policy mcp --agree {shown(server)}` again")
        return FINDINGS
    known.agree()
    known.write()
    note("agreed; any change to these tools takes that back")
    return 0
