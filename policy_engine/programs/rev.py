"""`rev`: prints lines backwards."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.does("decodes")
    return [scene.path(text, "read") for text in arguments.operands]


PROGRAM = Program(
    "rev",
    read_only=True,
    touched=_touched,
)
