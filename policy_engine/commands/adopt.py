"""`policy adopt`: let the current policy decide in sessions that began with an earlier one, if a person says so."""

from __future__ import annotations

import os
from pathlib import Path

import click

from policy_engine.audit.log import append
from policy_engine.commands.base import FINDINGS, FOLDER, MISUSED, emit, emit_json, format_option, note, person_here
from policy_engine.consent.person import answer, no_person
from policy_engine.hook_process.adoption import Held, adopt, held_back
from policy_engine.hosts.layers import project_root
from policy_engine.loading.live import repository
from policy_engine.model.decision import Decision
from policy_engine.model.errors import ConfigurationError
from policy_engine.reports.base import counted, shown

PROOF = "adopt"


@click.command(
    short_help="Let a changed policy decide in running sessions.",
    epilog="Example: policy adopt --show && policy adopt",
)
@click.argument("folder", required=False, metavar="[FOLDER]", type=FOLDER)
@click.option("--show", is_flag=True, help="Show the difference and ask nothing; status 1 if there is one.")
@format_option("text", "json")
def COMMAND(folder: Path | None, show: bool, format_name: str) -> int:
    """Show what sessions in the repository around FOLDER (or here) began with and the policy does not say any more, and
    let it go if you say so.

    What a policy adds holds at once in every session; what it takes away counts from the next session on, or from now
    on if a person says so: at a terminal, and not below a coding agent. Exit status: 1 if sessions go on with what
    they began with, 2 if nobody can be asked.
    """
    root = os.path.realpath(repository(str(project_root(folder or Path.cwd()))))
    items = held_back(root)
    objection = "" if show or not items else no_person()
    if objection:
        note(f"error: nobody can be asked: {objection}")
        note("help: `policy adopt --show` shows what it is about")
        return MISUSED
    if format_name == "json":
        emit_json([one.to_dict() for one in items])
    else:
        emit("\n".join(map(_text, items)) or "every session here goes by the policy as it is")
    if show or not items:
        return FINDINGS if items else 0
    typed = answer(f"\nTo let this go in these sessions, type `{PROOF}`: ")
    if typed != PROOF:
        note("the sessions go on with what they began with")
        return FINDINGS
    if [one.to_dict() for one in held_back(root)] != [one.to_dict() for one in items]:
        note("not adopted: something changed while you read; run `policy adopt` again")
        return FINDINGS
    return _adopt(items)


def _adopt(items: list[Held]) -> int:
    who = person_here()
    try:
        for one in items:
            adopt(one)
            text = f"adopted by {who}: {one.difference.text() if one.difference is not None else one.problem}"
            for session in one.sessions:
                append(Decision("", "", session, "allow", "", (), (text,)), None, "")
    except OSError as error:
        raise ConfigurationError(f"it cannot be recorded: {(error.strerror or str(error)).lower()}") from None
    note("adopted; the policy as it is decides from the next event on")
    return 0


def _text(one: Held) -> str:
    """The sessions of one beginning, and a line for each rule."""
    lines = [f"{counted(len(one.sessions), 'session')} in {shown(one.workspace)}:"]
    if one.difference is None:
        return "\n".join([*lines, f"  what they began with is not known: {shown(one.problem)}"])
    words = (("fewer", one.difference.gone), ("changed", one.difference.changed), ("new", one.difference.new))
    lines += [f"  {word:8}{shown(name)}" for word, names in words for name in names]
    return "\n".join([*lines, f"  it changed {shown(one.cause)}"] if one.cause else lines)
