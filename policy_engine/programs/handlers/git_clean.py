"""`git clean`: deletes what git does not track; without `-f` it refuses."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-n", "--dry-run"):
        return []
    allowed = [value.lower() for value in scene.settings.get("clean.requireforce", [])][-1:]
    if not arguments.has("-f", "--force", "-i", "--interactive") and allowed not in (["false"], ["no"], ["0"], ["off"]):
        return []
    scene.does("discards")
    if not arguments.operands:
        # What lies below the folder goes, the folder stays: in the workspace that is the business of `discards`.
        inside = scene.cwd.known and scene.world.relative(scene.cwd) is not None
        if inside:
            return [scene.path(text, "delete", True) for text in scene.untracked()]
        return [scene.path(".", "delete", True)]
    return [scene.path(text, "delete", True) for text in arguments.operands]
