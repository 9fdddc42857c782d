"""`set`: sets options of the shell, or prints all variables."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if not arguments.operands or arguments.operands in (["-p"], ["-x"], ["-xp"], ["-px"]):
        scene.does("discloses")
    elif scene.name == "unset" and any(word.startswith("POLICY_") for word in arguments.operands):
        scene.does("controls-engine")
    else:
        scene.does("configures")
    return []
