"""`policy install`: register the hook in a host's settings, or take it out again."""

from __future__ import annotations

import difflib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import click

from policy_engine.adapters.base import Adapter
from policy_engine.commands.base import FOLDER, complete_from, emit, format_option, host_names
from policy_engine.history.ignored import Ignored
from policy_engine.hosts.consents import TRUSTED, Consent, Silent, consents, give, take_back
from policy_engine.hosts.layers import (
    SCOPES,
    Layer,
    adapter_named,
    hook_script,
    layer,
    own_command,
    project_root,
    proxy_command,
)
from policy_engine.hosts.registered import read_layer, restore_layer, write_layer
from policy_engine.hosts.registration import handlers, portable_line, register, unregister
from policy_engine.hosts.settings_file import SettingsFile
from policy_engine.loading.installation import base_interpreter, parts_in
from policy_engine.loading.installation import obtain as obtained
from policy_engine.model.errors import ConfigurationError

EMPTIED = "a cache: once it is emptied every call is refused; `uv tool install policy_engine`, then register again"
WITHIN = "lies in this project, where the agent works: install the engine elsewhere (`pipx install policy_engine`)"
PROXY = "mcp"  # no host, but a line in any client's settings


@click.command(
    short_help="Register the hook with a coding agent.",
    epilog="Example: policy install claude-code --scope local && policy doctor claude-code",
)
@click.argument("host", shell_complete=complete_from(host_names))
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="user",
    show_default=True,
    help="Whose settings to change: yours for all projects, yours for this project, or those that everybody shares.",
)
@click.option(
    "--obtain",
    metavar="TEXT",
    help="How a colleague who lacks the engine installs it; what `--scope project` says there.",
)
@click.option(
    "--project",
    type=FOLDER,
    help="The project folder for `--scope project`; by default the repository around the current folder.",
)
@click.option("--dry-run", is_flag=True, help="Show the change and make none.")
@click.option("--uninstall", is_flag=True, help="Take the hook out again; the settings from before come back.")
@format_option("text", "json")
def COMMAND(
    host: str,
    scope: str,
    obtain: str | None,
    project: Path | None,
    dry_run: bool,
    uninstall: bool,
    format_name: str,
) -> None:
    """Register the hook with HOST, for every lifecycle event.

    `--scope user` and `local` register it by absolute path. `project` writes settings that a team commits: the line in
    them finds `policy` by the search path of each machine, and where there is none it refuses and says how to get it.

    Everything else in the settings stays; the file as it was is kept beside it once. HOST is a coding agent that has
    an adapter, such as claude-code. For `generic` and `mcp`, which have no settings that are known, the line to call
    is printed.
    """
    if host == PROXY:
        emit(json.dumps({"command": proxy_command()[0], "args": proxy_command()[1:]}, indent=2))
        return
    adapter = adapter_named(host)
    if not adapter.registration.form:
        command = own_command(adapter.name)
        emit(json.dumps({"host": adapter.name, "command": command}, indent=2) if format_name == "json" else command)
        return
    root = (project or project_root(Path.cwd())).resolve()
    place = layer(adapter.registration, scope, root)
    file = read_layer(adapter, place)
    shared = scope == "project"
    command = portable_line(adapter.name, obtain or obtained()) if shared else own_command(adapter.name)
    if uninstall:
        settings = unregister(file.settings, adapter)
    else:
        settings = register(file.settings, adapter, command)
    changed = settings != file.settings
    if not uninstall and not (os.path.isfile(hook_script()) and os.access(base_interpreter(), os.X_OK)):
        raise ConfigurationError(
            f"{hook_script()} or {base_interpreter()} is missing: a hook registered so would not run"
        )
    consent, afterwards = "", "" if uninstall else adapter.registration.afterwards
    if not dry_run:
        before = _before(adapter, place, root) if uninstall else []
        changed = (restore_layer if uninstall else write_layer)(adapter, file, settings)
        consent, done = (_forgotten(adapter, root, before), True) if uninstall else _trusted(adapter, place, root)
        afterwards = "" if done else afterwards
    report: dict[str, Any] = {
        "host": adapter.name,
        "scope": scope,
        "settings": str(file.path),
        "action": "uninstall" if uninstall else "install",
        "changed": changed,
        "dry_run": dry_run,
        "command": None if uninstall else command,
        "shared": shared,
        "unignored": _unignored(root, file.path) if scope == "local" and not uninstall else "",
        "events": [handler.event for handler in handlers(settings, adapter)],
        "consent": consent,
        "afterwards": afterwards,
        "inside": list(parts_in(str(root))),
        "cache": "" if uninstall or shared else _cached(hook_script()),
        "backup": str(file.backup) if file.backup.exists() else None,
    }
    emit(json.dumps(report, indent=2) if format_name == "json" else _text(report, file, settings))


