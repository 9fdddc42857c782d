"""A host's name → the hook registered in that host's settings, or taken out of them again."""

from __future__ import annotations

import difflib
import json
import os
from pathlib import Path
from typing import Any

import click

from policy_engine.commands.base import emit, format_option
from policy_engine.loading.layers import (
    SCOPES,
    adapter_named,
    base_interpreter,
    hook_script,
    layer,
    own_command,
    project_root,
)
from policy_engine.loading.registered import read_layer, restore_layer, write_layer
from policy_engine.loading.registration import handlers, register, unregister
from policy_engine.loading.settings_file import SettingsFile
from policy_engine.model.errors import ConfigurationError


@click.command(
    short_help="Register the hook with a coding agent.",
    epilog="Example: policy install claude-code --scope project && policy doctor claude-code",
)
@click.argument("host")
@click.option("--scope", type=click.Choice(SCOPES), default="user", show_default=True, help="Whose settings to change.")
@click.option(
    "--project",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The project folder for `--scope project`; by default the repository around the current folder.",
)
@click.option("--dry-run", is_flag=True, help="Show the change and make none.")
@click.option("--uninstall", is_flag=True, help="Take the hook out again; the settings from before come back.")
@format_option("text", "json")
def COMMAND(  # noqa: N802 -- the family finds a command by this name
    host: str, scope: str, project: Path | None, dry_run: bool, uninstall: bool, format_name: str
) -> None:
    """Register the hook with HOST, for every lifecycle event, by absolute path.

    Everything else in the settings stays; the file as it was is kept beside it once. HOST is a coding agent that has
    an adapter, such as claude-code.
    """
    adapter = adapter_named(host)
    place = layer(adapter.registration, scope, (project or project_root(Path.cwd())).resolve())
    file = read_layer(adapter, place)
    command = own_command(adapter.name)
    if uninstall:
        settings = unregister(file.settings, adapter)
    else:
        settings = register(file.settings, adapter, command)
    changed = settings != file.settings
    if not uninstall and not (os.path.isfile(hook_script()) and os.access(base_interpreter(), os.X_OK)):
        raise ConfigurationError(
            f"{hook_script()} or {base_interpreter()} is missing: a hook registered so would not run"
        )
    if not dry_run:
        changed = (restore_layer if uninstall else write_layer)(adapter, file, settings)
    report: dict[str, Any] = {
        "host": adapter.name,
        "scope": scope,
        "settings": str(file.path),
        "action": "uninstall" if uninstall else "install",
        "changed": changed,
        "dry_run": dry_run,
        "command": None if uninstall else command,
        "events": [handler.event for handler in handlers(settings, adapter)],
        "afterwards": "" if uninstall else adapter.registration.afterwards,
        "backup": str(file.backup) if file.backup.exists() else None,
    }
    emit(json.dumps(report, indent=2) if format_name == "json" else _text(report, file, settings))


def _text(report: dict[str, Any], file: SettingsFile, settings: dict[str, Any]) -> str:
    if not report["changed"]:
        return f"{file.path} already says so; nothing to change"
    if report["dry_run"]:
        before, after = (
            json.dumps(value, indent=2, ensure_ascii=False).splitlines() for value in (file.settings, settings)
        )
        return "\n".join(difflib.unified_diff(before, after, str(file.path), str(file.path), lineterm=""))
    if report["action"] == "uninstall":
        return f"the hook is no longer registered in {file.path}"
    lines = [f"registered for {len(report['events'])} events in {file.path}", f"  {report['command']}"]
    if report["backup"]:
        lines.append(f"the settings from before are kept in {report['backup']}")
    if report["afterwards"]:
        lines.append(report["afterwards"])
    return "\n".join([*lines, f"prove that it is live: policy doctor {report['host']}"])
