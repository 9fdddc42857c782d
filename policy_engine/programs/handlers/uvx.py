"""`uvx`: runs a Python package fetched from an index or a URL."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("network", "executes")
    if any("://" in word for word in arguments.operands):
        scene.doubt("executes-remote", "a package is fetched from an address and run")
    return []
