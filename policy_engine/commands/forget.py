"""`policy forget`: take the last good policy of a repository out of force, if a person says so."""

from __future__ import annotations

import os
from pathlib import Path

import click

from policy_engine.commands.base import FINDINGS, FOLDER, MISUSED, emit, note
from policy_engine.consent.person import answer, no_person
from policy_engine.hook_process.adoption import adopt_all
from policy_engine.hosts.layers import project_root
from policy_engine.loading.refresh import forget, kept_files
from policy_engine.model.errors import ConfigurationError
from policy_engine.reports.base import counted, shown
from policy_engine.state.places import REPOSITORY_FOLDER

PROOF = "forget"


@click.command(
    short_help="Let a policy go that was removed on purpose.",
    epilog="Example: git rm -r .policy && policy forget",
)
@click.argument("folder", required=False, metavar="[FOLDER]", type=FOLDER)
def COMMAND(folder: Path | None) -> int:
    """Let the policy go that stays in force although FOLDER (or the repository here) has none any more.

    Whoever can delete a policy should not be able to switch it off, so only a person at a terminal can say this. Exit
    status: 1 if it stays in force, 2 if nobody can be asked.
    """
    place = f"{os.path.realpath(project_root(folder or Path.cwd()))}/{REPOSITORY_FOLDER}"
    if os.path.lexists(place):
        raise ConfigurationError(f"`{shown(place)}` is there; what is in it decides")
    kept = kept_files(place)
    if not kept:
        emit("there is nothing to forget")
        return 0
    objection = no_person()
    if objection:
        note(f"error: nobody can be asked: {objection}")
        return MISUSED
    emit(f"{shown(place)} is gone; {counted(len(kept), 'file')} of it still decide:")
    emit("\n".join(f"  {shown(file.name)}" for file in kept))
    typed = answer(f"\nTo let them go, type `{PROOF}`: ")
    if typed != PROOF:
        note("they stay in force")
        return FINDINGS
    forget(place)
    adopt_all(os.path.dirname(place))
    emit("they are out of force from the next event on")
    return 0
