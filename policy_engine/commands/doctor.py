"""`policy doctor`: prove that a denial reaches a host: settings read, switches found, the registered command tried."""

from __future__ import annotations

import json
from pathlib import Path

import click

from policy_engine.commands.base import FOLDER, complete_from, emit, format_option, host_names, output_style
from policy_engine.hosts.canary import FAILURE, OK, WARNING, Check
from policy_engine.hosts.installed import calling_hosts
from policy_engine.hosts.layers import adapter_named, project_root
from policy_engine.hosts.liveness import diagnose, unregistered
from policy_engine.reports.base import shown

_MARKS = {OK: ("ok", "green"), WARNING: ("warning", "yellow"), FAILURE: ("FAILURE", "red")}


@click.command(
    short_help="Prove that a refusal reaches the host.", epilog="Example: policy doctor claude-code --format json"
)
@click.argument("host", shell_complete=complete_from(host_names), required=False)
@click.option(
    "--project",
    type=FOLDER,
    help="The project folder; by default the repository around the current folder.",
)
@format_option("text", "json")
def COMMAND(host: str | None, project: Path | None, format_name: str) -> int:
    """Prove by canary that a denial reaches HOST (default: every host that calls the hook here), and name what disarms
    it.

    Runs every registered command line as the host does, with a call that must be refused. Status 1 if anything keeps
    the hook from refusing. Started sessions keep the settings they began with, and a host started with options that
    leave settings out (such as `--bare`) cannot be seen from here.
    """
    folder = (project or project_root(Path.cwd())).resolve()
    hosts = [adapter_named(host)] if host else calling_hosts(folder)
    found = {each.name: diagnose(each, folder) for each in hosts} or {"": unregistered(folder, list(host_names()))}
    failed = any(map(_failed, found.values()))
    if format_name == "json":
        rows = [
            {"host": name, "check": c.name, "state": c.state, "message": c.message, "help": c.help}
            for name, checks in found.items()
            for c in checks
        ]
        emit(json.dumps({"host": " ".join(found), "live": not failed, "checks": rows}, indent=2))
    else:
        color = output_style().color
        for number, (name, checks) in enumerate(found.items()):
            emit((("\n" if number else "") + f"{name}\n" if len(found) > 1 else "") + _text(checks, color))
    return 1 if failed else 0


def _failed(checks: list[Check]) -> bool:
    return any(check.state == FAILURE for check in checks)


def _text(checks: list[Check], color: bool) -> str:
    lines = []
    for check in checks:
        word, paint = _MARKS[check.state]
        mark = click.style(f"{word:8}", fg=paint) if color else f"{word:8}"
        lines.append(f"{mark} {check.name:11} {shown(check.message)}")
        if check.help and check.state != OK:
            lines.append(f"{'':20} help: {shown(check.help)}")
    return "\n".join(lines)
