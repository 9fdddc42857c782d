"""`policy trust`: show a repository's commands with what they do, and let them run if a person says so."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import click

from policy_engine.commands.base import (
    FINDINGS,
    FOLDER,
    MISUSED,
    emit,
    emit_json,
    format_option,
    note,
    output_style,
    person_here,
)
from policy_engine.consent.alone import let_stand_alone, outer_of, remove_alone
from policy_engine.consent.person import answer, no_person, under_agent
from policy_engine.consent.trust import Record, remove_record, trusted_folders, write_record
from policy_engine.hosts.layers import project_root
from policy_engine.loading.effects import NEEDLESS, TRUSTED, Effects, effects
from policy_engine.model.errors import ConfigurationError
from policy_engine.reports.base import shown
from policy_engine.reports.trust_text import trust_text

ALONE = "alone"
PROOF = 8  # characters of the digest that are typed: who types them has come to the end of what is shown


@click.command(
    short_help="Let a repository's commands run.",
    epilog="Example: policy trust --show && policy trust",
)
@click.argument("folder", required=False, metavar="[FOLDER]", type=FOLDER)
@click.option("--show", is_flag=True, help="Show the effects and ask nothing; status 1 unless it is trusted.")
@click.option("--revoke", is_flag=True, help="Take the trust back.")
@click.option("--list", "list_all", is_flag=True, help="List the repositories that are trusted.")
@click.option("--alone", is_flag=True, help="Let the policies of repositories around it hold no longer in this one.")
@format_option("text", "json")
def COMMAND(folder: Path | None, show: bool, revoke: bool, list_all: bool, alone: bool, format_name: str) -> int:
    """Show what the policy of the repository around FOLDER (or here) does, and let its commands run if you say so.

    Rules hold without trust. The commands of `hook … run` and of `verify` run only while everything that decides what
    they execute is what you saw: any change makes the repository untrusted again. Only a person can trust: at a
    terminal, and not below a coding agent. Exit status: 1 if it is not trusted in the end, 2 if nobody can be asked.
    """
    if show + revoke + list_all + alone > 1:
        raise ConfigurationError("`--show`, `--revoke`, `--list` and `--alone` exclude one another")
    if list_all:
        return _list(format_name)
    root = os.path.realpath(project_root(folder or Path.cwd()))
    if revoke:
        return _revoke(root, format_name)
    if alone:
        return _alone(root)
    granted = effects(root)
    if show:
        _present(granted, format_name)
        return 0 if granted.state in (TRUSTED, NEEDLESS) else FINDINGS
    objection = "" if granted.state in (TRUSTED, NEEDLESS) else no_person()
    if objection:
        note(f"error: nobody can be asked: {objection}")
        note("help: `policy trust --show` shows what it is about")
        return MISUSED
    _present(granted, format_name)
    if granted.state in (TRUSTED, NEEDLESS):
        note("nothing to ask: " + ("it is trusted as it is" if granted.state == TRUSTED else "no command would run"))
        return 0
    return _ask(granted)


def _alone(root: str) -> int:
    """Ask the person whether the policies around a repository shall hold in it no longer."""
    outer = outer_of(root)
    objection = no_person()
    if objection:
        note(f"error: nobody can be asked: {objection}")
        return MISUSED
    emit(f"{shown(root)} lies in {shown(outer)}, whose policies hold in it beside its own.")
    if answer(f"\nTo let only its own hold in sessions that begin from now on, type `{ALONE}`: ") != ALONE:
        note("nothing changed: the policies around it hold")
        return FINDINGS
    let_stand_alone(root)
    note("it stands alone; `policy trust --revoke` takes that back")
    return 0


def _ask(granted: Effects) -> int:
    """Ask the person, look at everything again, and record the consent to what was shown."""
    proof = granted.found.digest.partition(":")[2][:PROOF]
    typed = answer(f"\nTo let these commands run, type the first {PROOF} characters of the digest: ")
    if typed != proof:
        note("not trusted: that is not how the digest begins")
        return FINDINGS
    now = effects(granted.folder)
    if (now.found.digest, now.rules, now.commands) != (granted.found.digest, granted.rules, granted.commands):
        note("not trusted: the files changed while you read; run `policy trust` again")
        return FINDINGS
    write_record(granted.folder, now.found, time.time_ns() // 1_000_000, person_here())
    note("trusted; any change to these commands and files takes that back")
    return 0


def _revoke(root: str, format_name: str) -> int:
    """Without trust a hook that fails open only warns: that is no agent's to bring about."""
    objection = under_agent()
    if objection:
        note(f"error: an agent does not take trust back: {objection}")
        return MISUSED
    removed = remove_record(root) | remove_alone(root)
    if format_name == "json":
        emit_json({"folder": root, "removed": removed})
    else:
        emit(f"{shown(root)} is no longer trusted" if removed else f"{shown(root)} was not trusted")
    return 0


def _list(format_name: str) -> int:
    folders = trusted_folders()
    if format_name == "json":
        emit_json([{"folder": folder, **_brief(record)} for folder, record in folders])
    else:
        lines = [
            f"{shown(folder)}  {shown(_since(record)) if record else 'damaged: no trust'}" for folder, record in folders
        ]
        emit("\n".join(lines) or "nothing is trusted")
    return 0


def _brief(record: Record | None) -> dict[str, object]:
    if record is None:
        return {"digest": None}
    return {"digest": record.digest, "at": record.at, "by": record.by}


def _present(granted: Effects, format_name: str) -> None:
    if format_name == "json":
        emit_json(granted.to_dict())
    else:
        emit(trust_text(granted.to_dict(), _since(granted.record), output_style()))


def _since(record: Record | None) -> str:
    if record is None:
        return ""
    try:
        moment = datetime.fromtimestamp(record.at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        moment = "?"
    return f"{moment} by {record.by}"
