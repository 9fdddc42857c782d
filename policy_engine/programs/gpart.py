"""`gpart`: changes the partitions of a BSD device."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene

_SHOWS = ("show", "list", "status", "backup")


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if arguments.operands and arguments.operands[0] not in _SHOWS:
        scene.does("formats")
    return []


PROGRAM = Program(
    "gpart",
    touched=_touched,
    raw=True,
)
