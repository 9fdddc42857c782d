"""`git read-tree`: fills the index from a tree; with `--reset` what was in it, and with `-u` in the files, is lost."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths = []
    if arguments.has("--reset"):
        scene.does("discards")
    if arguments.has("-u"):
        paths.append(scene.path(".", "write", True))
    paths += [scene.path(value, "write") for value in arguments.values("--index-output")]
    return paths
