"""Migrate `permissions` and `hooks` of Claude Code's settings.json to rules that refuse and ask, and `hook`
declarations.

`deny` refuses and `ask` asks, whatever is allowed elsewhere. Nothing here can un-block, so what `allow` names becomes
the exception of a rule that asks (under `dontAsk`: refuses) before all other calls of that sort; where nobody asks, an
allowance is not needed, and a comment says so. Commands are parsed: each one of a line is judged, and a deny that
cannot be decided asks. What a search that begins above a denied file finds is left to the host.

    {"permissions": {"deny": ["Read(./.env)"], "allow": ["Bash(npm test:*)"]}}

Other keys of the settings are no rules about calls, and are left alone; those that switch the host's own guards are
listed. Several files (user, project, local) are in force together; the mode of the last one that has one holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from policy_engine.conversion.allowances import Asking, declare_asking
from policy_engine.conversion.claude_calls import lines_of, speaks_of
from policy_engine.conversion.claude_hooks import declare_hooks
from policy_engine.conversion.document import Located, read_json
from policy_engine.conversion.permissions import Guard, Permission, guards, read_permission
from policy_engine.conversion.writing import Migrated, Original, Page, block, message, quoted
from policy_engine.migrations.base import Migration
from policy_engine.model.source import Source

_LISTS = ("deny", "ask", "allow")
_ASKING_MODES = ("default", "acceptEdits", "dontAsk")
_MODES = (*_ASKING_MODES, "plan", "auto", "bypassPermissions")
_HOST_MODES = {
    "plan": "planning is a state of the session, which the host keeps; what is made here asks as `default` does",
    "auto": "a model that judges calls is no rule; what is made here asks as `default` does",
}
_HOST_KEYS = (
    "disableBypassPermissionsMode", "disableAutoMode", "disableAllHooks", "allowManagedHooksOnly",
    "allowManagedPermissionRulesOnly", "sandbox", "allowedHttpHookUrls", "enabledMcpjsonServers",
    "disabledMcpjsonServers", "enableAllProjectMcpServers", "allowedMcpServers", "deniedMcpServers",
)  # fmt: skip
_PROGRAMS = (
    "The programs of these hooks are given the canonical event instead of the host's payload, and exit status 1 refuses"
    " as 2 does: look at each. While they are also in the settings, they run twice."
)


@dataclass(slots=True)
class _Settings:
    """The settings of all sources together."""

    lists: dict[str, list[Located]] = field(default_factory=lambda: {name: [] for name in _LISTS})
    folders: list[str] = field(default_factory=list)
    mode: str = ""
    hooks: list[Located] = field(default_factory=list)


def convert(sources: Sequence[Source]) -> Migrated:
    """Convert all settings to one policy. Raises Refused for settings of another shape."""
    page = Page([f"Made by `policy migrate --from claude-settings` from {', '.join(one.name for one in sources)}."])
    settings = _Settings()
    for source in sources:
        _read(page, source, settings)
    for verdict in ("deny", "ask"):
        for entry in settings.lists[verdict]:
            with page.item(entry.where, f"{verdict} {quoted(entry.value)}"):
                _declare(page, verdict, read_permission(entry.value, entry.where))
    _allow(page, settings)
    if settings.hooks:
        page.remark(_PROGRAMS)
    for hooks in settings.hooks:
        declare_hooks(page, hooks)
    return page.finish()


def _read(page: Page, source: Source, settings: _Settings) -> None:
    root = read_json(source)
    if not isinstance(root.value, dict):
        raise root.refused("settings are an object")
    for key in (key for key in root.entries if key in _HOST_KEYS):
        page.lack(root.entries[key].where, quoted(key), "this is a switch of the host, and no rule about calls")
    if root.get("hooks") is not None:
        settings.hooks.append(root.entries["hooks"])
    permissions = root.entries.get("permissions")
    if permissions is None or permissions.value is None:
        return
    if not isinstance(permissions.value, dict):
        raise permissions.refused("`permissions` is no object")
    for key, located in permissions.entries.items():
        if key in _LISTS:
            settings.lists[key] += _texts(key, located)
        elif key == "additionalDirectories":
            settings.folders += [item.value for item in _texts(key, located)]
        elif key == "defaultMode":
            settings.mode = _mode(page, located)
        else:
            page.lack(located.where, quoted(key), "this is a switch of the host, and no rule about calls")


def _texts(key: str, located: Located) -> tuple[Located, ...]:
    if not isinstance(located.value, list):
        raise located.refused(f"`{key}` is no list")
    for item in located.items:
        if not isinstance(item.value, str):
            raise item.refused(f"an entry of `{key}` is no text")
    return located.items


def _mode(page: Page, located: Located) -> str:
    if located.value not in _MODES:
        raise located.refused(f"unknown `defaultMode` {quoted(str(located.value))}; it is one of {', '.join(_MODES)}")
    if located.value in _HOST_MODES:
        page.lack(located.where, f"`defaultMode` {quoted(located.value)}", _HOST_MODES[located.value])
        return "default"
    return str(located.value)


# ---- deny and ask --------------------------------------------------------------------------------------------------


def _declare(page: Page, verdict: str, one: Permission) -> None:
    for guard in guards(one):
        name = page.name(f"{verdict} {one.text}", verdict)
        clauses = [f"on before_tool{guard.filter}", f"when {guard.when}" if guard.when else ""]
        clauses += [
            "fail ask" if guard.fails_ask and verdict == "deny" else "",
            f"{verdict} {_said(verdict, one, guard)}",
        ]
        tests = [*(f"{step} => {verdict}" for step in guard.meets), *(f"{step} => allow" for step in guard.misses)]
        page.declare(block("rule", name, f"{verdict} {one.text}", filter(None, clauses), tests))
        page.originals.append(Original(name, f"{verdict} {one.text}", partial(speaks_of, one), lines_of(one)))


def _said(verdict: str, one: Permission, guard: Guard) -> str:
    """Return the message, which names the call that it is about."""
    if verdict == "deny":
        end = f" is what {quoted(one.text)} in the settings denies. Find another way, or ask a person to do it."
    else:
        end = f" is what {quoted(one.text)} in the settings asks about. May I?"
    return f'"{guard.subject}{message(end.strip()).replace(chr(34), chr(34) + " ", 1)[1:]}'


# ---- allow ---------------------------------------------------------------------------------------------------------


def _allow(page: Page, settings: _Settings) -> None:
    allowed: list[Permission] = []
    for entry in settings.lists["allow"]:
        with page.item(entry.where, f"allow {quoted(entry.value)}"):
            allowed.append(read_permission(entry.value, entry.where))
    mode = settings.mode or ("default" if allowed else "")
    if mode not in _ASKING_MODES:
        if allowed:
            listed = ", ".join(quoted(one.text) for one in allowed)
            page.remark(f"Not needed, as nothing asks under `{mode}`: {listed}.")
        return
    declare_asking(page, Asking(mode, tuple(allowed), tuple(settings.folders)))


CLAUDE_SETTINGS = Migration("claude-settings", "permissions and hooks of Claude Code's settings.json", convert)
