"""`at`, `batch`: run later what they read."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    if words[:1] in (["-l"], ["-c"]):
        return []
    scene.does("configures", "executes")
    if "-f" not in words:
        scene.does("executes-input")
        return []
    return [scene.run("".join(words[words.index("-f") + 1 :][:1]))]
