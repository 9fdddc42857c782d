"""`git apply`: changes the files that a patch names."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Scene

_LOOKS = ("--check", "--stat", "--numstat", "--summary", "--abort", "--quit", "--skip", "--show-current-patch")


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    words = arguments.operands
    paths = [scene.path(text, "read") for text in words if text[:1] != "-"]
    if "--no-verify" in words:
        scene.does("skips-hooks")
    if any(word in _LOOKS for word in words) and "--apply" not in words:
        return paths
    if "-R" in words or "--reverse" in words:
        scene.doubt("discards", "which changes are taken back is not known")
    return [*paths, scene.unknown("patch", "which files the patch changes is not known", "write")]
