"""`policy approve`: let a call pass once that a person should have been asked about, if a person says so."""

from __future__ import annotations

import time
from typing import Any

import click

from policy_engine.commands.base import FINDINGS, MISUSED, emit, emit_json, format_option, note
from policy_engine.consent.person import answer, no_person
from policy_engine.hook_process.approval import ID_CHARS, grant, waiting
from policy_engine.model.errors import ConfigurationError
from policy_engine.reports.base import shown


@click.command(short_help="Let a refused call pass once.", epilog="Example: policy approve --show && policy approve")
@click.argument("request", required=False, metavar="[ID]")
@click.option("--show", is_flag=True, help="List what waits and ask nothing; status 1 if anything does.")
@format_option("text", "json")
def COMMAND(request: str | None, show: bool, format_name: str) -> int:
    """Show the calls that a person should have been asked about where nobody could be, and let one pass if you say so.

    A rule that asks is a refusal where the coding agent cannot ask, or runs without a person. For ten minutes such a
    call waits here; approved, the very same call of the same session passes once, under the same policies. What
    another rule denies is never here. Exit status: 1 if something waits and nothing was approved, 2 if nobody can be
    asked.
    """
    try:
        requests = {name: kept for name, kept in waiting().items() if name.startswith(request or "")}
    except OSError as error:
        raise ConfigurationError(f"the requests cannot be read: {(error.strerror or '').lower()}") from None
    if format_name == "json":
        emit_json([{"id": name[:ID_CHARS], **kept} for name, kept in requests.items()])
    else:
        emit("\n".join(_text(name, kept) for name, kept in requests.items()) or "nothing waits for a person")
    if show or not requests:
        return FINDINGS if requests else 0
    objection = no_person()
    if objection:
        note(f"error: nobody can be asked: {objection}")
        note("help: `policy approve --show` shows what waits")
        return MISUSED
    typed = answer("\nTo let one pass once, type its id: ")
    name = next((name for name in requests if name[:ID_CHARS] == typed), "")
    if not name:
        note("nothing was approved")
        return FINDINGS
    try:
        granted = grant(name, "at a terminal")
    except OSError as error:
        raise ConfigurationError(f"it cannot be recorded: {(error.strerror or str(error)).lower()}") from None
    note("approved; the agent may try the call again" if granted else "not approved: it does not wait any more")
    return 0 if granted else FINDINGS


def _text(name: str, kept: dict[str, Any]) -> str:
    seconds = max(0, time.time_ns() // 1_000_000 - kept["at"]) // 1000
    head = f"{name[:ID_CHARS]}  {shown(str(kept['action']))}"
    where = f"    {seconds} s ago in {shown(str(kept['workspace']))}, session {shown(str(kept['session']))}"
    return "\n".join([head, where, *(f"    {shown(str(rule))}" for rule in kept["rules"])])
