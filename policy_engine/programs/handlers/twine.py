"""`twine`: uploads Python packages."""

from __future__ import annotations

from policy_engine.filesystem.paths import PathValue
from policy_engine.model.partial import is_known
from policy_engine.programs.base import Arguments, Scene


def touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if "upload" in arguments.operands or "register" in arguments.operands:
        scene.does("publishes", "network")
    elif arguments.operands and not is_known(arguments.operands[0]):
        scene.doubt("publishes", "which subcommand is meant is not known")
    return []
