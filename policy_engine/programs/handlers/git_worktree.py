"""`git worktree`: adds and removes further work trees."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    verb, places = (arguments.operands or [""])[0], arguments.operands[1:]
    if verb == "add":
        return [scene.path(text, "write", True) for text in places[:1]]
    if verb == "move":
        return [scene.path(text, "write", True) for text in places]
    if verb == "remove":
        if arguments.has("-f", "--force"):
            scene.does("discards")
        return [scene.path(text, "delete", True) for text in places]
    return []
