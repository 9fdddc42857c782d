"""`kill`: ends or stops processes."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.operands[:1] not in (["-l"], ["-L"], ["--list"], ["-0"]):
        scene.does("kills")
    return []
