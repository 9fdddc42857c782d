"""`crontab`: lists, or replaces, what runs at set times."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-l"):
        return []
    scene.does("configures", "executes")
    if arguments.operands in ([], ["-"]) and not arguments.has("-e", "-r"):
        scene.does("executes-input")
    paths = [scene.path(text, "read") for text in arguments.operands if text != "-"]
    return [*paths, scene.path("/var/spool/cron", "write")]
