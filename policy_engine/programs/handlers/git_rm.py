"""`git rm`: removes files from the index and, without `--cached`, from the disk."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.has("-n", "--dry-run", "--cached"):
        return []
    if arguments.has("-f", "--force"):
        scene.does("discards")
    deep = arguments.has("-r")
    listed = arguments.values("--pathspec-from-file")
    return [scene.unknown(text, f"which files `{text[:80]}` names is not known", "delete", True) for text in listed] + [
        scene.path(text, "delete", deep, follow=False) for text in arguments.operands
    ]
