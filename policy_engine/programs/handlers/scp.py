"""`scp`: copies files to and from other machines."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def _remote(text: str) -> bool:
    return ":" in text.partition("/")[0]


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("network")
    if arguments.has("-S"):
        scene.does("executes")
    if not arguments.operands:
        return []
    if scene.name == "sftp":
        return [scene.path(text, "write", True) for text in arguments.operands[1:]]
    deep = arguments.has("-r", "-R")
    *sources, target = arguments.operands
    paths = [scene.path(text, "read", deep) for text in sources if not _remote(text)]
    if not _remote(target):
        inside = scene.is_folder(scene.path(target, "write"))
        for text in sources:
            arrival = scene.arrival(text.rpartition(":")[2], target) if inside else target
            paths.append(scene.path(arrival, "write", deep))
    return paths
