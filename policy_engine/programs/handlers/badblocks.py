"""`badblocks`: tests a device; with `-w` and `-n` it writes on it."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-w", "-n") or arguments.unsure:
        return scene.formats(arguments.operands[:1])
    return [scene.path(text, "read") for text in arguments.operands[:1]]
