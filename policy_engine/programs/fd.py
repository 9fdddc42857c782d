"""`fd`: finds files by their names; `-x` starts programs."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    if any(word.startswith(("-x", "-X", "--exec")) for word in arguments.operands):
        scene.does("executes")
    return [scene.path(".", "read", True)]


PROGRAM = Program(
    "fd",
    read_only=True,
    touched=_touched,
    raw=True,
    looks=True,
)
