"""`echo`: prints its words and touches nothing."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    escapes = arguments.operands[:1] and arguments.operands[0][:1] == "-" and "e" in arguments.operands[0]
    if escapes and any("\\" in word for word in arguments.operands):
        scene.does("decodes")
    return []


PROGRAM = Program(
    "echo",
    touched=_touched,
    raw=True,
    read_only=True,
)
