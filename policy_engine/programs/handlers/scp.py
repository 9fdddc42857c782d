"""`scp`: copies files to and from other machines."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, Scene


def _remote(text: str) -> bool:
    return ":" in text.partition("/")[0]


def _batch(text: str, scene: Scene) -> list[PathValue]:
    """What the commands of `sftp` on its standard input send, fetch and start."""
    paths: list[PathValue] = []
    for line in text.split("\n"):
        verb, *words = line.lstrip("-@ ").split() or [""]
        names = [word for word in words if word[:1] != "-"]
        if verb in ("put", "mput", "reput"):
            paths += [scene.path(name, "read", "-r" in words or "-R" in words) for name in names[:1]]
        elif verb in ("get", "mget", "reget"):
            paths += [scene.path(name, "write", True) for name in names[1:2] or ["."]]
        elif verb[:1] == "!":
            scene.shell(line.strip().lstrip("!"))
    return paths


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("network")
    if arguments.has("-S"):
        scene.does("executes")
    if not arguments.operands:
        return []
    if scene.name == "sftp":
        given = [scene.path(text, "write", True) for text in arguments.operands[1:]]
        return given + _batch(scene.feed if scene.feed is not None and is_known(scene.feed) else "", scene)
    deep = arguments.has("-r", "-R")
    *sources, target = arguments.operands
    paths = [scene.path(text, "read", deep) for text in sources if not _remote(text)]
    if not _remote(target):
        inside = scene.is_folder(scene.path(target, "write"))
        for text in sources:
            arrival = scene.arrival(text.rpartition(":")[2], target) if inside else target
            paths.append(scene.path(arrival, "write", deep))
    return paths
