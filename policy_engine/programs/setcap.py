"""`setcap`: gives a program rights of its own."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    scene.doubt("elevates", "a capability lets a file run with more rights")
    return [scene.path(text, "write") for text in arguments.operands[-1:]]


PROGRAM = Program(
    "setcap",
    touched=_touched,
    raw=True,
)
