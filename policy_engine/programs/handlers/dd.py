"""`dd`: copies from `if=` to `of=`."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths: list[PathValue] = []
    for word in arguments.operands:
        name, _, value = word.partition("=")
        if name == "if":
            paths.append(scene.path(value, "read"))
        elif name == "of":
            paths.append(scene.path(value, "write"))
        elif not is_known(word):
            paths.append(scene.path(word, "write"))
    return paths
