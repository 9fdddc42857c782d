"""`systemd_run`: starts a command as a service, as another user if it is told so."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("executes")
    words = arguments.operands
    if "--user" not in words:
        scene.does("elevates")  # the service manager of the machine runs it, as root unless it is told otherwise
    for word in words:
        if word.startswith(("--uid=", "--gid=")) and "--user" not in words:
            scene.does("elevates")
    return []
