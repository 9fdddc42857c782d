"""`code`: opens its operands in an editor, where a person sees them."""

from __future__ import annotations

from policy_engine.model.paths import PathValue
from policy_engine.programs.base import Arguments, Program, Scene


def _touched(arguments: Arguments, scene: Scene) -> list[PathValue]:
    for text in arguments.operands:
        if text[:1] != "-":
            scene.mention(text)
    return []


PROGRAM = Program(
    "code",
    touched=_touched,
    raw=True,
)
