"""`systemctl`: asks for or changes the state of services."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_ASKS = ("status", "show", "cat", "list-units", "list-unit-files", "is-active", "is-enabled", "is-failed", "help",
         "list-timers", "list-sockets", "list-dependencies", "get-default", "show-environment")  # fmt: skip


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
    if arguments.operands[0] in ("enable", "disable", "mask", "unmask", "link", "edit", "set-property", "preset"):
        place = "~/.config/systemd/user" if arguments.has("--user") else "/etc/systemd/system"
        return [scene.unknown(place, f"`systemctl {arguments.operands[0]}` writes where units are kept", "write")]
    return []
