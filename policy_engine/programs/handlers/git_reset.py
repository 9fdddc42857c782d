"""`git reset`: moves the branch; with `--hard` and its kin it throws changes away."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("--hard", "--merge"):
        scene.does("discards")
        return [scene.path(".", "write", True)]
    if arguments.has("--keep"):
        return [scene.path(".", "write", True)]  # tracked files become those of the other commit
    return []
