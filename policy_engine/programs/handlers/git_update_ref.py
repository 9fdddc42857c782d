"""`git update-ref`: moves or deletes references below the porcelain."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-d", "--delete"):
        scene.does("discards")
    elif arguments.has("--stdin"):
        scene.doubt("discards", "what is deleted comes from the standard input")
    scene.does("configures")
    return []
