"""`git lfs`: keeps large files elsewhere; its hooks go when it is uninstalled."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    if words[:1] == ["uninstall"]:
        scene.does("skips-hooks", "configures")
    elif words[:1] in (["install"], ["update"], ["track"], ["untrack"], ["migrate"]):
        scene.does("configures")
        if words[0] == "install" and "--local" not in words:
            return [scene.path(f"{scene.world.home}/.gitconfig", "write")]
        if words[0] in ("track", "untrack") and len(words) > 1:
            return [scene.path(".gitattributes", "write")]
    elif words[:1] == ["prune"]:
        scene.doubt("discards", "copies that nothing refers to are deleted")
    return []
