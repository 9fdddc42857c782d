"""`zpool`, `zfs`: make and destroy pools and datasets."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, Scene

_CHANGES = ("destroy", "create", "labelclear", "remove", "replace", "detach", "rollback")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    verb = (arguments.operands or [""])[0]
    if not is_known(verb):
        scene.doubt("formats", f"which command of `{scene.name}` is meant is not known")
    elif verb not in _CHANGES or (scene.name == "zfs" and verb == "create"):
        pass
    elif any(word in ("-n", "-nv", "-nvr", "--dry-run") for word in arguments.operands):
        scene.doubt("formats", "it is a trial, on a pool")
    else:
        scene.does("formats")
    return []
