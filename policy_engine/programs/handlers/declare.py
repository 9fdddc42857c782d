"""`declare`: sets variables of the shell, or prints all of them."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if not arguments.operands or arguments.operands in (["-p"], ["-x"], ["-xp"], ["-px"]):
        scene.does("discloses")
    else:
        scene.does("configures")
    return []
