"""`patch`: changes the files that a patch names."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    paths = [scene.path(text, "read") for text in arguments.values("-i", "--input") + arguments.operands[1:2]]
    if arguments.has("--dry-run"):
        return paths
    for text in arguments.values("-d", "--directory"):
        paths.append(scene.path(text, "write"))
    output = arguments.last("-o", "--output")
    if output is not None:
        return [*paths, scene.path(output, "write")]
    if arguments.operands:
        return [*paths, scene.path(arguments.operands[0], "write")]
    return [*paths, scene.unknown("patch", "which files the patch changes is not known", "write")]
