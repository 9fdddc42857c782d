"""`git checkout-index`: writes files from the index; with `-f` over what is there."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    prefix = arguments.last("--prefix") or ""
    if arguments.has("-f", "--force") and not prefix:
        scene.does("discards")
    return [scene.path(prefix or ".", "write", True)]