def _text(report: dict[str, Any], file: SettingsFile, settings: dict[str, Any]) -> str:
    consent = [report["consent"]] if report["consent"] else []
    if not report["changed"]:
        return "\n".join((f"{file.path} already says so; nothing to change", *consent))
    if report["dry_run"]:
        before, after = (
            json.dumps(value, indent=2, ensure_ascii=False).splitlines() for value in (file.settings, settings)
        )
        return "\n".join(difflib.unified_diff(before, after, str(file.path), str(file.path), lineterm=""))
    if report["action"] == "uninstall":
        return "\n".join((f"the hook is no longer registered in {file.path}", *consent))
    lines = [f"registered for {len(report['events'])} events in {file.path}"]
    if report["shared"]:
        lines.append("commit it: the line finds `policy` on each machine, and says how to get it where it is missing")
        lines += [] if shutil.which("policy") else ["warning: `policy` is not on your own search path; put it there"]
    if report["unignored"]:
        lines.append(f"it is yours alone; keep it out of git: echo {report['unignored']} >> .git/info/exclude")
    if report["backup"]:
        lines.append(f"the settings from before are kept in {report['backup']}")
    lines += [f"warning: {where} {WITHIN}" for where in report["inside"][:1]]
    lines += [f"warning: the engine lies in {report['cache']}, {EMPTIED}"] if report["cache"] else []
    lines += consent
    if report["afterwards"]:
        lines.append(report["afterwards"])
    return "\n".join([*lines, f"prove that it is live: policy doctor {report['host']}"])


def _cached(script: str) -> str:
    """Return the cache that a file lies in, as `uvx` keeps programs; empty if none is marked as one. Tools mark a
    virtual environment too, which nobody empties."""
    folders = (str(folder) for folder in Path(script).parents if (folder / "CACHEDIR.TAG").is_file())
    return next((folder for folder in folders if not Path(folder, "pyvenv.cfg").is_file()), "")


def _unignored(root: Path, path: Path) -> str:
    """Return the path of one person's own file as git has it, if git would commit it."""
    relative = str(path.relative_to(root))
    return relative if (root / ".git").is_dir() and not Ignored(str(root), None).file(relative) else ""


def _trusted(adapter: Adapter, place: Layer, root: Path) -> tuple[str, bool]:
    """Tell the host to trust what was registered, as the person wants who registers it; what came of that, in words,
    and whether nothing is left to the person."""
    name = adapter.name
    if not adapter.registration.asked:
        return "", False
    try:
        given = give(adapter, place, root)
    except Silent as why:
        return f"{name} could not be told to trust these hooks, and does not run them yet: {why}", False
    if not given:
        return f"{name} does not read these hooks: it was not told to trust this project", False
    left = sum(one.state != TRUSTED for one in given)
    if left:
        return f"{name} still does not trust {left} of these hooks, and does not run them yet", False
    return f"{name} was told to trust these hooks ({len(given)})", True


def _before(adapter: Adapter, place: Layer, root: Path) -> list[Consent]:
    """Return what the host was told of the hooks that are about to go; nothing if it cannot be asked."""
    try:
        return consents(adapter, place, root) if adapter.registration.asked else []
    except Silent:
        return []


def _forgotten(adapter: Adapter, root: Path, before: list[Consent]) -> str:
    if not before:
        return ""
    try:
        take_back(adapter, root, before)
    except Silent as why:
        return f"{adapter.name} still remembers that it trusted them: {why}"
    return f"{adapter.name} was told to forget them ({len(before)})"
