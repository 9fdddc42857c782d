"""`unlink`: removes its operand."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    return [scene.path(text, "delete", follow=False) for text in arguments.operands]


PROGRAM = Program(
    "unlink",
    touched=_touched,
    evident=(),
)
