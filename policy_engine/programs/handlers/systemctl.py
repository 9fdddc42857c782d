"""`systemctl`: asks for or changes the state of services."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene, named

_ASKS = ("status", "show", "cat", "list-units", "list-unit-files", "is-active", "is-enabled", "is-failed", "help",
         "list-timers", "list-sockets", "list-dependencies", "get-default", "show-environment")  # fmt: skip

_SESSIONS = ("user@", "user-", "session-", "graphical", "multi-user", "display-manager", "getty@", "ssh")
_AGENTS = tuple(name for name in named("agent") if len(name) > 3)


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.operands[:1] == ["show-environment"]:
        scene.does("discloses")
    if not arguments.operands or arguments.operands[0] in _ASKS:
        return []
    scene.does("configures")
    if arguments.operands[0] in ("poweroff", "reboot", "halt", "kexec", "soft-reboot", "emergency", "rescue"):
        scene.does("formats")
    if arguments.operands[0] in ("stop", "kill", "disable", "mask", "restart", "poweroff", "reboot", "halt"):
        scene.does("kills")
        for unit in arguments.operands[1:]:
            ends = unit.startswith(_SESSIONS) or unit.endswith((".scope", ".slice"))
            if ends or any(map(unit.__contains__, _AGENTS)):
                scene.doubt("controls-engine", f"this session may run in `{unit[:80]}`")
    if arguments.operands[0] in ("enable", "disable", "mask", "unmask", "link", "edit", "set-property", "preset"):
        place = "~/.config/systemd/user" if arguments.has("--user") else "/etc/systemd/system"
        return [scene.unknown(place, f"`systemctl {arguments.operands[0]}` writes where units are kept", "write")]
    return []
